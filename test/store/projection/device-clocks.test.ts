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
