import type { Command } from './command.ts';
import { findsBox, json } from './common-options.ts';

/** The part of the table of commands that is about the audit log. */
export const auditCommands: readonly Command[] = [
  {
    name: 'audit verify',
    does: 'say whether the audit log holds, and which entry is the first that does not',
    options: {
      heads: {
        type: 'string',
        value: 'FILE',
        description: 'the lines "head …" of an earlier run, kept elsewhere: say whether they still stand in the log',
      },
      ...findsBox,
      json,
    },
    more: [
      'Every entry carries the hash of the one before it. Exit status 1: an entry was changed, removed or put in.',
      'Who can write the database file can compute all hashes again; heads that are kept elsewhere show that.',
    ],
    examples: [
      'gatehouse audit verify > audit-heads-2026-11.txt',
      'gatehouse audit verify --heads audit-heads-2026-11.txt',
    ],
    load: async () => (await import('./audit.ts')).auditVerify,
  },
  {
    name: 'audit export',
    does: 'write out the audit log with its hashes, oldest first',
    options: {
      format: { type: 'string', choices: ['ndjson', 'csv'], description: 'ndjson when absent' },
      out: {
        type: 'string',
        value: 'FILE',
        description: 'write there, readable by its owner alone; else to standard output',
      },
      ...findsBox,
    },
    more: [
      'Whether the log holds is said on standard error; exit status 1 where it does not. All is written nevertheless.',
    ],
    load: async () => (await import('./audit.ts')).auditExport,
  },
];
