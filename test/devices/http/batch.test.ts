import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BatchTooLarge, unpackBatch } from '../../../src/devices/http/batch-lines.ts';
import { HandClock } from '../../support/clock.ts';
import { aGateway, anHttpDevice, ask, eventsOf, type Gateway } from '../../support/gateway.ts';
import { aProduct, applied, aStore, registered } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const box = 'GATEHOUSE_000002';
const products = [aProduct(), aProduct({ product_id: 'GATEHOUSE' })];
const at = 1_763_600_000_000;

const logLine = (seq: number, change: object = {}) => ({
  seq,
  device_id: 'FACE-T1_A0001',
  channel: 'log',
  topic: 'log/FT1/A0001',
  received_at: at + seq,
  payload: `log ${seq}`,
  ...change,
});
const messageLine = (seq: number, payload: string, change: object = {}) => ({
  seq,
  device_id: 'FACE-T1_A0001',
  channel: 'device',
  topic: 'device',
  received_at: at,
  payload,
  ...change,
});
const report = (mid: string, from = 'FACE-T1_A0001') =>
  JSON.stringify({
    mid,
    from,
    to: 'system',
    time: 0,
    action: 2001,
    data: { records: [{ ext_id: mid, check_type: 'fa', check_time: 1 }] },
  });
const body = (lines: readonly unknown[]) =>
  Buffer.from(lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));

/** A box that is logged in, and listed here unless `listed` is false. */
async function aBoxBelow(gateway: Gateway, id = box, listed = true) {
  if (listed) await applied(gateway.store, { boxes: [{ box_id: id }] });
  const device = await anHttpDevice(gateway, id);
  return {
    ...device,
    send: (bytes: Uint8Array, headers: Record<string, string> = {}) =>
      ask(`${gateway.httpUrl}/api/v1.0/batch/${id}`, {
        headers: {
          authorization: device.authorization,
          'content-type': 'application/x-ndjson',
          'batch-epoch': 'epoch-1',
          ...headers,
        },
        body: bytes,
      }),
  };
}
const deviceOf = (gateway: Gateway, id: string) =>
  [...gateway.store.directory.devices()].find(one => one.deviceId === id)!;
const logsOf = async ({ store }: Gateway) => {
  await store.catchUp();
  return (await store.read.logs({ limit: 100 })).map(row => row.text);
};

test.each([
  ['zstd', zstdCompressSync],
  ['gzip', gzipSync],
  ['', (bytes: Buffer) => bytes],
] as const)('a batch in encoding "%s" is stored as if the devices had sent it here', async (encoding, pack) => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  const lines = [
    logLine(1),
    {
      seq: 5,
      device_id: 'FACE-T1_A0002',
      channel: 'device',
      topic: 'device',
      received_at: at,
      payload: report('r1', 'FACE-T1_A0002'),
    },
  ];
  const answer = await below.send(pack(body(lines)), encoding ? { 'content-encoding': encoding } : {});
  expect(answer.json).toEqual({ code: 0, msg: 'ok', data: { acked_seq: 5, refused: [] } });
  expect(await logsOf(gateway)).toEqual(['log 1']);
  expect(await gateway.store.read.checkins({ limit: 10 })).toMatchObject([
    { deviceId: 'FACE-T1_A0002', extId: 'r1', receivedAt: at },
  ]);
});

test('sending a batch again is harmless, and another epoch counts by itself', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  for (let sent = 0; sent < 2; sent++)
    expect((await below.send(body([logLine(1), logLine(2)]))).json).toMatchObject({ data: { acked_seq: 2 } });
  expect((await below.send(body([logLine(2), logLine(3)]))).json).toMatchObject({ data: { acked_seq: 3 } });
  expect(await logsOf(gateway)).toEqual(['log 1', 'log 2', 'log 3']);
  await below.send(body([logLine(1, { payload: 'after a restore' })]), { 'batch-epoch': 'epoch-2' });
  expect(await logsOf(gateway)).toEqual(['log 1', 'log 2', 'log 3', 'after a restore']);
});

