import type { AttendanceCodeName } from '../../platform/attendance.ts';
import { attendancePartsToSign, attendanceSignature, type SignedPart, sameDigest } from '../../platform/signature.ts';
import type { Clock } from '../../runtime/clock.ts';
import { CountedLog } from '../../runtime/counted-log.ts';
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
  /** The same in its parts. */
  readonly parts: readonly SignedPart[];
  /**
   * The first part that was signed otherwise, as far as that can be told; null: all of them may be
   * right.
   */
  readonly differs: SignedPart['name'] | null;
  /** What `says` says, as a word for a page. */
  readonly mistake: string;
  readonly count: number;
}

const keptMax = 50;
const masked = '********';

/**
 * The last refused calls, examined for the mistakes that integrators make. In memory: after a
 * restart they call again.
 */
export class RefusedCalls {
  readonly #clock: Clock;
  readonly #calls = new CountedLog<Omit<RefusedCall, 'count'>>(keptMax);

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
    const parts =
      secret === null
        ? []
        : attendancePartsToSign({ path, timestamp: call.timestamp ?? '', appKey, appSecret: masked });
    this.#calls.note(`${appKey} ${code} ${path}`, {
      at: this.#clock.now(),
      address: call.address,
      path,
      app_key: appKey,
      code,
      ...(secret === null
        ? { says: remedies[code] ?? code, mistake: code, differs: concerned[code] ?? null }
        : likelyMistake(call, secret)),
      string_to_sign: parts.map(part => part.text).join(''),
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

type Mistake = Pick<RefusedCall, 'mistake' | 'says' | 'differs'>;

/** Recomputes the signature with what is commonly done wrong. */
function likelyMistake({ path, timestamp = '', appKey = '', signature = '' }: SignedCall, secret: string): Mistake {
  const right = { path, timestamp, appKey, appSecret: secret };
  const tries: readonly (readonly [string, SignedPart['name'], string, Partial<typeof right>])[] = [
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
  for (const [mistake, differs, says, wrong] of tries)
    if (sameDigest(signature, attendanceSignature({ ...right, ...wrong }))) return { mistake, differs, says };
  if (!/^[0-9a-f]{32}$/i.test(signature))
    return { mistake: 'no_md5', differs: null, says: 'App-Sig is no MD5 in hex: 32 digits 0 to 9 and a to f' };
  return {
    mistake: 'other_secret',
    differs: 'App-Secret',
    says: 'the secret is another one, or the parts are joined otherwise: compare with `gatehouse sign attendance`',
  };
}
