import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/runtime/log.ts';
import { NoWeather } from '../../../src/services/weather/no-weather.ts';
import {
  type AskWeather,
  Weather,
  type WeatherCache,
  weatherCallsMax,
  weatherPlacesMax,
} from '../../../src/services/weather/weather.ts';
import type { KeptWeather } from '../../../src/services/weather/weather-now.ts';
import { HandClock } from '../../support/clock.ts';
import { keptLog } from '../../support/kept-log.ts';

const beijing = { key: '110000', location: '110000', city: '北京市' };
const minute = 60_000;
const hour = 60 * minute;

const sunny = { temp: '24', text: 'sunny', humidity: '40' };
const nothing = {
  ...{ temp: '', icon_url: '', text: '', wind360: '', humidity: '' },
  ...{ precip: '', pressure: '', vis: '', cloud: '', dew: '' },
};

class MemoryCache implements WeatherCache {
  readonly kept = new Map<string, unknown>();

  get(key: string): unknown {
    return this.kept.get(key);
  }

  put(key: string, kept: KeptWeather): void {
    this.kept.set(key, structuredClone(kept));
  }
}

/** A cloud that answers what the test sets, and counts. */
function aSite(options: { clock?: HandClock; cache?: WeatherCache } = {}) {
  const clock = options.clock ?? new HandClock();
  const cache = options.cache ?? new MemoryCache();
  const asked: unknown[] = [];
  const cloud: { answer: AskWeather } = { answer: async () => sunny };
  const { log, texts } = keptLog();
  const ask: AskWeather = (query, signal) => {
    asked.push(query);
    return cloud.answer(query, signal);
  };
  const weather = new Weather({ cloud: ask, clock, cache, log });
  const fail = () => {
    cloud.answer = () => Promise.reject(new Error('line down'));
  };
  return { clock, cache, asked, cloud, weather, warnings: texts.warn, fail };
}

const failure = (promise: Promise<unknown>): Promise<NoWeather> =>
  promise.then(
    () => Promise.reject(new Error('no failure')),
    error => {
      expect(error).toBeInstanceOf(NoWeather);
      return error;
    },
  );

describe('the answer', () => {
  test('has every field of SPEC 2.10 as text, empty where the cloud says nothing', async () => {
    const { clock, asked, cloud, weather } = aSite();
    cloud.answer = async () => ({ temp: 24, vis: null, text: '晴', feels: 'extra' });
    expect(await weather.now(beijing)).toEqual({
      now: { ...nothing, temp: '24', text: '晴' },
      observedAt: clock.now(),
      ageSeconds: 0,
      fresh: true,
    });
    expect(asked).toEqual([{ location: '110000', city: '北京市' }]);
  });

  test('of coordinates is asked for by location alone', async () => {
    const { asked, weather } = aSite();
    await weather.now({ key: '1.00,2.00', location: '1.00,2.00' });
    expect(asked).toEqual([{ location: '1.00,2.00' }]);
  });

  test.each([{}, { temp: '' }, null, 'sunny', { temp: {} }, { temp: 'x'.repeat(3000) }])(
    'that is no weather is a failure: %j',
    async data => {
      const { cloud, weather } = aSite();
      cloud.answer = async () => data;
      const { cause } = await failure(weather.now(beijing));
      expect(String(cause)).toContain('the answer is no weather');
    },
  );
});

describe('fresh', () => {
  test('for 30 minutes the cloud is not asked again', async () => {
    const { clock, asked, weather } = aSite();
    await weather.now(beijing);
    await clock.advance(30 * minute - 1);
    expect(await weather.now(beijing)).toMatchObject({ fresh: true, ageSeconds: 1799 });
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    expect(await weather.now(beijing)).toMatchObject({ fresh: true, ageSeconds: 0 });
    expect(asked).toHaveLength(2);
  });

  test('a hundred callers share one call', async () => {
    const { asked, weather } = aSite();
    const answers = await Promise.all(Array.from({ length: 100 }, () => weather.now(beijing)));
    expect(asked).toHaveLength(1);
    expect(new Set(answers.map(answer => answer.now.temp))).toEqual(new Set(['24']));
  });

  test('each place has a call of its own', async () => {
    const { asked, weather } = aSite();
    await Promise.all([weather.now(beijing), weather.now({ key: '440300', location: '440300' })]);
    expect(asked).toHaveLength(2);
  });

  test('a wall clock that is set does not change an age', async () => {
    const { clock, asked, weather } = aSite();
    await weather.now(beijing);
    clock.set(clock.now() - 400 * 24 * hour);
    expect(await weather.now(beijing)).toMatchObject({ fresh: true, ageSeconds: 0, observedAt: clock.now() });
    await clock.advance(31 * minute);
    await weather.now(beijing);
    expect(asked).toHaveLength(2);
  });
});

