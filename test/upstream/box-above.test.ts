import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { aGateway, anHttpDevice, ask, type Gateway } from '../support/gateway.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { aProduct, applied } from '../support/store.ts';
import { until } from '../support/until.ts';
import { anUplink, type UplinkUnderTest } from '../support/uplink.ts';

const box = 'GATEHOUSE_000001';
const device = 'FACE-T1_A0001';

/** Passes calls on; the answer to the first batch that holds lines is lost on the way back. */
async function aLossyWay(to: string) {
  let lost = 0;
  let reports = 0;
  const server = createServer(async (incoming, answer) => {
    const body = Buffer.concat(await incoming.toArray());
    const { method, headers, url } = incoming;
    if (url!.endsWith('/status')) {
      reports++;
      answer.writeHead(404, { 'content-type': 'application/json' }).end('{"code":404,"msg":"no such path"}');
      return;
    }
    const onwards = request(`${to}${url}`, { method, headers, agent: false });
    onwards.on('response', async response => {
      const said = Buffer.concat(await response.toArray());
      if (url!.includes('/batch/') && body.length > 0 && lost++ === 0) incoming.socket.destroy();
      else answer.writeHead(response.statusCode!, response.headers).end(said);
    });
    onwards.on('error', () => incoming.socket.destroy());
    onwards.end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get lost() {
      return lost;
    },
    /** What the box said of itself; as an older program, it knows no such path. */
    get reports() {
      return reports;
    },
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A box above, and a line to it over batches; the box above does not list the one below yet. */
async function aChain(lossy = false) {
  const clock = hurriedClock(20);
  const above = await aGateway({
    products: [aProduct(), aProduct({ product_id: 'GATEHOUSE', product_key: 'box-key' })],
    messageBytesMax: 4 << 20,
    clock: clock as never,
  } as never);
  const way = lossy ? await aLossyWay(above.httpUrl) : null;
  const below = await anUplink({ mode: 'batch', deviceHttp: way?.url ?? above.httpUrl }, { clock });
  return {
    above,
    below,
    way,
    clock,
    async [Symbol.asyncDispose]() {
      await below[Symbol.asyncDispose]();
      way?.[Symbol.dispose]();
      await above[Symbol.asyncDispose]();
    },
  };
}

const report = (version: string) => async () => ({
  ...{ at: 1, version, environment: 'test', outbox: null, disk: null },
  ...{ clock_synchronized: null, update: null, devices: null },
});

const listed = ({ store }: Gateway) => applied(store, { boxes: [{ box_id: box }] });
const drained = (below: UplinkUnderTest) =>
  until('nothing waits', async () => (await below.upstream.status()).outbox.waiting === 0);
const logsOf = async ({ store }: Pick<Gateway, 'store'>) => {
  await store.catchUp();
  return (await store.read.logs({ limit: 100 })).map(({ text }) => text);
};

test('a box that is not listed above keeps its records, shows why, and sends them once it is listed', async () => {
  await using chain = await aChain();
  const { above, below } = chain;
  const one = await below.device(device);
  await below.say(one, 'log 1', 'log');
  await until('it is refused', async () => (await below.upstream.status()).uplink.state === 'refused');
  expect(await below.upstream.status()).toMatchObject({
    uplink: {
      why: 'the box above does not take batches of this box: GATEHOUSE_000001 is not listed here: approve it on the page Devices of this box, or list it under boxes in its site file; keep the records and send them again',
      nextTryAt: expect.any(Number),
    },
    outbox: { waiting: 1, parked: 0 },
  });
  await listed(above);
  await drained(below);
  expect(await logsOf(above)).toEqual(['log 1']);

  await above.store.write.removeBoxBelow({ boxId: box as never });
  await below.say(one, 'log 2', 'log');
  await until('it is refused again', async () => (await below.upstream.status()).uplink.state === 'refused');
  expect(await below.store.read.parked()).toEqual([]);
  await listed(above);
  await drained(below);
  expect(await logsOf(above)).toEqual(['log 1', 'log 2']);
});

test('a record that the box above refused is parked below although the answer was lost, and the others arrive once', async () => {
  await using chain = await aChain(true);
  const { above, below } = chain;
  await listed(above);
  await anHttpDevice(above, device);
  const [elsewhere, own] = [await below.device(device), await below.device('FACE-T1_A0002')];
  await Promise.all([
    below.say(own, 'log 1', 'log'),
    below.say(elsewhere, 'log 2', 'log'),
    below.say(own, 'log 3', 'log'),
  ]);
  await drained(below);
  expect(chain.way!.lost).toBeGreaterThan(1);
  expect(await below.store.read.parked()).toMatchObject([{ deviceNo: elsewhere.deviceNo, code: 409 }]);
  expect(await logsOf(above)).toEqual(['log 1', 'log 3']);
});

test('records of a device that belongs to another box are parked with the reason, and accepted when sent again after it was moved', async () => {
  await using chain = await aChain();
  const { above, below } = chain;
  await listed(above);
  await anHttpDevice(above, device);
  const one = await below.device(device);
  await below.say(one, 'log 1', 'log');
  await drained(below);
  expect(await below.store.read.parked()).toMatchObject([
    {
      code: 409,
      reason: expect.stringMatching(/^FACE-T1_A0001 belongs to the box above itself: move it to GATEHOUSE_000001/),
    },
  ]);
  const again = async () => {
    expect(await below.upstream.sendAgain(null)).toBe(1);
    await until('it is answered', async () => (await below.store.read.parked({ sendAgain: true })).length === 0);
  };
  await again();
  expect(await below.store.read.parked()).toHaveLength(1);
  const known = above.store.directory.device(one.deviceId)!;
  await above.store.write.moveDevice({ deviceNo: known.deviceNo, to: box as never });
  await again();
  expect(await below.store.read.parked()).toEqual([]);
  expect(await logsOf(above)).toEqual(['log 1']);
});

test('a record that fits into no batch is parked, and does not block others', async () => {
  await using chain = await aChain();
  const { above, below } = chain;
  await listed(above);
  const one = await below.device(device);
  await below.say(one, 'log 1', 'log');
  // Twice as long in JSON.
  await below.say(one, JSON.stringify({ mid: 'm', action: 9, data: { text: '"'.repeat(600_000) } }));
  await below.say(one, 'log 2', 'log');
  await drained(below);
  expect(await below.store.read.parked()).toMatchObject([{ code: 413, reason: expect.stringMatching(/larger than/) }]);
  expect(await logsOf(above)).toEqual(['log 1', 'log 2']);
});

test('a box that is cut off again and again, with no answer heard, is still the one that is known above', async () => {
  await using chain = await aChain();
  const { above, below } = chain;
  await listed(above);
  const one = await below.device(device);
  const said: string[] = [];
  for (let turn = 1; turn <= 4; turn++) {
    said.push(`log ${turn}`);
    await below.say(one, `log ${turn}`, 'log');
    await drained(below);
    await below.restart();
  }
  expect(await logsOf(above)).toEqual(said);
  // As after a power cut between the answer above and its note here.
  const { value } = (await below.store.read.remembered('box above', 'instance'))!;
  const { confirmed } = JSON.parse(value) as { confirmed: string };
  const lost = JSON.stringify({ confirmed: 'of the run before', pending: confirmed });
  await below.store.write.remember({ service: 'box above', key: 'instance', value: lost, at: 0 });
  await below.restart();
  await below.say(one, 'log 5', 'log');
  await drained(below);
  expect(await logsOf(above)).toEqual([...said, 'log 5']);
});

test('a copy with a new epoch, as a restored backup has it, takes the place of the box, which is told', async () => {
  await using chain = await aChain();
  const { above, below } = chain;
  await listed(above);
  const one = await below.device(device);
  await below.say(one, 'log 1', 'log');
  await drained(below);
  // What a box that was restored from a backup of this one shows.
  const batch = async (epoch: string, instance: string, before: string) => {
    const { authorization } = await anHttpDevice(above, box, 'box-key');
    return ask(`${above.httpUrl}/api/v1.0/batch/${box}`, {
      headers: {
        authorization,
        ...{ 'batch-epoch': epoch, 'batch-instance': instance, 'batch-instance-before': before },
      },
      body: Buffer.from(''),
    });
  };
  expect((await batch('of the backup', 'b', 'long ago')).status).toBe(200);
  await below.say(one, 'log 2', 'log');
  await until('the old one is told', async () => (await below.upstream.status()).uplink.state === 'refused');
  expect((await below.upstream.status()).uplink.why).toMatch(/another box uses the identity GATEHOUSE_000001/);
  expect((await below.upstream.status()).outbox.waiting).toBe(1);
  expect((await batch('of the backup', 'b', 'b')).status).toBe(200);
  await until(
    'staff see it',
    async () => (await above.store.read.refusals({ clientId: box }))[0]?.code === 'box_used_twice',
  );
});

test('a box says how it is when it has logged in, and once a minute from then on', async () => {
  await using chain = await aChain();
  const { above, below } = chain;
  await listed(above);
  let version = 1;
  below.upstream.reportsAbove!.bind(() => report(`${version}`)());
  await below.say(await below.device(device), 'log 1', 'log');
  const said = async () => (await above.store.read.boxesHeard())[0]?.report?.version;
  await until('the first came', async () => (await said()) === '1');
  version = 2;
  await until('the next came', async () => (await said()) === '2');
});

test('a receiver that does not know what a box says of itself is asked once in a session, and gets the records', async () => {
  await using chain = await aChain(true);
  const { above, below } = chain;
  await listed(above);
  below.upstream.reportsAbove!.bind(report('1'));
  const one = await below.device(device);
  await below.say(one, 'log 1', 'log');
  await drained(below);
  const { reports } = chain.way!;
  // One for each of the sessions, of which the lost answer has ended the first.
  expect(reports).toBeLessThanOrEqual(2);
  const then = chain.clock.now() + 3 * 60_000;
  await until('three minutes have passed', async () => chain.clock.now() > then);
  expect(chain.way!.reports).toBe(reports);
  await below.say(one, 'log 2', 'log');
  await drained(below);
  expect(await logsOf(above)).toEqual(['log 1', 'log 2']);
  expect((await above.store.read.boxesHeard())[0]).toMatchObject({ report: null, boxId: box });
});