test('a line that cannot be taken is listed as refused and holds nothing up', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  const { json } = await below.send(
    body([
      logLine(1),
      '{"seq": 2, ',
      logLine(3, { device_id: 'UNKNOWN-1_A' }),
      logLine(4, { device_id: 'nonsense' }),
      logLine(5, { channel: 'sms' }),
      {
        seq: 6,
        device_id: 'FACE-T1_A0001',
        channel: 'device',
        topic: 'device',
        received_at: at,
        payload: report('r', 'FACE-T1_B'),
      },
      logLine(7, { payload: 5 }),
      logLine(8),
    ]),
  );
  const { acked_seq, refused } = json.data as { acked_seq: number; refused: { seq: number; code: number }[] };
  expect(acked_seq).toBe(8);
  expect(refused.map(({ seq, code }) => [seq, code])).toEqual([
    [0, 400],
    [3, 404],
    [4, 400],
    [5, 400],
    [6, 403],
    [7, 400],
  ]);
  expect(await logsOf(gateway)).toEqual(['log 1', 'log 8']);
});

test('a refused line is listed again when its batch comes again, also after it came with others and after a restart', async () => {
  await using opened = await aStore();
  const unknown = (seq: number) => logLine(seq, { device_id: 'UNKNOWN-1_A' });
  const refusedIn = ({ json }: { json: Record<string, unknown> }) =>
    (json.data as { refused: { seq: number; code: number; msg: string }[] }).refused;
  const first = await (async () => {
    await using gateway = await aGateway({ products, opened });
    const below = await aBoxBelow(gateway);
    const told = refusedIn(await below.send(body([logLine(1), unknown(2), '{"seq": 3', unknown(4), logLine(5)])));
    expect(told.map(({ seq }) => seq)).toEqual([2, 0, 4]);
    await below.send(body([unknown(6)]));
    return told;
  })();
  await using gateway = await aGateway({ products: [...products, aProduct({ product_id: 'UNKNOWN-1' })], opened });
  const below = await aBoxBelow(gateway);
  const again = await below.send(body([logLine(1), unknown(2), unknown(4), logLine(5), unknown(7)]));
  expect(again.json).toMatchObject({ data: { acked_seq: 7 } });
  expect(refusedIn(again)).toEqual(first.filter(({ seq }) => seq > 0));
  expect(refusedIn(await below.send(body([logLine(1), unknown(4)])))).toEqual([first[2]]);
  expect(refusedIn(await below.send(body([unknown(2)]), { 'batch-epoch': 'epoch-2' }))).toEqual([]);
  expect(await logsOf(gateway)).toEqual(['log 1', 'log 5', 'log 7', 'log 2']);
});

test.each([-1, 1.5, 2 ** 48, '1763600000001', null])(
  'a line received at %s is refused by name, and the rest of the batch is taken',
  async received_at => {
    await using gateway = await aGateway({ products });
    const below = await aBoxBelow(gateway);
    const { json } = await below.send(body([logLine(1), logLine(2, { received_at }), logLine(3)]));
    expect(json).toEqual({
      code: 0,
      msg: 'ok',
      data: { acked_seq: 3, refused: [{ seq: 2, code: 400, msg: expect.stringMatching(/^received_at: /) }] },
    });
    expect(await logsOf(gateway)).toEqual(['log 1', 'log 3']);
  },
);

const day = 24 * 3600 * 1000;

