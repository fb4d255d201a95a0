import { and, asc, eq, sql as expression, gte, lt } from 'drizzle-orm';
import { placeNamed } from '../../platform/check-data.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import { hasCorrections, punchMarks, sourceOf } from '../domains/corrections/reads.ts';
import { addedDeviceNo } from '../domains/corrections/tables.ts';
import { confirmation, parked } from '../domains/forwarding/tables.ts';
import { cloudDeviceNo } from '../domains/mirror/tables.ts';
import type { Seq } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { type Params, query } from '../schema/query.ts';
import { checkin } from '../schema/records.ts';
import { after, withClock } from './columns.ts';
import {
  addPunches,
  emptyPunchTable,
  inOrder,
  type PunchColumns,
  type PunchFacts,
  type PunchTable,
  punchLists,
} from './punch-table.ts';
import { blocksOf, Slices } from './slices.ts';
import type { KnownDevices } from './stored-devices.ts';

/** From the first second, inclusive, to the last, exclusive. */
export interface Span {
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
}

export interface PunchRow extends PunchFacts {
  readonly id: number;
  readonly seq: Seq;
  /** Terminal; null for the serial number of the device. */
  readonly terminalId: string | null;
  /** The place named by a check-in that only the cloud lists, or empty. */
  readonly placeInCloud: string;
  /** The state of the record on its way to the cloud. */
  readonly state: 'waiting' | 'confirmed' | 'parked';
  readonly confirmedAt: UnixMs | null;
}

interface Values {
  readonly extId: string;
  readonly from: number;
  readonly to: number;
  readonly afterAt: number;
  readonly afterId: number;
  readonly limit: number;
}

/** The first confirmation of a device's messages that covers the check-in. */
const confirmedAt = expression<UnixMs | null>`(SELECT ${confirmation.confirmedAt} FROM ${confirmation}
  WHERE ${confirmation.deviceNo} = ${checkin.deviceNo} AND ${confirmation.upToSeq} >= ${checkin.seq}
    AND ${confirmation.channels} & 1 <> 0 ORDER BY ${confirmation.upToSeq} LIMIT 1)`;

/** The check-ins of one person. */
export function punchReads(connection: Connection, devices: KnownDevices) {
  const { orm } = connection;
  const marks = punchMarks(connection);
  const punches = query((value: Params<Values>) =>
    orm
      .select({
        id: checkin.id,
        shownId: expression<number>`coalesce(${checkin.shownId}, ${checkin.id})`,
        recordId: checkin.recordId,
        seq: checkin.seq,
        at: checkin.checkTimeSeconds,
        deviceNo: checkin.deviceNo,
        terminalId: checkin.terminalId,
        checkData: checkin.checkData,
        checkType: checkin.checkType,
        receivedAt: checkin.receivedAt,
        clockLowMs: checkin.clockLowMs,
        clockHighMs: checkin.clockHighMs,
        parkedSeq: parked.seq,
        confirmedAt,
      })
      .from(checkin)
      .leftJoin(parked, eq(parked.seq, checkin.seq))
      .where(
        and(
          expression`${checkin.employeeId} = (SELECT id FROM employee WHERE ext_id = ${value.extId})`,
          gte(checkin.checkTimeSeconds, value.from),
          lt(checkin.checkTimeSeconds, value.to),
          after([checkin.checkTimeSeconds, checkin.id], [value.afterAt, value.afterId]),
        ),
      )
      .orderBy(asc(checkin.checkTimeSeconds), asc(checkin.id))
      .limit(value.limit),
  );
  return {
    /** Oldest first. */
    async punches({
      extId,
      from,
      to,
      after: place,
      limit,
    }: Span & {
      extId: string;
      after?: { readonly at: UnixSeconds; readonly id: number } | undefined;
      limit: number;
    }): Promise<PunchRow[]> {
      const rows = punches.all({ extId, from, to, afterAt: place?.at ?? -1, afterId: place?.id ?? -1, limit });
      const found = marks(() => rows.map(({ shownId, deviceNo, recordId }) => ({ id: shownId, deviceNo, recordId })));
      return rows.map(({ parkedSeq, checkData, recordId: _recordId, ...row }): PunchRow => {
        const { deviceNo, seq } = row;
        const passed = seq <= (devices.deviceByNo(deviceNo)?.forwarded.device ?? 0);
        const state = parkedSeq !== null ? 'parked' : passed ? 'confirmed' : 'waiting';
        return {
          ...withClock(row),
          placeInCloud: deviceNo === cloudDeviceNo ? placeNamed(JSON.parse(checkData)) : '',
          state,
          confirmedAt: state === 'confirmed' ? row.confirmedAt : null,
          source: sourceOf(deviceNo),
          mark: found.get(row.shownId) ?? null,
        };
      });
    },
  };
}

