import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { serviceLimits } from '../../../../src/platform/services.ts';
import { sameDigest, serviceSignature } from '../../../../src/platform/signature.ts';
import type { Clock } from '../../../../src/runtime/clock.ts';
import { ServiceRefused, wrong } from './refused.ts';

export interface SimApp {
  readonly app_id: string;
  readonly app_key: string;
}

interface SignedCall {
  readonly appId: string;
  /** The same for a call that is sent again. */
  readonly stamp: string;
}

const keptMax = 10_000;

/** Identifies callers (SPEC 5.6, 7.2), and carries out a repeated signed POST only once. */
export class SimServiceCallers {
  readonly #keys: ReadonlyMap<string, string>;
  readonly #clock: Clock;
  readonly #answers = new Map<string, { readonly body: string; readonly answer: object }>();

  constructor(apps: readonly SimApp[], clock: Clock) {
    this.#keys = new Map(apps.map(({ app_id, app_key }) => [app_id, app_key]));
    this.#clock = clock;
  }

  check(headers: IncomingMessage['headers']): SignedCall {
    const [appId, timestamp, nonce, sig] = ['app_id', 'timestamp', 'nonce', 'sig'].map(name => {
      const value = String(headers[name] ?? '').trim();
      if (value === '') throw wrong(`the header ${name} is missing`);
      return value;
    }) as [string, string, string, string];
    if (!/^\d{13}$/.test(timestamp) || this.#clock.now() - Number(timestamp) > serviceLimits.signedAgeMsMax)
      throw wrong('timestamp is more than 10 minutes behind');
    const appKey = this.#keys.get(appId);
    if (appKey === undefined || !sameDigest(sig, serviceSignature({ appId, appKey, nonce, timestamp })))
      throw new ServiceRefused(401, 'wrong sig or unauthorized app_id');
    return { appId, stamp: `${appId} ${timestamp} ${nonce}` };
  }

  /**
   * Returns the first answer again for the same call; refuses a different one with the same stamp.
   */
  async once(call: SignedCall, said: string | Buffer, act: () => Promise<object> | object): Promise<object> {
    const body = createHash('sha256').update(said).digest('hex');
    const known = this.#answers.get(call.stamp);
    if (known && known.body !== body) throw wrong('this nonce and timestamp were used for another call');
    if (known) return known.answer;
    const answer = await act();
    this.#answers.set(call.stamp, { body, answer });
    if (this.#answers.size > keptMax) this.#answers.delete(this.#answers.keys().next().value!);
    return answer;
  }
}
