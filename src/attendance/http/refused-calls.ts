import { type AttendanceCodeName, attendanceLimits } from '../../platform/attendance.ts';
import {
  type Counted,
  examinedPerSecondMax,
  firstFit,
  type Mistake,
  notExamined,
  type RefusedCall,
  RefusedCallLog,
  type Suspect,
} from '../../platform/refused-calls.ts';
import {
  attendancePartsToSign,
  attendanceSignature,
  attendanceStringToSign,
  type SignedPart,
} from '../../platform/signature.ts';
import { firstGuess, type Guess, joinedOtherwise, otherDigest, withMore } from '../../platform/signature-guesses.ts';
import type { Clock } from '../../runtime/clock.ts';
import { RateWindow } from '../../runtime/rate-window.ts';
import type { SignedCall } from './signed-call.ts';

interface Call extends RefusedCall {
  readonly app_key: string;
  readonly code: AttendanceCodeName;
}
export type RefusedAttendanceCall = Counted<Call>;

const masked = '********';

/**
 * The callers of the site with their secrets, a bounded number; read when nothing else explains a
 * signature.
 */
type OtherCallers = () => Promise<readonly { readonly appKey: string; readonly secret: string }[]>;

/** The refused calls of the attendance API, examined for the mistakes that integrators make. */
export class RefusedAttendanceCalls {
  readonly #log: RefusedCallLog<Call>;
  readonly #clock: Clock;
  readonly #others: OtherCallers;
  readonly #examined = new RateWindow(examinedPerSecondMax, 1000);

  constructor(clock: Clock, others: OtherCallers) {
    this.#clock = clock;
    this.#others = others;
    this.#log = new RefusedCallLog(clock);
  }

  /** Newest first. */
  list(): RefusedAttendanceCall[] {
    return this.#log.list();
  }

  /**
   * `secret` of the caller that the call names; null: it names none, or the signature is not the
   * matter.
   */
  async note(
    call: SignedCall,
    code: AttendanceCodeName,
    secret: string | null,
    isKnown = secret !== null,
  ): Promise<void> {
    const owner = code === 'wrong_key' ? await this.#ownerOf(call.appKey ?? '') : null;
    const appKey = (owner ?? call.appKey ?? '').slice(0, 64);
    const path = call.path.slice(0, 100);
    const parts =
      secret === null
        ? []
        : attendancePartsToSign({ path, timestamp: call.timestamp ?? '', appKey, appSecret: masked });
    const why = owner === null || owner === notShown ? await this.#whyOf(call, code, secret) : secretAsKey;
    this.#log.note(
      isKnown || (owner !== null && owner !== notShown) ? appKey : null,
      `${appKey} ${call.address} ${why.mistake} ${why.named} ${path}`,
      {
        address: call.address,
        path,
        app_key: appKey,
        code,
        ...why,
        parts,
      },
    );
  }

  /** The caller whose secret was sent as App-Key: it must not be shown. Null: nobody's. */
  async #ownerOf(sent: string): Promise<string | null> {
    if (sent === '' || !this.#examined.take(this.#clock.monotonic())) return sent === '' ? null : notShown;
    return (await this.#others()).find(({ secret }) => secret === sent)?.appKey ?? null;
  }

  async #whyOf(call: SignedCall, code: AttendanceCodeName, secret: string | null): Promise<Mistake> {
    if (secret === null) {
      if (code === 'timeout' && isNowInSeconds(call.timestamp ?? '', this.#clock.now())) return inSeconds;
      return { message: remedies[code] ?? code, mistake: code, differs: concerned[code] ?? null, named: '' };
    }
    if (this.#examined.take(this.#clock.monotonic())) return likelyMistake(call, secret, this.#others);
    return notExamined;
  }
}

/** Placeholder for an App-Key that could be a secret. */
const notShown = '?';

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
    firstGuess(signature, await ofOthers(right, others)) ?? {
      mistake: 'other_secret',
      differs: 'App-Secret',
      message: 'the secret is another one, or the parts are joined otherwise: compare with `gatehouse sign attendance`',
      named: '',
    }
  );
}

/** Signed with the secret of another caller of the site. */
async function ofOthers(
  right: Parameters<typeof attendanceStringToSign>[0],
  others: OtherCallers,
): Promise<readonly Guess[]> {
  return (await others())
    .filter(({ appKey }) => appKey !== right.appKey)
    .map(({ appKey, secret }) => ({
      mistake: 'secret_of_other',
      differs: 'App-Secret',
      message: `signed with the secret of ${appKey}: the program has the two mixed up`,
      named: appKey,
      text: attendanceStringToSign({ ...right, appSecret: secret }),
    }));
}
