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
import { CloudIncomplete, CloudRow, isObject, readWholeList } from './whole-lists.ts';

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

  /** Each of the three lists is whole, or CloudIncomplete is thrown. */
  departments(): Promise<CloudDepartment[]> {
    return this.#list('departments', '/v2.0/department/query', row => ({
      id: row.id('id'),
      pid: row.text('pid'),
      name: row.text('name'),
      extId: row.text('department_ext_id'),
    }));
  }

  employees(): Promise<CloudEmployee[]> {
    return this.#list('people', '/v2.0/employee/query', row => ({
      id: row.id('id'),
      extId: row.text('ext_id'),
      name: row.text('name'),
      mobile: row.text('mobile'),
      employeeNum: row.text('employee_num'),
      departmentId: row.rows('department_infos')[0]?.text('id') ?? null,
    }));
  }

  async devices(): Promise<CloudDevice[]> {
    let place = 0;
    // Devices of two products may have the same serial number: a row is told by its place.
    const rows = await this.#list('devices', '/v2.0/org/device/query', row => ({
      ...{ id: String(place++), sn: row.id('sn'), name: row.text('name') ?? '', online: row.raw('online') === true },
    }));
    return rows.map(row => ({ ...row, id: row.sn.toUpperCase() }));
  }

  /** SPEC 3.7: what is reported from now on can be fetched; a second time changes nothing. */
  async initCheckIns(): Promise<void> {
    await this.call(attendancePath, 'checkin_query_init', '{}');
  }

  /** The check-ins after the cloud's own `next_id`; none: that is all. */
  checkIns(from: number): Promise<CloudPage<CloudCheckIn>> {
    return this.#recordsAfter('check-ins', 'checkin_query', from, { page_size: attendanceLimits.pageSizeMax }, row => ({
      ...recordOf(row),
      id: row.id('id'),
      terminalId: text(row.raw('terminal_id')),
    }));
  }

  /** Access records of strangers too, with their photos: fewer a page. */
  accessRecords(from: number): Promise<CloudPage<CloudAccessRecord>> {
    const asked = { page_size: accessPageSize, pass_only: false };
    return this.#recordsAfter('access records', 'checkin_acs_query', from, asked, row => ({
      ...recordOf(row),
      id: row.integer('id'),
      doorId: text(row.raw('door_id')),
      checkResult: Number(row.raw('check_result') ?? 0),
      captureImg: text(row.raw('capture_img')) || null,
    }));
  }

  /**
   * A page that says where the next one begins; an empty one is the end (SPEC 3.7). CloudIncomplete
   * where the answer has no list, or goes back.
   */
  async #recordsAfter<Row>(
    list: string,
    command: string,
    from: number,
    asked: object,
    read: (row: CloudRow) => Row,
  ): Promise<CloudPage<Row>> {
    const fail = (found: string) => new CloudIncomplete(list, `asked for those after ${from}: ${found}`);
    const data = await this.call(attendancePath, command, JSON.stringify({ next_id: from, ...asked }));
    if (!isObject(data) || !Array.isArray(data.data)) throw fail('the answer has no "data" with a list');
    const next = data.next_id;
    if (!Number.isSafeInteger(next)) throw fail('the answer has no "next_id"');
    const records = data.data.map(row => read(new CloudRow(row, fail)));
    if ((next as number) < from || (records.length > 0 && next === from))
      throw fail(`"next_id" is ${next}, which does not go on`);
    return { records, next: next as number };
  }

  /**
   * Features of a person; null if the cloud does not know the person. CloudIncomplete: the answer
   * has no list.
   */
  async features(extId: string, featureType: string, featureAlg: string): Promise<FeatureValue[] | null> {
    const body = JSON.stringify({ user_ext_id: extId, feature_type: featureType, feature_alg: featureAlg });
    const fail = (found: string) => new CloudIncomplete('features', `asked for ${featureType} of ${extId}: ${found}`);
    try {
      const data = await this.call(attendancePath, 'checkin_feature_query', body);
      if (!isObject(data) || !Array.isArray(data.features)) throw fail('the answer has no "features"');
      return data.features.map(one => {
        const row = new CloudRow(one, fail);
        return { value: row.id('value'), isAbnormal: row.raw('is_abnormal') === true };
      });
    } catch (error) {
      if (error instanceof CloudRefused && error.isFinal) return null;
      throw error;
    }
  }

  #list<Row extends { readonly id: string }>(list: string, path: string, read: (row: CloudRow) => Row): Promise<Row[]> {
    return readWholeList(list, page => this.call(path, '', JSON.stringify(page)), read);
  }
}

/** Fields of every record. A type that SPEC 2.15 does not name is kept, as far as it is a word. */
const recordOf = (row: CloudRow) => ({
  userId: text(row.raw('user_id')),
  extId: text(row.raw('ext_id')),
  checkType: /^[a-z_]{1,32}$/.test(text(row.raw('check_type'))) ? text(row.raw('check_type')) : 'unknown',
  checkTime: row.integer('check_time'),
  checkData: Object.fromEntries(
    Object.entries((row.raw('check_data') ?? {}) as object).map(([key, value]) => [
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
