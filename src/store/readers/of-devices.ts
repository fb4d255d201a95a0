import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { DeviceNo } from '../port/journal.ts';

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
