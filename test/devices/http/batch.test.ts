import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { aGateway, anHttpDevice, ask, type Gateway } from '../../support/gateway.ts';
import { aProduct } from '../../support/store.ts';

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

async function aBoxBelow(gateway: Gateway) {
  const device = await anHttpDevice(gateway, box);
  return {
    ...device,
    send: (bytes: Uint8Array, headers: Record<string, string> = {}) =>
      ask(`${gateway.httpUrl}/api/v1.0/batch/${box}`, {
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
    { device_id: 'FACE-T1_A0002', ext_id: 'r1', received_at: at },
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

test('a line received at the last moment that fits is taken', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  const { json } = await below.send(body([logLine(1, { received_at: 2 ** 48 - 1 }), logLine(2, { received_at: 0 })]));
  expect(json).toMatchObject({ data: { acked_seq: 2, refused: [] } });
  expect(await logsOf(gateway)).toHaveLength(2);
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

test('of its devices the box hears one answer alone: to an activation', async () => {
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
