import { serviceLimits } from '../../platform/services.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { SharedStore, SignedCallStore } from '../../store/index.ts';
import { badRequest, ServiceRefused } from '../refusal.ts';
import type { ServiceCaller } from './callers.ts';

/**
 * A signed POST that comes again (same app, nonce and timestamp) is a retry. With the same body it
 * gets the first response again and runs nothing; with another body it is refused (DESIGN 5).
 * In a region that holds for all processes: a retry at another one waits for the first. Responses
 * are kept a little longer than a signature is valid; of timestamps that are ahead, for
 * as long as that takes. Each app has room for so many of those, on the disk.
 */
export class Once {
  readonly #store: SignedCallStore & SharedStore;
  readonly #clock: Clock;

  constructor(options: { store: SignedCallStore & SharedStore; clock: Clock }) {
    this.#store = options.store;
    this.#clock = options.clock;
  }

  /**
   * `bodyHash` covers the whole call. Only what `act` returns is kept; after an error the call may
   * be tried again.
   */
  run(caller: ServiceCaller, bodyHash: string, act: () => Promise<object>): Promise<object> {
    const key = `signed call\0${caller.appId}\0${caller.timestamp}\0${caller.nonce}`;
    return this.#store.shared.alone(key, () => this.#act(caller, bodyHash, act));
  }

  async #act(caller: ServiceCaller, bodyHash: string, act: () => Promise<object>): Promise<object> {
    const known = await this.#store.read.signedAnswer(caller);
    if (known && known.bodyHash !== bodyHash)
      throw badRequest('this nonce and timestamp were used for another call: make a new nonce for each');
    if (known) return JSON.parse(known.answer) as object;
    if (caller.isAhead && (await this.#hasManyAhead(caller.appId)))
      throw new ServiceRefused(429, 'too many calls with a timestamp that is ahead: set the clock of the caller', {
        status: 429,
        retryAfterSeconds: 600,
      });
    const answer = await act();
    await this.#store.write.putSignedAnswer({
      appId: caller.appId,
      timestamp: caller.timestamp,
      nonce: caller.nonce,
      bodyHash,
      answer: JSON.stringify(answer),
      at: this.#clock.now(),
    });
    return answer;
  }

  #hasManyAhead(appId: string): Promise<boolean> {
    const after = this.#clock.now() + serviceLimits.signedAgeMsMax;
    return this.#store.read.hasSignedAnswersAfter({ appId, after, atLeast: serviceLimits.aheadCallsMax });
  }
}