/** Check-ins of a span that are read in one pass: they take some 65 MB. */
const togetherMax = 1_000_000;
/** Rows of one statement of such a pass: a millisecond or two. */
const rowsEach = 2000;

/** One text for all rows: a fraction of the cost on PostgreSQL, the same on SQLite. */
const asJson = (brief: boolean): string => `CAST(${punchLists(brief)} AS TEXT)`;
/**
 * Person by person within one statement: asked for a list of people at once, PostgreSQL looks
 * through everybody's check-ins of the span.
 */
const ofPeople = `SELECT (SELECT ${asJson(false)} FROM (SELECT * FROM checkin
    WHERE employee_id = CAST(asked.value AS INTEGER) AND check_time_seconds >= ?2 AND check_time_seconds < ?3
    ORDER BY check_time_seconds, id LIMIT ?4) AS own) AS punches
  FROM json_each(?1) AS asked`;
const ofEverybody = (brief: boolean): string => `SELECT ${asJson(brief)} AS punches FROM (
  SELECT * FROM checkin
    WHERE check_time_seconds >= ? AND (check_time_seconds, id) > (?, ?) AND check_time_seconds < ?
    ORDER BY check_time_seconds, id LIMIT ?) AS page`;
/** Names the records that corrections made. */
const recordIds = 'SELECT id, record_id FROM checkin WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))';

interface Punches {
  readonly punches: string;
}
const listsIn = ({ punches }: Punches): PunchColumns => JSON.parse(punches) as PunchColumns;

/**
 * Check-ins as hours need them. Those of everybody are read by time, in the order in which their
 * rows lie: by person each row stands on another page of the file, and costs three to five times as
 * much.
 */
export function punchFactsReads(connection: Connection) {
  const { sql } = connection;
  const marks = punchMarks(connection);
  const recordIdsOf = (ids: readonly number[]): ReadonlyMap<number, string> => {
    const found = ids.length === 0 ? [] : sql(recordIds).all(JSON.stringify(ids));
    return new Map((found as { id: number; record_id: string }[]).map(row => [row.id, row.record_id]));
  };
  const marksOf = ([ids, shownIds, , , deviceNos]: PunchColumns) =>
    marks(() => {
      const records = recordIdsOf(ids!.filter((_, index) => deviceNos[index] === addedDeviceNo));
      return ids!.map((id, index) => ({
        ...{ id: shownIds[index]!, deviceNo: deviceNos[index]!, recordId: records.get(id) ?? '' },
      }));
    });
  /** Returns how many there were. */
  const add = (lists: PunchColumns, table: PunchTable, isCorrected: boolean): number => {
    const [ids] = lists;
    if (ids === null || ids.length === 0) return 0;
    addPunches(table, lists, isCorrected ? marksOf(lists) : null);
    return ids.length;
  };

  return {
    /** Of people by their ids in the store; of each at most `limit`. */
    async punchFacts({ ids, from, to, limit }: Span & { ids: readonly number[]; limit: number }): Promise<PunchTable> {
      const slices = new Slices();
      const found = emptyPunchTable();
      const isCorrected = hasCorrections(connection);
      for (const block of blocksOf(ids, { from, to })) {
        if (slices.isOver) await slices.next();
        const rows = sql(ofPeople).all(block, from, to, limit) as unknown as Punches[];
        for (const row of rows) add(listsIn(row), found, isCorrected);
      }
      return inOrder(found);
    },

    /**
     * Of everybody, in one pass; null: there are too many to keep at once. `brief`: their times and
     * places alone, without what was known of the clocks, and when they were received.
     */
    async punchFactsOfAll({
      from,
      to,
      brief = false,
    }: Span & { readonly brief?: boolean | undefined }): Promise<PunchTable | null> {
      const slices = new Slices();
      const found = emptyPunchTable(brief);
      const isCorrected = hasCorrections(connection);
      for (let [at, id] = [from, -1]; ; ) {
        const lists = listsIn(sql(ofEverybody(brief)).get(at, at, id, to, rowsEach) as unknown as Punches);
        if (add(lists, found, isCorrected) < rowsEach) return inOrder(found);
        if (found.size >= togetherMax) return null;
        [id, at] = [lists[0]!.at(-1)!, lists[2].at(-1)!];
        if (slices.isOver) await slices.next();
      }
    },
  };
}

export type PunchReads = ReturnType<typeof punchReads> & ReturnType<typeof punchFactsReads>;
