import type { Command } from './command.ts';
import { device, findsBox, json } from './common-options.ts';

/** The part of the table of commands that proves what was received and passed on. */
export const statementCommands: readonly Command[] = [
  {
    name: 'statement',
    does: 'print what each device said on a day, what the box has of it and what the cloud confirmed',
    options: {
      day: { type: 'string', value: 'DAY', description: 'such as 2026-11-20; default: the last day that is over' },
      device,
      ...findsBox,
      json,
    },
    more: [
      'A statement is made for each day soon after it ends, also for days on which the box was off. With --day of today it says how the day stands now; that one has no hash yet.',
    ],
    examples: ['gatehouse statement --day 2026-11-20 --device FACE-T1_A0001'],
    load: async () => (await import('./statement.ts')).statement,
  },
  {
    name: 'statement verify',
    does: 'check that no daily statement was changed, and name the first day that was',
    options: {
      head: {
        type: 'string',
        value: 'HASH',
        description: 'the head on a printed sheet or in an old `gatehouse status`: check that it is in the chain',
      },
      ...findsBox,
      json,
    },
    more: [
      'Every statement contains the hash of the one before it. Exit status 1: one was changed or removed, or no statement has the hash given with --head.',
      'Whoever can write the data directory can write a new chain; a head that is kept elsewhere reveals that.',
    ],
    load: async () => (await import('./statement.ts')).statementVerify,
  },
  {
    name: 'receipt',
    does: 'print the way of one record: at the device, on the disk, acknowledged, at the cloud',
    arguments: [{ name: 'SEQ', required: true }],
    options: { ...findsBox, json },
    more: ['`gatehouse status --device ID` lists the seq of the last records of a device.'],
    load: async () => (await import('./receipt.ts')).receipt,
  },
];