test.each([
  ['in the future', 2 ** 48 - 1, 0],
  ['a millisecond from now', at + 1, 0],
  ['in 1970', 0, -90 * day],
  ['before retention', at - 91 * day, -90 * day],
])('a line that was received %s is taken with the nearest time that can be, and marked', async (_, received_at, is) => {
  await using gateway = await aGateway({ products, clock: new HandClock(at) });
  const below = await aBoxBelow(gateway);
  const { json } = await below.send(
    body([logLine(1, { received_at }), messageLine(2, report('r1'), { received_at }), logLine(3, { received_at: at })]),
  );
  expect(json).toMatchObject({ data: { acked_seq: 3, refused: [] } });
  await gateway.store.catchUp();
  expect(await gateway.store.read.logs({ limit: 10 })).toMatchObject([
    { received_at: at + is, clamped: true },
    { received_at: at, clamped: false },
  ]);
  const { deviceNo } = deviceOf(gateway, 'FACE-T1_A0001');
  expect(await gateway.store.read.ledger(deviceNo, { limit: 10 })).toMatchObject([
    { receivedAt: at, clamped: false },
    { receivedAt: at + is, clamped: true },
    { receivedAt: at + is, clamped: true },
  ]);
});

test('a box that does not know the time keeps the times of receipt of a box below', async () => {
  const clock = new HandClock(at);
  await using gateway = await aGateway({ products, clock });
  const below = await aBoxBelow(gateway);
  clock.set(138_000);
  const { json } = await below.send(body([logLine(1, { received_at: at })]));
  expect(json).toMatchObject({ data: { acked_seq: 1, refused: [] } });
  await gateway.store.catchUp();
  expect(await gateway.store.read.logs({ limit: 10 })).toMatchObject([{ received_at: at, clamped: false }]);
});

test('a message that is no text comes in base64, and is kept byte for byte and listed', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  const bytes = Buffer.from('{"from":"FACE-T1_A0001","data":{"name":"\xc0\xee"}}', 'latin1');
  const line = { ...messageLine(1, ''), payload: undefined, payload_base64: bytes.toString('base64') };
  const { json } = await below.send(body([line]));
  expect(json).toMatchObject({ data: { acked_seq: 1, refused: [] } });
  await gateway.store.catchUp();
  const { deviceNo } = deviceOf(gateway, 'FACE-T1_A0001');
  expect(Buffer.from((await gateway.store.read.record(1 as never))!.payload)).toEqual(bytes);
  expect(await gateway.store.read.malformed()).toMatchObject([{ deviceNo, count: 1, why: 'gbk' }]);
});

test('a batch of a box that is not listed is refused until it is: nothing of it is stored, and staff see it', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway, box, false);
  const refused = await below.send(body([logLine(1)]));
  expect(refused.status).toBe(403);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.json.msg).toMatch(/^GATEHOUSE_000002 is not listed here: approve it .* send them again$/);
  expect(await logsOf(gateway)).toEqual([]);
  expect(gateway.store.directory.device('FACE-T1_A0001' as never)).toBeUndefined();
  await until('the refusal is written down', async () => {
    const [noted] = await gateway.store.read.refusals({ clientId: box });
    return noted?.code === 'box_not_listed';
  });
  await applied(gateway.store, { boxes: [{ box_id: box }] });
  expect((await below.send(body([logLine(1)]))).json).toMatchObject({ code: 0, data: { acked_seq: 1 } });
  expect(await logsOf(gateway)).toEqual(['log 1']);
  await gateway.store.write.removeBoxBelow({ boxId: box as never });
  expect((await below.send(body([logLine(2)]))).status).toBe(403);
});

