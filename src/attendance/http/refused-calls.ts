import type { AttendanceCodeName } from '../../platform/attendance.ts';
import {
  type Counted,
  firstFit,
  type Mistake,
  type RefusedCall,
  RefusedCallLog,
  type Suspect,
} from '../../platform/refused-calls.ts';
import { attendancePartsToSign, attendanceSignature, type SignedPart } from '../../platform/signature.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { SignedCall } from './signed-call.ts';

interface Call extends RefusedCall {
  readonly app_key: string;
  readonly code: AttendanceCodeName;
}
export type RefusedAttendanceCall = Counted<Call>;

const masked = '********';

/** The refused calls of the attendance API, examined for the mistakes that integrators make. */
export class RefusedAttendanceCalls {
  readonly #log: RefusedCallLog<Call>;

  constructor(clock: Clock) {
    this.#log = new RefusedCallLog(clock);
  }

  /** Newest first. */
  list(): RefusedAttendanceCall[] {
    return this.#log.list();
  }

  note(call: SignedCall, code: AttendanceCodeName, secret: string | null): void {
    const appKey = (call.appKey ?? '').slice(0, 64);
    const path = call.path.slice(0, 100);
    const parts =
      secret === null
        ? []
        : attendancePartsToSign({ path, timestamp: call.timestamp ?? '', appKey, appSecret: masked });
    this.#log.note(`${appKey} ${code} ${path}`, {
      address: call.address,
      path,
      app_key: appKey,
      code,
      ...(secret === null
        ? { message: remedies[code] ?? code, mistake: code, differs: concerned[code] ?? null }
        : likelyMistake(call, secret)),
      parts,
    });
  }
}

const remedies: Partial<Readonly<Record<AttendanceCodeName, string>>> = {
  key_missing: 'the header App-Key is missing',
  timestamp_missing: 'the header App-Timestamp is missing',
  signature_missing: 'the header App-Sig is missing',
  wrong_key: 'no such caller: add it under attendance_callers in the site file, or correct App-Key in the program',
  timeout: "App-Timestamp is over 10 minutes off: set the caller's clock, and count in milliseconds (13 digits)",
};
const concerned: Partial<Readonly<Record<AttendanceCodeName, SignedPart['name']>>> = {
  key_missing: 'App-Key',
  timestamp_missing: 'App-Timestamp',
  wrong_key: 'App-Key',
  timeout: 'App-Timestamp',
};

function likelyMistake({ path, timestamp = '', appKey = '', signature = '' }: SignedCall, secret: string): Mistake {
  const right = { path, timestamp, appKey, appSecret: secret };
  const tries: readonly Suspect<typeof right>[] = [
    ['no_path', 'path', 'signed without the path: put the request path in front', { path: '' }],
    ['slash_behind', 'path', 'signed with a slash at the end of the path', { path: `${path}/` }],
    ['no_first_slash', 'path', 'signed without the first slash of the path', { path: path.slice(1) }],
    [
      'no_version',
      'path',
      'signed without the version: the path begins with /v2.0',
      { path: path.replace('/v2.0', '') },
    ],
    ['swapped', 'App-Key', 'App-Key and App-Secret are the wrong way round', { appKey: secret, appSecret: appKey }],
    ['other_path', 'path', 'signed with the path of another call', { path: '/v2.0/cloudappapi' }],
    ['line_end', 'App-Secret', 'signed with a space or line end behind the secret', { appSecret: `${secret}\n` }],
    ['seconds', 'App-Timestamp', 'signed with the time in seconds', { timestamp: timestamp.slice(0, 10) }],
  ];
  const found = firstFit(signature, right, tries, attendanceSignature);
  if (found) return found;
  if (!/^[0-9a-f]{32}$/i.test(signature))
    return { mistake: 'no_md5', differs: null, message: 'App-Sig is no MD5 in hex: 32 digits 0 to 9 and a to f' };
  return {
    mistake: 'other_secret',
    differs: 'App-Secret',
    message: 'the secret is another one, or the parts are joined otherwise: compare with `gatehouse sign attendance`',
  };
}
