import type { Command } from './command.ts';
import { findsBox, json } from './common-options.ts';

/** The part of the table of commands that is about the audit log. */
export const auditCommands: readonly Command[] = [
  {
    name: 'audit verify',
    does: 'check that the audit log was not changed, and name the first wrong entry',
    options: {
      heads: {
        type: 'string',
        value: 'FILE',
        description: 'the lines "head …" of an earlier run, kept elsewhere: check that they are still in the log',
      },
      ...findsBox,
      json,
    },
    more: [
      'Every entry contains the hash of the one before it. Exit status 1: an entry was changed, removed or inserted.',
      'Whoever can write the database file can compute all hashes again; heads that are kept elsewhere reveal that.',
    ],
    examples: [
      'gatehouse audit verify > audit-heads-2026-11.txt',
      'gatehouse audit verify --heads audit-heads-2026-11.txt',
    ],
    load: async () => (await import('./audit.ts')).auditVerify,
  },
  {
    name: 'audit export',
    does: 'write the audit log with its hashes, oldest entry first',
    options: {
      format: { type: 'string', choices: ['ndjson', 'csv'], description: 'default: ndjson' },
      out: {
        type: 'string',
        value: 'FILE',
        description: 'write to this file, readable only by its owner; default: standard output',
      },
      ...findsBox,
    },
    more: [
      'Standard error says whether the log was changed; if so, the exit status is 1. All entries are written in any case.',
    ],
    load: async () => (await import('./audit.ts')).auditExport,
  },
];
