import type { StatementSync } from 'node:sqlite';
import { isReadFailure } from '../schema/engine-failures.ts';

/** Numbers of records, both included. */
export interface SeqRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Where one connection found the journal unreadable since it was opened: segments, and stretches in
 * which not even the heads of segments can be read. What is known here is not read again, because a
 * read that fails makes SQLite roll back the transaction that it is in.
 */
export class UnreadablePlaces {
  /** Both by the first number. */
  readonly #segments = new Map<number, SeqRange>();
  readonly #gaps = new Map<number, SeqRange>();

  addSegment(segment: SeqRange): void {
    this.#segments.set(segment.first, segment);
  }

  hasSegment(firstSeq: number): boolean {
    return this.#segments.has(firstSeq);
  }

  /** Nothing is known of what is in it. */
  addGap(gap: SeqRange): void {
    this.#gaps.set(gap.first, gap);
  }

  /** The last number of a stretch that begins here; null: none does. */
  lastOfGap(seq: number): number | null {
    return this.#gaps.get(seq)?.last ?? null;
  }

  get size(): number {
    return this.#segments.size + this.#gaps.size;
  }

  all(): SeqRange[] {
    return [...this.#segments.values(), ...this.#gaps.values()];
  }
}

/** Ranges without those that overlap, in order. */
export function merged(ranges: readonly SeqRange[]): SeqRange[] {
  const found: SeqRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = found.at(-1);
    if (before && range.first <= before.last)
      found.splice(-1, 1, { first: before.first, last: Math.max(before.last, range.last) });
    else found.push(range);
  }
  return found;
}

interface Queried {
  sql(text: string): StatementSync;
}

/**
 * From `seq` on the heads of segments cannot be read: the first segment behind that. Null: there is
 * none, or none can be read.
 */
export const firstReadable = (connection: Queried, seq: number): number | null => pastDamage(connection, seq, 1);

/** At `seq` and before it the heads cannot be read: the last segment before that, or null. */
export const lastReadable = (connection: Queried, seq: number): number | null => pastDamage(connection, seq, -1);

/** Found by halving, since whole pages of heads are unreadable. */
function pastDamage({ sql }: Queried, seq: number, step: 1 | -1): number | null {
  const query = step === 1 ? '>= ? ORDER BY first_seq' : '<= ? ORDER BY first_seq DESC';
  const look = (from: number): number | null | 'unreadable' => {
    try {
      const row = sql(`SELECT first_seq FROM segment WHERE first_seq ${query} LIMIT 1`).get(from);
      return (row as { first_seq: number } | undefined)?.first_seq ?? null;
    } catch (error) {
      if (isReadFailure(error)) return 'unreadable';
      throw error;
    }
  };
  const end = step === 1 ? Number.MAX_SAFE_INTEGER : 0;
  let within = seq;
  let past = seq;
  let found: number | null | 'unreadable' = 'unreadable';
  for (let far = 1; found === 'unreadable'; far *= 2) {
    if (past === end) return null;
    within = past;
    past = Math.min(Math.max(seq + step * far, 0), Number.MAX_SAFE_INTEGER);
    found = look(past);
  }
  while (Math.abs(past - within) > 1) {
    const middle = within + Math.trunc((past - within) / 2);
    const there = look(middle);
    if (there === 'unreadable') within = middle;
    else {
      past = middle;
      found = there;
    }
  }
  return found;
}
