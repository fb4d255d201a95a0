import { connectAsync } from 'mqtt';
import { expect, test } from 'vitest';
import { realClock } from '../../src/runtime/real-world.ts';
import { LocalBox } from '../support/box.ts';
import { HandClock } from '../support/clock.ts';
import { credentials } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';
const site = {
  products: [{ product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1', access: 'both' }],
  devices: [{ device_id: id, name: 'North gate' }],
};

async function askForTime(box: LocalBox): Promise<unknown> {
  const client = await connectAsync(`mqtt://${box.addresses.mqtt}`, {
    ...credentials({ deviceId: id, key: 'key-of-the-product' }),
    protocolVersion: 4,
  });
  const heard: { data: unknown }[] = [];
  client.on('message', (_topic, payload) => heard.push(JSON.parse(payload.toString())));
  await client.subscribeAsync(`$client/${id}`);
  const question = { mid: 'q', from: id, to: 'system', time: 0, action: 1002, data: {} };
  await client.publishAsync('device', JSON.stringify(question), { qos: 1 });
  await until('the answer', () => heard.length > 0);
  await client.endAsync();
  return heard[0]!.data;
}

const unknown = { code: 503, msg: 'the box does not know the time' };

test('a box that starts with a wrong clock tells terminals no time, and says so, until it is right', async () => {
  await using box = await LocalBox.make({ listen: { mqtt: '127.0.0.1:0' } }, site);
  await box.start();
  expect(await askForTime(box)).toMatchObject({ code: 0 });
  await box.stop();
  const before = realClock.now();

  // As after a start without battery and network, with the time of the last shutdown, or in 1970.
  for (const [said, why] of [
    [138_000, /^look .*the box does not know the time \(its clock is before the day/m],
    [before - 3600_000, /^look .*\(its clock is behind its newest record\)/m],
    [Date.UTC(2100, 0, 1), /^look .*\(its clock is more than ten years after/m],
  ] as const) {
    const clock = new HandClock(said);
    box.clock = clock;
    await box.start();
    expect(await askForTime(box)).toEqual(unknown);
    expect(await box.ask('status')).toMatch(why);
    clock.set(realClock.now());
    expect(await askForTime(box)).toMatchObject({ code: 0, time: Math.floor(clock.now() / 1000) });
    expect(await box.ask('status')).not.toContain('does not know the time');
    await box.stop();
  }
});
