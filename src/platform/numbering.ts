/**
 * Numbers of a device's records, if its ids count: a number that is missing between two others was
 * given to a record that never came here.
 */
export interface Numbering {
  readonly from: number;
  readonly to: number;
  /** How many numbers never came. */
  readonly missing: number;
  /** The first stretches of them, both ends included. */
  readonly gaps: readonly (readonly [from: number, to: number])[];
  /** Records with a number before `from`: of a gap that an earlier day names. */
  readonly earlier: number;
  /** The device began again at 0 or 1. */
  readonly restarted: boolean;
}

/** Minimum ids before they are taken for numbers that count. */
const idsNeeded = 10;
const gapsNamed = 20;

/**
 * `ids` in any order, repeats among them or not; `last` is the last number of the day before, null
 * if the device is not known to count. Null: these ids do not count. Nothing is claimed of a device
 * until half of the numbers between its first and its last are there, at least ten.
 */
export function numberingOf(ids: readonly string[], last: number | null): Numbering | null {
  const numbers = numbersOf(ids);
  if (numbers === null || numbers.length === 0) return null;
  const lowest = numbers[0]!;
  const highest = numbers.at(-1)!;
  if (last === null) {
    const isCounting = numbers.length >= idsNeeded && highest - lowest + 1 <= numbers.length * 2;
    return isCounting ? stretch(numbers, lowest, { earlier: 0, restarted: false }) : null;
  }
  if (highest <= last && lowest <= 1) return stretch(numbers, lowest, { earlier: 0, restarted: true });
  const ahead = numbers.filter(number => number > last);
  const earlier = numbers.length - ahead.length;
  if (ahead.length === 0) return { from: last + 1, to: last, missing: 0, gaps: [], earlier, restarted: false };
  return stretch(ahead, last + 1, { earlier, restarted: false });
}

/** Rising, each once; null where one of them is no whole number. */
function numbersOf(ids: readonly string[]): number[] | null {
  const numbers = new Set<number>();
  for (const id of ids) {
    if (!/^(0|[1-9]\d{0,14})$/.test(id)) return null;
    numbers.add(Number(id));
  }
  return [...numbers].sort((a, b) => a - b);
}

function stretch(numbers: readonly number[], from: number, rest: Pick<Numbering, 'earlier' | 'restarted'>): Numbering {
  const gaps: (readonly [number, number])[] = [];
  let missing = 0;
  let next = from;
  for (const number of numbers) {
    if (number > next) {
      missing += number - next;
      if (gaps.length < gapsNamed) gaps.push([next, number - 1]);
    }
    next = number + 1;
  }
  return { from, to: next - 1, missing, gaps, ...rest };
}
