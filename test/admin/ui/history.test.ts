import { expect, test } from 'vitest';
import { type HistoryOf, historyAdmin, historyOperations } from '../../../src/admin/history.ts';
import type { BoxAdmin, PageParts } from '../../../src/admin/index.ts';
import { serve } from '../../../src/admin/serve.ts';
import { type DayPictureReport, dayPictureOperations, dayPictures } from '../../../src/admin/ui/day-picture.ts';
import { packWaits, WaitTimes } from '../../../src/runtime/wait-times.ts';
import type { Device, DeviceNo, HistoryMinute } from '../../../src/store/index.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { HandClock } from '../../support/clock.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

/** Half past one in the afternoon in Shanghai. */
const now = Date.parse('2026-11-20T05:30:00Z');
const midnight = Date.parse('2026-11-19T16:00:00Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

async function aBox() {
  const clock = new HandClock(now);
  const opened = await aStore({ clock });
  const { store } = opened;
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store);
  const parts = {
    store,
    clock,
    config: { site: { timezone: 'Asia/Shanghai' } },
    devices: { stateOf: (device: Device) => (device.deviceNo === deviceNo ? 'online' : 'never') },
  } as unknown as PageParts;
  const app = anAdminApi({} as BoxAdmin, anIdentity('viewer'), routes => {
    serve(routes, historyOperations, historyAdmin(parts));
    serve(routes, dayPictureOperations, dayPictures(parts));
  });
  const ask = async (path: string) => {
    const answer = await app.request(path);
    return { status: answer.status, said: (await answer.json()) as { from: number; hours: (number | null)[] } };
  };
  const noteMinute = (at: number, change: Partial<HistoryMinute> = {}) =>
    store.write.noteMinute({
      minute: Math.floor(at / minuteMs),
      waiting: 0,
      records: 60,
      waits: new Uint8Array(),
      freeBytes: 1_000_000,
      temperatureTenths: null,
      lineSeconds: 60,
      onlineDevices: new Uint8Array([1 << deviceNo]),
      ...change,
    });
  return {
    ...{ store, deviceNo: deviceNo as DeviceNo, ask, noteMinute },
    /** Every minute of a span. */
    live: (from: number, to: number, changeAt: (at: number) => Partial<HistoryMinute> = () => ({})) =>
      Promise.all(
        Array.from({ length: (to - from) / minuteMs }, (_, index) => from + index * minuteMs).map(at =>
          noteMinute(at, changeAt(at)),
        ),
      ),
    async history(what: HistoryOf, more = '') {
      const { status, said } = await ask(`/history?what=${what}${more}`);
      expect(status).toBe(200);
      return said as unknown as { step_s: number; from: number; values: (number | null)[] };
    },
    async picture(day?: string) {
      const { status, said } = await ask(day === undefined ? '/day' : `/day?day=${day}`);
      expect(status).toBe(200);
      return said as unknown as DayPictureReport;
    },
    async punch(id: string, at: number, who: object) {
      const records = [{ id, check_type: 'fa', check_time: at / 1000, ...who }];
      const envelope = {
        mid: id,
        from: 'FACE-T1_A0001',
        to: 'system',
        time: at / 1000,
        action: 2001,
        data: { records },
      };
      const record = { deviceNo, channel: 'device', receivedAt: at, logPath: '', marks: {} } as const;
      await append(store, { ...record, payload: Buffer.from(JSON.stringify(envelope)) });
      await store.catchUp();
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

test('a day of minutes comes in as many steps as were asked for, and a peak of one minute stays', async () => {
  await using box = await aBox();
  const peak = now - 3 * hourMs;
  await box.live(now - 4 * hourMs, now, at => (at === peak ? { waiting: 977 } : {}));
  const { values, step_s, from } = await box.history('waiting', '&points=96');
  expect(values.length).toBeLessThanOrEqual(97);
  expect(step_s).toBe(900);
  expect(values[Math.floor((peak / 1000 - from) / step_s)]).toBe(977);
  expect(values[0]).toBeNull();
  expect((await box.history('rate', '&points=96')).values.at(-1)).toBe(1);
  expect((await box.history('devices', '&points=96')).values.at(-1)).toBe(1);
  expect((await box.history('line', '&points=96')).values.at(-1)).toBe(1);
  expect((await box.history('disk', '&points=96')).values.at(-1)).toBe(1_000_000);
  expect((await box.history('temperature', '&points=96')).values.at(-1)).toBeNull();
});

test('the slowest of a hundred acknowledgements of an hour is found among its minutes', async () => {
  await using box = await aBox();
  const quick = new WaitTimes();
  quick.add(2, 98);
  const slow = new WaitTimes();
  slow.add(400, 2);
  const hour = midnight + 8 * hourMs;
  await box.live(hour, hour + 2 * minuteMs, at => ({ waits: packWaits((at === hour ? quick : slow).counts) }));
  const { values } = await box.history('acknowledgement', `&from=${hour / 1000}&to=${hour / 1000 + 3600}&points=1`);
  expect(values[0]).toBeGreaterThanOrEqual(400);
  expect(values[0]).toBeLessThan(400 * 1.19);
});

test('what is older than the minutes comes by the hour; a span without a length is refused', async () => {
  await using box = await aBox();
  const old = now - 5 * dayMs - 30 * minuteMs;
  await box.live(old, old + hourMs, () => ({ waiting: 12 }));
  await box.noteMinute(old + hourMs);
  await box.live(now - hourMs, now);
  const { values, step_s, from } = await box.history('waiting', `&from=${(now - 6 * dayMs) / 1000}`);
  expect(step_s).toBe(3600);
  expect(values[Math.floor((old / 1000 - from) / step_s)]).toBe(12);
  expect(values.at(-1)).toBe(0);
  expect((await box.ask(`/history?what=waiting&from=${now / 1000}&to=${now / 1000 - 60}`)).status).toBe(422);
  expect((await box.ask('/history?what=nothing')).status).toBe(400);
});

test('the hours of a device: a share of each, and nothing where the box did not run', async () => {
  await using box = await aBox();
  const hour = midnight + 9 * hourMs;
  await box.live(hour, hour + hourMs, at => (at < hour + 15 * minuteMs ? {} : { onlineDevices: new Uint8Array() }));
  await box.noteMinute(now - minuteMs);
  const { said } = await box.ask('/devices/FACE-T1_A0001/hours?days=1');
  expect(said.hours).toHaveLength(24);
  expect(said.hours[(hour / 1000 - said.from) / 3600]).toBe(0.25);
  expect(said.hours[(hour / 1000 - said.from) / 3600 - 1]).toBeNull();
  expect(said.hours.at(-1)).toBe(1);
  expect((await box.ask('/devices/FACE-T1_NONE/hours')).status).toBe(404);
});

test('the picture of today: check-ins, what waited, when the line was cut and the box was off', async () => {
  await using box = await aBox();
  const at = (hours: number, minutes = 0) => midnight + hours * hourMs + minutes * minuteMs;
  await box.noteMinute(midnight - hourMs);
  await box.live(midnight, at(2));
  // Off from two to three, cut from eight to twenty past.
  await box.live(at(3), now, time => (time >= at(8) && time < at(8, 20) ? { lineSeconds: 0, waiting: 31 } : {}));
  await box.punch('a', at(7, 50), { ext_id: 'nobody' });
  await box.punch('b', at(7, 50) - dayMs, { ext_id: 'nobody' });
  await box.punch('c', at(7, 50) - 7 * dayMs, { ext_id: 'nobody' });
  const picture = await box.picture();
  expect(picture).toMatchObject({ day: '2026-11-20', from: midnight / 1000, part_s: 900, people: 0 });
  const part = (7 * 60 + 50) / 15;
  for (const counts of [picture.checkins, picture.day_before, picture.week_before]) {
    expect(counts).toHaveLength(96);
    expect(counts[Math.floor(part)]).toBe(1);
  }
  expect(picture.line_cuts).toEqual([{ from: at(8) / 1000, to: at(8, 20) / 1000 }]);
  expect(picture.box_off).toEqual([{ from: at(2) / 1000, to: at(3) / 1000 }]);
  expect(picture.waiting[32]).toBe(31);
  expect(picture.waiting[8]).toBeNull();
  expect(picture.devices).toMatchObject([{ device_id: 'FACE-T1_A0001', state: 'online' }]);
  expect(picture.devices[0]!.hours.slice(0, 4)).toEqual([1, 1, null, 1]);
});

test('a cut of half a minute late in the day is one of the cuts, also across two minutes', async () => {
  await using box = await aBox();
  const at = (hours: number, minutes = 0) => midnight + hours * hourMs + minutes * minuteMs;
  await box.noteMinute(midnight - hourMs);
  await box.live(midnight, now, time => {
    if (time >= at(8) && time < at(8, 20)) return { lineSeconds: 0, waiting: 517 };
    if (time === at(9, 11) || time === at(9, 12)) return { lineSeconds: 43, waiting: 3 };
    // A login that is renewed is no cut.
    return time === at(9, 30) ? { lineSeconds: 57 } : {};
  });
  expect((await box.picture()).line_cuts).toEqual([
    { from: at(8) / 1000, to: at(8, 20) / 1000 },
    { from: at(9, 11) / 1000, to: at(9, 13) / 1000 },
  ]);
});

test('a day before the box was there is no day on which it was off; a day to come is refused', async () => {
  await using box = await aBox();
  await box.live(now - 2 * hourMs, now);
  expect((await box.picture()).box_off).toEqual([]);
  const before = await box.picture('2026-11-02');
  expect(before).toMatchObject({
    box_off: [],
    line_cuts: [],
    devices: [{ hours: Array.from({ length: 24 }, () => null) }],
  });
  expect((await box.ask('/day?day=2026-11-21')).status).toBe(422);
  expect((await box.ask('/day?day=2026-02-30')).status).toBe(422);
});

test('days that are over are drawn from their hours', async () => {
  await using box = await aBox();
  const day = midnight - 9 * dayMs;
  await box.noteMinute(day - hourMs);
  await box.live(day, day + dayMs, at =>
    at >= day + 8 * hourMs && at < day + 10 * hourMs ? { lineSeconds: 0, waiting: 5 } : {},
  );
  await box.noteMinute(day + dayMs);
  await box.noteMinute(now);
  const picture = await box.picture('2026-11-11');
  expect(picture.line_cuts).toEqual([{ from: (day + 8 * hourMs) / 1000, to: (day + 10 * hourMs) / 1000 }]);
  expect(picture.box_off).toEqual([]);
  expect(picture.waiting.slice(31, 41)).toEqual([0, 5, 5, 5, 5, 5, 5, 5, 5, 0]);
});

test('the first punch of a box without people is among the latest, with what the device said', async () => {
  await using box = await aBox();
  await box.punch('a', now - minuteMs, { employee_num: '1001' });
  expect(await box.store.read.latestCheckins({ limit: 10 })).toMatchObject([
    { extId: '', name: '', said: '1001', deviceId: 'FACE-T1_A0001', at: (now - minuteMs) / 1000 },
  ]);
});
