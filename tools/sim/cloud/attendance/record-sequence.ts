import { Spool } from './spool.ts';

/** Neighbours in the sequence that come from the same source. */
interface Run<T> {
  readonly from: number;
  count: number;
  readonly read: (offset: number) => T;
}

/**
 * Records in the order in which they were reported. Reported ones are held in a file; generated
 * ones are made from their number each time they are read, so a sequence of millions needs hardly
 * any memory.
 */
export class RecordSequence<T> {
  readonly #runs: Run<T>[] = [];
  readonly #spool = new Spool();
  #spooledLast = false;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(record: T): void {
    if (!this.#spooledLast) {
      const first = this.#spool.count;
      this.#runs.push({ from: this.#length, count: 0, read: offset => JSON.parse(this.#spool.read(first + offset)) });
      this.#spooledLast = true;
    }
    this.#spool.append(JSON.stringify(record));
    this.#runs.at(-1)!.count++;
    this.#length++;
  }

  /** `make` returns the same for the same number, from 0 on. */
  generate(count: number, make: (offset: number) => T): void {
    if (count <= 0) return;
    this.#runs.push({ from: this.#length, count, read: make });
    this.#spooledLast = false;
    this.#length += count;
  }

  at(index: number): T {
    let low = 0;
    let high = this.#runs.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#runs[middle]!.from <= index) low = middle;
      else high = middle - 1;
    }
    const run = this.#runs[low]!;
    return run.read(index - run.from);
  }

  close(): void {
    this.#spool.close();
  }
}

const spread = 7;

/**
 * The place of a record as `next_id` and an access record's `id` say it: rising, from 7 on, and not
 * consecutive (SPEC 4.8).
 */
export const placeOf = (index: number): number => spread * (index + 1) + (mixed(index) % spread);

/** How many records have a place of at most `place`. */
export function countUpTo(place: number): number {
  const index = Math.floor(place / spread) - 1;
  if (index < 0) return 0;
  return placeOf(index) <= place ? index + 1 : index;
}

/** 32 bits that look random and are the same for the same number. */
export function mixed(value: number, salt = 0): number {
  let bits = (value ^ Math.imul(salt, 0x9e37_79b9)) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb_352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846c_a68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
