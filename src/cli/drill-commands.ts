import type { Command } from './command.ts';
import { findsBox, json } from './common-options.ts';

/** The part of the table of commands that an installer tries a site with. */
export const drillCommands: readonly Command[] = [
  {
    name: 'drill',
    does: 'show the drill that is under way, and the result of the last one',
    options: { ...findsBox, json },
    load: async () => (await import('./drill.ts')).drill,
  },
  {
    name: 'drill card',
    does: 'try whether the card keeps what it acknowledges: pull the plug three times',
    options: {
      seen: {
        type: 'string',
        value: 'N',
        description: 'after a power cut: the last number that you saw',
      },
      id: {
        type: 'string',
        value: 'ID',
        description: 'with --seen, where the box has forgotten the drill: the id that was printed at its start',
      },
      cut: { type: 'string', value: 'N', description: 'with --id: which power cut it was, 1 to 3; default: 1' },
      stop: { type: 'boolean', description: 'end the drill without a verdict' },
      ...findsBox,
      json: { type: 'boolean', description: 'one JSON document a line: each number, and last the report' },
    },
    more: [
      'It prints numbers, each when the card has said that it is written. When it says PULL THE PLUG NOW, cut the power of the box, and switch it on again. Then run it with --seen and the last number that it had printed: it compares that with what is on the card, and counts again. After three cuts it prints the verdict.',
      'Exit status 0: the card passed. 1: it did not pass, or there is no verdict yet. 2: wrong usage.',
      'The language is that of LC_ALL, LC_MESSAGES or LANG: Chinese or English. The page System, Drill does the same with a phone, which remembers the number by itself.',
    ],
    examples: ['gatehouse drill card', 'gatehouse drill card --seen 312'],
    load: async () => (await import('./drill.ts')).drillCard,
  },
  {
    name: 'drill line',
    does: 'cut the line to the cloud for some minutes, and compare what devices said with what the cloud confirmed',
    options: {
      minutes: { type: 'string', value: 'N', description: '1 to 60; default: 10' },
      end: { type: 'boolean', description: 'let the line go now' },
      ...findsBox,
      json,
    },
    more: [
      'Devices go on working: what they say waits in the box. When the time is over, or with --end from another terminal, the line is let go, and the command prints what each device said, what is stored and what the cloud confirmed. A box that is killed or restarted meanwhile does not stay cut. An end of this command ends nothing.',
      'Exit status 0: all that was said is stored and confirmed. 1: it is not, or no device said anything. 2: wrong usage.',
    ],
    examples: ['gatehouse drill line --minutes 2'],
    load: async () => (await import('./drill-line.ts')).drillLine,
  },
  {
    name: 'drill terminals',
    does: 'wait for a punch of each terminal, and show when it came past each hop on its way to the cloud',
    options: {
      end: { type: 'boolean', description: 'end it now, and name the terminals that are missing' },
      ...findsBox,
      json,
    },
    more: [
      'Go from terminal to terminal and punch once at each. It prints each terminal as its punch arrives: the time by its own clock, when the box received it, and how much later it was on the disk, sent, and confirmed by the cloud. It ends when all are done, with --end from another terminal, or after eight hours; an end of this command ends nothing.',
      'Exit status 0: the punch of each terminal is confirmed (of a box without a cloud: on the disk). 1: it is not, or nobody punched. 2: wrong usage.',
    ],
    examples: ['gatehouse drill terminals'],
    load: async () => (await import('./drill-terminals.ts')).drillTerminals,
  },
];