describe('when the cloud fails', () => {
  test('the last known is served, with its time, and said to be stale', async () => {
    const { clock, weather, fail } = aSite();
    const { observedAt } = await weather.now(beijing);
    fail();
    await clock.advance(24 * hour);
    expect(await weather.now(beijing)).toEqual({
      now: { ...nothing, ...sunny },
      observedAt,
      ageSeconds: 24 * 3600,
      fresh: false,
    });
  });

  test('after 24 hours it is a failure that says since when', async () => {
    const { clock, weather, fail } = aSite();
    const { observedAt } = await weather.now(beijing);
    fail();
    await clock.advance(hour);
    const since = clock.now();
    await weather.now(beijing);
    await clock.advance(23 * hour + 1);
    const { message, facts } = await failure(weather.now(beijing));
    expect(facts).toEqual({
      place: '北京市 (110000)',
      reason: 'cloud_failed',
      failingSince: since,
      lastObservedAt: observedAt,
    });
    expect(message).toContain(`the cloud has not answered since ${new Date(since).toISOString()}`);
    expect(message).toContain(`of ${new Date(observedAt).toISOString()}, is too old`);
  });

  test('and nothing is known, the failure says so', async () => {
    const { weather, fail } = aSite();
    fail();
    const { message, cause } = await failure(weather.now(beijing));
    expect(message).toMatch(/^no weather for 北京市 \(110000\): .*; nothing is known$/);
    expect(String(cause)).toContain('line down');
  });

  test('it is not asked again for a minute, and a hundred callers wait for one call', async () => {
    const { clock, asked, cloud, weather, fail, warnings } = aSite();
    fail();
    await Promise.all(Array.from({ length: 100 }, () => failure(weather.now(beijing))));
    await clock.advance(minute - 1);
    await failure(weather.now(beijing));
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    await failure(weather.now(beijing));
    expect(asked).toHaveLength(2);
    expect(warnings).toHaveLength(1);
    cloud.answer = async () => sunny;
    await clock.advance(minute);
    expect(await weather.now(beijing)).toMatchObject({ fresh: true });
  });

  test('another place is asked for all the same', async () => {
    const { asked, weather, fail } = aSite();
    fail();
    await failure(weather.now(beijing));
    await failure(weather.now({ key: '440300', location: '440300' }));
    expect(asked).toHaveLength(2);
  });

  test('by not answering, callers wait 5 seconds and the call is ended', async () => {
    const { clock, cloud, weather } = aSite();
    await weather.now(beijing);
    await clock.advance(hour);
    let ended = false;
    cloud.answer = (_, signal) => {
      signal.addEventListener('abort', () => {
        ended = true;
      });
      return new Promise(() => {});
    };
    const answer = weather.now(beijing);
    await clock.advance(5_000);
    expect(await answer).toMatchObject({ fresh: false, ageSeconds: 3605 });
    expect(ended).toBe(true);
    expect(clock.sleeping).toBe(0);
  });

  test('by throwing before it gives a promise, it is a failure like another', async () => {
    const { clock, cloud, weather } = aSite();
    cloud.answer = () => {
      throw new Error('no line');
    };
    expect((await failure(weather.now(beijing))).facts.reason).toBe('cloud_failed');
    expect(clock.sleeping).toBe(0);
  });
});

describe('where no cloud is configured', () => {
  test('the kept weather is served, and else the failure says why', async () => {
    const [clock, cache] = [new HandClock(), new MemoryCache()];
    cache.put('110000', { now: { ...nothing, ...sunny }, observedAt: clock.now() - hour });
    const weather = new Weather({ cloud: null, clock, cache, log: silentLog });
    expect(await weather.now(beijing)).toMatchObject({ fresh: false, ageSeconds: 3600 });
    const { message, facts } = await failure(weather.now({ key: '440300' }));
    expect(facts).toMatchObject({ reason: 'no_cloud', failingSince: null, lastObservedAt: null });
    expect(message).toBe('no weather for 440300: no cloud is configured to ask; nothing is known');
  });
});

