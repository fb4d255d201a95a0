import { type AttendanceCodeName, attendanceLimits } from '../../platform/attendance.ts';
import {
  type Counted,
  firstFit,
  type Mistake,
  maskedSecret,
  type OtherCallers,
  type RefusedCall,
  RefusedCalls,
  type Suspect,
} from '../../platform/refused-calls.ts';
import {
  attendancePartsToSign,
  attendanceSignature,
  attendanceStringToSign,
  type SignedPart,
} from '../../platform/signature.ts';
import { firstGuess, joinedOtherwise, otherDigest, withMore, withSecrets } from '../../platform/signature-guesses.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { SignedCall } from './signed-call.ts';

interface Call extends RefusedCall {
  readonly app_key: string;
  readonly code: AttendanceCodeName;
}
export type RefusedAttendanceCall = Counted<Call>;

/** The refused calls of the attendance API. */
export class RefusedAttendanceCalls {
  readonly #calls: RefusedCalls<Call>;
  readonly #clock: Clock;
  readonly #others: OtherCallers;

  constructor(clock: Clock, others: OtherCallers) {
    this.#clock = clock;
    this.#others = others;
    this.#calls = new RefusedCalls(clock, others);
  }

  /** Newest first. */
  list(): RefusedAttendanceCall[] {
    return this.#calls.list();
  }

  /**
   * `secret` of the caller that the call names; null: it names none, or the signature is not the
   * matter.
   */
  note(call: SignedCall, code: AttendanceCodeName, secret: string | null, isKnown = secret !== null): Promise<void> {
    const { address, path, appKey = '', timestamp = '' } = call;
    return this.#calls.note({
      ...{ address, path, sent: appKey, isKnown, mayBeSecret: code === 'wrong_key' },
      mistake: async (isSecret, examined) => {
        if (isSecret) return secretAsKey;
        if (secret !== null) return examined(() => likelyMistake(call, secret, this.#others));
        if (code === 'timeout' && isNowInSeconds(timestamp, this.#clock.now())) return inSeconds;
        return { message: remedies[code] ?? code, mistake: code, differs: concerned[code] ?? null, named: '' };
      },
      entry: (id, shown) => ({
        app_key: id,
        code,
        parts:
          secret === null ? [] : attendancePartsToSign({ path: shown, timestamp, appKey: id, appSecret: maskedSecret }),
      }),
    });
  }
}

const secretAsKey: Mistake = {
  mistake: 'secret_as_key',
  differs: 'App-Key',
  message: 'App-Key holds the secret: send the id of the caller, and keep the secret for signing',
  named: '',
};

const inSeconds: Mistake = {
  mistake: 'timestamp_in_seconds',
  differs: 'App-Timestamp',
  message: 'App-Timestamp is in seconds: send and sign milliseconds, 13 digits',
  named: '',
};

/** The clock is right, the unit is not. */
const isNowInSeconds = (timestamp: string, now: number): boolean =>
  /^\d{10}$/.test(timestamp) && Math.abs(Number(timestamp) * 1000 - now) <= attendanceLimits.signedAgeMsMax;

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

async function likelyMistake(call: SignedCall, secret: string, others: OtherCallers): Promise<Mistake> {
  const { path, timestamp = '', appKey = '', signature = '' } = call;
  const right = { path, timestamp, appKey, appSecret: secret };
  const rightText = attendanceStringToSign(right);
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
  const found =
    firstFit(signature, right, tries, attendanceSignature) ??
    firstGuess(signature, joinedOtherwise(attendancePartsToSign(right), ''));
  if (found) return found;
  const around = (await call.around?.()) ?? { origin: '', query: '', body: null };
  const more = withMore(around, path, rightText, other => attendanceStringToSign({ ...right, path: other }));
  return (
    firstGuess(signature, more) ??
    otherDigest('App-Sig', signature, rightText, secret) ??
    firstGuess(
      signature,
      withSecrets(await others(), right.appKey, 'App-Secret', 'secret', secret =>
        attendanceStringToSign({ ...right, appSecret: secret }),
      ),
    ) ?? {
      mistake: 'other_secret',
      differs: 'App-Secret',
      message: 'the secret is another one, or the parts are joined otherwise: compare with `gatehouse sign attendance`',
      named: '',
    }
  );
}
