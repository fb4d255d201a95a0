import { recordPages } from '../attendance/index.ts';
import { parseDeviceId } from '../platform/device-id.ts';
import { YoungGarbage } from '../runtime/garbage.ts';
import type {
  AccessRow,
  CheckInRow,
  Device,
  DeviceNo,
  Directory,
  DirectoryStore,
  LogReads,
  OrganizationReads,
  PeopleReads,
  ReadPart,
  RecordReads,
  Seq,
} from '../store/index.ts';
import { devicesChosen } from './box-of-devices.ts';
import { recordClock } from './clock.ts';
import type { Exportable, RowFilter } from './port.ts';

const pageRows = 500;
/** Garbage of a row of a report by the time it is a line of CSV or of a sheet. */
const garbageOfRow = 2048;

/** Reads of `export`. */
type Exported = ReadPart<
  LogReads & OrganizationReads & RecordReads & Pick<PeopleReads, 'departmentsByDate' | 'formerDepartments'>
> &
  DirectoryStore;

/**
 * Rows of `export`, page by page, so that a long one neither fills the memory nor stops the house
 * (CONTRACT 7, "export").
 */
export async function* exportRows(
  store: Exported,
  what: Exportable,
  filter: RowFilter,
  timeZone: string,
): AsyncGenerator<Record<string, unknown>> {
  try {
    yield* foundRows(store, what, filter, timeZone);
  } catch (error) {
    if (!filter.signal?.aborted) throw error;
  }
}

async function* foundRows(
  store: Exported,
  what: Exportable,
  filter: RowFilter,
  timeZone: string,
): AsyncGenerator<Record<string, unknown>> {
  if (what === 'checkin-report') return yield* reportRows(store, 'checkins', filter, timeZone);
  if (what === 'access-report') return yield* reportRows(store, 'access', filter, timeZone);
  let after = filter.after ?? 0;
  for (;;) {
    const { rows, next } = await page(store, what, filter, after);
    yield* rows;
    if (next === null || filter.signal?.aborted) return;
    after = next;
    await new Promise(resolve => setImmediate(resolve));
  }
}

/** The rows that the reports of `export --format csv` and `xlsx` are made of. */
async function* reportRows(
  { read, directory }: Exported,
  what: 'checkins' | 'access',
  { from, to, department, person, box, device_id: id, signal }: RowFilter,
  timeZone: string,
): AsyncGenerator<Record<string, unknown>> {
  const asked = { what, from, to, department, person, ...devicesChosen(directory, box) };
  const deviceId = id === undefined ? undefined : (deviceOf(directory, id)?.deviceId ?? '');
  const garbage = new YoungGarbage();
  for await (const rows of recordPages(read, asked, { timeZone, signal })) {
    for (const { stands: _, ...row } of rows) if (deviceId === undefined || row.deviceId === deviceId) yield row;
    garbage.passed(rows.length * garbageOfRow);
    await new Promise(resolve => setImmediate(resolve));
  }
}

type Page = { rows: Record<string, unknown>[]; next: number | null };

async function page(store: Exported, what: Exportable, filter: RowFilter, after: number): Promise<Page> {
  const device = filter.device_id === undefined ? undefined : deviceNoOf(store.directory, filter.device_id);
  if (device === null) return { rows: [], next: null };
  if (what === 'checkin-report' || what === 'access-report') throw new TypeError('a report is read by reportRows');
  const chosen = devicesChosen(store.directory, filter.box);
  if (what === 'logs') return logs(store.read, filter, after, { ...chosen, ...(device && { deviceNo: device }) });
  const seconds = {
    ...(filter.from === undefined ? {} : { from: Math.ceil(filter.from / 1000) }),
    ...(filter.to === undefined ? {} : { to: Math.ceil(filter.to / 1000) }),
  };
  const query = { after, ...seconds, ...chosen, limit: pageRows, signal: filter.signal };
  const found =
    what === 'checkins'
      ? (await store.read.checkins(query)).map(row => ({ row, place: row.place, record: checkInRecord(row) }))
      : (await store.read.accessRecords(query)).map(row => ({
          row,
          place: row.id,
          record: accessRecord(row, filter.with_photos),
        }));
  const wanted = filter.device_id?.toUpperCase();
  const rows = found
    .filter(({ row }) => wanted === undefined || row.deviceId === wanted)
    .map(({ record }) => withoutNulls(record));
  return { rows, next: found.length < pageRows ? null : found.at(-1)!.place };
}

const checkInRecord = (row: CheckInRow) => ({
  id: row.id,
  device_id: row.deviceId,
  received_at: row.receivedAt,
  user_id: row.userId,
  ext_id: row.extId,
  employee_num: row.employeeNum,
  terminal_id: row.terminalId,
  check_type: row.checkType,
  check_time: row.checkTime,
  check_data: row.checkData,
  ...clockOfRow(row),
  source: row.source,
  set_aside: row.mark?.setAside ?? false,
  reason: row.mark?.reason ?? null,
  work_date: row.mark?.workDate ?? null,
});

/** Flat, for a CSV. */
const clockOfRow = ({ clock, checkTime, receivedAt }: Pick<CheckInRow, 'clock' | 'checkTime' | 'receivedAt'>) => {
  const report = recordClock({ clock, at: checkTime, receivedAt });
  return {
    clock: report.clock.state,
    clock_skew_s: report.clock.offset_s,
    clock_within_s: report.clock.within_s,
    late_s: report.late_s,
  };
};

const accessRecord = (row: AccessRow, withPhotos: boolean | undefined) => ({
  id: row.id,
  device_id: row.deviceId,
  received_at: row.receivedAt,
  door_id: row.doorId,
  user_id: row.userId,
  ext_id: row.extId,
  check_type: row.checkType,
  check_time: row.checkTime,
  check_data: row.checkData,
  check_result: row.checkResult,
  capture_img: withPhotos ? row.captureImg : null,
  ...clockOfRow(row),
});

async function logs(
  read: LogReads,
  filter: RowFilter,
  after: number,
  ofDevices: Pick<Parameters<LogReads['logs']>[0], 'deviceNo' | 'deviceNos'>,
): Promise<Page> {
  const found = await read.logs({
    ...(filter.model === undefined ? {} : { model: filter.model }),
    ...(filter.sn === undefined ? {} : { sn: filter.sn }),
    ...(filter.from === undefined ? {} : { from: filter.from }),
    ...(filter.to === undefined ? {} : { to: filter.to }),
    ...(filter.text === undefined ? {} : { text: filter.text }),
    ...ofDevices,
    after: after as Seq,
    limit: pageRows,
    signal: filter.signal,
  });
  const rows = found.map(({ deviceNo: _deviceNo, seq, ...row }) => ({ ...row, seq }));
  return { rows, next: found.length < pageRows ? null : found.at(-1)!.seq };
}

/** Number of a device; null if there is no such device. */
const deviceNoOf = (directory: Directory, text: string): DeviceNo | null => deviceOf(directory, text)?.deviceNo ?? null;

function deviceOf(directory: Directory, text: string): Device | undefined {
  const id = parseDeviceId(text);
  return id.ok ? directory.device(id.value) : undefined;
}

/** SPEC 2.15: `capture_img` is optional, so it is left out where there is none. */
const withoutNulls = (row: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
