import { attendanceLimits } from '../../platform/attendance.ts';
import { SaidError } from '../../words/sentences.ts';
import { mirrorReasons } from '../../words/uplink.ts';

/**
 * The cloud answered a part of a list, or something that SPEC 4.8 does not say. Nothing is known
 * from it, so nothing may be changed.
 */
export class CloudIncomplete extends SaidError {
  /** `list`: such as `people`. `found`: what was asked and what came. */
  constructor(list: string, found: string) {
    super(mirrorReasons.say('list_incomplete', { list, found }));
  }
}

/** A row of an answer. Each method throws where the field is of a type that no row has. */
export class CloudRow {
  readonly #fields: Record<string, unknown>;
  readonly #fail: (found: string) => CloudIncomplete;

  constructor(value: unknown, fail: (found: string) => CloudIncomplete) {
    if (!isObject(value)) throw fail('a row is no object');
    this.#fields = value;
    this.#fail = fail;
  }

  /** Never empty: without it nobody knows which row it is. */
  id(name: string): string {
    const value = this.text(name);
    if (value === null || value === '') throw this.#fail(`a row has no "${name}"`);
    return value;
  }

  /** Text of a field; null if the row does not have it. */
  text(name: string): string | null {
    const value = this.#fields[name] ?? null;
    if (value === null || typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    throw this.#fail(`"${name}" of a row is no text`);
  }

  integer(name: string): number {
    const value = this.#fields[name];
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) throw this.#fail(`"${name}" of a row is no number`);
    return Math.trunc(number);
  }

  /** The rows of a list within the row; none where the row does not say it. */
  rows(name: string): CloudRow[] {
    const value = this.#fields[name] ?? [];
    if (!Array.isArray(value)) throw this.#fail(`"${name}" of a row is no list`);
    return value.map(one => new CloudRow(one, this.#fail));
  }

  /** As it is; undefined where the row does not say it. */
  raw(name: string): unknown {
    return this.#fields[name];
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * All rows of a list that comes in pages (SPEC 4.8: `limit`, `offset`, `total`). `ask` returns
 * `data` of a page. The list is whole only if every page has the rows that `total` promises, if
 * `total` stays the same, and if no row comes twice in place of another; else CloudIncomplete.
 */
export async function readWholeList<Row extends { readonly id: string }>(
  list: string,
  ask: (page: { limit: number; offset: number }) => Promise<unknown>,
  read: (row: CloudRow) => Row,
): Promise<Row[]> {
  const limit = attendanceLimits.limitMax;
  const rows = new Map<string, Row>();
  let expected: number | null = null;
  let before = '';
  for (let offset = 0; ; offset += limit) {
    const fail = (found: string) => new CloudIncomplete(list, `asked for ${limit} from row ${offset}: ${found}`);
    const data = await ask({ limit, offset });
    if (!isObject(data)) throw fail('the answer has no "data"');
    const { total, rows: page } = data;
    if (!isCount(total)) throw fail('the answer has no "total"');
    if (!Array.isArray(page)) throw fail('the answer has no "rows"');
    expected ??= total;
    if (total !== expected) throw fail(`"total" was ${expected} before and is ${total} now`);
    const due = Math.min(limit, total - offset);
    if (page.length !== due) throw fail(`${page.length} rows came in place of ${due}, "total" is ${total}`);
    const text = JSON.stringify(page);
    if (due > 0 && text === before) throw fail('the page before came again');
    before = text;
    for (const one of page) {
      const row = read(new CloudRow(one, fail));
      if (rows.has(row.id)) throw fail(`row ${row.id} came twice`);
      rows.set(row.id, row);
    }
    if (rows.size === total) return [...rows.values()];
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
