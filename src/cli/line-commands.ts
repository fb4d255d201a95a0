import { boxTroubles } from '../platform/fleet.ts';
import type { Command } from './command.ts';
import { findsBox, json } from './common-options.ts';

/** The commands about the line to the cloud and from the boxes below. */
export const lineCommands: readonly Command[] = [
  {
    name: 'parked list',
    does: 'list what the cloud refused for good, and why',
    options: { ...findsBox, json },
    load: async () => (await import('./parked.ts')).parkedList,
  },
  {
    name: 'parked send-again',
    does: 'send parked records to the cloud again',
    arguments: [{ name: 'SEQ|all', required: true }],
    options: { ...findsBox, json },
    load: async () => (await import('./parked.ts')).parkedSendAgain,
  },
  {
    name: 'fleet',
    does: 'list the boxes below and how each is, those in trouble first',
    options: {
      search: { type: 'string', value: 'TEXT', description: 'boxes with this in the id or the name' },
      trouble: {
        type: 'string',
        choices: [...boxTroubles, 'any', 'none'],
        description: 'boxes with this trouble',
      },
      ...findsBox,
      json,
    },
    examples: ['gatehouse fleet --trouble any'],
    load: async () => (await import('./fleet.ts')).fleet,
  },
];
