import { randomBytes } from 'node:crypto';
import type { HttpTerminal, MqttTerminal } from '../support/terminal.ts';
import type { Notebook } from './notebook.ts';

type Terminal = MqttTerminal | HttpTerminal;

/** Each eighth record is a punch, the others are logs. */
const channelOf = (turn: number) => (turn % 8 === 0 ? 'device' : 'log');

async function say(terminal: Terminal, channel: 'device' | 'log', notes: Notebook): Promise<void> {
  notes.acknowledged(await terminal.say(channel));
}

/** Each terminal keeps this many records on their way, all terminals at the same time. */
export async function flood(
  terminals: readonly Terminal[],
  notes: Notebook,
  {
    inFlight,
    records = Number.POSITIVE_INFINITY,
    goesOn = () => true,
    channel = channelOf,
  }: {
    inFlight: number;
    /** Of each terminal; left out: as long as `goesOn`. */
    records?: number;
    goesOn?: () => boolean;
    channel?: (turn: number) => 'device' | 'log';
  },
): Promise<void> {
  await Promise.all(
    terminals.map(async terminal => {
      let turn = 0;
      const lane = async () => {
        while (turn < records && goesOn()) await say(terminal, channel(turn++), notes);
      };
      await Promise.all(Array.from({ length: inFlight }, lane));
    }),
  );
}

/**
 * One record after the other: nothing follows an acknowledgement at once, so a cut right behind it
 * finds each flush that was missing.
 */
export async function trickle(terminals: readonly Terminal[], notes: Notebook, records: number): Promise<void> {
  for (let turn = 0; turn < records; turn++)
    await say(terminals[turn % terminals.length]!, channelOf(Math.floor(turn / terminals.length)), notes);
}

/** Logs of about so many bytes that no compression makes shorter. */
export function longLogs(terminals: readonly Terminal[], bytes: number): void {
  for (const terminal of terminals)
    terminal.logText = mid => `${mid} ${randomBytes(Math.ceil((bytes * 3) / 4)).toString('base64')}`;
}
