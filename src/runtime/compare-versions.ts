/** The version that is read: the numbers in front, then what makes it a pre-release. */
interface Version {
  readonly numbers: readonly string[];
  /** Runs of digits and runs of letters; empty for a release. */
  readonly preRelease: readonly string[];
}

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=.)/, '');

/**
 * A leading `v` and a build (`+5`) at the end do not affect the order. Any text is a version:
 * without a leading number it is a pre-release of 0.
 */
function readVersion(text: string): Version {
  const plain = text.trim().toLowerCase().replace(/^v/, '').split('+', 1)[0]!;
  const numbers = /^\d+(?:\.\d+)*/.exec(plain)?.[0] ?? '';
  return {
    numbers: numbers.split('.').map(withoutZeros),
    preRelease: (plain.slice(numbers.length).match(/\d+|[^\d\s._-]+/g) ?? []).map(part =>
      /^\d/.test(part) ? withoutZeros(part) : part,
    ),
  };
}

const isNumber = (part: string): boolean => /^\d/.test(part);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Digits of any length, without zeros in front. */
const compareDigits = (a: string, b: string): number => a.length - b.length || compareTexts(a, b);

/** A number before a word, numbers by value, words by their letters. */
function compareParts(a: string, b: string): number {
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
  return isNumber(a) ? compareDigits(a, b) : compareTexts(a, b);
}

/**
 * Negative when `a` is older, positive when it is newer, 0 when they are the same version (SPEC
 * 2.13; DESIGN: by number, part by part): 1.10 is newer than 1.9, 1.0 is 1.0.0, and 1.0-rc.2 comes
 * before 1.0-rc.10, which comes before 1.0. Never throws.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [readVersion(a), readVersion(b)];
  for (let at = 0; at < Math.max(left.numbers.length, right.numbers.length); at++) {
    const order = compareDigits(left.numbers[at] || '0', right.numbers[at] || '0');
    if (order !== 0) return order;
  }
  if (left.preRelease.length === 0 || right.preRelease.length === 0) {
    return Number(left.preRelease.length === 0) - Number(right.preRelease.length === 0);
  }
  for (let at = 0; at < Math.max(left.preRelease.length, right.preRelease.length); at++) {
    const [mine, yours] = [left.preRelease[at], right.preRelease[at]];
    if (mine === undefined || yours === undefined) return mine === undefined ? -1 : 1;
    const order = compareParts(mine, yours);
    if (order !== 0) return order;
  }
  return 0;
}
