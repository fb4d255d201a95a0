import type { Random } from '../runtime/clock.ts';
import type { Reason } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';

const minuteMs = 60_000;
/**
 * The other one is back after 3 to 5 s (SPEC 5.1). A session that ends at once, or after long, has
 * other reasons: a message that the cloud does not bear, an idle time.
 */
const fightMs = { least: 1_000, most: 10_000 } as const;
const timesMax = 5;
/** Between two tries of a box that knows; two that know take turns. */
const waitMs = { least: 5 * minuteMs, most: 10 * minuteMs } as const;
/** Longer than the other one waits, if it knows too: it has gone. */
const goneMs = 15 * minuteMs;

/**
 * Finds out that somebody else logs in as this session does: a second box with a copied card, or a
 * device that also reaches the cloud by itself. A cloud takes the newer session of a client id and
 * ends the older one without a word (MQTT 3.1.1, 3.1.4-2), so each of the two comes back after its
 * retry and ends the other's, for ever.
 */
export class TakenOver {
  #times = 0;
  #isSuspected = false;

  /** How long a session stood, and whether the cloud ended it; called at the end of each. */
  ended({ stoodMs, byCloud }: { readonly stoodMs: number; readonly byCloud: boolean }): void {
    if (stoodMs >= goneMs) {
      this.#times = 0;
      this.#isSuspected = false;
    } else if (byCloud && (this.#isSuspected || (stoodMs >= fightMs.least && stoodMs <= fightMs.most))) {
      this.#times++;
      if (this.#times >= timesMax) this.#isSuspected = true;
    } else if (!this.#isSuspected && byCloud && stoodMs < fightMs.least) this.#times = 0;
  }

  /** `stoodMs`: how long the session stands; null: it does not. */
  isSuspected(stoodMs: number | null): boolean {
    return this.#isSuspected && (stoodMs ?? 0) < goneMs;
  }

  /** How long to leave the cloud alone after a session has ended, in milliseconds; 0: as always. */
  waitMs(random: Random): number {
    return this.#isSuspected ? Math.round(waitMs.least + random() * (waitMs.most - waitMs.least)) : 0;
  }
}

/** For staff, in a log and a status. */
export const takenOver = (id: string): Reason => uplinkReasons.say('identity_used_by_others', { id });
