import { attendanceCodes, attendanceLimits } from '../../platform/attendance.ts';
import { CloudRefused } from '../../platform/cloud-refused.ts';
import { attendanceSignature } from '../../platform/signature.ts';
import type { Clock } from '../../runtime/clock.ts';
import type {
  CloudAccessRecord,
  CloudCheckIn,
  CloudDepartment,
  CloudEmployee,
  FeatureValue,
} from '../../store/index.ts';
import { attendancePath } from '../http/attendance-calls.ts';
import type { CloudDevice } from '../http/calls.ts';

/** Posts to the cloud; rejects when there is no whole answer. */
export type Post = (
  path: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
) => Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: string }>;

/** Whether a refusal is about the key, the secret or the clock of this box. */
export const isAboutUs = ({ code }: CloudRefused): boolean => aboutUs.has(code);

const refusedWith = (code: number, msg: string): CloudRefused =>
  new CloudRefused(code, msg, { isFinal: !passing.has(code) });

const { wrong_key, key_missing, wrong_signature, signature_missing, timestamp_missing, timeout } = attendanceCodes;
const aboutUs: ReadonlySet<number> = new Set([
  wrong_key,
  key_missing,
  wrong_signature,
  signature_missing,
  timestamp_missing,
  timeout,
]);
const passing: ReadonlySet<number> = new Set([
  ...aboutUs,
  attendanceCodes.organization_abnormal,
  attendanceCodes.too_many_calls,
]);

/** A page of records, and the `next_id` for the one that follows. */
export interface CloudPage<Row> {
  readonly records: readonly Row[];
  readonly next: number;
}

/** SPEC 4.8 advises at most 50 where there are photos. */
const accessPageSize = 50;

const gapMs = 50;
const triesWhenTooMany = 5;

/**
 * The cloud's attendance API, called as any third party calls it (SPEC 4.8, 5.7): one call at a
 * time, and not faster than about 20 a second.
 */
export class CloudAttendance {
  readonly #post: Post;
  readonly #clock: Clock;
  readonly #appKey: string;
  readonly #appSecret: string;
  readonly #signal: AbortSignal;

  constructor(options: { post: Post; clock: Clock; appKey: string; appSecret: string; signal: AbortSignal }) {
    this.#post = options.post;
    this.#clock = options.clock;
    this.#appKey = options.appKey;
    this.#appSecret = options.appSecret;
    this.#signal = options.signal;
  }

