import type { Site } from '../platform/site.ts';
import { atMostEvery } from '../runtime/at-most-every.ts';
import type { Clock } from '../runtime/clock.ts';
import { RateWindow } from '../runtime/rate-window.ts';
import { localDays } from '../runtime/wall-time.ts';
import type { DeviceNo, SharedLogCounts } from '../store/index.ts';

type QuotaVerdict = 'within' | 'over_per_second' | 'over_per_day';

/** Delay at which other processes learn of drops for a device that several processes serve. */
const shareMs = 2_000;

interface Counters {
  readonly second: RateWindow;
  day: string;
  stored: number;
  /** Of those in `stored`, taken here since the other processes of a region were told. */
  more: number;
}

/**
 * Limits a device's logs in any second and on any day of the site (SPEC 8), counted over both
 * gateways. Logs over the limit are dropped. In a region a day's are those that all processes took,
 * as far as `#share` has told.
 */
export class LogQuota {
  readonly #perSecond: number;
  readonly #perDay: number;
  readonly #clock: Clock;
  readonly #site: Pick<Site, 'timezone'>;
  #timeZone: string;
  #dayOf: (now: number) => string;
  readonly #counters = new Map<DeviceNo, Counters>();
  /** Devices with logs that the other processes were not told of. */
  readonly #untold = new Set<DeviceNo>();
  readonly #shared: SharedLogCounts;
  readonly #shareSoon: () => void;

  constructor(options: {
    perSecond: number;
    perDay: number;
    clock: Clock;
    site: Pick<Site, 'timezone'>;
    shared: SharedLogCounts;
    /** Of the end of this process. */
    signal: AbortSignal;
  }) {
    this.#shared = options.shared;
    this.#shareSoon = atMostEvery(shareMs, options.clock, options.signal, () => void this.#share());
    this.#perSecond = options.perSecond;
    this.#perDay = options.perDay;
    this.#clock = options.clock;
    this.#site = options.site;
    this.#timeZone = options.site.timezone;
    this.#dayOf = localDays(this.#timeZone);
  }

  today(): string {
    const { timezone } = this.#site;
    if (timezone !== this.#timeZone) {
      this.#timeZone = timezone;
      this.#dayOf = localDays(timezone);
    }
    return this.#dayOf(this.#clock.now());
  }

  /**
   * Continues the day's count after a restart. `stored` includes what was counted since the start,
   * or will soon.
   */
  resume(day: string, stored: ReadonlyMap<DeviceNo, number>): void {
    for (const [deviceNo, count] of stored) {
      const counters = this.#of(deviceNo);
      counters.stored = counters.day === day ? Math.max(counters.stored, count) : count;
      counters.day = day;
    }
  }

  /** Counts one log if it is within both limits. */
  take(deviceNo: DeviceNo): QuotaVerdict {
    const counters = this.#of(deviceNo);
    const day = this.today();
    if (counters.day !== day) {
      counters.day = day;
      counters.stored = 0;
      counters.more = 0;
    }
    if (counters.stored >= this.#perDay) return 'over_per_day';
    if (!counters.second.take(this.#clock.monotonic())) return 'over_per_second';
    counters.stored++;
    counters.more++;
    this.#untold.add(deviceNo);
    this.#shareSoon();
    return 'within';
  }

  /** Tells the other processes what was taken here, and hears what they took. Never rejects. */
  async #share(): Promise<void> {
    const day = this.today();
    const taken = new Map<DeviceNo, { more: number; stored: number }>();
    for (const deviceNo of this.#untold) {
      const counters = this.#of(deviceNo);
      if (counters.day === day) taken.set(deviceNo, { more: counters.more, stored: counters.stored });
      counters.more = 0;
    }
    this.#untold.clear();
    try {
      for (const [deviceNo, stored] of await this.#shared.add(day, taken)) {
        const counters = this.#of(deviceNo);
        if (counters.day === day) counters.stored = Math.max(counters.stored, stored + counters.more);
      }
    } catch {
      // The others learn of it with what comes next, as far as this process knows it by then.
    }
  }

  #of(deviceNo: DeviceNo): Counters {
    let counters = this.#counters.get(deviceNo);
    if (!counters) {
      counters = { second: new RateWindow(this.#perSecond, 1000), day: '', stored: 0, more: 0 };
      this.#counters.set(deviceNo, counters);
    }
    return counters;
  }
}
