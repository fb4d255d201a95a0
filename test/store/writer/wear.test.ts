import { describe, expect, test } from 'vitest';
import { wearReport } from '../../../src/admin/index.ts';
import type { DeviceNo } from '../../../src/store/index.ts';
import { nothingWritten, processWrittenBytes, WearMeter, type WriteCounts } from '../../../src/store/writer/wear.ts';
import { append, aStore, registered } from '../../support/store.ts';

const minute = 60_000;
const hour = 60 * minute;
const at = 1_763_600_000_000;

const counts = (more: Partial<WriteCounts>): WriteCounts => ({ ...nothingWritten, ...more });

describe('the wear of the disk', () => {
  test('is what was written since the start, not before', () => {
    let written = 5_000_000;
    const meter = new WearMeter(() => written, at, 0);
    written += 8120;
    expect(meter.report(counts({ records: 10, payloadBytes: 2000, syncs: 4 }), 2000)).toEqual({
      since: at,
      records: 10,
      payloadBytes: 2000,
      syncs: 4,
      writtenBytes: 8120,
      syncsPerSecond: 2,
      bytesPerDay: null,
    });
  });

  test('by the day is known after an hour, from then on at the rate of the last 24 hours', () => {
    let written = 0;
    const meter = new WearMeter(() => written, at, 0);
    const pass = (from: number, hours: number, perHour: number): number => {
      const to = from + hours * hour;
      for (let now = from + 10 * minute; now <= to; now += 10 * minute) {
        written += perHour / 6;
        meter.note(nothingWritten, now);
      }
      return to;
    };
    expect(meter.report(nothingWritten, hour - 1).bytesPerDay).toBeNull();
    let now = pass(0, 1, 6000);
    expect(meter.report(nothingWritten, now).bytesPerDay).toBe(24 * 6000);
    now = pass(now, 40, 6000);
    now = pass(now, 12, 12_000);
    expect(meter.report(nothingWritten, now).bytesPerDay).toBe(12 * 6000 + 12 * 12_000);
    now = pass(now, 24, 0);
    expect(meter.report(nothingWritten, now)).toMatchObject({ bytesPerDay: 0, writtenBytes: 41 * 6000 + 12 * 12_000 });
  });

  test('counts syncs over the last hour', () => {
    const meter = new WearMeter(() => 0, at, 0);
    const busyBefore = (now: number) =>
      counts({ syncs: now <= 4 * hour ? now / 100 : (4 * hour) / 100 + (now - 4 * hour) / 1000 });
    for (let now = 10 * minute; now <= 5 * hour; now += 10 * minute) meter.note(busyBefore(now), now);
    expect(meter.report(busyBefore(5 * hour), 5 * hour).syncsPerSecond).toBeCloseTo(1);
  });

  test('asks the system once in ten minutes, however much is written', () => {
    let asked = 0;
    const meter = new WearMeter(() => ++asked, at, 0);
    for (let now = 0; now < hour; now += 100) meter.note(nothingWritten, now);
    expect(asked).toBe(6);
  });

  test('is unknown where the system does not say, and the rest is reported all the same', () => {
    const meter = new WearMeter(() => null, at, 0);
    const wear = meter.report(counts({ records: 3, payloadBytes: 600, syncs: 3 }), 2 * hour);
    expect(wear).toMatchObject({ writtenBytes: null, bytesPerDay: null, records: 3, syncs: 3 });
    expect(wearReport(wear, 30)).toMatchObject({
      written_bytes: null,
      bytes_per_record: null,
      amplification: null,
      life_days: null,
    });
  });

  test('makes days of a card, bytes of a record, and how many times what was sent is written', () => {
    const wear = {
      ...{ since: at, records: 1000, payloadBytes: 200_000, syncs: 900 },
      ...{ writtenBytes: 812_000, syncsPerSecond: 0.30442, bytesPerDay: 1_000_000_000 },
    };
    expect(wearReport(wear, 30)).toEqual({
      since: at,
      records: 1000,
      payload_bytes: 200_000,
      written_bytes: 812_000,
      bytes_per_record: 812,
      amplification: 4.1,
      syncs: 900,
      syncs_per_second: 0.304,
      bytes_per_day: 1_000_000_000,
      endurance_tb: 30,
      life_days: 30_000,
    });
    expect(wearReport({ ...wear, records: 0, payloadBytes: 0, bytesPerDay: 0 }, 30)).toMatchObject({
      bytes_per_record: null,
      amplification: null,
      life_days: null,
    });
  });
});

test('a store counts what it commits, and a sync for each commit that wrote something', async () => {
  let written = 1000;
  await using opened = await aStore({ writtenBytes: () => written });
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const aLog = {
    deviceNo: deviceNo as DeviceNo,
    channel: 'log',
    receivedAt: at,
    logPath: 'FT1/A0001',
    marks: {},
  } as const;
  for (let sent = 0; sent < 5; sent++) await append(store, { ...aLog, payload: Buffer.alloc(200, 'x') });
  await store.write.removeInbox({ ids: [] });
  await store.catchUp();
  written += 20_000;
  expect(store.wear()).toMatchObject({ records: 5, payloadBytes: 1000, writtenBytes: 20_000 });
  // The device and five records; nothing was in the inbox to be removed.
  expect(store.wear().syncs).toBe(6);
});

test('the accounts of this process rise by what is really written', {
  skip: processWrittenBytes() === null,
}, async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const payload = Buffer.alloc(200, 'x');
  for (let sent = 0; sent < 50; sent++)
    await append(store, { deviceNo, channel: 'log', receivedAt: at, logPath: 'FT1/A0001', marks: {}, payload });
  await store.catchUp();
  const { writtenBytes, records, payloadBytes } = store.wear();
  // On a file system in memory nothing is written at all.
  if (writtenBytes !== 0) expect(writtenBytes).toBeGreaterThan(payloadBytes);
  expect(records).toBe(50);
});
