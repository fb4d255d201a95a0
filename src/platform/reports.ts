import type { UnixSeconds } from '../runtime/clock.ts';
import type { ActionName } from './actions.ts';
import { unixSeconds } from './envelope.ts';
import { foldedNumber } from './folded-number.ts';
import { isNoFields } from './json-bytes.ts';
import { ok, type Parsed, refuse } from './parsed.ts';

/** SPEC 2.15. */
export const checkInTypes = [
  'fa',
  'fp',
  'pass',
  'card',
  'app_scan',
  'gps',
  'wifi',
  'out_work',
  'reissue',
  'flexible',
] as const;
const accessTypes = ['fa', 'fp', 'pass', 'card'] as const;
export const featureTypes = ['fa', 'fp', 'pass', 'card', 'identity'] as const;
/**
 * Whether a value of this type may be biometric or a PIN: all but cards and identity numbers,
 * including unknown types.
 */
export const isBiometric = (featureType: unknown): boolean => featureType !== 'card' && featureType !== 'identity';
export type CheckInType = (typeof checkInTypes)[number];
export type AccessType = (typeof accessTypes)[number];
type FeatureType = (typeof featureTypes)[number];

type Data = Record<string, unknown>;

export interface CheckInEntry {
  readonly id: string;
  /** One of the two names the person; the other is empty. */
  readonly extId: string;
  readonly employeeNum: string;
  readonly checkType: CheckInType;
  readonly checkTime: UnixSeconds;
  readonly checkData: Data;
}

export interface AccessEntry {
  readonly id: string;
  /** Empty when the device named none. */
  readonly doorId: string;
  readonly extId: string;
  readonly checkType: AccessType;
  readonly checkTime: UnixSeconds;
  readonly checkResult: number;
  readonly checkData: Data;
  /** Base64 without the data-URL prefix and line breaks; null when there is none. */
  readonly captureImg: string | null;
}

interface FeatureReport {
  readonly extId: string;
  readonly featureType: FeatureType;
  readonly featureAlg: string;
  readonly values: readonly string[];
  readonly abnormal: readonly boolean[];
}

interface PersonSyncResult {
  readonly failed: readonly { readonly extId: string; readonly featureType: FeatureType }[];
}

/** A field that does not fit; its message names the field and what it must be. */
class Misfit extends Error {}

/** The readers below throw a Misfit at the first field that is wrong; only `reading` catches it. */
function reading<T>(read: () => T): Parsed<T> {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof Misfit) return refuse('bad_data', error.message);
    throw error;
  }
}

const recordsMax = 5000;

function list(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw new Misfit(`${path}: must be a list`);
  if (value.length > recordsMax) throw new Misfit(`${path}: at most ${recordsMax}`);
  return value;
}

function object(value: unknown, path: string): Data {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Misfit(`${path}: must be an object`);
  return value as Data;
}

/**
 * Text of at most `max` characters (code points); a number is taken as its text; absent is empty.
 */
function word(value: unknown, path: string, max: number): string {
  if (value === undefined || value === null) return '';
  const read = typeof value === 'number' ? String(value) : value;
  if (typeof read !== 'string') throw new Misfit(`${path}: must be text`);
  if (read.length > max && [...read].length > max) throw new Misfit(`${path}: at most ${max} characters`);
  return read;
}

/** An id or number of a person, folded as for callers. */
const number = (value: unknown, path: string, max: number): string =>
  word(typeof value === 'string' ? foldedNumber(value) : value, path, max);

function needed(value: unknown, path: string, max: number): string {
  const read = number(value, path, max);
  if (read === '') throw new Misfit(`${path}: is missing`);
  return read;
}

function oneOf<T extends string>(value: unknown, path: string, allowed: readonly T[]): T {
  if (!allowed.includes(value as T)) throw new Misfit(`${path}: must be one of ${allowed.join(', ')}`);
  return value as T;
}

function moment(value: unknown, path: string): UnixSeconds {
  const seconds = unixSeconds(typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value);
  if (seconds === null) throw new Misfit(`${path}: must be a time in seconds`);
  return seconds;
}

const freeData = (value: unknown, path: string): Data =>
  value === undefined || isNoFields(value) ? {} : object(value, path);