test('a device belongs to the box that brought it first until staff move it: lines of another are refused in words', async () => {
  await using gateway = await aGateway({ products });
  const first = await aBoxBelow(gateway);
  const second = await aBoxBelow(gateway, 'GATEHOUSE_000003');
  await first.send(body([logLine(1)]));
  expect(
    (await second.send(body([logLine(1, { payload: 'forged' }), logLine(2, { device_id: 'FACE-T1_C1' })]))).json,
  ).toEqual({
    code: 0,
    msg: 'ok',
    data: {
      acked_seq: 2,
      refused: [
        {
          seq: 1,
          code: 409,
          msg: 'FACE-T1_A0001 belongs to the box GATEHOUSE_000002: move it to GATEHOUSE_000003 on its page there, or list it under that box in boxes of the site file',
          said: {
            code: 'belongs_to_other_box',
            params: { device: 'FACE-T1_A0001', owner: 'GATEHOUSE_000002', box: 'GATEHOUSE_000003' },
          },
        },
      ],
    },
  });
  expect(await logsOf(gateway)).toEqual(['log 1', 'log 2']);
  const { deviceNo } = deviceOf(gateway, 'FACE-T1_A0001');
  await gateway.store.write.moveDevice({ deviceNo, to: 'GATEHOUSE_000003' as never });
  expect((await second.send(body([logLine(3)]))).json).toMatchObject({ data: { refused: [] } });
  expect((await first.send(body([logLine(4)]))).json).toMatchObject({ data: { refused: [{ seq: 4, code: 409 }] } });
  expect(await logsOf(gateway)).toEqual(['log 1', 'log 2', 'log 3']);
});

test('a device stands where the site file puts it, before any box has brought it', async () => {
  await using gateway = await aGateway({ products });
  const first = await aBoxBelow(gateway);
  const second = await aBoxBelow(gateway, 'GATEHOUSE_000003');
  await applied(gateway.store, { boxes: [{ box_id: 'GATEHOUSE_000003', devices: ['face-t1_a0001'] }] });
  expect((await first.send(body([logLine(1)]))).json).toMatchObject({ data: { refused: [{ seq: 1, code: 409 }] } });
  expect((await second.send(body([logLine(1)]))).json).toMatchObject({ data: { refused: [] } });
  expect(await logsOf(gateway)).toEqual(['log 1']);
});

test('a device that came here by itself first belongs to this box', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  await anHttpDevice(gateway, 'FACE-T1_A0001');
  expect((await below.send(body([logLine(1)]))).json.data).toMatchObject({
    refused: [{ seq: 1, code: 409, msg: expect.stringMatching(/^FACE-T1_A0001 belongs to the box above itself: /) }],
  });
  expect(await logsOf(gateway)).toEqual([]);
});

test('a device of another box that logs in here is let in, stays where it was, and its page says so', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  await below.send(body([logLine(1)]));
  expect((await (await anHttpDevice(gateway, 'FACE-T1_A0001')).log('from here')).json).toMatchObject({ code: 0 });
  expect((await below.send(body([logLine(2)]))).json).toMatchObject({ data: { refused: [] } });
  const { belongsTo } = deviceOf(gateway, 'FACE-T1_A0001');
  expect(belongsTo).toBe(box);
  expect(await logsOf(gateway)).toEqual(['log 1', 'from here', 'log 2']);
  await until('it is noted', async () =>
    (await eventsOf(gateway, 'FACE-T1_A0001')).some(
      ({ kind, detail }) => kind === 'belongs_elsewhere' && detail === 'belongs to the box GATEHOUSE_000002',
    ),
  );
});

test('a batch makes no new key for a device whose key is in force, until staff accept the product key again', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  await applied(gateway.store, { devices: [{ device_id: 'FACE-T1_A0001', access_key: 'its-own-key' }] });
  const activate = (seq: number, mid: string) =>
    messageLine(seq, JSON.stringify({ mid, from: 'FACE-T1_A0001', to: 'system', time: 0, action: 1001, data: {} }));
  expect((await below.send(body([activate(1, 'a1')]))).json).toMatchObject({ data: { acked_seq: 1, refused: [] } });
  expect(deviceOf(gateway, 'FACE-T1_A0001')).toMatchObject({
    accessKey: 'its-own-key',
    keyConfirmedAt: expect.any(Number),
  });
  expect((await below.pull()).json.data).toMatchObject([
    { mid: 'a1', action: 1001, data: { code: 409, msg: expect.stringMatching(/in force: accept the product key/) } },
  ]);
  const { deviceNo } = deviceOf(gateway, 'FACE-T1_A0001');
  const { records } = await gateway.store.journal.read(0 as never, { bytesMax: 1 << 20 });
  expect(records).toMatchObject([{ marks: { local: true } }]);
  await gateway.store.write.openProductKeyWindow({ deviceNo, until: gateway.clock.now() + 60_000 });
  await below.send(body([activate(2, 'a2')]));
  expect((await below.pull()).json.data).toMatchObject([{ mid: 'a2', data: { code: 0 } }]);
});

