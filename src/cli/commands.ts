import type { Command, CommandOption } from './command.ts';

const dataDir: CommandOption = { type: 'string', value: 'DIR', says: "the box's data directory" };
const config: CommandOption = { type: 'string', value: 'FILE', says: 'its config file' };
const json: CommandOption = { type: 'boolean', says: 'one JSON document on standard output' };
const findsBox = { 'data-dir': dataDir, config } as const;

/** The one table of commands: it makes the command line, `help`, the completions and docs/operating.md. */
export const commands: readonly Command[] = [
  {
    name: 'version',
    does: 'print the version',
    options: { licences: { type: 'boolean', says: 'the licences of everything in it' } },
    load: async () => (await import('./version.ts')).version,
  },
  {
    name: 'check-config',
    does: 'say what is wrong in a config file, or what is in force and where each value comes from',
    arguments: [{ name: 'FILE' }],
    options: {
      effective: { type: 'boolean', says: 'each key, its value and its origin; secrets masked' },
      ...findsBox,
      json,
    },
    load: async () => (await import('./check-config.ts')).checkConfig,
  },
  {
    name: 'help',
    does: 'list the commands, or say how one is used',
    arguments: [{ name: 'COMMAND', many: true }],
    load: async () => (await import('./help.ts')).help,
  },
  {
    name: 'completion',
    does: 'print the completions of a shell',
    arguments: [{ name: 'SHELL', required: true, choices: ['bash', 'zsh', 'fish'] }],
    examples: ['gatehouse completion bash > /etc/bash_completion.d/gatehouse'],
    load: async () => (await import('./completion.ts')).completion,
  },
];
