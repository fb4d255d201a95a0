/** One problem in a file or an environment variable, in words for a person. */
export interface Complaint {
  /** `gatehouse.yaml:12:5`, or the name of the variable. */
  readonly where: string;
  readonly line: number;
  readonly column: number;
  /** `listen.mqtts`, `employees[3].department.ext_id`; empty for the file as a whole. */
  readonly path: string;
  /** The value, if it is short and no secret. */
  readonly value?: string;
  /** What is wrong, and what to write instead. */
  readonly reason: string;
}

/** `gatehouse.yaml:12:5 listen.mqtts "x": not an address: write host:port, or "off"` */
function complaintText({ where, path, value, reason }: Complaint): string {
  const named = [where, path, value === undefined ? '' : JSON.stringify(value)].filter(Boolean).join(' ');
  return `${named}: ${reason}`;
}

/**
 * A config or site file was refused. Holds every complaint, one line each, in the order of the
 * file.
 */
export class FileRefused extends Error {
  readonly complaints: readonly Complaint[];
  constructor(complaints: readonly Complaint[]) {
    const sorted = [...complaints].sort((a, b) => a.line - b.line || a.column - b.column);
    super(sorted.map(complaintText).join('\n'));
    this.name = 'FileRefused';
    this.complaints = sorted;
  }
}

export type PathStep = string | number;

export const pathText = (path: readonly PathStep[]): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${step}` : step),
    '',
  );

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
