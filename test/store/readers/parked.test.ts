import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { aProduct, applied, aStore, registered } from '../../support/store.ts';

test.each([0, 1, 10_000, 25_001])('%d records that the cloud has refused are counted in parts', async many => {
  await using opened = await aStore();
  await applied(opened.store, { products: [aProduct()] });
  const { deviceNo } = await registered(opened.store);
  await opened.store[Symbol.asyncDispose]();
  using database = new DatabaseSync(`${opened.dataDir}/gatehouse.db`);
  database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    INSERT INTO parked (seq, device_no, parked_at, code, reason, send_again)
    SELECT i * 3, ${deviceNo}, 0, 400, 'no', 0 FROM n LIMIT ${many}`);
  await opened.reopen();
  expect(await opened.store.read.parkedCount()).toBe(many);
});