export const parseCheckinReport = (data: Data): Parsed<{ records: CheckInEntry[] }> =>
  reading(() => ({
    records: list(data.records, 'records').map((one, index) => {
      const path = `records[${index}]`;
      const entry = object(one, path);
      const extId = number(entry.ext_id, `${path}.ext_id`, 32);
      const employeeNum = number(entry.employee_num, `${path}.employee_num`, 20);
      if (!extId && !employeeNum) throw new Misfit(`${path}.ext_id: is missing, and employee_num too`);
      return {
        id: word(entry.id, `${path}.id`, 128),
        extId,
        employeeNum,
        checkType: oneOf(entry.check_type, `${path}.check_type`, checkInTypes),
        checkTime: moment(entry.check_time, `${path}.check_time`),
        checkData: checkInDataOf(entry, path),
      };
    }),
  }));

/**
 * SPEC 2.15 has `terminal_id` beside `check_data`: an app's report names its phone there, and it is
 * kept with the rest of what was said.
 */
function checkInDataOf(entry: Data, path: string): Data {
  const said = freeData(entry.check_data, `${path}.check_data`);
  const terminalId = word(entry.terminal_id, `${path}.terminal_id`, 1024);
  return terminalId === '' ? said : { ...said, terminal_id: terminalId };
}

export const parseAccessReport = (data: Data): Parsed<{ records: AccessEntry[] }> =>
  reading(() => ({
    records: list(data.records, 'records').map((one, index) => {
      const path = `records[${index}]`;
      const entry = object(one, path);
      const result = entry.check_result;
      if (!Number.isSafeInteger(result)) throw new Misfit(`${path}.check_result: must be a whole number`);
      return {
        id: word(entry.id, `${path}.id`, 128),
        doorId: word(entry.door_id, `${path}.door_id`, 64),
        extId: number(entry.ext_id, `${path}.ext_id`, 32),
        checkType: oneOf(entry.check_type, `${path}.check_type`, accessTypes),
        checkTime: moment(entry.check_time, `${path}.check_time`),
        checkResult: result as number,
        checkData: freeData(entry.check_data, `${path}.check_data`),
        captureImg: picture(entry.capture_img, `${path}.capture_img`),
      };
    }),
  }));

/**
 * SPEC 2.15 requires base64 without the data-URL prefix; it is accepted from devices that send it.
 */
function picture(value: unknown, path: string): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw new Misfit(`${path}: must be base64 text`);
  return value.replace(/^data:[^,]{0,64},/, '').replace(/\s+/g, '');
}

export const parseFeatureReport = (data: Data): Parsed<FeatureReport> =>
  reading(() => ({
    extId: needed(data.ext_id, 'ext_id', 32),
    featureType: oneOf(data.feature_type, 'feature_type', featureTypes),
    featureAlg: word(data.feature_alg, 'feature_alg', 64),
    values: list(data.values, 'values').map((value, index) => {
      if (typeof value !== 'string') throw new Misfit(`values[${index}]: must be text`);
      return isBiometric(data.feature_type) ? value : foldedNumber(value);
    }),
    abnormal: data.abnormal === undefined ? [] : list(data.abnormal, 'abnormal').map(value => value === true),
  }));

export const parsePersonSyncResult = (data: Data): Parsed<PersonSyncResult> =>
  reading(() => ({
    failed: list(data.failed, 'failed').map((one, index) => {
      const path = `failed[${index}]`;
      const entry = object(one, path);
      return {
        extId: needed(entry.ext_id, `${path}.ext_id`, 32),
        featureType: oneOf(entry.feature_type, `${path}.feature_type`, featureTypes),
      };
    }),
  }));

/**
 * Returns the field of a message's data that does not fit its action; null if all do, or if the
 * action has none to check (CONTRACT 4).
 */
export function misfitOf(action: ActionName | undefined, data: Data): string | null {
  const read = action && readers[action]?.(data);
  return read && !read.ok ? read.refusal.detail : null;
}

/** Reader of each action's data; null if any data fits. */
const readers: Readonly<Record<ActionName, ((data: Data) => Parsed<unknown>) | null>> = {
  activate: null,
  time_sync: null,
  checkin_report: parseCheckinReport,
  access_report: parseAccessReport,
  feature_report: parseFeatureReport,
  person_sync: null,
  person_sync_result: parsePersonSyncResult,
};
