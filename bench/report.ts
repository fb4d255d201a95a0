import type { Measured } from './measure.ts';

/** One row of the table that the bench prints. */
export interface Row {
  readonly what: string;
  readonly peer: string;
  readonly bar: string;
  readonly own: string;
  readonly beside: string;
  /**
   * Ratio to the peer round by round: median (smallest to largest); empty where there is no peer.
   */
  readonly ratio: string;
  /** The bare server that shows what the machine takes at least; absent: there is none. */
  readonly floor?: string;
  readonly met: boolean | null;
  /** The measurement that explains the value. */
  readonly why: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How much a value rises from one sample to the next, by least squares. */
export function slope(values: readonly number[]): number {
  const [x, y] = [(values.length - 1) / 2, values.reduce((sum, value) => sum + value, 0) / values.length];
  let [above, below] = [0, 0];
  for (const [index, value] of values.entries()) {
    above += (index - x) * (value - y);
    below += (index - x) ** 2;
  }
  return below === 0 ? 0 : above / below;
}

/** `12,300 (11,000 to 13,900)` */
export function spread(values: readonly number[], digits = 0): string {
  const show = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: digits });
  return `${show(median(values))} (${show(Math.min(...values))} to ${show(Math.max(...values))})`;
}

/** Ratios taken round by round: what disturbs the machine disturbs both sides. */
export const ratios = (own: readonly number[], beside: readonly number[]): number[] =>
  own.map((value, round) => value / beside[round]!);

/** The cell of the floor: its figure, and the box's in relation to it, round by round. */
export const beside = (
  floor: readonly Measured[],
  key: 'perSecond' | 'cpuMicroseconds',
  own: readonly number[],
  tls: boolean,
): string => {
  const values = floor.map(one => one[key]);
  return `bare node:${tls ? 'tls' : 'net'}: ${spread(values, key === 'perSecond' ? 0 : 1)}, ratio ${spread(ratios(own, values), 2)}`;
};

export function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, bar, own, peer, beside, ratio, floor = '', met }) =>
      `| ${what} | ${own} | ${peer}${beside ? `: ${beside}` : ''} | ${ratio} | ${floor} | ${bar} | ${met === null ? 'no bar' : met ? 'met' : '**not met**'} |`,
  );
  return [
    '| what | Gatehouse, median (range) | beside | ratio, round by round | floor | bar | |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

export const reasons = (rows: readonly Row[]): string =>
  rows
    .filter(({ why }) => why !== '')
    .map(({ what, met, why }) => `- ${what}${met === false ? ' (not met)' : ''}: ${why}`)
    .join('\n');
