/** Two digits: more would say more than is known. */
export const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en-US');

/**
 * Two ends of what was calculated, each rounded outwards to one digit, or to two where it begins
 * with 1 or 2: `4,000 to 27,000`.
 */
export function calculatedRange(one: number, other: number): string {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  const ends = [outwards(from, Math.floor), outwards(to, Math.ceil)];
  return [...new Set(ends)].join(' to ');
}

function outwards(value: number, round: (steps: number) => number): string {
  const magnitude = 10 ** Math.floor(Math.log10(value));
  const step = value < 3 * magnitude ? magnitude / 10 : magnitude;
  return Number((round(Number((value / step).toPrecision(9))) * step).toPrecision(2)).toLocaleString('en-US');
}
