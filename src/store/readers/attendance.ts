import { and, asc, eq, gt, isNotNull, lte, type SQL, sql } from 'drizzle-orm';
import { type SQLiteColumn, unionAll } from 'drizzle-orm/sqlite-core';
import { accessData } from '../../platform/check-data.ts';
import { cloudDeviceNo } from '../port/mirror.ts';
import type { OrganizationReads } from '../port/organization.ts';
import type { AccessEntryRecord, AccessRow, CheckInRow, RecordQuery, RecordReads } from '../port/records.ts';
import type { Connection } from '../schema/database.ts';
import { accessRecord, checkin, checkinUnresolved, employee, meta } from '../schema/index.ts';
import { type Params, type Query, query, queryFor } from '../schema/query.ts';
import { captures } from './captures.ts';
import { checkInPage } from './check-in-page.ts';
import { orEmpty, publicId } from './columns.ts';
import { punchMarks, sourceOf } from './corrections.ts';
import { clockOf, withClock } from './device-clock.ts';
import { deviceNames } from './device-names.ts';
import { lastIds } from './last-ids.ts';
import { reportReads } from './reports.ts';
import type { KnownDevices } from './stored-devices.ts';
import { Turns } from './turns.ts';

type Reads = Pick<RecordReads, 'checkins' | 'accessRecords'> &
  Pick<OrganizationReads, 'checkInsSince' | 'checkInPage' | 'accessPage' | 'checkInReport' | 'accessReport'>;

