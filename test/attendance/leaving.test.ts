import { expect, test } from 'vitest';
import { takeOffTerminals } from '../../src/attendance/index.ts';
import { anAttendanceBox, aPullingTerminal } from '../support/attendance.ts';
import { until } from '../support/until.ts';

const log = { info: () => {}, warn: () => {} } as unknown as Parameters<typeof takeOffTerminals>[2]['log'];

test('a terminal is told to forget who has left, once the last day is over at the site, and gets back who is back', async () => {
  await using box = await anAttendanceBox();
  const { store, clock } = box.gateway;
  // 08:53 on 20 November 2025 in Shanghai.
  await using _job = takeOffTerminals(store, { timezone: 'Asia/Shanghai' }, { clock, log });
  const device = await aPullingTerminal(box);
  expect((await device.pulled())[0]).toMatchObject({ upsert: [{ ext_id: 'e1' }], remove: [] });
  const isOff = async () =>
    (await store.read.personsAfter(0, { limit: 10, bytesMax: 1 << 20, productId: 'FACE-T1' as never })).length === 0;
  const employed = (to: string | null) => store.write.setEmployment({ employment: { extId: 'e1', from: null, to } });
  await employed('2025-11-19');
  await clock.advance(60_000);
  await until('the person is off the terminals', isOff);
  expect(await device.pulled()).toEqual([{ upsert: [], remove: ['e1'] }]);
  await employed(null);
  expect((await device.pulled())[0]).toMatchObject({ upsert: [{ ext_id: 'e1' }], remove: [] });
});
