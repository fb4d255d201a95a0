import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { realClock } from '../../src/runtime/real-world.ts';
import { httpConnector } from '../../src/upstream/http-transport.ts';
import { TakenOver } from '../../src/upstream/taken-over.ts';
import { trustOf } from '../../src/upstream/trust.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor } from '../support/uplink.ts';

const minuteMs = 60_000;
const kicked = (stoodMs: number) => ({ stoodMs, byCloud: true });

test('two boxes with one identity at a cloud notice, leave it alone for minutes, and lose nothing', async () => {
  const clock = hurriedClock(50);
  await using cloud = await aCloudFor({ clock });
  const config = configFor(cloud, 'gateway', { deviceHttp: undefined });
  await using one = await anUplink(config, { clock });
  await using other = await anUplink(config, { clock });
  const device = await one.device('FACE-T1_A0001');
  const elsewhere = await other.device('FACE-T1_B0001');
  await one.punches(device, 1, 20);
  await other.punches(elsewhere, 1, 20);
  const first = await until('one of them notices', () => [one, other].find(box => box.upstream.takenOver().length > 0));
  expect(first.upstream.takenOver()[0]?.reason).toMatch(
    /somebody else logs in to the cloud as GATEHOUSE_000001 .*Switch one of the two off/,
  );
  const { uplink } = await first.upstream.status();
  expect(uplink).toMatchObject({ state: 'down', why: expect.stringMatching(/a box whose card was copied/) });
  expect(uplink.nextTryAt! - clock.now()).toBeGreaterThan(2 * minuteMs);
  // Staff switch the other off: this one is back, and after a while believes it.
  await one.punches(device, 21, 30);
  await other.punches(elsewhere, 21, 30);
  const left = first === one ? other : one;
  await left.upstream[Symbol.asyncDispose]();
  await until('it is up alone', async () => (await first.upstream.status()).uplink.state === 'up');
  await until('nothing waits', async () => (await first.upstream.status()).outbox.waiting === 0);
  await until('it believes it', () => first.upstream.takenOver().length === 0);
});

test.each([
  ['a cloud that ends each session at once', [200, 200, 200, 200, 200, 200, 200]],
  ['a cloud that ends idle sessions', [60_000, 60_000, 60_000, 60_000, 60_000, 60_000]],
  ['a cloud that was started again', [4_000]],
])('%s is not taken for another box', (_, lives) => {
  const watch = new TakenOver();
  for (const stoodMs of lives) watch.ended(kicked(stoodMs));
  expect(watch.isSuspected(null)).toBe(false);
  expect(watch.waitMs(() => 0.5)).toBe(0);
});

test('a network that breaks again and again is not taken for another box', () => {
  const watch = new TakenOver();
  for (let turn = 0; turn < 20; turn++) watch.ended({ stoodMs: 4000, byCloud: false });
  expect(watch.isSuspected(null)).toBe(false);
});

test('five sessions that the cloud ended within seconds are another box, until one has stood for a quarter of an hour', () => {
  const watch = new TakenOver();
  for (let turn = 0; turn < 4; turn++) watch.ended(kicked(4000 + turn));
  expect(watch.isSuspected(null)).toBe(false);
  watch.ended(kicked(3000));
  expect(watch.isSuspected(null)).toBe(true);
  expect(watch.waitMs(() => 0)).toBe(5 * minuteMs);
  expect(watch.waitMs(() => 1)).toBe(10 * minuteMs);
  // The other one is back after its own wait.
  watch.ended(kicked(7 * minuteMs));
  expect(watch.isSuspected(14 * minuteMs)).toBe(true);
  expect(watch.isSuspected(15 * minuteMs)).toBe(false);
  watch.ended(kicked(16 * minuteMs));
  expect(watch.isSuspected(null)).toBe(false);
  expect(watch.waitMs(() => 0)).toBe(0);
});

test('a session over HTTP whose pull is answered 406 was ended by the cloud', async () => {
  const cloud = createServer((request, response) => {
    const isLogin = request.url!.startsWith('/api/connect/');
    response.writeHead(isLogin ? 200 : 406, isLogin ? { authorization: 'a' } : {}).end('{}');
  }).listen(0, '127.0.0.1');
  await once(cloud, 'listening');
  const { port } = cloud.address() as AddressInfo;
  const lost = Promise.withResolvers<boolean>();
  const connect = httpConnector(`http://127.0.0.1:${port}`, { trust: trustOf(undefined), clock: realClock });
  await connect(
    { clientId: 'FACE-T1_A0001', userName: 'u', password: 'p' },
    { message: async () => {}, lost: (_why, byCloud) => lost.resolve(byCloud === true) },
    new AbortController().signal,
  );
  expect(await lost.promise).toBe(true);
  cloud.close();
});
