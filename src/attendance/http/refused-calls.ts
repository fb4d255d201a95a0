import type { AttendanceCodeName } from '../../platform/attendance.ts';
import type { Clock } from '../../platform/clock.ts';
import { CountedBook } from '../../platform/counted-book.ts';
import { attendanceSignature, attendanceStringToSign, sameDigest } from '../../platform/signature.ts';
import type { SignedCall } from './callers.ts';

/** A refused call as people at the box read it. */
export interface RefusedCall {
  readonly at: number;
  readonly address: string;
  readonly path: string;
  readonly app_key: string;
  readonly code: AttendanceCodeName;
  /** The likely mistake and the remedy. */
  readonly says: string;
  /** What should have been signed, the secret masked; empty where that is not the matter. */
  readonly string_to_sign: string;
  readonly count: number;
}

const keptMax = 50;
const masked = '********';

/** The last refused calls, examined for the mistakes that integrators make. In memory: after a restart they call again. */
export class RefusedCalls {
  readonly #clock: Clock;
  readonly #calls = new CountedBook<Omit<RefusedCall, 'count'>>(keptMax);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Newest first. */
  list(): RefusedCall[] {
    return this.#calls.list();
  }

  note(call: SignedCall, code: AttendanceCodeName, secret: string | null): void {
    const appKey = (call.appKey ?? '').slice(0, 64);
    const path = call.path.slice(0, 100);
    this.#calls.note(`${appKey} ${code} ${path}`, {
      at: this.#clock.now(),
      address: call.address,
      path,
      app_key: appKey,
      code,
      says: secret === null ? (remedies[code] ?? code) : likelyMistake(call, secret),
      string_to_sign:
        secret === null
          ? ''
          : attendanceStringToSign({ path, timestamp: call.timestamp ?? '', appKey, appSecret: masked }),
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

/** Recomputes the signature with what is commonly done wrong. */
function likelyMistake({ path, timestamp = '', appKey = '', signature = '' }: SignedCall, secret: string): string {
  const parts = { path, timestamp, appKey, appSecret: secret };
  const tries: [string, string][] = [
    ['signed without the path: put the request path in front', attendanceSignature({ ...parts, path: '' })],
    ['signed with a slash at the end of the path', attendanceSignature({ ...parts, path: `${path}/` })],
    ['signed without the first slash of the path', attendanceSignature({ ...parts, path: path.slice(1) })],
    [
      'signed without the version: the path begins with /v2.0',
      attendanceSignature({ ...parts, path: path.replace('/v2.0', '') }),
    ],
    [
      'App-Key and App-Secret are the wrong way round',
      attendanceSignature({ ...parts, appKey: secret, appSecret: appKey }),
    ],
    ['signed with the path of another call', attendanceSignature({ ...parts, path: '/v2.0/cloudappapi' })],
    ['signed with a space or line end behind the secret', attendanceSignature({ ...parts, appSecret: `${secret}\n` })],
    ['signed with the time in seconds', attendanceSignature({ ...parts, timestamp: timestamp.slice(0, 10) })],
  ];
  for (const [mistake, result] of tries) if (sameDigest(signature, result)) return mistake;
  if (!/^[0-9a-f]{32}$/i.test(signature)) return 'App-Sig is no MD5 in hex: 32 digits 0 to 9 and a to f';
  return 'the secret is another one, or the parts are joined otherwise: compare with `gatehouse sign attendance`';
}
