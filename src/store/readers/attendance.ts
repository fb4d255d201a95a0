import { and, asc, eq, gt, isNotNull, lte } from 'drizzle-orm';
import { accessData } from '../../platform/check-data.ts';
import { meta } from '../domains/kept-values.ts';
import { cloudDeviceNo } from '../domains/mirror/tables.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { OrganizationReads } from '../port/organization.ts';
import type { AccessEntryRecord, RecordReads } from '../port/records.ts';
import type { Connection } from '../schema/database.ts';
import { accessRecord, employee } from '../schema/index.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { captures } from './captures.ts';
import { checkInPage, checkInPageOf } from './check-in-page.ts';
import { orEmpty, publicId } from './columns.ts';
import { deviceNames } from './device-names.ts';
import { exportedReads } from './exported-records.ts';
import { lastIds } from './last-ids.ts';
import { deviceList, type IdRange, isOfDevices, looksAtMax, rangesOf } from './of-devices.ts';
import { reportReads } from './reports.ts';
import { Slices } from './slices.ts';
import type { KnownDevices } from './stored-devices.ts';

type Reads = Pick<RecordReads, 'checkins' | 'accessRecords'> &
  Pick<OrganizationReads, 'checkInsSince' | 'checkInPage' | 'accessPage' | 'checkInReport' | 'accessReport'>;

/** Which access records a page of the signed API has. */
type Passages = { readonly passedOnly: boolean; readonly ofDevices: boolean };

interface PassageValues extends IdRange {
  readonly devices: string;
  readonly limit: number;
}

/** Used only by queries for some devices. */
const ofAll = { through: 0, devices: '' };

/** Check-ins and access records, as the signed API pages through them and as people read them. */
export function attendanceReads(connection: Connection, devices: KnownDevices): Reads {
  const { orm } = connection;
  const names = deviceNames(devices);
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

  const passages = queryFor(({ passedOnly, ofDevices }: Passages, value: Params<PassageValues>) =>
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
      .where(
        and(
          gt(accessRecord.id, value.after),
          passedOnly ? eq(accessRecord.checkResult, 0) : undefined,
          ofDevices ? lte(accessRecord.id, value.through) : undefined,
          ofDevices ? isOfDevices(accessRecord.deviceNo, value.devices) : undefined,
        ),
      )
      .orderBy(asc(accessRecord.id))
      .limit(value.limit),
  );

  const last = lastIds(connection);
  /** The highest number that was given out; of access records, until a restore at least. */
  const numberGiven = (what: 'checkin' | 'access'): number =>
    (connection.sql('SELECT value FROM counter WHERE name = ?').get(what) as { value: number } | undefined)?.value ?? 0;

  /** Of some devices: at least one, unless there is none; `next` is how far it has looked. */
  async function passagesOf(
    deviceNos: ReadonlySet<DeviceNo>,
    { after, limit, passedOnly }: { after: number; limit: number; passedOnly: boolean },
  ) {
    const slices = new Slices();
    const find = passages({ passedOnly, ofDevices: true });
    const devices = deviceList(deviceNos);
    const rows: ReturnType<typeof find.all> = [];
    let next = after;
    for (const range of rangesOf(after, last.access())) {
      if (slices.isOver) await slices.next();
      rows.push(...find.all({ ...range, devices, limit: limit - rows.length }));
      next = rows.length === limit ? rows.at(-1)!.id : range.through;
      if (rows.length === limit || (rows.length > 0 && next - after >= looksAtMax)) break;
    }
    return { rows, next };
  }

  return {
    async checkInsSince() {
      return checkInsSince();
    },

    async checkInPage(page) {
      const { after, deviceNos } = page;
      const isAhead = after > numberGiven('checkin');
      const start = checkInsSince();
      if (!start) return { records: [], count: 0, next: after, isAhead };
      const found = deviceNos
        ? await checkInPageOf(connection, start.id, { ...page, deviceNos })
        : checkInPage(connection, start.id, page);
      return { ...found, isAhead };
    },

    async accessPage({ after, limit, passedOnly, bytesMax, deviceNos }) {
      const records: AccessEntryRecord[] = [];
      let bytes = 0;
      const found = deviceNos
        ? await passagesOf(deviceNos, { after, limit, passedOnly })
        : { rows: passages({ passedOnly, ofDevices: false }).all({ ...ofAll, after, limit }), next: null };
      for (const row of found.rows) {
        const { deviceNo, employeeId, seq, hasCapture, ...record } = row;
        const captureImg = hasCapture ? imageOf(row.id) : null;
        bytes += captureImg?.length ?? 0;
        if (records.length > 0 && bytes > bytesMax) return { rows: records, next: records.at(-1)!.id, isAhead: false };
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
      // Of a box whose records are all too old to be kept nobody knows what it gave out.
      const newest = records.length === 0 ? last.access() : 0;
      const isAhead = newest > 0 && after > Math.max(newest, numberGiven('access'));
      return { rows: records, next: found.next ?? records.at(-1)?.id ?? after, isAhead };
    },

    ...exportedReads(connection, names, imageOf),
    ...reportReads(connection, names),
  };
}