test('after a restart a message for a device behind a box still waits in the inbox of the box', async () => {
  await using opened = await aStore();
  {
    await using gateway = await aGateway({ products, opened });
    await (await aBoxBelow(gateway)).send(body([logLine(1)]));
  }
  await opened.reopen();
  await using gateway = await aGateway({ products, opened });
  const below = await aBoxBelow(gateway);
  await gateway.devices.fromCloud(
    deviceOf(gateway, 'FACE-T1_A0001').deviceNo,
    Buffer.from(JSON.stringify({ mid: 'down', from: 'system', to: 'FACE-T1_A0001', time: 1, action: 9, data: {} })),
  );
  expect((await below.pull()).json.data).toMatchObject([{ mid: 'down' }]);
});

test('what cannot be unpacked is 400, what is too large 413, and a bomb stops at the bound', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  expect((await below.send(Buffer.from('no zstd'), { 'content-encoding': 'zstd' })).status).toBe(400);
  expect((await below.send(body([logLine(1)]), { 'content-encoding': 'br' })).status).toBe(400);
  expect((await below.send(body(Array.from({ length: 1001 }, (_, index) => logLine(index + 1))))).status).toBe(413);
  expect((await below.send(zstdCompressSync(Buffer.alloc(50 << 20)), { 'content-encoding': 'zstd' })).status).toBe(413);
  expect((await below.send(gzipSync(Buffer.alloc(50 << 20)), { 'content-encoding': 'gzip' })).status).toBe(413);
  expect(await logsOf(gateway)).toEqual([]);
});

test('a line that is not UTF-8 is refused by its seq, and the others are stored', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  const gbk = Buffer.from(JSON.stringify(logLine(2)).replace('log 2', 'log \xd5\xc5'), 'latin1');
  const half = { ...logLine(3), payload: 'a\ud842' };
  const sent = Buffer.concat([
    body([logLine(1)]),
    Buffer.from('\n'),
    gbk,
    Buffer.from('\r\n \n'),
    body([half, logLine(4)]),
  ]);
  expect((await below.send(sent)).json).toMatchObject({
    data: { acked_seq: 4, refused: [{ seq: 2, code: 400, msg: expect.stringContaining('UTF-8') }, { seq: 3 }] },
  });
  expect(await logsOf(gateway)).toEqual(['log 1', 'log 4']);
});

test('a bomb is never whole in memory', async () => {
  const frame = zstdCompressSync(Buffer.alloc(64 << 20));
  const bomb = Buffer.concat(Array.from({ length: 6 }, () => frame));
  const before = process.resourceUsage().maxRSS;
  await expect(unpackBatch(bomb, 'zstd')).rejects.toThrow(BatchTooLarge);
  // Kilobytes: of 384 MiB not even a third.
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(128 << 10);
});

test('without a session of the box a batch is 406', async () => {
  await using gateway = await aGateway({ products });
  expect(
    (
      await ask(`${gateway.httpUrl}/api/v1.0/batch/${box}`, {
        body: body([logLine(1)]),
        headers: { authorization: 'guess' },
      })
    ).status,
  ).toBe(406);
});

