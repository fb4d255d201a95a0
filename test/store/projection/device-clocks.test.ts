import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { databaseFile } from '../../../src/store/schema/database.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

const start = Date.UTC(2026, 10, 22);
const day = 86_400;

test('a device whose time jumps with each message has 8 rows at most, the newest ones', async () => {
  await using temporary = await aStore();
  const { store, dataDir } = temporary;
  await applied(store, { products: [aProduct()] });
  const { deviceNo, deviceId } = await registered(store);
  const jumping = Array.from({ length: 40 }, (_, turn) => {
    const receivedAt = start + turn * 1000;
    const time = Math.floor(receivedAt / 1000) - (turn % 2) * day;
    const envelope = { mid: `m${turn}`, from: deviceId, to: 'system', time, action: 9, data: {} };
    const payload = Buffer.from(JSON.stringify(envelope));
    return append(store, { deviceNo, channel: 'device', receivedAt, logPath: '', marks: {}, payload });
  });
  await Promise.all(jumping);
  await store.catchUp();
  const database = new DatabaseSync(databaseFile(dataDir), { readOnly: true });
  const rows = database.prepare('SELECT begun_at AS at FROM device_clock ORDER BY begun_at').all();
  database.close();
  expect(rows.length).toBeLessThanOrEqual(8);
  expect(rows.at(-1)).toEqual({ at: start + 39_000 });
});

test('a clock of the box that stood a year back for an hour calls no device wrong after it was set right', async () => {
  await using temporary = await aStore();
  const { store } = temporary;
  await applied(store, { products: [aProduct()] });
  const { deviceNo, deviceId } = await registered(store);
  /** A message of a device whose clock is right, received by the clock of the box. */
  const said = async (seconds: number, boxBehindMs: number) => {
    const time = start / 1000 + seconds;
    const receivedAt = time * 1000 - boxBehindMs;
    const envelope = { mid: `m${seconds}`, from: deviceId, to: 'system', time, action: 9, data: {} };
    const payload = Buffer.from(JSON.stringify(envelope));
    await append(store, { deviceNo, channel: 'device', receivedAt, logPath: '', marks: {}, payload });
    await store.catchUp();
  };
  const year = 365 * day * 1000;
  const fastBy = async () => (await store.read.seen(deviceNo))?.clock?.lowMs ?? null;
  await said(0, 0);
  await said(100, year);
  expect(await fastBy()).toBeGreaterThan(year / 2);
  await said(200, 0);
  await store.write.noteClockSet({});
  await said(300, 0);
  expect(await fastBy()).toBeLessThan(1000);
});

test('a box that starts without the time proves no clock of a device wrong', async () => {
  await using temporary = await aStore();
  const { store } = temporary;
  await applied(store, { products: [aProduct()] });
  const { deviceNo, deviceId } = await registered(store);
  const envelope = { mid: 'm', from: deviceId, to: 'system', time: start / 1000, action: 9, data: {} };
  const payload = Buffer.from(JSON.stringify(envelope));
  await append(store, { deviceNo, channel: 'device', receivedAt: 5000, logPath: '', marks: {}, payload });
  await store.catchUp();
  expect((await store.read.seen(deviceNo))?.clock ?? null).toBeNull();
});
