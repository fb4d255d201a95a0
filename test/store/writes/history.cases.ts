import { expect } from 'vitest';
import { addPackedWaits, packWaits, WaitTimes, waitOfShare } from '../../../src/runtime/wait-times.ts';
import type { HistoryMinute, HistoryWrites } from '../../../src/store/index.ts';
import { at, type Cases, dayMs } from './case.ts';

const minute = Math.floor(at / 60_000);
const hourMs = 3_600_000;
const waits = new WaitTimes();
waits.add(5, 10);

const aMinute = (change: Partial<HistoryMinute> = {}): HistoryMinute => ({
  minute,
  waiting: 0,
  records: 10,
  waits: packWaits(waits.counts),
  freeBytes: 1000,
  temperatureTenths: 450,
  lineSeconds: 60,
  onlineDevices: new Uint8Array(),
  ...change,
});

export const historyCases: Cases<HistoryWrites> = {
  noteMinute: async ({ store, deviceNo }) => {
    const online = new Uint8Array([1 << deviceNo]);
    const firstOfHour = Math.floor(minute / 60) * 60;
    for (let after = 0; after < 60; after++)
      await store.write.noteMinute(
        aMinute({
          minute: firstOfHour + after,
          waiting: after,
          freeBytes: 1000 - after,
          ...(after < 45 ? { onlineDevices: online } : {}),
        }),
      );
    const from = firstOfHour * 60_000;
    const span = { from, to: from + hourMs };
    const minutes = await store.read.history({ ring: 'minute', ...span });
    expect(minutes).toHaveLength(60);
    expect(minutes[7]).toMatchObject({ at: from + 7 * 60_000, minutes: 1, waiting: 7, online: 1 });
    // The hour is the same before and after its own row is there.
    const hour = { at: from, minutes: 60, waiting: 59, records: 600, freeBytes: 941, lineSeconds: 3600, online: 45 };
    expect(await store.read.history({ ring: 'hour', ...span })).toMatchObject([hour]);
    await store.write.noteMinute(aMinute({ minute: firstOfHour + 60 }));
    const [kept] = await store.read.history({ ring: 'hour', ...span });
    expect(kept).toMatchObject(hour);
    expect(waitOfShare(countsOf(kept!.waits), 0.5)).toBeGreaterThanOrEqual(5);
    expect(await store.read.deviceHours({ deviceNo, ...span })).toEqual([{ at: from, minutes: 60, online: 45 }]);
    const [hours] = await store.read.onlineHours(span);
    expect(hours!.online[deviceNo]).toBe(45);
    // Two days later the minutes are overwritten; the hour stays.
    for (let after = 0; after < 60; after++)
      await store.write.noteMinute(aMinute({ minute: firstOfHour + after + 2 * 24 * 60 }));
    expect(await store.read.history({ ring: 'minute', ...span })).toEqual([]);
    expect(await store.read.history({ ring: 'hour', ...span })).toMatchObject([hour]);
    // 400 days later the hour is, too.
    await store.write.noteMinute(aMinute({ minute: firstOfHour + 400 * 24 * 60 }));
    await store.write.noteMinute(aMinute({ minute: firstOfHour + 400 * 24 * 60 + 60 }));
    expect(await store.read.history({ ring: 'hour', ...span })).toEqual([]);
    expect(
      await store.read.history({ ring: 'hour', from: from + 400 * dayMs, to: from + 400 * dayMs + 1 }),
    ).toMatchObject([{ minutes: 1 }]);
  },
};

function countsOf(packed: Uint8Array): Float64Array {
  const counts = new Float64Array(64);
  addPackedWaits(packed, counts);
  return counts;
}
