import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realClock } from '../../src/runtime/real-world.ts';
import { startSimDevices } from '../../tools/sim/index.ts';
import { BoxProcess } from '../support/program.ts';
import { until } from '../support/until.ts';

/** `gatehouse events -f` on a box that serves programs. */

const product = { product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1', access: 'both' };

let box: BoxProcess;
beforeAll(async () => {
  box = await BoxProcess.start({ listen: { events: '127.0.0.1:0' } }, { products: [product] });
});
afterAll(() => box?.[Symbol.asyncDispose]());

const punching = async (firstSerial: string) =>
  startSimDevices({
    clock: realClock,
    // Every record is a check-in.
    random: () => 0.5,
    url: `mqtts://${box.addresses.mqtts}`,
    ca: await box.ask('trust', 'export'),
    product: product.product_id,
    productKey: product.product_key,
    model: 'FT1',
    count: 1,
    rate: 20,
    recordsMax: 3,
    firstSerial,
  });
const eventsOf = async (...options: string[]) => {
  const lines = (await box.ask('events', '--json', ...options)).split('\n').filter(Boolean);
  return lines.map(line => JSON.parse(line) as { kind: string; seq: number; device_id: string });
};

test('what comes is followed, and nothing of before is shown', async () => {
  const words = ['events', '-f', '--json', '--kind', 'checkins', '--data-dir', box.dataDir];
  const child = execFile(new URL('../../bin/gatehouse', import.meta.url).pathname, words);
  let text = '';
  child.stdout!.on('data', chunk => {
    text += chunk;
  });
  const seen = () => text.split('\n').filter(Boolean);
  try {
    const devices: AsyncDisposable[] = [];
    // The follower may not have connected yet when the first punches come.
    for (let turn = 0; seen().length === 0; turn++) {
      devices.push(await punching(`C${1000 + turn}`));
      await until('a look is over', async () => seen().length > 0 || (await eventsOf('--kind', 'checkins')).length > 0);
    }
    expect(seen().every(line => /FACE-T1_C/.test(line))).toBe(true);
    for (const one of devices) await one[Symbol.asyncDispose]();
  } finally {
    child.kill();
  }
});
