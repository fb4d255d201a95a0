import type { Command } from './command.ts';
import { findsBox } from './common-options.ts';

export const supportCommand: Command = {
  name: 'support',
  does: 'write one file for whoever helps with this box: state, checks and logs, without secrets and people',
  arguments: [{ name: 'FILE', required: true }],
  options: {
    yes: { type: 'boolean', short: 'y', description: 'do not ask' },
    ...findsBox,
  },
  more: [
    'Lists what the file will hold before it is written, and asks. Works on a box that runs, that is stopped, or that does not start. FILE, a .tar.gz, is never overwritten.',
    'Texts that may name a person are replaced by numbers; of the config, only numbers, choices, listeners and hosts are shown.',
  ],
  examples: ['sudo gatehouse support gatehouse-support.tar.gz'],
  load: async () => (await import('./support.ts')).support,
};
