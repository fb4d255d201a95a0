import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { hurriedClock } from '../support/hurried-clock.ts';
import { until } from '../support/until.ts';
import { anUplink } from '../support/uplink.ts';

const long = 'x'.repeat(4 << 20);

/**
 * A cloud over HTTP that answers what it is sent with each of these bodies in turn, and then as it
 * should; and that gives messages of its own whenever it is asked for some.
 */
async function aLiar(lies: readonly string[], messages = '') {
  const toTell = [...lies];
  const taken: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url!;
    if (path.startsWith('/api/connect/')) response.setHeader('authorization', 'let in');
    const said = Buffer.concat(chunks);
    const isBatch = path.startsWith('/api/v1.0/batch/') && said.length > 0;
    const lie = isBatch || /^\/api\/(push|v2\.0\/log)\//.test(path) ? toTell.shift() : undefined;
    if (lie !== undefined) return void response.end(lie);
    if (path.startsWith('/api/pull/') && messages !== '') return void response.end(messages);
    const lines = isBatch ? zstdDecompressSync(said).toString().split('\n') : [];
    if (isBatch) taken.push(...lines.map(line => JSON.parse(line).payload));
    else if (path.startsWith('/api/push/')) taken.push(said.toString());
    const ackedSeq = Math.max(0, ...lines.map(line => JSON.parse(line).seq));
    response.end(JSON.stringify({ code: 0, msg: 'ok', data: isBatch ? { acked_seq: ackedSeq, refused: [] } : [] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What it took in earnest. */
    taken,
    get left() {
      return toTell.length;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

const ofBatches = [
  'garbage',
  '',
  '[]',
  'null',
  '{"code":"0"}',
  '{"code":0}',
  '{"code":0,"data":null}',
  '{"code":0,"data":{"acked_seq":"all"}}',
  '{"code":0,"data":{"acked_seq":1e300}}',
  '{"code":0,"data":{"acked_seq":-1}}',
  '{"code":0,"data":{"acked_seq":99,"refused":[null]}}',
  '{"code":0,"data":{"acked_seq":99,"refused":{"seq":1}}}',
  '{"code":0,"data":{"acked_seq":99,"refused":[{"seq":1}]}}',
  '{"code":0,"data":{"acked_seq":99,"refused":[{"seq":1,"code":"no","msg":{"toString":1}}]}}',
  '{"code":0,"data":{"acked_seq":99,"refused":[{"seq":1,"code":400.5,"msg":"no"}]}}',
];
const ofPushes = [
  'garbage',
  '',
  '[]',
  'null',
  '{"code":"0"}',
  '{"code":null}',
  '{"code":400.5,"msg":"no"}',
  '{"code":1e300}',
  '{"code":500,"msg":{"toString":1}}',
];

test.each([
  ['batch', ofBatches],
  ['per-device', ofPushes],
] as const)('answers that are no answers confirm and park nothing: mode %s', async (mode, lies) => {
  await using liar = await aLiar(lies);
  await using uplink = await anUplink(
    { mode, deviceMqtt: undefined, deviceHttp: liar.url },
    { clock: hurriedClock(100) },
  );
  const device = await uplink.device('FACE-T1_A0001');
  uplink.upstream.presence(device.deviceNo, true);
  await uplink.punches(device, 1, 3);
  await until('all lies are told', () => liar.left === 0);
  await until('nothing waits', async () => (await uplink.upstream.status()).outbox.waiting === 0);
  const mids = liar.taken.map(text => JSON.parse(text).mid);
  expect([...new Set(mids)]).toEqual([1, 2, 3].map(no => `FACE-T1_A0001-${no}`));
  expect(await uplink.store.read.parked()).toEqual([]);
});

test.each([
  ['batch', `{"code":0,"data":{"acked_seq":1,"refused":[{"seq":1,"code":400,"msg":"${long}"}]}}`],
  ['per-device', `{"code":400,"msg":"${long}"}`],
] as const)('a reason of megabytes is kept by its beginning: mode %s', async (mode, lie) => {
  await using liar = await aLiar([lie]);
  await using uplink = await anUplink(
    { mode, deviceMqtt: undefined, deviceHttp: liar.url },
    { clock: hurriedClock(100) },
  );
  const device = await uplink.device('FACE-T1_A0001');
  await uplink.punches(device, 1, 1);
  const [parked] = await until('it is parked', async () => {
    const all = await uplink.store.read.parked();
    return all.length > 0 ? all : null;
  });
  expect([parked!.code, parked!.reason.length]).toEqual([400, 500]);
});

test.each([
  ['garbage', 'garbage'],
  ['no list', '{"code":0,"data":{"0":{}}}'],
  ['no messages', JSON.stringify({ code: 0, data: [null, 1, 'x', [], {}, { mid: 1 }] })],
  [
    'messages for a device that is not here',
    JSON.stringify({
      code: 0,
      data: [{ mid: 'm', from: 'system', to: 'FACE-T1_NOBODY', time: 0, action: 9, data: {} }],
    }),
  ],
] as const)('a pull that brings %s reaches no device and ends nothing', async (_what, messages) => {
  await using liar = await aLiar([], messages);
  await using uplink = await anUplink(
    { mode: 'batch', deviceMqtt: undefined, deviceHttp: liar.url },
    { clock: hurriedClock(100) },
  );
  const device = await uplink.device('FACE-T1_A0001');
  await uplink.punches(device, 1, 1);
  await until('nothing waits', async () => (await uplink.upstream.status()).outbox.waiting === 0);
  expect(uplink.delivered).toEqual([]);
  await uplink.punches(device, 2, 2);
  await until('nothing waits', async () => (await uplink.upstream.status()).outbox.waiting === 0);
  expect(liar.taken).toHaveLength(2);
});
