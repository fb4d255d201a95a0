import type { Command } from './command.ts';
import { device, findsBox, json } from './common-options.ts';

/** The commands of what the site's own programs hear. */
export const eventCommands: readonly Command[] = [
  {
    name: 'events',
    does: "check-ins, access records and logs as the site's own programs hear them, oldest first",
    options: {
      kind: {
        type: 'string',
        choices: ['checkins', 'access', 'logs'],
        multiple: true,
        description: 'only of this kind; default: all',
      },
      device,
      since: {
        type: 'string',
        value: 'TIME|SEQ',
        description:
          'what was received since a time such as 1h or 2026-11-20, or after the seq of one kind; default: 1h, with -f what comes',
      },
      follow: { type: 'boolean', short: 'f', description: 'continue with new ones' },
      ...findsBox,
      json: { type: 'boolean', description: 'one JSON document a line' },
    },
    examples: ['gatehouse events -f', 'gatehouse events --kind checkins --since 8h --json'],
    load: async () => (await import('./events.ts')).events,
  },
  {
    name: 'events programs',
    does: "the site's own programs: which are connected, what they were too slow for, why they were refused",
    options: { ...findsBox, json },
    load: async () => (await import('./events.ts')).eventPrograms,
  },
];
