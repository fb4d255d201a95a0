import { type AttendanceCodeName, attendanceCodes, attendanceLimits } from '../../platform/attendance.ts';
import { attendancePartsToSign } from '../../platform/signature.ts';
import {
  firstGuess,
  joinedOtherwise,
  otherDigest,
  suspected,
  withMore,
  withSecrets,
} from '../../platform/signature-guesses.ts';
import { type Mistake, maskedSecret, plainMistake, type Suspect } from '../../platform/signed-request.ts';
import { type OtherCallers, SignedRequests } from '../../platform/signed-requests.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { SignedCall } from './signed-call.ts';

/** The requests of the attendance API, with what is wrong with those that were rejected. */
export class AttendanceRequests extends SignedRequests {
  readonly #clock: Clock;
  readonly #others: OtherCallers;

  constructor(options: ConstructorParameters<typeof SignedRequests>[0]) {
    super(options);
    this.#clock = options.clock;
    this.#others = options.others;
  }

  /**
   * `secret` of the caller that the call names; null: it names none, or the signature is not the
   * matter.
   */
  note(call: SignedCall, code: AttendanceCodeName, secret: string | null, isKnown = secret !== null): Promise<void> {
    const { appKey = '', timestamp = '' } = call;
    return this.reject({
      ...call,
      ...{ status: 200, code: attendanceCodes[code], sent: appKey, isKnown, mayBeSecret: code === 'wrong_key' },
      mistake: async (isSecret, examined) => {
        if (isSecret) return secretAsKey;
        if (secret !== null) return examined(() => likelyMistake(call, secret, this.#others));
        if (code === 'timeout' && isNowInSeconds(timestamp, this.#clock.now())) return inSeconds;
        return plainMistake(code, remedies[code] ?? code, concerned[code] ?? null);
      },
      parts: (id, path) =>
        secret === null ? [] : attendancePartsToSign({ path, timestamp, appKey: id, appSecret: maskedSecret }),
    });
  }
}

const secretAsKey = plainMistake(
  'secret_as_key',
  'App-Key holds the secret: send the id of the caller, and keep the secret for signing',
  'App-Key',
);

const inSeconds = plainMistake(
  'timestamp_in_seconds',
  'App-Timestamp is in seconds: send and sign milliseconds, 13 digits',
  'App-Timestamp',
);

/** The clock is right, the unit is not. */
const isNowInSeconds = (timestamp: string, now: number): boolean =>
  /^\d{10}$/.test(timestamp) && Math.abs(Number(timestamp) * 1000 - now) <= attendanceLimits.signedAgeMsMax;

const remedies: Partial<Readonly<Record<AttendanceCodeName, string>>> = {
  key_missing: 'the header App-Key is missing',
  timestamp_missing: 'the header App-Timestamp is missing',
  signature_missing: 'the header App-Sig is missing',
  wrong_key: 'no such caller: add it under attendance_callers in the site file, or correct App-Key in the program',
  too_many_calls: 'too many refused calls with this App-Key from this address: wait a second',
  timeout: "App-Timestamp is over 10 minutes off: set the caller's clock, and count in milliseconds (13 digits)",
};
const concerned: Partial<Readonly<Record<AttendanceCodeName, Mistake['differs']>>> = {
  key_missing: 'App-Key',
  timestamp_missing: 'App-Timestamp',
  wrong_key: 'App-Key',
  timeout: 'App-Timestamp',
};

async function likelyMistake(call: SignedCall, secret: string, others: OtherCallers): Promise<Mistake> {
  const { path, timestamp = '', appKey = '', signature = '' } = call;
  const right = { path, timestamp, appKey, appSecret: secret };
  const known = { parts: attendancePartsToSign(right), secret };
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
    ['line_end', 'App-Secret', 'signed with a space or line end behind the secret', { appSecret: `${secret} ` }],
    ['seconds', 'App-Timestamp', 'signed with the time in seconds', { timestamp: timestamp.slice(0, 10) }],
    ['milliseconds', 'App-Timestamp', 'signed in milliseconds, sent in seconds', { timestamp: `${timestamp}000` }],
    ['other_letters', 'App-Key', 'App-Key is signed in other letters', { appKey: appKey.toUpperCase() }],
    ['other_letters', 'App-Key', 'App-Key is signed in other letters', { appKey: appKey.toLowerCase() }],
  ];
  const found = firstGuess(signature, known, [
    ...suspected(right, tries, attendancePartsToSign),
    ...joinedOtherwise(known.parts, ''),
  ]);
  if (found) return found;
  const around = (await call.around?.()) ?? { origin: '', query: '', body: null };
  return (
    firstGuess(signature, known, withMore(around, path, known)) ??
    otherDigest('App-Sig', signature, known) ??
    withSecrets(signature, known, await others(), right.appKey, 'App-Secret') ??
    plainMistake(
      'other_secret',
      'the secret is another one, or the parts are joined otherwise: compare with `gatehouse sign attendance`',
      'App-Secret',
    )
  );
}
