import { watchStolen } from './machine.ts';
import type { Measured } from './measure.ts';
import type { Server } from './servers.ts';

export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  /** How long the soak lasts. */
  readonly minutes: number;
  /** How many rows the full store has. */
  readonly rows: number;
  /** How many records the long paced drain has. */
  readonly records: number;
  readonly note: (line: string) => void;
  /** Called after each round with the share of the processors that was stolen meanwhile. */
  readonly onRound: (stolen: number, counts: boolean) => void;
}

/** A round in which more of the processors was stolen tells of the host, not of the program. */
export const stolenMax = 0.1;

/** The servers that a row compares. */
interface Compared {
  readonly own: () => Promise<Server>;
  readonly peer?: () => Promise<Server>;
  /** The bare server that shows what this machine takes for the same load at least. */
  readonly floor?: () => Promise<Server>;
}

type Figures = Measured & { readonly lag?: string };
type Results = { readonly [Side in keyof Compared]-?: Figures[] };
const sides = ['floor', 'peer', 'own'] as const;

/**
 * Measures all of them in turn, round after round, each on a fresh server. Rounds with more than
 * `stolenMax` stolen are left out, unless all are such.
 */
export async function interleaved(
  { rounds, note, onRound }: Pace,
  compared: Compared,
  measure: (server: Server) => Promise<Figures>,
): Promise<Results> {
  const all: { readonly stolen: number; readonly figures: Partial<Record<keyof Compared, Figures>> }[] = [];
  for (let number = 0; number < rounds; number++) {
    const stolen = watchStolen();
    const figures: Partial<Record<keyof Compared, Figures>> = {};
    for (const side of sides) {
      const start = compared[side];
      if (!start) continue;
      await using server = await start();
      figures[side] = await measure(server);
    }
    all.push({ stolen: stolen(), figures });
    const rates = sides.flatMap(side => (figures[side] ? `${side} ${Math.round(figures[side].perSecond)}/s` : []));
    note(`  round ${number + 1}: ${rates.join(', ')}, ${percent(all.at(-1)!.stolen)} stolen`);
  }
  const counted = countedRounds(all.map(({ stolen }) => stolen));
  for (const [number, { stolen }] of all.entries()) onRound(stolen, counted.includes(number));
  const of = (side: keyof Compared) =>
    counted.flatMap(number => {
      const figures = all[number]!.figures[side];
      return figures ? [figures] : [];
    });
  return { own: of('own'), peer: of('peer'), floor: of('floor') };
}

/** Which rounds count, by the share that was stolen in each. */
export function countedRounds(stolen: readonly number[]): number[] {
  const all = [...stolen.keys()];
  const calm = all.filter(number => stolen[number]! <= stolenMax);
  return calm.length > 0 ? calm : all;
}

export const of = (all: readonly Measured[], key: keyof Measured): number[] => all.map(one => one[key] as number);
export const percent = (share: number) => `${Math.round(share * 100)} %`;