/** Part of a table: a range of ids, with check times from `from` to before `to`. */
interface Stretch {
  readonly after: number;
  readonly through: number;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** In the order of ids: the plus keeps SQLite from reading by check time and sorting. */
const stretchOf = (
  { id, checkTimeSeconds }: { id: SQLiteColumn; checkTimeSeconds: SQLiteColumn },
  value: Params<Stretch>,
): SQL | undefined =>
  and(
    gt(id, value.after),
    lte(id, value.through),
    sql`+${checkTimeSeconds} >= ${value.from}`,
    sql`+${checkTimeSeconds} < ${value.to}`,
  );

/** Check-ins and access records, as the signed API pages through them and as people read them. */
export function attendanceReads(connection: Connection, devices: KnownDevices): Reads {
  const { orm } = connection;
  const names = deviceNames(devices);
  const marks = punchMarks(connection);
  const capture = captures(connection);
  /** Null also for a damaged picture, so that one of them does not hide a page of records. */
  const imageOf = (id: number): string | null => capture(id)?.image || null;

  const sinceRow = query(() => orm.select().from(meta).where(eq(meta.key, 'checkins_since')));
  /** Set once, by the first initialization: never read again after that. */
  let since: { id: number; at: number } | null = null;
  const checkInsSince = () => {
    if (since) return since;
    const row = sinceRow.get();
    since = row ? (JSON.parse(row.value) as { id: number; at: number }) : null;
    return since;
  };

  const passages = queryFor((passedOnly: boolean, value: Params<{ after: number; limit: number }>) =>
    orm
      .select({
        id: accessRecord.id,
        userId: orEmpty(publicId(employee)),
        extId: orEmpty(employee.extId),
        deviceNo: accessRecord.deviceNo,
        doorId: accessRecord.doorId,
        checkType: accessRecord.checkType,
        checkTime: accessRecord.checkTimeSeconds,
        checkData: accessRecord.checkData,
        checkResult: accessRecord.checkResult,
        employeeId: accessRecord.employeeId,
        seq: accessRecord.seq,
        hasCapture: isNotNull(accessRecord.sealedCaptureImg).mapWith(Boolean),
      })
      .from(accessRecord)
      .leftJoin(employee, eq(employee.id, accessRecord.employeeId))
      .where(and(gt(accessRecord.id, value.after), passedOnly ? eq(accessRecord.checkResult, 0) : undefined))
      .orderBy(asc(accessRecord.id))
      .limit(value.limit),
  );

  const last = lastIds(connection);

  const exportedCheckins = query((value: Params<Stretch>) =>
    unionAll(
      orm
        .select({
          place: sql<number>`${checkin.id}`.as('place'),
          id: sql<number>`coalesce(${checkin.shownId}, ${checkin.id})`.as('id'),
          seq: checkin.seq,
          deviceNo: checkin.deviceNo,
          recordId: checkin.recordId,
          receivedAt: checkin.receivedAt,
          userId: orEmpty(publicId(employee)).as('user_id'),
          extId: orEmpty(employee.extId).as('ext_id'),
          employeeNum: sql<string | null>`NULL`.as('employee_num'),
          terminalId: checkin.terminalId,
          checkType: checkin.checkType,
          checkTime: checkin.checkTimeSeconds,
          checkData: checkin.checkData,
          clockLowMs: checkin.clockLowMs,
          clockHighMs: checkin.clockHighMs,
          clockSkewSeconds: checkin.clockSkewSeconds,
        })
        .from(checkin)
        .leftJoin(employee, eq(employee.id, checkin.employeeId))
        .where(stretchOf(checkin, value)),
      orm
        .select({
          place: sql<number>`${checkinUnresolved.id}`.as('place'),
          id: sql<number>`coalesce(${checkinUnresolved.shownId}, ${checkinUnresolved.id})`.as('id'),
          seq: checkinUnresolved.seq,
          deviceNo: checkinUnresolved.deviceNo,
          recordId: checkinUnresolved.recordId,
          receivedAt: checkinUnresolved.receivedAt,
          userId: sql<string>`''`.as('user_id'),
          extId: checkinUnresolved.extId,
          employeeNum: checkinUnresolved.employeeNum,
          terminalId: sql<string | null>`NULL`.as('terminal_id'),
          checkType: checkinUnresolved.checkType,
          checkTime: checkinUnresolved.checkTimeSeconds,
          checkData: checkinUnresolved.checkData,
          clockLowMs: checkinUnresolved.clockLowMs,
          clockHighMs: checkinUnresolved.clockHighMs,
          clockSkewSeconds: checkinUnresolved.clockSkewSeconds,
        })
        .from(checkinUnresolved)
        .where(stretchOf(checkinUnresolved, value)),
    )
      .orderBy(asc(sql`place`))
      .limit(value.limit),
  );

  const exportedPassages = query((value: Params<Stretch>) =>
    orm
      .select({
        record: accessRecord,
        hasCapture: isNotNull(accessRecord.sealedCaptureImg).mapWith(Boolean),
        userId: orEmpty(publicId(employee)),
        /** For a person whom the organization does not know, as the device sent it. */
        extId: sql<string>`CASE WHEN ${employee.id} IS NULL THEN ${accessRecord.extId} ELSE coalesce(${employee.extId}, '') END`,
      })
      .from(accessRecord)
      .leftJoin(employee, eq(employee.id, accessRecord.employeeId))
      .where(stretchOf(accessRecord, value))
      .orderBy(asc(accessRecord.id))
      .limit(value.limit),
  );

  return {
    async checkInsSince() {
      return checkInsSince();
    },

    async checkInPage(page) {
      const start = checkInsSince();
      return start ? checkInPage(connection, start.id, page) : { records: [], count: 0, next: page.after };
    },

    async accessPage({ after, limit, passedOnly, bytesMax }) {
      const records: AccessEntryRecord[] = [];
      let bytes = 0;
      for (const row of passages(passedOnly).all({ after, limit })) {
        const { deviceNo, employeeId, seq, hasCapture, ...record } = row;
        const captureImg = hasCapture ? imageOf(row.id) : null;
        bytes += captureImg?.length ?? 0;
        if (records.length > 0 && bytes > bytesMax) break;
        const { name: deviceName, serialNumber } = names(deviceNo);
        const unknownPersonData = () =>
          JSON.stringify(
            accessData(record.checkType, JSON.parse(record.checkData), { deviceName, serialNumber, person: null }),
          );
        records.push({
          ...record,
          doorId: record.doorId || serialNumber,
          captureImg,
          // The cloud's records of strangers are complete already.
          checkData: employeeId === null && deviceNo !== cloudDeviceNo ? unknownPersonData() : record.checkData,
        });
      }
      return { rows: records, next: records.at(-1)?.id ?? after };
    },

    async checkins(asked) {
      const rows = await inTurns(asked, exportedCheckins, last.checkin());
      const found = marks(rows);
      return rows.map(({ deviceNo, recordId: _recordId, ...row }): CheckInRow => {
        const checkData = JSON.parse(row.checkData) as Record<string, unknown>;
        const { deviceId, serialNumber } = names(deviceNo);
        return {
          ...withClock(row),
          deviceId,
          // Rows of known people have it in their data.
          employeeNum: row.employeeNum ?? String(checkData.employee_num ?? ''),
          terminalId: row.terminalId ?? serialNumber,
          checkData,
          source: sourceOf(deviceNo),
          mark: found.get(row.id) ?? null,
        };
      });
    },

    async accessRecords(asked) {
      const rows = await inTurns(asked, exportedPassages, last.access());
      return rows.map(({ record, hasCapture, userId, extId }): AccessRow => {
        const { deviceId, serialNumber } = names(record.deviceNo);
        return {
          id: record.id,
          seq: record.seq,
          deviceId,
          receivedAt: record.receivedAt,
          doorId: record.doorId || serialNumber,
          userId,
          extId,
          checkType: record.checkType,
          checkTime: record.checkTimeSeconds,
          checkData: JSON.parse(record.checkData),
          checkResult: record.checkResult,
          captureImg: hasCapture && asked.photos === undefined ? imageOf(record.id) : null,
          clock: clockOf(record),
        };
      });
    },

    ...reportReads(connection, names),
  };
}

const idsEach = 2000;

/** Reads up to the id `end`, a range of ids at a time. */
async function inTurns<Row>(
  { after = 0, from, to, limit, signal }: RecordQuery,
  find: Query<Stretch, Row>,
  end: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  const turns = new Turns(signal);
  const times = { from: from ?? Number.MIN_SAFE_INTEGER, to: to ?? Number.MAX_SAFE_INTEGER };
  for (let below = after; below < end && rows.length < limit; below += idsEach) {
    rows.push(...find.all({ ...times, after: below, through: below + idsEach, limit: limit - rows.length }));
    if (turns.isOver) await turns.next();
  }
  return rows;
}
