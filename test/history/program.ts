import type { Page } from './entry.ts';
import type { Findings } from './findings.ts';
import type { Reading } from './reading.ts';

/** The ids that a program has taken, by pages or by events; each once, rising, none left out. */
export class Program {
  readonly #name: string;
  readonly #ids: number[] = [];
  /** In which line each was taken. */
  readonly #lines: number[] = [];
  #lastPage: Page | null = null;
  /** Where its first page began. */
  #from = 0;
  /** The largest id that it was given and that a restore has undone: none is given again. */
  #goneMax = 0;
  isJudged = false;

  constructor(name: string) {
    this.#name = name;
  }

  /** A page that is asked for again has what it had, and may have more. */
  page(page: Page, line: number, found: Findings): void {
    const { from, next_id, ids } = page;
    const last = this.#lastPage;
    if (last === null && this.#ids.length === 0) this.#from = from;
    if (last !== null && from === last.from) {
      const changed = last.ids.find((id, at) => ids[at] !== id);
      if (changed !== undefined)
        found.add('gap', `${this.#name}: the page after ${from} had ${changed}, and has not when asked again`);
      this.#ids.length -= last.ids.length;
      this.#lines.length -= last.ids.length;
    } else if (from !== (last?.next_id ?? from))
      found.add('malformed', `${this.#name} asks for what comes after ${from}, and was given ${last?.next_id}`);
    for (const id of ids) this.take(id, line, found);
    if (ids.length > 0 && next_id < ids.at(-1)!)
      found.add('repeated', `${this.#name}: next_id ${next_id} stands before ${ids.at(-1)}`);
    this.#lastPage = page;
  }

  take(id: number, line: number, found: Findings): void {
    const last = this.#ids.at(-1) ?? this.#from;
    if (id <= this.#goneMax) found.add('returned', `${this.#name} is given ${id} again, which a restore has undone`);
    else if (id <= last)
      found.add(this.#ids.includes(id) ? 'repeated' : 'out of order', `${this.#name} is given ${id} behind ${last}`);
    this.#ids.push(id);
    this.#lines.push(line);
    this.isJudged = false;
  }

  /** Ids taken since that moment belong to records that are no more. */
  restoredTo(line: number): void {
    const from = this.#lines.findIndex(taken => taken > line);
    if (from < 0) return;
    this.#goneMax = this.#ids.at(-1)!;
    this.#ids.length = from;
    this.#lines.length = from;
    this.#lastPage = null;
  }

  judge(reading: Reading, found: Findings): void {
    this.isJudged = true;
    const { ids } = reading;
    let at = ids.findLastIndex(id => id <= this.#from) + 1;
    let last = this.#from;
    for (const id of this.#ids) {
      if (id <= last) continue; // Named when it was taken.
      last = id;
      for (; at < ids.length && ids[at]! < id; at++) found.add('gap', `${this.#name} was never given ${ids[at]}`);
      if (ids[at] === id) at++;
      else found.add('unknown', `${this.#name} was given ${id}, which ${reading.of.store} has not`);
    }
    for (; at < ids.length; at++) found.add('gap', `${this.#name} was never given ${ids[at]}`);
  }
}
