import { expect, test } from 'vitest';
import { actionTable, defaultActions } from '../../../src/platform/actions.ts';
import { BiometricIndex } from '../../../src/store/people/erasing.ts';
import { Projection } from '../../../src/store/projection/projection.ts';
import { openForWriting } from '../../../src/store/schema/database.ts';
import { readSealKey } from '../../../src/store/schema/sealing.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

test('tables that another process has filled meanwhile are not filled a second time', async () => {
  await using opened = await aStore({ tablesRestMs: 60_000 });
  const { store, dataDir } = opened;
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store);
  for (const text of ['a', 'b', 'c'])
    await append(store, {
      ...{ deviceNo, channel: 'log', receivedAt: 1_763_600_000_000, logPath: 'FT1/A', marks: {} },
      payload: Buffer.from(text),
    });
  await store[Symbol.asyncDispose]();

  using connections = new DisposableStack();
  const aProjection = () => {
    const connection = openForWriting(dataDir, readSealKey(dataDir, false));
    connections.defer(() => connection.database.close());
    const biometrics = new BiometricIndex(connection);
    const actions = actionTable(defaultActions);
    return { connection, actions, biometrics, timeZone: 'UTC' };
  };
  const one = aProjection();
  // As if nothing had been filled when the store was closed.
  for (const table of ['log_block', 'log_block_content', 'log_day_count', 'last_seen'])
    one.connection.database.exec(`DELETE FROM ${table}`);
  one.connection.database.exec('UPDATE projection_cursor SET seq = 0');
  const other = aProjection();
  const first = new Projection(one.connection, one);
  const second = new Projection(other.connection, other);
  const fill = (projection: Projection) => {
    while (projection.project(10, 1 << 20, () => false));
  };
  fill(first);
  fill(second);
  expect(second.seq).toBe(3);
  const stored = one.connection.sql('SELECT sum(stored) AS logs FROM log_day_count').get();
  expect(stored).toEqual({ logs: 3 });
});
