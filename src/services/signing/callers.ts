import { serviceLimits } from '../../platform/services.ts';
import { isUnguessable, sameDigest, serviceSignature } from '../../platform/signature.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type GuessCounts, GuessWindows } from '../../runtime/guess-windows.ts';
import type { StoreReader } from '../../store/index.ts';
import { badRequest, ServiceRefused } from '../refusal.ts';
import type { ServiceRequests } from './service-requests.ts';
import type { SignedServiceCall } from './signed-call.ts';

/** The caller that was identified. */
export interface ServiceCaller {
  readonly appId: string;
  readonly timestamp: string;
  readonly nonce: string;
  /** The clock of the app is ahead: the signature stays valid for longer than others. */
  readonly isAhead: boolean;
}

/**
 * Wrong signatures with one app_id from one address in a minute before they have to wait:
 * neighbours behind the address and the app elsewhere do not, nor does a right signature with a key
 * that nobody guesses.
 */
const wrongPerMinuteMax = 60;

/** Checks the signature of a call of the public services. */
export class ServiceCallers {
  readonly #read: Pick<StoreReader, 'app'>;
  readonly #clock: Clock;
  readonly #requests: ServiceRequests;
  readonly #wrong: GuessWindows;

  /** `counts`: those of a region. */
  constructor(options: {
    read: Pick<StoreReader, 'app'>;
    clock: Clock;
    requests: ServiceRequests;
    counts: GuessCounts;
  }) {
    const rule = { name: 'service signature', limit: wrongPerMinuteMax, windowMs: 60_000 };
    this.#wrong = new GuessWindows(rule, options.counts);
    this.#read = options.read;
    this.#clock = options.clock;
    this.#requests = options.requests;
  }

  /**
   * Throws ServiceRefused: 400 for what is missing, more than 10 minutes behind or a day ahead,
   * then 401 for an unknown app_id or a wrong sig (SPEC 7.2).
   */
  async check(call: SignedServiceCall): Promise<ServiceCaller> {
    const { appId, timestamp, nonce, sig } = call;
    for (const [name, value] of Object.entries({ app_id: appId, timestamp, nonce, sig }))
      if (!value) throw await this.#note(call, badRequest(`send the header ${name}`));
    const aheadMs = aheadOf(timestamp!, this.#clock.now());
    if (aheadMs === null || aheadMs < -serviceLimits.signedAgeMsMax)
      throw await this.#note(
        call,
        badRequest('timestamp is more than 10 minutes behind, or not in milliseconds: set the clock'),
      );
    if (aheadMs > serviceLimits.signedAheadMsMax)
      throw await this.#note(call, badRequest('timestamp is more than a day ahead: set the clock'));
    if (nonce!.length > serviceLimits.nonceCharactersMax)
      throw await this.#note(call, badRequest('nonce: at most 64 characters'));
    const now = this.#clock.monotonic();
    const app = await this.#read.app(appId!);
    // All unknown ids count as one, or each guess would have an allowance of its own.
    const counted = app ? `${appId} ${call.address}` : call.address;
    const parts = { appId: appId!, timestamp: timestamp!, nonce: nonce! };
    const isRight = app !== null && sameDigest(sig!, serviceSignature({ ...parts, appKey: app.key }));
    const waitMs = isRight && isUnguessable(app.key) ? 0 : this.#wrong.wait(counted, now);
    if (waitMs > 0)
      throw await this.#note(
        call,
        new ServiceRefused(429, 'too many wrong signatures with this app_id from this address', {
          status: 429,
          retryAfterSeconds: Math.ceil(waitMs / 1000),
        }),
        null,
        app !== null,
      );
    if (!isRight) {
      this.#wrong.take(counted, now);
      // Only people at the box learn whether the app_id or the sig was wrong.
      throw await this.#note(
        call,
        new ServiceRefused(401, 'wrong sig, or an app_id that is not authorized', { status: 401 }),
        app?.key ?? null,
      );
    }
    const isAhead = aheadMs > serviceLimits.signedAgeMsMax;
    if (isAhead) this.#requests.mark(call, ahead);
    if (timestamp!.length === 10) this.#requests.mark(call, inSeconds);
    return { ...parts, isAhead };
  }

  async #note(
    call: SignedServiceCall,
    refused: ServiceRefused,
    key: string | null = null,
    isKnown = key !== null,
  ): Promise<ServiceRefused> {
    await this.#requests.note(call, refused, key, isKnown);
    return refused;
  }
}

const ahead = {
  mistake: 'clock_ahead',
  message: 'taken, but timestamp is more than 10 minutes ahead: set the clock of the caller',
};
const inSeconds = {
  mistake: 'timestamp_in_seconds',
  message:
    'taken, but timestamp is in seconds (10 digits): send milliseconds (13 digits), which other platforms insist on',
};

/**
 * How far a timestamp is ahead of `now`, in milliseconds; negative: behind; null: it is none. Ten
 * digits are seconds: taken, since devices mistake one for the other.
 */
function aheadOf(timestamp: string, now: number): number | null {
  if (!/^\d{10}$|^\d{13}$/.test(timestamp)) return null;
  return (timestamp.length === 10 ? Number(timestamp) * 1000 : Number(timestamp)) - now;
}
