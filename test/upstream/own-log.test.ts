import { expect, test } from 'vitest';
import { aGateway } from '../support/gateway.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { aProduct, applied } from '../support/store.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor, type UplinkUnderTest } from '../support/uplink.ts';

const box = 'GATEHOUSE_000001';
const text = '{"event":"drill"}';
const up = ({ upstream }: UplinkUnderTest) =>
  until('the line is up', async () => (await upstream.status()).uplink.state === 'up');
const confirmed = { kind: 'confirmed' };

test.each(['mqtt', 'http'])('a log of the box itself goes over its own session by %s', async via => {
  await using cloud = await aCloudFor();
  const without = via === 'mqtt' ? { deviceHttp: undefined } : { deviceMqtt: undefined };
  await using uplink = await anUplink(configFor(cloud, 'gateway', without));
  await up(uplink);
  expect(await uplink.upstream.sendOwnLog!(text)).toEqual(confirmed);
  expect(cloud.arrivals.of(box)).toMatchObject([{ channel: 'log', topic: 'log/GATEHOUSE/000001', payload: text, via }]);
});

test('where batches go, the box above stores it as a log of the box below, whoever waits', async () => {
  const clock = hurriedClock(50);
  await using above = await aGateway({
    products: [aProduct(), aProduct({ product_id: 'GATEHOUSE', product_key: 'box-key' })],
    clock: clock as never,
  } as never);
  await applied(above.store, { boxes: [{ box_id: box }] });
  await using below = await anUplink({ mode: 'batch', deviceHttp: above.httpUrl }, { clock });
  await up(below);
  const one = await below.device('FACE-T1_A0001');
  const said = Promise.all(Array.from({ length: 50 }, (_, no) => below.say(one, `log ${no}`, 'log')));
  expect(await below.upstream.sendOwnLog!(text)).toEqual(confirmed);
  await said;
  await until('nothing waits', async () => (await below.upstream.status()).outbox.waiting === 0);
  await above.store.catchUp();
  const logs = await above.store.read.logs({ limit: 100 });
  const own = above.store.directory.device(box as never)!;
  expect(logs.filter(({ deviceNo }) => deviceNo === own.deviceNo)).toMatchObject([{ text }]);
  expect(logs).toHaveLength(51);
});

test('while the line is down it is not sent, and the box says so at once', async () => {
  await using uplink = await anUplink({ mode: 'gateway', deviceMqtt: 'mqtt://127.0.0.1:9' });
  expect(await uplink.upstream.sendOwnLog!(text)).toEqual({ kind: 'again', why: 'the line is down' });
});

test('a cloud that closes the connection behind it each time refuses it, and records go on', async () => {
  const clock = hurriedClock(50);
  await using cloud = await aCloudFor({ clock });
  await using uplink = await anUplink(configFor(cloud, 'gateway', { deviceHttp: undefined }), { clock });
  await up(uplink);
  cloud.faults.set({ drop: 1 });
  let refused: unknown;
  await until('it is given up', async () => {
    const result = await uplink.upstream.sendOwnLog!(text);
    refused = result.kind === 'refused' ? result : refused;
    return refused !== undefined;
  });
  expect(refused).toMatchObject({ reason: expect.stringContaining('three times in a row') });
  cloud.faults.clear();
  await uplink.punches(await uplink.device('FACE-T1_A0001'), 1, 1);
  await until('it is confirmed', async () => (await uplink.upstream.status()).outbox.waiting === 0);
});

test('a box whose devices have sessions of their own has none for it', async () => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud));
  expect(uplink.upstream.sendOwnLog).toBeNull();
});

test('a box above whose cloud may not know boxes keeps it', async () => {
  await using above = await aGateway({
    products: [aProduct(), aProduct({ product_id: 'GATEHOUSE', product_key: 'box-key' })],
    boxLogsStay: true,
  });
  await applied(above.store, { boxes: [{ box_id: box }] });
  await using below = await anUplink({ mode: 'batch', deviceHttp: above.httpUrl });
  await up(below);
  await below.say(await below.device('FACE-T1_A0001'), 'log 1', 'log');
  expect(await below.upstream.sendOwnLog!(text)).toEqual(confirmed);
  await until('nothing waits', async () => (await below.upstream.status()).outbox.waiting === 0);
  const ledgerOf = (id: string) =>
    above.store.read.ledger(above.store.directory.device(id as never)!.deviceNo, { limit: 10 });
  expect(await ledgerOf(box)).toMatchObject([
    { channel: 'log', state: 'kept here', reason: { reason: 'a log of a box below', code: 'kept_log_of_box' } },
  ]);
  expect(await ledgerOf('FACE-T1_A0001')).toMatchObject([{ channel: 'log', state: 'waiting' }]);
});
