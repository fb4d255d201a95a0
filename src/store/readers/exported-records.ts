import { and, asc, eq, gt, isNotNull, lte, type SQL, sql } from 'drizzle-orm';
import { type SQLiteColumn, unionAll } from 'drizzle-orm/sqlite-core';
import { punchMarks, sourceOf } from '../domains/corrections/reads.ts';
import type { AccessRow, CheckInRow, RecordQuery, RecordReads } from '../port/records.ts';
import type { Connection } from '../schema/database.ts';
import { employee } from '../schema/people.ts';
import { type Params, type Query, queryFor } from '../schema/query.ts';
import { accessRecord, checkin, checkinUnresolved } from '../schema/records.ts';
import { clockOf, orEmpty, publicId, withClock } from './columns.ts';
import { deviceList, type IdRange, isOfDevices, lastIds, looksAt, Slices } from './slices.ts';
import type { DeviceNames } from './stored-devices.ts';

/** Part of a table: a range of ids, with check times from `from` to before `to`. */
interface Stretch extends IdRange {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** Used only by queries for some devices. */
  readonly devices: string;
}

/** In the order of ids: the plus keeps SQLite from reading by check time and sorting. */
const stretchOf = (
  { id, checkTimeSeconds, deviceNo }: Record<'id' | 'checkTimeSeconds' | 'deviceNo', SQLiteColumn>,
  ofDevices: boolean,
  value: Params<Stretch>,
): SQL | undefined =>
  and(
    gt(id, value.after),
    lte(id, value.through),
    sql`+${checkTimeSeconds} >= ${value.from}`,
    sql`+${checkTimeSeconds} < ${value.to}`,
    ofDevices ? isOfDevices(deviceNo, value.devices) : undefined,
  );

/** Check-ins and access records as `export` writes them. `imageOf`: the picture of a passage. */
export function exportedReads(
  connection: Connection,
  names: DeviceNames,
  imageOf: (id: number) => string | null,
): Pick<RecordReads, 'checkins' | 'accessRecords'> {
  const { orm } = connection;
  const marks = punchMarks(connection);
  const last = lastIds(connection);

  const exportedCheckins = queryFor((ofDevices: boolean, value: Params<Stretch>) =>
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
        })
        .from(checkin)
        .leftJoin(employee, eq(employee.id, checkin.employeeId))
        .where(stretchOf(checkin, ofDevices, value)),
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
        })
        .from(checkinUnresolved)
        .where(stretchOf(checkinUnresolved, ofDevices, value)),
    )
      .orderBy(asc(sql`place`))
      .limit(value.limit),
  );

  const exportedPassages = queryFor((ofDevices: boolean, value: Params<Stretch>) =>
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
      .where(stretchOf(accessRecord, ofDevices, value))
      .orderBy(asc(accessRecord.id))
      .limit(value.limit),
  );

  return {
    async checkins(asked) {
      const rows = await inSlices(asked, exportedCheckins(asked.deviceNos !== undefined), last.checkin());
      const found = marks(() => rows);
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
      const rows = await inSlices(asked, exportedPassages(asked.deviceNos !== undefined), last.access());
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
  };
}

/** In one statement of `inSlices`. Of some devices few rows are made of many. */
const idsEach = 2000;

/** Reads up to the id `end`, a range of ids at a time. */
async function inSlices<Row>(
  { after = 0, from, to, limit, signal, deviceNos }: RecordQuery,
  find: Query<Stretch, Row>,
  end: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  const slices = new Slices(signal);
  const span = { from: from ?? Number.MIN_SAFE_INTEGER, to: to ?? Number.MAX_SAFE_INTEGER };
  const values = { ...span, devices: deviceList(deviceNos) };
  const each = deviceNos ? looksAt : idsEach;
  for (let below = after; below < end && rows.length < limit; below += each) {
    rows.push(...find.all({ ...values, after: below, through: below + each, limit: limit - rows.length }));
    if (slices.isOver) await slices.next();
  }
  return rows;
}
