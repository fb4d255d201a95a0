/** The name that was probably meant, for `did you mean`; undefined if none is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const bound = word.length <= 3 ? 1 : word.length <= 7 ? 2 : 3;
  let best: string | undefined;
  let bestDistance = bound + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

export const didYouMean = (word: string, known: readonly string[]): string => {
  const near = nearest(word, known);
  return near === undefined ? '' : `; did you mean "${near}"?`;
};

/** The edit distance: letters inserted, removed, replaced, or two neighbours swapped. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return 4;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
