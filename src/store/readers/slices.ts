import { setImmediate } from 'node:timers/promises';
import { max, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { query } from '../schema/query.ts';
import { accessRecord, checkin, checkinUnresolved } from '../schema/records.ts';

/** For so long a read runs before it yields to other work of its thread. */
const sliceMs = 5;

/** The slices of one long read. `signal` ends it between two of them, with the signal's reason. */
export class Slices {
  readonly #signal: AbortSignal | undefined;
  #endsAt = performance.now() + sliceMs;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  async next(): Promise<void> {
    this.#signal?.throwIfAborted();
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#endsAt = performance.now() + sliceMs;
  }
}

/**
 * Records of some devices are found among those of all: no table has an index by device, which each
 * check-in of each box would pay for. So a statement looks at no more than `looksAt` records, and
 * other reads have their turn before the next one.
 */
export const looksAt = 5000;

/** Once a page has a record, it looks no further than at so many: a caller waits for it. */
export const looksAtMax = 20_000;

/** A list of devices, as a value of a query. */
export const deviceList = (deviceNos: ReadonlySet<DeviceNo> | undefined): string =>
  JSON.stringify([...(deviceNos ?? [])]);

/** Whether a record is of one of these devices. */
export const isOfDevices = (deviceNo: SQLWrapper, list: SQLWrapper): SQL =>
  sql`${deviceNo} IN (SELECT CAST(value AS INTEGER) FROM json_each(${list}))`;

/** A range of ids, `after` excluded. */
export interface IdRange {
  readonly after: number;
  readonly through: number;
}

/** Ranges that one statement each reads, from behind `after` up to `end`. */
export function* rangesOf(after: number, end: number): Generator<IdRange> {
  for (let from = after; from < end; from += looksAt) yield { after: from, through: Math.min(end, from + looksAt) };
}

const daySeconds = 24 * 3600;
/** Check-ins of one statement, where people come and go once a day: a few milliseconds. */
const checkInsEach = 1000;

/** Lists of people for one statement each about their check-ins of a span, as JSON. */
export function* blocksOf(
  ids: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): Generator<string> {
  const each = Math.max(1, Math.floor(checkInsEach / (2 * Math.ceil((to - from) / daySeconds))));
  for (let begin = 0; begin < ids.length; begin += each) yield JSON.stringify(ids.slice(begin, begin + each));
}

/** The newest ids of check-ins, known or not, and of access records; 0 for none. */
export function lastIds({ orm }: Connection): { checkin(): number; access(): number } {
  const known = query(() => orm.select({ id: max(checkin.id) }).from(checkin));
  const unresolved = query(() => orm.select({ id: max(checkinUnresolved.id) }).from(checkinUnresolved));
  const access = query(() => orm.select({ id: max(accessRecord.id) }).from(accessRecord));
  return {
    checkin: () => Math.max(known.get()?.id ?? 0, unresolved.get()?.id ?? 0),
    access: () => access.get()?.id ?? 0,
  };
}