  /**
   * `data` of the answer. Throws CloudRefused for a code other than 0, and what the network says.
   */
  async call(path: string, command: string, body: string): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      await this.#clock.sleep(gapMs, this.#signal);
      const timestamp = String(this.#clock.now());
      const signature = attendanceSignature({ path, timestamp, appKey: this.#appKey, appSecret: this.#appSecret });
      const answer = await this.#post(
        path,
        {
          'Content-Type': 'application/json; charset=UTF-8',
          'App-Key': this.#appKey,
          'App-Timestamp': timestamp,
          'App-Sig': signature,
          ...(command === '' ? {} : { 'Api-Module': 'CHECKIN', 'Api-Cmd': command }),
        },
        body,
        this.#signal,
      );
      const { code, msg, data } = readAnswer(answer.status, answer.body);
      if (code === attendanceCodes.success) return data;
      if (code !== attendanceCodes.too_many_calls || tries === triesWhenTooMany) throw refusedWith(code, msg);
      await this.#clock.sleep(
        Math.min(60, Math.max(1, Number(answer.headers['retry-after']) || 1)) * 1000,
        this.#signal,
      );
    }
  }

  departments(): Promise<CloudDepartment[]> {
    return this.#pages('/v2.0/department/query', row => ({
      id: text(row.id),
      pid: text(row.pid),
      name: text(row.name),
      extId: text(row.department_ext_id),
    }));
  }

  employees(): Promise<CloudEmployee[]> {
    return this.#pages('/v2.0/employee/query', row => ({
      id: text(row.id),
      extId: text(row.ext_id),
      name: text(row.name),
      mobile: text(row.mobile),
      employeeNum: text(row.employee_num),
      departmentId: text((row.department_infos as { id?: unknown }[] | undefined)?.[0]?.id),
    }));
  }

  devices(): Promise<CloudDevice[]> {
    return this.#pages('/v2.0/org/device/query', row => ({
      id: text(row.sn).toUpperCase(),
      sn: text(row.sn),
      name: text(row.name),
      online: row.online === true,
    }));
  }

  /** SPEC 3.7: what is reported from now on can be fetched; a second time changes nothing. */
  async initCheckIns(): Promise<void> {
    await this.call(attendancePath, 'checkin_query_init', '{}');
  }

  /** The check-ins after the cloud's own `next_id`; none: that is all. */
  checkIns(from: number): Promise<CloudPage<CloudCheckIn>> {
    return this.#recordsAfter('checkin_query', from, { page_size: attendanceLimits.pageSizeMax }, row => ({
      ...recordOf(row),
      id: text(row.id),
      terminalId: text(row.terminal_id),
    }));
  }

  /** Access records of strangers too, with their photos: fewer a page. */
  accessRecords(from: number): Promise<CloudPage<CloudAccessRecord>> {
    const asked = { page_size: accessPageSize, pass_only: false };
    return this.#recordsAfter('checkin_acs_query', from, asked, row => ({
      ...recordOf(row),
      id: Number(row.id),
      doorId: text(row.door_id),
      checkResult: Number(row.check_result ?? 0),
      captureImg: text(row.capture_img) || null,
    }));
  }

  async #recordsAfter<Row extends { checkTime: number; checkType: string }>(
    command: string,
    from: number,
    asked: object,
    read: (row: Record<string, unknown>) => Row,
  ): Promise<CloudPage<Row>> {
    const data = (await this.call(attendancePath, command, JSON.stringify({ next_id: from, ...asked }))) as {
      next_id?: unknown;
      data?: Record<string, unknown>[];
    } | null;
    const records = (data?.data ?? []).map(read);
    const next = Number(data?.next_id ?? from);
    if (!Number.isSafeInteger(next) || (records.length > 0 && next === from))
      throw new Error(`the cloud answered ${command} without a next_id that goes on from ${from}`);
    return { records, next };
  }

  /** Null: the cloud does not know this person. */
  async features(extId: string, featureType: string, featureAlg: string): Promise<FeatureValue[] | null> {
    const body = JSON.stringify({ user_ext_id: extId, feature_type: featureType, feature_alg: featureAlg });
    try {
      const data = (await this.call(attendancePath, 'checkin_feature_query', body)) as {
        features?: { value?: unknown; is_abnormal?: unknown }[];
      } | null;
      return (data?.features ?? []).map(one => ({ value: text(one.value), isAbnormal: one.is_abnormal === true }));
    } catch (error) {
      if (error instanceof CloudRefused && error.isFinal) return null;
      throw error;
    }
  }

  /** All rows, by id: one that slips from a page to the next while we read counts once. */
  async #pages<Row extends { id: string }>(path: string, read: (row: Record<string, unknown>) => Row): Promise<Row[]> {
    const rows = new Map<string, Row>();
    for (let offset = 0; ; offset += attendanceLimits.limitMax) {
      const body = JSON.stringify({ limit: attendanceLimits.limitMax, offset });
      const data = (await this.call(path, '', body)) as { total?: number; rows?: Record<string, unknown>[] } | null;
      const page = data?.rows ?? [];
      for (const one of page) {
        const row = read(one);
        rows.set(row.id, row);
      }
      if (page.length === 0 || offset + page.length >= (data?.total ?? 0)) return [...rows.values()];
    }
  }
}

/** What every record has. A type that SPEC 2.15 does not name is kept, as far as it is a word. */
const recordOf = (row: Record<string, unknown>) => ({
  userId: text(row.user_id),
  extId: text(row.ext_id),
  checkType: /^[a-z_]{1,32}$/.test(text(row.check_type)) ? text(row.check_type) : 'unknown',
  checkTime: Math.trunc(Number(row.check_time)) || 0,
  checkData: Object.fromEntries(
    Object.entries((row.check_data ?? {}) as object).map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : text(value),
    ]),
  ),
});

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

function readAnswer(status: number, body: string): { code: number; msg: string; data: unknown } {
  let value: { code?: unknown; msg?: unknown; data?: unknown } | null = null;
  try {
    value = JSON.parse(body);
  } catch {
    // Some proxy in between answered.
  }
  if (typeof value?.code !== 'number')
    throw new Error(`the cloud answered status ${status} without a code: is upstream.attendance.url right?`);
  return { code: value.code, msg: text(value.msg), data: value.data };
}
