import type { Clock, UnixMs } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { NoWeather } from './no-weather.ts';
import type { Place } from './places.ts';
import { type KeptWeather, readKeptWeather, readWeatherNow, type WeatherNow } from './weather-now.ts';

/**
 * Keeps the last known weather over a restart. What `get` returns is checked; an error of either is
 * logged.
 */
export interface WeatherCache {
  get(key: string): Promise<unknown> | unknown;
  put(key: string, kept: KeptWeather): Promise<void> | void;
}

/**
 * Asks the cloud (SPEC 4.7). Gives the `data` of its answer, which is checked here; rejects for a
 * code that is not 0.
 */
export type AskWeather = (query: { location?: string; city?: string }, signal: AbortSignal) => Promise<unknown>;

interface WeatherParts {
  /** Null where no cloud is configured: then only the cache is served. */
  readonly cloud: AskWeather | null;
  readonly clock: Clock;
  readonly cache: WeatherCache;
  readonly log: Log;
}

interface Weathered {
  readonly now: WeatherNow;
  /** By today's clock: that of the cloud's answer, corrected when the clock was set since. */
  readonly observedAt: UnixMs;
  readonly ageSeconds: number;
  /** Less than 30 minutes old. */
  readonly fresh: boolean;
}

const weatherFreshMs = 30 * 60_000;
const weatherServedMs = 24 * 3_600_000;
/** After a failure a place is not asked for again for so long. */
const weatherRestMs = 60_000;
/** How long the cloud may take. */
const weatherAskMs = 5_000;
export const weatherPlacesMax = 500;
/**
 * Calls under way at a time, over all places. Above it the last known is served, or `NoWeather`
 * (busy).
 */
export const weatherCallsMax = 32;

interface Known extends KeptWeather {
  /** By the monotonic clock; null when it was learned by an earlier process. */
  readonly learnedAt: number | null;
}

interface Failing {
  /** The first failure since the last answer. */
  readonly since: UnixMs;
  /** Monotonic. */
  readonly restUntil: number;
  readonly cause: unknown;
}

interface Entry {
  readonly known: Known | null;
  readonly failing: Failing | null;
}

/**
 * Weather of the cloud, asked for once in 30 minutes a place however many terminals show it, and
 * served up to a day old when the cloud is out of reach (SPEC 2.10, 4.7). Keeps 500 places in
 * memory, the least recently asked for goes first; `cache` keeps them beyond.
 */
export class Weather implements Disposable {
  readonly #parts: WeatherParts;
  /** In the order of use. */
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Map<string, Promise<Entry>>();
  readonly #closed = new AbortController();
  #calls = 0;

  constructor(parts: WeatherParts) {
    this.#parts = parts;
  }

  /** Throws NoWeather. Waits at most 5 s for the cloud; callers of one place share the call. */
  async now(place: Place): Promise<Weathered> {
    const remembered = this.#entries.get(place.key);
    if (remembered) this.#remember(place.key, remembered);
    const entry = remembered && !this.#isDue(remembered) ? remembered : await this.#refreshOnce(place);
    const age = entry.known ? this.#ageOf(entry.known) : Number.POSITIVE_INFINITY;
    const observedAt = this.#parts.clock.now() - age;
    if (entry.known && age <= weatherServedMs) {
      const fresh = age < weatherFreshMs;
      return { now: entry.known.now, observedAt, ageSeconds: Math.floor(age / 1000), fresh };
    }
    throw new NoWeather(
      {
        place: place.city ? `${place.city} (${place.key})` : place.key,
        reason: !this.#parts.cloud ? 'no_cloud' : entry.failing ? 'cloud_failed' : 'busy',
        failingSince: entry.failing?.since ?? null,
        lastObservedAt: entry.known?.observedAt ?? null,
      },
      entry.failing?.cause,
    );
  }

  /** Ends the calls under way; their callers get the last known, or NoWeather. */
  [Symbol.dispose](): void {
    this.#closed.abort(new Error('the box is stopping'));
  }

  /** Never rejects: the entry holds the error. */
  #refreshOnce(place: Place): Promise<Entry> {
    const underWay = this.#underWay.get(place.key);
    if (underWay) return underWay;
    const call = this.#refresh(place).finally(() => this.#underWay.delete(place.key));
    this.#underWay.set(place.key, call);
    return call;
  }

  async #refresh(place: Place): Promise<Entry> {
    const { cloud, clock, log } = this.#parts;
    let entry = this.#entries.get(place.key) ?? { known: await this.#load(place.key), failing: null };
    if (cloud && this.#isDue(entry) && this.#calls < weatherCallsMax) {
      try {
        const now = await this.#ask(cloud, place);
        if (entry.failing) log.info({ place: place.key }, 'weather_available_again');
        entry = { known: { now, observedAt: clock.now(), learnedAt: clock.monotonic() }, failing: null };
        await this.#save(place.key, { now, observedAt: clock.now() });
      } catch (cause) {
        const fields = { place: place.key, error: String(cause) };
        if (entry.failing) log.debug(fields, 'weather_still_not_returned');
        else log.warn(fields, 'weather_not_returned');
        const since = entry.failing?.since ?? clock.now();
        entry = { known: entry.known, failing: { since, restUntil: clock.monotonic() + weatherRestMs, cause } };
      }
    }
    this.#remember(place.key, entry);
    return entry;
  }

  async #ask(cloud: AskWeather, { location, city }: Place): Promise<WeatherNow> {
    const done = new AbortController();
    const signal = AbortSignal.any([done.signal, this.#closed.signal]);
    signal.throwIfAborted();
    this.#calls++;
    try {
      const tooLate = this.#parts.clock.sleep(weatherAskMs, signal).then(() => {
        throw new Error(`no answer within ${weatherAskMs} ms`);
      });
      const answer = (async () => cloud({ ...(location && { location }), ...(city && { city }) }, signal))();
      return readWeatherNow(await Promise.race([tooLate, answer]));
    } finally {
      this.#calls--;
      done.abort();
    }
  }

  async #load(key: string): Promise<Known | null> {
    try {
      const kept = readKeptWeather(await this.#parts.cache.get(key));
      return kept && { ...kept, learnedAt: null };
    } catch (error) {
      this.#parts.log.warn({ place: key, error: String(error) }, 'weather_not_readable');
      return null;
    }
  }

  async #save(key: string, kept: KeptWeather): Promise<void> {
    try {
      await this.#parts.cache.put(key, kept);
    } catch (error) {
      this.#parts.log.warn({ place: key, error: String(error) }, 'weather_not_stored');
    }
  }

  #isDue({ known, failing }: Entry): boolean {
    if (!this.#parts.cloud) return false;
    if (failing && this.#parts.clock.monotonic() < failing.restUntil) return false;
    return !known || this.#ageOf(known) >= weatherFreshMs;
  }

  /**
   * Milliseconds. Entries of an earlier process are dated by the wall clock only: one from the
   * future counts as old as one equally far in the past.
   */
  #ageOf({ observedAt, learnedAt }: Known): number {
    const { clock } = this.#parts;
    return learnedAt === null ? Math.abs(clock.now() - observedAt) : clock.monotonic() - learnedAt;
  }

  #remember(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > weatherPlacesMax) this.#entries.delete(this.#entries.keys().next().value!);
  }
}
