import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/box/index.ts';
import { statusInWords } from '../../src/cli/status.ts';
import { loadConfig } from '../../src/config/index.ts';
import { BoxError } from '../../src/listeners/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { startSimCloud, startSimDevices } from '../../tools/sim/index.ts';
import { freePortsOnly } from '../support/box-config.ts';
import { until } from '../support/until.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-box-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const world = { clock: realClock, random: realRandom, log: silentLog };
const product = { product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1', access: 'both' as const };

function aBox(env: NodeJS.ProcessEnv = {}, dataDir = join(folder, 'data')): Promise<Box> {
  const { config } = loadConfig({
    env: {
      ...freePortsOnly,
      ...env,
    },
    dataDir,
    cwd: folder,
  });
  return openBox(config, world, async admin => {
    const outcome = await admin.apply({ site: { products: [product] }, prune: false, dryRun: false });
    expect(outcome.ok).toBe(true);
  });
}

const terminals = (box: Box, more: Partial<Parameters<typeof startSimDevices>[0]> = {}) =>
  startSimDevices({
    clock: realClock,
    random: realRandom,
    url: `mqtts://${box.addresses.mqtts}`,
    ca: box.caPem,
    product: product.product_id,
    productKey: product.product_key,
    model: 'FT1',
    count: 3,
    rate: 20,
    recordsMax: 10,
    ...more,
  });

test('with the line cut, status says in words since when, why, how many wait, how old the oldest is, and when it is tried again', async () => {
  await using cloud = await startSimCloud({
    clock: realClock,
    random: realRandom,
    products: [product],
    listen: { mqtt: '127.0.0.1:0' },
  });
  await using box = await aBox({ GATEHOUSE_UPSTREAM__DEVICE_MQTT: cloud.urls.deviceMqtt! });
  await using devices = terminals(box);
  await until('the line is up', async () => (await box.admin.status.report()).line.state === 'up');
  expect(statusInWords(await box.admin.status.report(), realClock.now())).toMatch(/^line +up for /m);
  await cloud.cut();
  await using later = terminals(box, { firstSerial: 'B0001' });
  await Promise.all([devices.whenIdle(), later.whenIdle()]);
  const report = await until('a next try is known', async () => {
    const status = await box.admin.status.report();
    const reported = status.line.state === 'down' && status.line.next_try_at !== null && status.outbox.waiting >= 30;
    return reported && status.devices.online === 6 ? status : null;
  });
  const words = statusInWords(report, realClock.now());
  expect(words).toMatch(
    /^line +down for \d+ s \(since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [^)]+\): \S.*; next try (now|in \d s)$/m,
  );
  expect(words).toMatch(
    /^waiting +\d+ records, the oldest since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+ \((just now|\d+ s ago)\)/m,
  );
  expect(words).toMatch(/^devices +6 known, 6 online, 0 refused$/m);

  await cloud.restore();
  await until('the cloud has caught up', () => cloud.stats().received - cloud.stats().duplicates >= 60);
  await until('nothing waits', async () => (await box.admin.status.report()).outbox.waiting === 0);
  // Confirmations are written down twenty times a second: the ledger may follow that much later.
  const { ledger, line } = await until('it is written down', async () => {
    const device = await box.admin.device.report({ id: 'FACE-T1_B0001', limit: 3 });
    return device.ledger[0]?.state === 'confirmed' ? device : null;
  });
  expect(ledger).toMatchObject([{ state: 'confirmed', via: 'mqtt' }, { state: 'confirmed' }, { state: 'confirmed' }]);
  expect(line).toMatchObject({ state: 'up' });
});

test('what the cloud refuses for good is parked with its reason, and goes up when a person sends it again', async () => {
  await using cloud = await startSimCloud({
    clock: realClock,
    random: realRandom,
    products: [product],
    listen: { http: '127.0.0.1:0' },
  });
  cloud.refuseForGood(() => true);
  await using box = await aBox({ GATEHOUSE_UPSTREAM__DEVICE_HTTP: cloud.urls.deviceHttp! });
  await using devices = terminals(box, { count: 1, recordsMax: 2 });
  await devices.whenIdle();
  const parked = await until('both are parked', async () => {
    const { parked: list } = await box.admin.parked.list();
    return list.length === 2 ? list : null;
  });
  expect(parked[0]).toMatchObject({
    device_id: 'FACE-T1_A0001',
    code: 400,
    reason: expect.stringMatching(/\S/),
    send_again: false,
  });
  cloud.refuseForGood(null);
  expect(await box.admin.parked.sendAgain({ seq: null })).toEqual({ count: 2 });
  await until('none is parked any more', async () => (await box.admin.parked.list()).parked.length === 0);
  expect(cloud.stats().received).toBe(2);
});

test('an envelope from the cloud reaches the device through the box', async () => {
  await using cloud = await startSimCloud({
    clock: realClock,
    random: realRandom,
    products: [product],
    listen: { mqtt: '127.0.0.1:0' },
  });
  await using box = await aBox({ GATEHOUSE_UPSTREAM__DEVICE_MQTT: cloud.urls.deviceMqtt! });
  const received: Record<string, unknown>[] = [];
  await using _devices = terminals(box, {
    count: 1,
    recordsMax: 0,
    onEvent: event => {
      if (event.kind === 'received') received.push(event.envelope);
    },
  });
  await until('the cloud sees the device', () => cloud.isOnline('FACE-T1_A0001'));
  cloud.send('FACE-T1_A0001', {
    mid: 'c1',
    from: 'app',
    to: 'FACE-T1_A0001',
    time: 1_763_600_000,
    action: 9001,
    data: { open: true },
  });
  await until('it arrives', () => received.some(envelope => envelope.mid === 'c1'));
});

test.each(['mqtt', 'http'] as const)(
  'a device that asks for its key right after its first login gets it from the cloud, %s',
  async gateway => {
    await using cloud = await startSimCloud({
      clock: realClock,
      random: realRandom,
      products: [product],
      listen: { mqtt: '127.0.0.1:0' },
    });
    await using box = await aBox({ GATEHOUSE_UPSTREAM__DEVICE_MQTT: cloud.urls.deviceMqtt! });
    const answers: unknown[] = [];
    await using _devices = terminals(box, {
      url: gateway === 'mqtt' ? `mqtts://${box.addresses.mqtts}` : `https://${box.addresses.https}`,
      rate: 0,
      activate: true,
      keepAliveSeconds: gateway === 'mqtt' ? 60 : 1,
      onEvent: event => {
        if (event.kind === 'received' && event.envelope.action === 1001) answers.push(event.envelope.data);
      },
    });
    await until('all three are answered', () => answers.length === 3);
    const withKey = { code: 0, access_key: expect.stringMatching(/./) };
    expect(answers).toMatchObject([withKey, withKey, withKey]);
  },
);

test('a start that fails closes what it had opened: the data directory is free again', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  await expect(aBox({ GATEHOUSE_LISTEN__HTTPS: `127.0.0.1:${port}` })).rejects.toThrow(BoxError);
  taken.close();
  await using box = await aBox();
  expect(box.addresses.http).toBeNull();
});
