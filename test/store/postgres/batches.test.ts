import { expect, test } from 'vitest';
import type { DeviceNo, Store } from '../../../src/store/index.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore } from '../../support/postgres-store.ts';
import { until } from '../../support/until.ts';

const epoch = 'e';

/** Lines `from` to `to` of a box, each with its number. */
const aBatch = (box: number, from: number, to: number) => ({
  ...{ boxNo: box as DeviceNo, epoch, refused: [], ackedSeq: to },
  records: Array.from({ length: to - from + 1 }, (_, index) => ({
    seq: from + index,
    record: {
      ...({ deviceNo: box as DeviceNo, channel: 'log', receivedAt: 0, logPath: 'FT1/A0001', marks: {} } as const),
      payload: Buffer.from(`${box}: ${from + index}`),
    },
  })),
});

/** Of all records, once this process knows of them. */
const texts = (store: Store, count: number): Promise<string[]> =>
  until(`${count} records`, async () => {
    const { records } = await store.journal.read(0 as never, { bytesMax: 1 << 20 });
    if (records.length < count) throw new Error(`${records.length} of ${count} records`);
    return records.map(({ payload }) => Buffer.from(payload).toString());
  });

suiteWithPostgres('batches of boxes at several processes', () => {
  const postgres = postgresOfFile();
  const processes = async () => {
    const server = await postgres();
    const url = aDatabase(server);
    const parts = new AsyncDisposableStack();
    const [one, other] = [parts.use(await openedPostgresStore(url)), parts.use(await openedPostgresStore(url))];
    const count = (table: string) => Number(server.run(/@\/(\w+)/.exec(url)![1]!, `SELECT count(*) FROM ${table}`));
    return { one, other, count, [Symbol.asyncDispose]: () => parts.disposeAsync() };
  };

  test('a batch that comes to two at once is stored once, also the first of its box', async () => {
    await using region = await processes();
    const stores = [region.one, region.other];
    for (const [from, to] of [
      [1, 3],
      [2, 6],
      [6, 9],
    ] as const) {
      const boxes = [7, 3, 5];
      const answers = await Promise.all(
        stores.flatMap(store => boxes.map(box => store.write.receiveBatch(aBatch(box, from, to)))),
      );
      expect(answers.reduce((sum, { stored }) => sum + stored, 0)).toBe(9);
    }
    const all = await texts(region.one, 27);
    for (const box of [3, 5, 7])
      expect(all.filter(text => text.startsWith(`${box}:`))).toEqual(
        Array.from({ length: 9 }, (_, index) => `${box}: ${index + 1}`),
      );
    expect(await region.other.read.batchCursor(5 as DeviceNo, epoch)).toBe(9);
  });

  test('the same batch twice in one transaction is stored once', async () => {
    await using region = await processes();
    const { write } = region.one;
    const answers = await Promise.all([aBatch(3, 1, 2), aBatch(3, 1, 2), aBatch(3, 2, 4)].map(write.receiveBatch));
    expect(answers.map(({ stored }) => stored)).toEqual([2, 0, 2]);
    expect(await texts(region.other, 4)).toEqual(['3: 1', '3: 2', '3: 3', '3: 4']);
  });

  test('small batches that come together share a segment', async () => {
    await using region = await processes();
    await Promise.all(Array.from({ length: 50 }, (_, box) => region.one.write.receiveBatch(aBatch(box + 1, 1, 1))));
    expect(await texts(region.one, 50)).toHaveLength(50);
    // The first may have gone alone.
    expect(region.count('segment')).toBeLessThanOrEqual(3);
  });

  test('one that cannot be stored fails alone', async () => {
    await using region = await processes();
    const bad = { ...aBatch(2, 1, 1), ackedSeq: 2 ** 70 };
    const [good, failed, another] = await Promise.allSettled(
      [aBatch(1, 1, 2), bad, aBatch(3, 1, 1)].map(region.one.write.receiveBatch),
    );
    expect(good).toMatchObject({ value: { stored: 2 } });
    expect(failed).toMatchObject({ reason: { code: 'broken', message: expect.stringMatching(/^receiveBatch: /) } });
    expect(another).toMatchObject({ value: { stored: 1 } });
    expect((await texts(region.other, 3)).sort()).toEqual(['1: 1', '1: 2', '3: 1']);
  });
});
