import type { Measured } from './measure.ts';
import type { Server } from './servers.ts';

export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  /** How long the soak lasts. */
  readonly minutes: number;
  /** How many rows the full store has. */
  readonly rows: number;
  readonly note: (line: string) => void;
}

/** Runs both in turn, round after round, each on a fresh server. */
export async function interleaved(
  { rounds, note }: Pace,
  own: () => Promise<Server>,
  peer: (() => Promise<Server>) | null,
  round: (server: Server) => Promise<Measured & { lag?: string }>,
): Promise<{ own: (Measured & { lag?: string })[]; peer: Measured[] }> {
  const results = { own: [] as (Measured & { lag?: string })[], peer: [] as Measured[] };
  for (let number = 0; number < rounds; number++) {
    if (peer) {
      await using server = await peer();
      results.peer.push(await round(server));
    }
    await using server = await own();
    results.own.push(await round(server));
    const [last, beside] = [results.own.at(-1)!, results.peer.at(-1)];
    note(
      `  round ${number + 1}: ${Math.round(last.perSecond)}/s${beside ? ` beside ${Math.round(beside.perSecond)}/s` : ''}`,
    );
  }
  return results;
}

export const of = (all: readonly Measured[], key: keyof Measured): number[] => all.map(one => one[key] as number);
export const percent = (share: number) => `${Math.round(share * 100)} %`;
