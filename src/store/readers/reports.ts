import { and, asc, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { placeNamed } from '../../platform/check-data.ts';
import { punchMarks, sourceOf } from '../domains/corrections/reads.ts';
import { addedDeviceNo } from '../domains/corrections/tables.ts';
import { cloudDeviceNo } from '../domains/mirror/tables.ts';
import type { OrganizationReads } from '../port/organization.ts';
import type { FoundReportRow, ReportQuery } from '../port/records.ts';
import type { Connection } from '../schema/database.ts';
import { type Params, type Query, query, queryFor } from '../schema/query.ts';
import { accessRecord, checkin, checkinUnresolved } from '../schema/records.ts';
import { after, before, clockOf, type RecordClockColumns, withClock } from './columns.ts';
import { nobody, peopleNamed, placeValues, type StoodInValues, stoodIn, stoodInValues } from './people-scope.ts';
import { deviceList, isOfDevices, looksAt, Slices } from './slices.ts';
import type { DeviceNames } from './stored-devices.ts';

interface Values extends StoodInValues {
  readonly afterTime: number;
  readonly afterPlace: number;
  readonly from: number;
  readonly to: number;
  readonly extId: string;
  readonly limit: number;
  /** Used only by queries for some devices: the place behind what one statement looks at. */
  readonly endTime: number;
  readonly endPlace: number;
  readonly devices: string;
}

/** Where a list goes on, and where it ends. */
type Place = Pick<Values, 'afterTime' | 'afterPlace' | 'from' | 'to'>;

const valuesOf = ({ from, to, after: place, extId, stoodIn, limit, deviceNos }: ReportQuery): Values => ({
  afterTime: place?.time ?? from ?? 0,
  afterPlace: place?.place ?? -1,
  from: place?.time ?? from ?? 0,
  to: to ?? Number.MAX_SAFE_INTEGER,
  // Used only by queries for one person or one department.
  extId: extId ?? '',
  ...stoodInValues(stoodIn),
  limit,
  endTime: 0,
  endPlace: 0,
  devices: deviceList(deviceNos),
});

/** How a report is restricted. */
type Cut = ByDevices & { readonly ofPerson: boolean; readonly ofDepartment: boolean };
type ByDevices = { readonly ofDevices: boolean };

const cutOf = ({ extId, stoodIn, deviceNos }: ReportQuery): Cut => ({
  ofPerson: extId !== undefined,
  ofDepartment: stoodIn !== undefined,
  ofDevices: deviceNos !== undefined,
});

interface RecordColumns {
  readonly id: SQLiteColumn;
  readonly checkTimeSeconds: SQLiteColumn;
  readonly deviceNo: SQLiteColumn;
  readonly checkData: SQLiteColumn;
}

const place = ({ id, checkTimeSeconds }: RecordColumns, value: Params<Place>): SQL | undefined =>
  and(
    after([checkTimeSeconds, id], [value.afterTime, value.afterPlace]),
    gte(checkTimeSeconds, value.from),
    lt(checkTimeSeconds, value.to),
  );

/** Of some devices: as far as one statement looks. */
const ofDevices = (
  { id, checkTimeSeconds, deviceNo }: RecordColumns,
  { ofDevices: areSome }: ByDevices,
  value: Params<Values>,
): SQL | undefined =>
  areSome
    ? and(before([checkTimeSeconds, id], [value.endTime, value.endPlace]), isOfDevices(deviceNo, value.devices))
    : undefined;

const cut = (employeeId: SQLiteColumn, { ofPerson, ofDepartment }: Cut, value: Params<Values>): SQL | undefined =>
  and(
    ofPerson ? sql`${employeeId} = (SELECT id FROM employee WHERE ext_id = ${value.extId})` : undefined,
    ofDepartment
      ? sql`EXISTS (SELECT 1 FROM employee WHERE employee.id = ${employeeId} AND ${stoodIn(sql, placeValues(value))})`
      : undefined,
  );

/** Names the place of a record that only the cloud lists. */
const onlyOfCloud = ({ deviceNo, checkData }: Pick<RecordColumns, 'deviceNo' | 'checkData'>): SQL<string | null> =>
  sql<string | null>`CASE WHEN ${deviceNo} = ${cloudDeviceNo} THEN ${checkData} END`;

/** Of `checkIns`, in its order. */
type CheckInColumns = readonly [
  ...[place: number, id: number, deviceNo: number, recordId: string, receivedAt: number, checkType: string],
  ...[checkTime: number, checkData: string | null, clockLowMs: number | null, clockHighMs: number | null],
  ...[terminalId: string | null, employeeId: number],
];

/**
 * Reports for people, by check time on its index: a month out of millions reads that month alone.
 */
export function reportReads(
  connection: Connection,
  names: DeviceNames,
): Pick<OrganizationReads, 'checkInReport' | 'accessReport'> {
  const { orm } = connection;
  const marks = punchMarks(connection);
  const peopleOf = peopleNamed(connection);
  const checkIns = queryFor((of: Cut, value: Params<Values>) =>
    orm
      .select({
        place: checkin.id,
        id: sql<number>`coalesce(${checkin.shownId}, ${checkin.id})`,
        deviceNo: checkin.deviceNo,
        recordId: sql<string>`CASE WHEN ${checkin.deviceNo} = ${sql.raw(String(addedDeviceNo))} THEN ${checkin.recordId} ELSE '' END`,
        receivedAt: checkin.receivedAt,
        checkType: checkin.checkType,
        checkTime: checkin.checkTimeSeconds,
        checkData: onlyOfCloud(checkin),
        clockLowMs: checkin.clockLowMs,
        clockHighMs: checkin.clockHighMs,
        terminalId: checkin.terminalId,
        employeeId: checkin.employeeId,
      })
      .from(checkin)
      .where(and(place(checkin, value), ofDevices(checkin, of, value), cut(checkin.employeeId, of, value)))
      .orderBy(asc(checkin.checkTimeSeconds), asc(checkin.id))
      .limit(value.limit),
  );

  const unresolved = queryFor((of: ByDevices, value: Params<Values>) =>
    orm
      .select({
        place: checkinUnresolved.id,
        id: sql<number>`coalesce(${checkinUnresolved.shownId}, ${checkinUnresolved.id})`,
        deviceNo: checkinUnresolved.deviceNo,
        receivedAt: checkinUnresolved.receivedAt,
        checkType: checkinUnresolved.checkType,
        checkTime: checkinUnresolved.checkTimeSeconds,
        checkData: onlyOfCloud(checkinUnresolved),
        clockLowMs: checkinUnresolved.clockLowMs,
        clockHighMs: checkinUnresolved.clockHighMs,
        extId: checkinUnresolved.extId,
        employeeNum: checkinUnresolved.employeeNum,
      })
      .from(checkinUnresolved)
      .where(and(place(checkinUnresolved, value), ofDevices(checkinUnresolved, of, value)))
      .orderBy(asc(checkinUnresolved.checkTimeSeconds), asc(checkinUnresolved.id))
      .limit(value.limit),
  );

  const passages = queryFor((of: Cut, value: Params<Values>) =>
    orm
      .select({
        place: accessRecord.id,
        id: accessRecord.id,
        deviceNo: accessRecord.deviceNo,
        receivedAt: accessRecord.receivedAt,
        checkType: accessRecord.checkType,
        checkTime: accessRecord.checkTimeSeconds,
        checkData: onlyOfCloud(accessRecord),
        clockLowMs: accessRecord.clockLowMs,
        clockHighMs: accessRecord.clockHighMs,
        doorId: accessRecord.doorId,
        checkResult: accessRecord.checkResult,
        employeeId: accessRecord.employeeId,
      })
      .from(accessRecord)
      .where(
        and(place(accessRecord, value), ofDevices(accessRecord, of, value), cut(accessRecord.employeeId, of, value)),
      )
      .orderBy(asc(accessRecord.checkTimeSeconds), asc(accessRecord.id))
      .limit(value.limit),
  );

  const named = <Row extends Named>({ deviceNo, checkData, ...row }: Row) => {
    const source = sourceOf(deviceNo);
    const { deviceId, name, serialNumber } = names(deviceNo);
    const deviceName = checkData === null ? name || serialNumber : placeIn(checkData);
    return { ...withClock(row), deviceId, deviceName, terminalId: serialNumber, source, mark: null };
  };

  /** The last row that one statement for some devices looks at; none: fewer are left. */
  const [endOfKnown, endOfUnresolved, endOfPassages] = [checkin, checkinUnresolved, accessRecord].map(table =>
    query((value: Params<Place>) =>
      orm
        .select({ time: table.checkTimeSeconds, place: table.id })
        .from(table)
        .where(place(table, value))
        .orderBy(asc(table.checkTimeSeconds), asc(table.id))
        .limit(1)
        .offset(looksAt - 1),
    ),
  ) as [Ends, Ends, Ends];

  const checkInRows: Find = (of, values, asked) => {
    const rows = checkIns(of).arrays(connection, values) as unknown as CheckInColumns[];
    const found = marks(() => rows.map(([, id, deviceNo, recordId]) => ({ id, deviceNo, recordId })));
    const personOf = peopleOf(
      rows.map(row => row[11]),
      asked.people,
    );
    // Named one by one: of 200,000 rows spreading takes as long as reading.
    const known = rows.map((row): FoundReportRow => {
      const [at, id, deviceNo, , receivedAt, checkType, checkTime, checkData, clockLowMs, clockHighMs] = row;
      const { deviceId, name: deviceName, serialNumber } = names(deviceNo);
      const { userId, extId, name, employeeNum, department: departmentName, stands } = personOf(row[11]);
      return {
        place: at,
        id,
        receivedAt,
        checkType,
        checkTime,
        clock: clockOf({ clockLowMs, clockHighMs }),
        userId,
        extId,
        name,
        employeeNum,
        department: departmentName,
        stands,
        deviceId,
        deviceName: checkData === null ? deviceName || serialNumber : placeIn(checkData),
        terminalId: row[10] ?? serialNumber,
        source: sourceOf(deviceNo),
        mark: found.get(id) ?? null,
        doorId: '',
        checkResult: 0,
      };
    });
    // Check-ins of people whom the organization does not know belong to no person or department.
    if (of.ofPerson || of.ofDepartment) return known;
    const strangers = unresolved({ ofDevices: of.ofDevices })
      .all(values)
      .map(({ extId, employeeNum, ...row }): FoundReportRow => {
        return { ...named(row), ...nobody, extId, employeeNum, doorId: '', checkResult: 0 };
      });
    return strangers.length === 0 ? known : [...known, ...strangers].sort(byTime).slice(0, values.limit);
  };

  const accessRows: Find = (of, values, asked) => {
    const rows = passages(of).all(values);
    const personOf = peopleOf(
      rows.map(({ employeeId }) => employeeId),
      asked.people,
    );
    return rows.map(({ employeeId, ...row }): FoundReportRow => {
      const it = named(row);
      return { ...it, ...personOf(employeeId), doorId: row.doorId || it.terminalId };
    });
  };

  return {
    checkInReport: asked => reported(asked, checkInRows, [endOfKnown, endOfUnresolved]),
    accessReport: asked => reported(asked, accessRows, [endOfPassages]),
  };
}

const placeIn = (checkData: string): string => placeNamed(JSON.parse(checkData) as Record<string, unknown>);

const noEnd = { endTime: Number.MAX_SAFE_INTEGER, endPlace: 0 };

type Ends = Query<Place, Last>;
type Find = (of: Cut, values: Values, asked: ReportQuery) => FoundReportRow[];

/** In one statement; of some devices in several, with a turn for other reads between them. */
async function reported(asked: ReportQuery, find: Find, ends: readonly Ends[]): Promise<FoundReportRow[]> {
  const of = cutOf(asked);
  let values = valuesOf(asked);
  if (!of.ofDevices) return find(of, values, asked);
  const slices = new Slices();
  const rows: FoundReportRow[] = [];
  for (;;) {
    // As far as all tables go: their rows are merged by check time.
    const [last] = ends.flatMap(one => one.get(values) ?? []).sort(byTimeAndPlace);
    const end = last ? { endTime: last.time, endPlace: last.place + 1 } : noEnd;
    // One bound alone: SQLite would take the later one, and look on to it.
    const to = Math.min(values.to, end.endTime + 1);
    rows.push(...find(of, { ...values, ...end, to, limit: asked.limit - rows.length }, asked));
    if (rows.length === asked.limit || !last) return rows;
    values = { ...values, afterTime: last.time, afterPlace: last.place, from: last.time };
    if (slices.isOver) await slices.next();
  }
}

type Named = RecordClockColumns & { readonly deviceNo: number; readonly checkData: string | null };

const byTime = (one: FoundReportRow, other: FoundReportRow): number =>
  one.checkTime - other.checkTime || one.place - other.place;
type Last = { readonly time: number; readonly place: number };
const byTimeAndPlace = (one: Last, other: Last): number => one.time - other.time || one.place - other.place;
