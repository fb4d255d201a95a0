import { expect, test } from 'vitest';
import { readHolidayTable } from '../../../src/services/index.ts';
import { aServicePair } from '../../support/service-pair.ts';
import { aServiceBox } from '../../support/services.ts';

const year = '/api/1.0.0/holiday';
const day = '/api/1.0.0/holiday/day';

test('a year and a day are answered as SPEC 2.9 says; without one it is this year and today of the site', async () => {
  await using box = await aServiceBox();
  // The hand clock stands on 20 November 2025.
  expect((await box.caller.call(year)).data.year).toBe(2025);
  expect((await box.caller.call(day)).data).toMatchObject({ day: '2025-11-20', name: '', type: 'WORK' });
  const { data, headers } = await box.caller.call(`${year}?year=2026`);
  expect(Object.keys(data)).toEqual(['year', 'holidays']);
  expect([data.year, headers.get('x-holiday-source')]).toEqual([2026, 'built-in']);
  const spring = data.holidays.find((one: { code: string }) => one.code === 'spring-festival');
  expect(spring).toMatchObject({ name: '春节' });
  expect(spring.days).toContainEqual({ day: '2026-02-17', name: '春节', type: 'BREAK' });
  expect((await box.caller.call(`${day}?date=2026-02-14`)).data).toMatchObject({ day: '2026-02-14', type: 'WORK' });
  expect((await box.caller.call(`${day}?date=2026-02-17`)).data).toMatchObject({ name: '春节', type: 'BREAK' });
});

test.each([`${year}?year=next`, `${year}?year=99999`, `${day}?date=2026-02-30`, `${day}?date=tomorrow`])(
  '%s is 400',
  async path => {
    await using box = await aServiceBox();
    expect(await box.caller.call(path)).toMatchObject({
      status: 400,
      code: 400,
      msg: expect.stringMatching(/^(year|date) "/),
    });
  },
);

test('a year that nobody has published says so, and a table of the site replaces it', async () => {
  await using alone = await aServiceBox();
  const unpublished = await alone.caller.call(`${year}?year=2031`);
  expect(unpublished.data).toEqual({ year: 2031, holidays: [] });
  expect(unpublished.headers.get('x-holiday-source')).toBe('unpublished');
  const holidays = readHolidayTable(
    'holidays.yaml',
    '2031:\n  holidays:\n    - { code: plant, name: 厂庆, days: [{ day: 2031-03-03, name: 厂庆, type: BREAK }] }\n',
  );
  await using box = await aServiceBox({ options: { holidays } });
  const own = await box.caller.call(`${day}?date=2031-03-03`);
  expect(own.data).toEqual({ day: '2031-03-03', name: '厂庆', type: 'BREAK' });
  expect(own.headers.get('x-holiday-source')).toBe('site');
});

test("the cloud's years are fetched, and stay over a restart with the line cut", async () => {
  const holidays = [{ code: 'x', name: 'X', days: [{ day: '2031-03-03', name: 'X', type: 'BREAK' }] }];
  await using pair = await aServicePair();
  const { box, line, clock } = pair;
  // The box that stands in for the cloud does not know the year: its answer is given here.
  await pair.box.opened.store.write.remember({
    service: 'holidays',
    key: '2031',
    value: JSON.stringify({ year: 2031, holidays }),
    at: clock.now(),
  });
  line.isUp = false;
  expect((await box.caller.call(`${year}?year=2031`)).data).toEqual({ year: 2031, holidays });
  line.isUp = true;
  await box.caller.call(`${year}?year=2026`);
  await pair.eventually('the cloud was asked', () => line.asked.includes(`GET ${year}?year=2026`));
  await pair.eventually(
    'its answer is served',
    async () => (await box.caller.call(`${year}?year=2026`)).headers.get('x-holiday-source') === 'cloud',
  );
});