describe('after a restart', () => {
  test('what was kept is fresh as long as before', async () => {
    const before = aSite();
    await before.weather.now(beijing);
    await before.clock.advance(29 * minute);
    const after = aSite(before);
    expect(await after.weather.now(beijing)).toMatchObject({ fresh: true, ageSeconds: 29 * 60 });
    await before.clock.advance(minute);
    await after.weather.now(beijing);
    expect(after.asked).toHaveLength(1);
  });

  test('what was kept is served up to 24 hours while the cloud fails', async () => {
    const before = aSite();
    await before.weather.now(beijing);
    await before.clock.advance(24 * hour);
    const after = aSite(before);
    after.fail();
    expect(await after.weather.now(beijing)).toMatchObject({ fresh: false, ageSeconds: 24 * 3600 });
    await before.clock.advance(minute);
    expect((await failure(after.weather.now(beijing))).facts.lastObservedAt).not.toBeNull();
  });

  test('a wall clock that is behind does not make it fresh for ever', async () => {
    const before = aSite();
    await before.weather.now(beijing);
    before.clock.set(before.clock.now() - 2 * hour);
    const after = aSite(before);
    after.fail();
    expect(await after.weather.now(beijing)).toMatchObject({ fresh: false });
    before.clock.set(before.clock.now() - 30 * hour);
    await failure(aSiteThatFails(before).now(beijing));
  });

  const aSiteThatFails = (options: { clock: HandClock; cache: WeatherCache }): Weather => {
    const site = aSite(options);
    site.fail();
    return site.weather;
  };

  test.each([null, 'x', { now: {}, observedAt: 1 }, { now: sunny, observedAt: 'x' }, { now: sunny }])(
    'what is no weather in the cache is as good as nothing: %j',
    async kept => {
      const site = aSite();
      (site.cache as MemoryCache).kept.set('110000', kept);
      site.fail();
      expect((await failure(site.weather.now(beijing))).message).toContain('nothing is known');
    },
  );
});

test('a cache that fails costs a line in the log', async () => {
  const broken = () => Promise.reject(new Error('disk full'));
  const { weather, warnings } = aSite({ cache: { get: broken, put: broken } });
  expect(await weather.now(beijing)).toMatchObject({ fresh: true });
  expect(warnings).toEqual(['the stored weather cannot be read', 'the weather cannot be stored']);
});

test('memory holds 500 places, and the least recently asked for goes first', async () => {
  let reads = 0;
  const cache = { get: () => void reads++, put: () => {} };
  const { asked, weather } = aSite({ cache });
  const place = (n: number) => ({ key: `p${n}`, location: `p${n}` });
  for (let n = 0; n < weatherPlacesMax; n++) await weather.now(place(n));
  await weather.now(place(0));
  await weather.now(place(weatherPlacesMax));
  expect(reads).toBe(weatherPlacesMax + 1);
  await weather.now(place(0));
  expect(asked).toHaveLength(weatherPlacesMax + 1);
  await weather.now(place(1));
  expect(asked).toHaveLength(weatherPlacesMax + 2);
});

test('a crowd of places does not make a crowd of calls', async () => {
  const { clock, asked, cloud, weather } = aSite();
  cloud.answer = () => new Promise(() => {});
  const failures = Array.from({ length: weatherCallsMax + 1 }, (_, n) =>
    failure(weather.now({ key: `p${n}`, location: `p${n}` })),
  );
  expect((await failures.at(-1)!).facts.reason).toBe('busy');
  expect(asked).toHaveLength(weatherCallsMax);
  await clock.advance(5_000);
  expect((await Promise.all(failures))[0]!.facts.reason).toBe('cloud_failed');
});

test('closing ends the calls under way', async () => {
  const { clock, cloud, weather } = aSite();
  cloud.answer = () => new Promise(() => {});
  const waiting = failure(weather.now(beijing));
  await clock.advance(1);
  weather[Symbol.dispose]();
  expect(String((await waiting).cause)).toContain('the box is stopping');
  expect(clock.sleeping).toBe(0);
});
