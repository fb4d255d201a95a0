import { expect, test } from 'vitest';
import { AwaitedSessions } from '../../src/upstream/awaited-sessions.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor, nobody } from '../support/uplink.ts';

const id = 'FACE-T1_A0001';
const patient = () => new AbortController().signal;

test.each(['per-device', 'gateway', 'batch'] as const)(
  'a device that has just logged in waits until its session is up, %s',
  async mode => {
    await using cloud = await aCloudFor();
    await using uplink = await anUplink(configFor(cloud, mode));
    const { deviceNo } = await uplink.device(id);
    uplink.upstream.presence(deviceNo, true);
    expect(await uplink.upstream.whenUp(deviceNo, patient())).toBe(true);
    expect(uplink.upstream.isUp(deviceNo)).toBe(true);
    expect(await uplink.upstream.whenUp(deviceNo, patient())).toBe(true);
  },
);

test('with the line down nobody waits, neither for the first try to fail nor for the next one', async () => {
  await using uplink = await anUplink({ mode: 'per-device', deviceMqtt: nobody });
  const [device, later] = [await uplink.device(id), await uplink.device('FACE-T1_A0002')];
  uplink.upstream.presence(device.deviceNo, true);
  expect(await uplink.upstream.whenUp(device.deviceNo, patient())).toBe(false);
  uplink.upstream.presence(later.deviceNo, true);
  expect(await uplink.upstream.whenUp(later.deviceNo, patient())).toBe(false);
});

test('a device that the cloud refuses, and one that has no session, do not wait', async () => {
  await using cloud = await aCloudFor({ clock: hurriedClock(5), faults: { refuse: 1 } });
  await using uplink = await anUplink(configFor(cloud), { clock: hurriedClock(5) });
  const { deviceNo } = await uplink.device(id);
  expect(await uplink.upstream.whenUp(deviceNo, patient())).toBe(false);
  uplink.upstream.presence(deviceNo, true);
  expect(await uplink.upstream.whenUp(deviceNo, patient())).toBe(false);
  expect(uplink.upstream.deviceUplink(deviceNo)?.state).not.toBe('up');
});

test('a session that was lost a moment ago is waited for', async () => {
  const clock = hurriedClock(20);
  await using cloud = await aCloudFor({ clock });
  await using uplink = await anUplink(configFor(cloud), { clock });
  const { deviceNo } = await uplink.device(id);
  uplink.upstream.presence(deviceNo, true);
  await uplink.upstream.whenUp(deviceNo, patient());
  cloud.hangUp();
  await until('it is lost', () => !uplink.upstream.isUp(deviceNo));
  expect(await uplink.upstream.whenUp(deviceNo, patient())).toBe(true);
});

test('a wait ends with its signal, and with the box', async () => {
  const sessions = new AwaitedSessions(() => null);
  const impatient = new AbortController();
  const [given, closed] = [sessions.whenUp(1 as never, impatient.signal), sessions.whenUp(2 as never, patient())];
  impatient.abort();
  expect(await given).toBe(false);
  expect(await sessions.whenUp(1 as never, impatient.signal)).toBe(false);
  sessions.close();
  expect(await closed).toBe(false);
});
