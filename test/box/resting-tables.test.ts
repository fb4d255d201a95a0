import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectAdmin } from '../../src/admin-client/index.ts';
import { openBox } from '../../src/box/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { startSimDevices } from '../../tools/sim/index.ts';
import { freePortsOnly } from '../support/box-config.ts';
import { until } from '../support/until.ts';

const product = { product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1', access: 'both' as const };

test('whoever asks finds every acknowledged record, though the tables rest for a minute', async () => {
  await using parts = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-resting-'));
  parts.defer(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  const { config } = loadConfig({
    env: {
      ...freePortsOnly,
    },
    dataDir,
    cwd: folder,
  });
  const box = parts.use(
    await openBox(config, { clock: realClock, random: realRandom, log: silentLog }, async admin => {
      await admin.apply({ site: { products: [product] }, prune: false, dryRun: false });
    }),
  );
  const admin = (await connectAdmin(dataDir))!;
  const punching = (firstSerial: string) =>
    startSimDevices({
      clock: realClock,
      // Every record is a check-in.
      random: () => 0.5,
      url: `mqtts://${box.addresses.mqtts}`,
      ca: box.caPem,
      product: product.product_id,
      productKey: product.product_key,
      model: 'FT1',
      count: 4,
      rate: 20,
      recordsMax: 5,
      firstSerial,
    });
  const unknownPunches = async () => (await admin.get('/attendance')).unresolved.records;
  await using _first = punching('A0001');
  await until('the first punches are in the tables', async () => (await unknownPunches()) === 20);
  await using _second = punching('B0001');
  // Asked of the box itself, which does not count as somebody who looks.
  await until('the tables rest', async () => (await box.admin.status.report()).tables.behind_records === 20);
  expect(await unknownPunches()).toBe(40);
});
