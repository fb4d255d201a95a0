import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { RememberedStore } from '../../store/index.ts';
import type { ServiceCall } from '../api.ts';
import type { CloudServices } from '../cloud.ts';
import { badRequest, ServiceRefused } from '../refusal.ts';
import { NoWeather } from './no-weather.ts';
import { openPlaces, PlaceRefused } from './places.ts';
import { Weather } from './weather.ts';

const service = 'weather';

/**
 * GET weather (SPEC 2.10, 4.7): the cloud's, cached in the store. The headers Age and Observed-At
 * tell how old it is.
 */
export class WeatherService {
  readonly #weather: Weather;
  /** 3000 places, read on first use. */
  #places: ReturnType<typeof openPlaces> | undefined;
  readonly #own: { location?: string; city?: string } | null;

  constructor(options: {
    store: RememberedStore;
    clock: Clock;
    log: Log;
    cloud: CloudServices | null;
    /** Where the site is, for calls that name no place. */
    place: { location?: string; city?: string } | null;
  }) {
    const { store, clock, log, cloud, place } = options;
    this.#own = place;
    this.#weather = new Weather({
      clock,
      log,
      cloud: cloud && ((query, signal) => cloud.call(`/api/1.0.0/weather?${new URLSearchParams(query)}`, { signal })),
      cache: {
        async get(key) {
          const kept = await store.read.remembered(service, key);
          return kept && JSON.parse(kept.value);
        },
        put: (key, kept) => store.write.remember({ service, key, value: JSON.stringify(kept), at: clock.now() }),
      },
    });
  }

  async answer(call: ServiceCall): Promise<object> {
    this.#places ??= openPlaces(this.#own);
    const place = this.#places.resolvePlace({
      location: call.req.query('location') ?? '',
      city: call.req.query('city') ?? '',
    });
    if (place instanceof PlaceRefused) {
      if (place.fault === 'unknown') throw new ServiceRefused(404, place.message);
      throw badRequest(place.message);
    }
    try {
      const { now, observedAt, ageSeconds, fresh } = await this.#weather.now(place);
      call.header('Age', String(ageSeconds));
      call.header('Observed-At', new Date(observedAt).toISOString());
      if (!fresh) call.header('Warning', '110 - "Response is Stale"');
      return now;
    } catch (error) {
      if (error instanceof NoWeather) throw new ServiceRefused(503, error.message);
      throw error;
    }
  }

  close(): void {
    this.#weather[Symbol.dispose]();
  }
}
