import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { incompressible } from '../../support/incompressible.ts';
import { append, aStore, registered } from '../../support/store.ts';

const mebibyte = 1 << 20;

test('while large commits follow each other the write-ahead log stays short, so that a checkpoint holds the next one for a moment', async () => {
  await using temporary = await aStore();
  const { store, dataDir } = temporary;
  const { deviceNo } = await registered(store);
  const text = Buffer.from(incompressible(100_000));
  const commit = () =>
    Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        append(store, {
          ...{ deviceNo, channel: 'log', receivedAt: 1_763_600_000_000 + n, logPath: 'FT1/A0001', marks: {} },
          payload: text.subarray(n * 1000, (n + 1) * 1000),
        }),
      ),
    );
  for (let sent = 0; sent < 120; sent++) await commit();
  expect(store.health().usedBytes).toBeGreaterThan(8 * mebibyte);
  expect(statSync(join(dataDir, 'gatehouse.db-wal')).size).toBeLessThan(2.5 * mebibyte);
});
