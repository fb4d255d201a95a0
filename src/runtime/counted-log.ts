/**
 * The newest entries of something that repeats itself: the same again is one entry, counted, and
 * moves to the front. What was not seen for longest goes.
 */
export class CountedLog<Entry extends object> {
  readonly #max: number;
  readonly #entries = new Map<string, Entry & { readonly count: number }>();

  constructor(max: number) {
    this.#max = max;
  }

  note(key: string, entry: Entry): void {
    const count = (this.#entries.get(key)?.count ?? 0) + 1;
    this.#entries.delete(key);
    this.#entries.set(key, { ...entry, count });
    if (this.#entries.size > this.#max) this.#entries.delete(this.#entries.keys().next().value!);
  }

  /** Newest first. */
  list(): (Entry & { readonly count: number })[] {
    return [...this.#entries.values()].reverse();
  }
}
