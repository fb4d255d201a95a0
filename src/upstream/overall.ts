import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { noWhy, type Why, whyIn, whyOf } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';
import type { Uplink, UplinkState } from './uplink.ts';

/** The uplink as a whole, out of its sessions: what `gatehouse status` shows. */
export interface UplinkSummary extends Why {
  readonly state: UplinkState | 'none' | 'standby';
  /** Null before the first try has succeeded or failed: a new box is not away from its cloud. */
  readonly since: number | null;
  readonly nextTryAt: number | null;
}

/**
 * Follows the sessions. `since` moves when the uplink goes up, or stops being up; not with each new
 * try.
 */
export class OverallUplink {
  readonly #clock: Clock;
  readonly #log: Log;
  #state: UplinkState = 'down';
  /** The last state that was not a try. */
  #lastDecided: Exclude<UplinkState, 'connecting'> = 'down';
  #since: number;
  /** A session came up, or a try failed: until then nothing is known to be away. */
  #wasTried = false;
  #why: Why = whyOf(uplinkReasons.say('cloud_not_needed'));

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    this.#since = clock.now();
  }

  /** At least one session is up. */
  get isUp(): boolean {
    return this.#state === 'up';
  }

  /** After any session has changed. */
  follow(uplinks: Iterable<Uplink>): void {
    let best: Uplink | null = null;
    for (const uplink of uplinks) {
      if (!best || rank(uplink) > rank(best)) best = uplink;
      // None is better; of some thousand sessions that come up each would ask all the others.
      if (best.state === 'up') break;
    }
    if (!best) return;
    this.#state = best.state;
    const trouble = troubleOf(best);
    if (trouble !== null) {
      this.#why = trouble;
      this.#wasTried = true;
    }
    // A try after the uplink was up means that it is down; any other try changes nothing yet.
    const decided =
      best.state === 'connecting' ? (this.#lastDecided === 'up' ? 'down' : this.#lastDecided) : best.state;
    if (decided === this.#lastDecided) return;
    this.#lastDecided = decided;
    this.#since = this.#clock.now();
    if (decided === 'up') this.#log.info({}, 'uplink_up');
    else this.#log.warn({ state: decided, why: this.#why.why }, 'uplink_not_up');
  }

  summary(uplinks: Iterable<Uplink>): UplinkSummary {
    let nextTryAt: number | null = null;
    if (this.#state !== 'up')
      for (const uplink of uplinks)
        if (uplink.nextTryAt !== null && (nextTryAt === null || uplink.nextTryAt < nextTryAt))
          nextTryAt = uplink.nextTryAt;
    return {
      state: this.#state,
      since: this.#wasTried ? this.#since : null,
      ...(this.#state === 'up' ? noWhy : this.#why),
      nextTryAt,
    };
  }
}

const order: Record<UplinkState, number> = { up: 3, connecting: 2, refused: 1, down: 0 };
/** Of two that are down the one that was tried speaks. */
const rank = (uplink: Uplink): number => order[uplink.state] * 2 + (uplink.nextTryAt === null ? 0 : 1);

const troubleOf = (uplink: Uplink): Why | null => {
  if (uplink.state === 'up') return noWhy;
  return uplink.why === '' || uplink.code === 'cloud_not_tried' ? null : whyIn(uplink);
};
