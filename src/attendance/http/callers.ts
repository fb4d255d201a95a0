import { attendanceLimits } from '../../platform/attendance.ts';
import { attendanceSignature, isUnguessable, sameDigest } from '../../platform/signature.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type GuessCounts, GuessWindows } from '../../runtime/guess-windows.ts';
import { RateWindows } from '../../runtime/rate-windows.ts';
import type { StoreReader } from '../../store/index.ts';
import { CallRefused } from './answers.ts';
import type { AttendanceRequests } from './attendance-requests.ts';
import type { SignedCall } from './signed-call.ts';

const failuresPerSecondMax = 20;

/** Callers: checks the three headers in the order of DESIGN 5, and the rate of calls. */
export class Callers {
  readonly #read: Pick<StoreReader, 'attendanceCaller'>;
  readonly #clock: Clock;
  readonly #callsPerSecond: number;
  readonly #requests: AttendanceRequests;
  readonly #calls: RateWindows<string>;
  /**
   * Refused calls, by key and address: a caller that signs wrongly delays neither others behind the
   * same address nor callers with the same key elsewhere, nor one that signs rightly with a secret
   * that nobody guesses. All unknown keys count as one, or each
   * guess would have an allowance of its own.
   */
  readonly #failures: GuessWindows;

  constructor(options: {
    read: Pick<StoreReader, 'attendanceCaller'>;
    clock: Clock;
    callsPerSecond: number;
    requests: AttendanceRequests;
    /** Those of a region. */
    counts: GuessCounts;
  }) {
    const rule = { name: 'attendance signature', limit: failuresPerSecondMax, windowMs: 1000 };
    this.#failures = new GuessWindows(rule, options.counts);
    this.#read = options.read;
    this.#clock = options.clock;
    this.#callsPerSecond = options.callsPerSecond;
    this.#calls = new RateWindows(options.callsPerSecond, 1000);
    this.#requests = options.requests;
  }

  /**
   * Returns the caller's app key. Throws CallRefused: 102, 105, 104 for what is missing, then 101,
   * 109, 103 for what is wrong.
   */
  async check(call: SignedCall): Promise<string> {
    const { appKey, timestamp, signature } = call;
    if (!appKey) throw await this.#refuse(call, 'key_missing', 'send the header App-Key');
    if (!timestamp) throw await this.#refuse(call, 'timestamp_missing', 'send the header App-Timestamp');
    if (!signature) throw await this.#refuse(call, 'signature_missing', 'send the header App-Sig');
    const caller = await this.#read.attendanceCaller(appKey);
    const counted = countedAs(call, caller !== null);
    const isRight =
      caller !== null &&
      sameDigest(signature, attendanceSignature({ path: call.path, timestamp, appKey, appSecret: caller.secret }));
    const isBeyondDoubt = isRight && isUnguessable(caller.secret);
    if (!isBeyondDoubt && this.#failures.wait(counted, this.#clock.monotonic()) > 0) {
      await this.#requests.note(call, 'too_many_calls', null, caller !== null);
      throw new CallRefused('too_many_calls', 'too many refused calls with this App-Key from this address', 1);
    }
    if (!caller) throw await this.#refuse(call, 'wrong_key', 'no caller with this App-Key is known');
    const age = this.#clock.now() - Number(timestamp);
    if (!/^\d+$/.test(timestamp) || Math.abs(age) > attendanceLimits.signedAgeMsMax)
      throw await this.#refuse(
        call,
        'timeout',
        'App-Timestamp is more than 10 minutes off, or not in milliseconds',
        null,
        counted,
        true,
      );
    if (!isRight)
      throw await this.#refuse(
        call,
        'wrong_signature',
        'App-Sig is the MD5 of path, timestamp, App-Key and App-Secret, concatenated',
        caller.secret,
        counted,
        true,
      );
    return appKey;
  }

  /** Throws CallRefused with 110 when the caller calls more often than it may. */
  count(appKey: string): void {
    const now = this.#clock.monotonic();
    if (!this.#calls.take(appKey, now))
      throw new CallRefused(
        'too_many_calls',
        `at most ${this.#callsPerSecond} calls a second`,
        Math.max(1, Math.ceil(this.#calls.wait(appKey, now) / 1000)),
      );
  }

  async #refuse(
    call: SignedCall,
    code: CallRefused['code'],
    detail: string,
    secret: string | null = null,
    counted = countedAs(call, false),
    isKnown = false,
  ): Promise<CallRefused> {
    this.#failures.take(counted, this.#clock.monotonic());
    await this.#requests.note(call, code, secret, isKnown);
    return new CallRefused(code, detail);
  }
}

/** Only failures count. A call that names no caller of the site counts by its address alone. */
const countedAs = ({ address, appKey = '' }: SignedCall, isKnown: boolean): string =>
  isKnown ? `${appKey} ${address}` : address;
