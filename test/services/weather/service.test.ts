import { expect, test } from 'vitest';
import { HandClock } from '../../support/clock.ts';
import { aServiceBox } from '../../support/services.ts';

const path = '/api/1.0.0/weather';
const now = {
  temp: '21',
  icon_url: 'https://x.example/100.png',
  text: '晴',
  wind360: '90',
  humidity: '40',
  precip: '0.0',
  pressure: '1013',
  vis: '25',
  cloud: '0',
  dew: '7',
};

async function aBox() {
  const clock = new HandClock();
  const line = { isUp: true, asked: [] as string[] };
  const box = await aServiceBox({
    clock,
    options: {
      place: { city: '苏州' },
      cloud: {
        appId: 'a',
        appKey: 'k',
        async send(asked) {
          line.asked.push(decodeURIComponent(asked));
          if (!line.isUp) throw new Error('connect ECONNREFUSED');
          return { status: 200, body: JSON.stringify({ code: 0, msg: 'ok', data: now }) };
        },
      },
    },
  });
  return { box, line, clock, [Symbol.asyncDispose]: () => box[Symbol.asyncDispose]() };
}

test('a place is asked for by adcode, coordinates, Chinese name or pinyin; location wins over city; none is the place of the site', async () => {
  await using own = await aBox();
  const { box, line } = own;
  for (const query of [
    '?location=310000',
    '?location=120.62,31.32',
    `?city=${encodeURIComponent('上海')}`,
    '?city=shanghai',
    '?location=310000&city=beijing',
    '',
  ])
    expect((await box.caller.call(path + query)).data).toEqual(now);
  expect(line.asked).toEqual([
    `${path}?location=310000&city=上海市`,
    `${path}?location=120.62,31.32`,
    `${path}?location=320500&city=江苏省苏州市`,
  ]);
});

test('a place that is wrong is 400, one that nobody knows a failure in words', async () => {
  await using own = await aBox();
  expect((await own.box.caller.call(`${path}?location=200,100`)).status).toBe(400);
  expect(await own.box.caller.call(`${path}?city=atlantis`)).toMatchObject({
    status: 200,
    code: 404,
    msg: expect.stringContaining('atlantis'),
  });
});

test('with the line cut the last known is served and says how old it is; after a day it is a failure that says since when', async () => {
  await using own = await aBox();
  const { box, line, clock } = own;
  const fresh = await box.caller.call(`${path}?city=shanghai`);
  expect([fresh.headers.get('age'), fresh.headers.get('warning')]).toEqual(['0', null]);
  const observed = fresh.headers.get('observed-at');
  line.isUp = false;
  await clock.advance(3 * 3600_000);
  const stale = await box.caller.call(`${path}?city=shanghai`);
  expect(stale.data).toEqual(now);
  expect([stale.headers.get('age'), stale.headers.get('observed-at')]).toEqual(['10800', observed]);
  expect(stale.headers.get('warning')).toContain('110');
  await clock.advance(21 * 3600_000 + 1);
  expect(await box.caller.call(`${path}?city=shanghai`)).toMatchObject({
    status: 200,
    code: 503,
    msg: expect.stringContaining('the cloud has not answered since'),
  });
  line.isUp = true;
  await clock.advance(60_000);
  expect((await box.caller.call(`${path}?city=shanghai`)).code).toBe(0);
});

test('what was known is known after a restart', async () => {
  await using own = await aBox();
  await own.box.caller.call(`${path}?location=310000`);
  expect(await own.box.opened.store.read.remembered('weather', '310000')).toMatchObject({ at: own.clock.now() });
});

test('a box that stands alone says that there is nobody to ask', async () => {
  await using box = await aServiceBox();
  expect(await box.caller.call(`${path}?city=shanghai`)).toMatchObject({
    status: 200,
    code: 503,
    msg: expect.stringContaining('no cloud is configured'),
  });
  expect((await box.caller.call(path)).status).toBe(400);
});