test('a message for a device behind the box waits in the inbox of the box', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  await below.send(body([logLine(1)]));
  const { deviceNo } = [...gateway.store.directory.devices()].find(one => one.deviceId === 'FACE-T1_A0001')!;
  await gateway.devices.fromCloud(
    deviceNo,
    Buffer.from(JSON.stringify({ mid: 'down', from: 'system', to: 'FACE-T1_A0001', time: 1, action: 9, data: {} })),
  );
  expect((await below.pull()).json.data).toMatchObject([{ mid: 'down', to: 'FACE-T1_A0001' }]);
});

test('of the answers to its devices the box gets only that to an activation', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  const activate = JSON.stringify({ mid: 'act', from: 'FACE-T1_A0001', to: 'system', time: 0, action: 1001, data: {} });
  const line = (seq: number, payload: string) => ({
    seq,
    device_id: 'FACE-T1_A0001',
    channel: 'device',
    topic: 'device',
    received_at: at,
    payload,
  });
  await below.send(body([line(1, report('r1')), line(2, activate)]));
  const { data } = (await below.pull()).json as { data: Record<string, unknown>[] };
  expect(data).toMatchObject([
    { mid: 'act', action: 1001, to: 'FACE-T1_A0001', data: { code: 0, access_key: expect.any(String) } },
  ]);
});

test('a terminal may not send a batch: it would speak for every other device', async () => {
  await using gateway = await aGateway({ products });
  const { authorization } = await anHttpDevice(gateway, 'FACE-T1_B0001');
  const answer = await ask(`${gateway.httpUrl}/api/v1.0/batch/FACE-T1_B0001`, {
    headers: { authorization },
    body: body([logLine(1)]),
  });
  expect(answer.status).toBe(403);
  expect(answer.json).toEqual({
    code: 403,
    msg: 'FACE-T1_B0001 may not send batches: they are taken from boxes, which are devices of product GATEHOUSE (box.product_id)',
  });
  expect(await logsOf(gateway)).toEqual([]);
});

test('of a device that is connected here, what a box below still has is taken, and neither its messages nor its key go there', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  await below.send(body([logLine(1)]));
  const device = await anHttpDevice(gateway, 'FACE-T1_A0001');
  const activate = JSON.stringify({ mid: 'act', from: 'FACE-T1_A0001', to: 'system', time: 0, action: 1001, data: {} });
  const { json } = await below.send(
    body([
      logLine(2),
      { seq: 3, device_id: 'FACE-T1_A0001', channel: 'device', topic: 'device', received_at: at, payload: activate },
    ]),
  );
  expect(json).toMatchObject({ data: { acked_seq: 3, refused: [] } });
  expect(await logsOf(gateway)).toEqual(['log 1', 'log 2']);
  const known = [...gateway.store.directory.devices()].find(one => one.deviceId === 'FACE-T1_A0001')!;
  expect(known.accessKey).toBeNull();
  await gateway.devices.fromCloud(
    known.deviceNo,
    Buffer.from(JSON.stringify({ mid: 'down', from: 'system', to: 'FACE-T1_A0001', time: 1, action: 9, data: {} })),
  );
  expect((await below.pull()).json.data).toEqual([]);
  expect((await device.pull()).json.data).toMatchObject([{ mid: 'down' }]);
});

test('a line that is refused does not move the messages of its device to the box that sent it', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  await registered(gateway.store);
  await below.send(
    body([
      {
        seq: 1,
        device_id: 'FACE-T1_A0001',
        channel: 'device',
        topic: 'device',
        received_at: at,
        payload: report('r', 'FACE-T1_B'),
      },
    ]),
  );
  const { deviceNo } = [...gateway.store.directory.devices()].find(one => one.deviceId === 'FACE-T1_A0001')!;
  await gateway.devices.fromCloud(
    deviceNo,
    Buffer.from(JSON.stringify({ mid: 'down', from: 'system', to: 'FACE-T1_A0001', time: 1, action: 9, data: {} })),
  );
  expect((await below.pull()).json.data).toEqual([]);
});
