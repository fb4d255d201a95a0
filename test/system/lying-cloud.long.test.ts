import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BadWay, type Way } from '../support/bad-way.ts';
import { aCloud, type TestCloud } from '../support/cloud.ts';
import { arrivalsInto, History, upwardFaults } from '../support/history.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { atWork, type Work } from '../support/work.ts';

const portOf = (url: string | null) => Number(/:(\d+)\/?$/.exec(url ?? '')?.[1]);
const roomy = { limits: { log_per_second: 1000, log_per_day: 1_000_000 } };
const caOf = (box: BoxProcess) => readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
const statusOf = async (box: BoxProcess) => JSON.parse(await box.ask('status', '--json'));
const acknowledgedBy = (work: Work) => work.terminals.reduce((sum, one) => sum + one.acknowledged.length, 0);

const aBox = (upstream: TestCloud, way: BadWay): Promise<BoxProcess> =>
  BoxProcess.start(
    {
      ...roomy,
      upstream: {
        mode: 'per-device',
        device_mqtt: `mqtts://127.0.0.1:${way.port}`,
        ca: `file:${upstream.caFile}`,
      },
    },
    aSite(),
  );

test('a cloud that closes at each tenth byte, or accepts and never answers, is tried every few seconds; devices notice nothing, and nothing is lost', async () => {
  using history = new History();
  await using upstream = await aCloud({ limits: false, onEvent: arrivalsInto(history) });
  await using way = await BadWay.to(portOf(upstream.cloud.urls.deviceMqtt));
  await using box = await aBox(upstream, way);
  const work = atWork(box, await caOf(box), 3, { history });
  await until('the line is up', async () => (await statusOf(box)).line.state === 'up');
  for (const bad of ['closes at the tenth byte', 'never answers'] satisfies Way[]) {
    way.become(bad);
    const begun = performance.now();
    const before = acknowledgedBy(work);
    await until(`${bad}: it is tried again`, () => way.connections >= 3);
    // One session at a time probes, 3 to 5 s apart; the others have tried once each.
    const seconds = (performance.now() - begun) / 1000;
    expect(way.connections).toBeLessThanOrEqual(3 + 2 * work.terminals.length + seconds / 3);
    await until('devices are acknowledged', () => acknowledgedBy(work) > before + 20);
    const { line, outbox } = await statusOf(box);
    expect(line.state).not.toBe('up');
    expect(line.why).not.toBe('');
    expect(outbox.parked).toBe(0);
  }
  way.become('passes');
  await work.stop();
  await until('nothing waits', async () => (await statusOf(box)).outbox.waiting === 0);
  history.write('staff', { op: 'drained', to: 'cloud' });
  await history.expectSound(upwardFaults);
});

test('garbage, huge messages, wrong ids and messages for another device reach no terminal, and the box goes on', async () => {
  await using upstream = await aCloud({ limits: false });
  await using way = await BadWay.to(portOf(upstream.cloud.urls.deviceMqtt));
  await using box = await aBox(upstream, way);
  const ca = await caOf(box);
  const url = `mqtts://127.0.0.1:${box.port('mqtts')}`;
  const [one, other] = ['FACE-T1_A0001', 'FACE-T1_A0002'].map(
    deviceId => new MqttTerminal({ deviceId, key: 's3cret-of-the-product' }, url, { ca }),
  ) as [MqttTerminal, MqttTerminal];
  await Promise.all([one.say('device'), other.say('device')]);
  const { cloud } = upstream;
  await until('both are at the cloud', () => [one, other].every(({ deviceId }) => cloud.isOnline(deviceId)));
  const envelope = (change: object) => ({
    ...{ mid: 'm', from: 'system', to: one.deviceId, time: 0, action: 9, data: {} },
    ...change,
  });
  const bad: readonly Uint8Array[] = [
    Buffer.from('garbage'),
    Buffer.from([0xff, 0x00, 0xfe, 0x80]),
    Buffer.alloc(0),
    Buffer.from('[[[['),
    Buffer.from('null'),
    Buffer.from(JSON.stringify({ mid: 1 })),
    Buffer.from(JSON.stringify(envelope({ action: 'sys' }))),
    Buffer.from(JSON.stringify(envelope({ to: other.deviceId }))),
    Buffer.from(JSON.stringify(envelope({ to: 'FACE-T1_NOBODY' }))),
    Buffer.from('['.repeat(200_000)),
    Buffer.alloc(4 << 20, 'x'),
  ];
  for (const bytes of bad) cloud.sendBytes(one.deviceId, bytes);
  await until('the cloud has it again', () => cloud.isOnline(one.deviceId));
  await until('what is right is delivered', async () => {
    cloud.send(one.deviceId, envelope({ mid: 'right' }));
    return one.received.some(({ text }) => JSON.parse(text).mid === 'right');
  });
  const strange = [...one.received, ...other.received].filter(({ text }) => {
    const { mid, action, to } = JSON.parse(text);
    return action === 9 && (mid !== 'right' || to !== one.deviceId);
  });
  expect(strange).toEqual([]);
  expect(box.alive).toBe(true);
  expect(box.stderr).toContain('names another device than its session');
  await Promise.all([one.say('device'), other.say('device')]);
  await until('nothing waits', async () => (await statusOf(box)).outbox.waiting === 0);
  await Promise.all([one.end(), other.end()]);
});

test('what a cloud acknowledged and forgot counts as confirmed, and the box has it', async () => {
  await using upstream = await aCloud({ limits: false, faults: { forget: 1 } });
  await using way = await BadWay.to(portOf(upstream.cloud.urls.deviceMqtt));
  await using box = await aBox(upstream, way);
  const url = `mqtts://127.0.0.1:${box.port('mqtts')}`;
  const terminal = new MqttTerminal({ deviceId: 'FACE-T1_A0001', key: 's3cret-of-the-product' }, url, {
    ca: await caOf(box),
  });
  await terminal.say('device');
  await until('it is confirmed', async () => {
    const { ledger } = JSON.parse(await box.ask('status', '--device', 'FACE-T1_A0001', '--json'));
    return ledger.some((one: { state: string }) => one.state === 'confirmed');
  });
  expect(upstream.cloud.arrivals.of('FACE-T1_A0001')).toEqual([]);
  expect((await statusOf(box)).outbox.waiting).toBe(0);
  expect(await box.export('checkins')).toHaveLength(1);
  await terminal.end();
});
