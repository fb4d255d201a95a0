import { limits } from '../../../src/platform/limits.ts';
import type { Clock } from '../../../src/runtime/clock.ts';
import { localDays } from '../../../src/runtime/wall-time.ts';

export interface CloudLimits {
  /** Log records of one device in any 1000 ms, counted at arrival. */
  readonly logPerSecond: number;
  /** Log records of one device in a day of the cloud's time zone. */
  readonly logPerDay: number;
  /** Bytes of one log record; the rest is cut off. */
  readonly logBytes: number;
}

/** SPEC section 8. */
export const cloudLimits: CloudLimits = {
  logPerSecond: limits.logsPerSecondMax,
  logPerDay: limits.logsPerDayMax,
  logBytes: limits.logBytesMax,
};

type LogVerdict = 'taken' | 'rate' | 'day';

/** Counts events in a sliding window of a second. */
class LastSecond {
  #moments: number[] = [];
  #first = 0;

  /** How many there are in the window that ends now. */
  count(now: number): number {
    while (this.#first < this.#moments.length && this.#moments[this.#first]! <= now - 1000) this.#first++;
    if (this.#first > 4096) {
      this.#moments = this.#moments.slice(this.#first);
      this.#first = 0;
    }
    return this.#moments.length - this.#first;
  }

  add(now: number): void {
    this.#moments.push(now);
  }
}

interface DeviceQuota {
  readonly taken: LastSecond;
  readonly offered: LastSecond;
  offeredMax: number;
  day: string;
  today: number;
  readonly dropped: Record<Exclude<LogVerdict, 'taken'>, number>;
}

/**
 * Applies the log limits of SPEC section 8 as the cloud does: what exceeds them is acknowledged and
 * dropped.
 */
export class Quotas {
  readonly #clock: Clock;
  readonly #limits: CloudLimits;
  readonly #dayOf: (now: number) => string;
  readonly #devices = new Map<string, DeviceQuota>();

  constructor(clock: Clock, cloud: CloudLimits, timeZone: string) {
    this.#clock = clock;
    this.#limits = cloud;
    this.#dayOf = localDays(timeZone);
  }

  takeLog(deviceId: string): LogVerdict {
    const quota = this.#of(deviceId);
    const now = this.#clock.monotonic();
    quota.offered.add(now);
    quota.offeredMax = Math.max(quota.offeredMax, quota.offered.count(now));
    const day = this.#dayOf(this.#clock.now());
    if (quota.day !== day) {
      quota.day = day;
      quota.today = 0;
    }
    const verdict =
      quota.today >= this.#limits.logPerDay
        ? 'day'
        : quota.taken.count(now) >= this.#limits.logPerSecond
          ? 'rate'
          : 'taken';
    if (verdict === 'taken') {
      quota.taken.add(now);
      quota.today++;
    } else quota.dropped[verdict]++;
    return verdict;
  }

  /** Log records of one device that were dropped, by reason. */
  dropped(deviceId: string): Readonly<DeviceQuota['dropped']> {
    return this.#devices.get(deviceId.toUpperCase())?.dropped ?? { rate: 0, day: 0 };
  }

  totals(): { rate: number; day: number; offeredPerSecondMax: number } {
    const sum = { rate: 0, day: 0, offeredPerSecondMax: 0 };
    for (const { dropped, offeredMax } of this.#devices.values()) {
      sum.rate += dropped.rate;
      sum.day += dropped.day;
      sum.offeredPerSecondMax = Math.max(sum.offeredPerSecondMax, offeredMax);
    }
    return sum;
  }

  #of(deviceId: string): DeviceQuota {
    let quota = this.#devices.get(deviceId);
    if (!quota) {
      quota = {
        taken: new LastSecond(),
        offered: new LastSecond(),
        offeredMax: 0,
        day: '',
        today: 0,
        dropped: { rate: 0, day: 0 },
      };
      this.#devices.set(deviceId, quota);
    }
    return quota;
  }
}
