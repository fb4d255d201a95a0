import type { IncomingMessage } from 'node:http';
import { attendanceLimits } from '../../../../src/platform/attendance.ts';
import { attendanceSignature, sameDigest } from '../../../../src/platform/signature.ts';
import type { Clock } from '../../../../src/runtime/clock.ts';
import { RateWindows } from '../../../../src/runtime/rate-windows.ts';
import { Refused } from './refused.ts';

export interface SimAttendanceCaller {
  readonly app_key: string;
  readonly app_secret: string;
}

/** Callers (SPEC 5.7), and how often they call: SPEC 7.3 in the order key, timestamp, signature. */
export class SimCallers {
  readonly #secrets: ReadonlyMap<string, string>;
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #calls: RateWindows<string>;

  constructor(callers: readonly SimAttendanceCaller[], clock: Clock, perSecond: number) {
    this.#secrets = new Map(callers.map(({ app_key, app_secret }) => [app_key, app_secret]));
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#calls = new RateWindows(perSecond, 1000);
  }

  /** Returns the App-Key. */
  check(headers: IncomingMessage['headers'], path: string): string {
    const header = (name: string) => String(headers[name] ?? '').trim();
    const appKey = header('app-key');
    const timestamp = header('app-timestamp');
    const signature = header('app-sig');
    if (appKey === '') throw new Refused('key_missing', 'App-Key');
    if (timestamp === '') throw new Refused('timestamp_missing', 'App-Timestamp');
    if (signature === '') throw new Refused('signature_missing', 'App-Sig');
    const appSecret = this.#secrets.get(appKey);
    if (appSecret === undefined) throw new Refused('wrong_key', 'App-Key');
    if (!/^\d+$/.test(timestamp) || Math.abs(this.#clock.now() - Number(timestamp)) > attendanceLimits.signedAgeMsMax)
      throw new Refused('timeout', 'App-Timestamp is more than 10 minutes off');
    if (!sameDigest(signature, attendanceSignature({ path, timestamp, appKey, appSecret })))
      throw new Refused('wrong_signature', 'App-Sig');
    return appKey;
  }

  count(appKey: string): void {
    if (!this.#calls.take(appKey, this.#clock.monotonic()))
      throw new Refused('too_many_calls', `at most ${this.#perSecond} calls a second`);
  }
}
