import { describe, expect, test } from 'vitest';
import { anAttendanceBox } from '../support/attendance.ts';
import { aGateway, anHttpDevice, ask, connectHttp, connectMqtt, passwordOf } from '../support/gateway.ts';
import { shell } from '../support/shell.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';

/** Where the letter of SPEC 4.1, 4.2 and 7.1 was missed once. */

describe('data that is no object, over MQTT', () => {
  test.each([['text'], [7], [[1, 2]], [true]])('%j is answered 400, and the envelope is kept', async data => {
    await using gateway = await aGateway();
    const client = await connectMqtt(gateway, id);
    if (typeof client === 'number') throw new Error(`CONNACK ${client}`);
    const heard: Record<string, unknown>[] = [];
    client.on('message', (_topic, payload) => heard.push(JSON.parse(payload.toString())));
    await client.subscribeAsync(`$client/${id}`);
    for (const [mid, action] of [
      ['unknown', 777],
      ['activation', 1001],
      ['report', 2001],
    ] as const)
      await client.publishAsync('device', JSON.stringify({ mid, from: id, to: 'system', time: 0, action, data }), {
        qos: 1,
      });
    await until('both are answered', () => heard.length === 2);
    expect(heard).toMatchObject([
      { mid: 'activation', action: 1001, data: { code: 400, msg: 'data: not an object' } },
      { mid: 'report', action: 2001, data: { code: 400, msg: 'data: not an object' } },
    ]);
    expect(gateway.store.journal.lastSeq).toBe(3);
    await client.endAsync();
  });
});

test('data that is no object, in the name of another device, is 403 and not stored', async () => {
  await using gateway = await aGateway();
  const device = await anHttpDevice(gateway, id);
  expect((await device.push({ mid: '1', from: 'FACE-T1_A0009', action: 2001, data: 'x' })).json.code).toBe(403);
  expect((await device.push({ mid: '2', action: 2001, data: 'x' })).json).toEqual({
    code: 400,
    msg: 'data: not an object',
  });
  expect(gateway.store.journal.lastSeq).toBe(1);
});

test('a connect with numbers or lists where text belongs is 406, and its reason is shown', async () => {
  await using gateway = await aGateway();
  const good = { clientId: id, userName: 'FACE-T1', password: passwordOf(id), keepAliveTime: 30 };
  const wrong = [{ clientId: 1 }, { clientId: [id] }, { userName: ['FACE-T1'] }, { userName: 7 }, { password: 1234 }];
  for (const change of wrong) {
    const answer = await ask(`${gateway.httpUrl}/api/connect/${id}`, { body: JSON.stringify({ ...good, ...change }) });
    expect([answer.status, answer.headers['content-length']]).toEqual([406, '0']);
  }
  const refused = await until('it is shown', async () => {
    const notes = await gateway.store.read.refusals({ clientId: id });
    return notes.length > 0 ? notes : null;
  });
  expect(refused).toMatchObject([{ code: 'connect_not_text', detail: 'clientId' }]);
  expect((await ask(`${gateway.httpUrl}/api/connect/${id}`, { body: JSON.stringify(good) })).status).toBe(200);
});

test('answers without a body say so by their length', async () => {
  await using gateway = await aGateway();
  const answers = [
    await connectHttp(gateway, id),
    await connectHttp(gateway, id, 'a wrong key'),
    await ask(`${gateway.httpUrl}/api/pull/${id}`, { headers: { authorization: 'guess' } }),
  ];
  for (const { headers, body } of answers)
    expect([headers['content-length'], headers['transfer-encoding'], body]).toEqual(['0', undefined, '']);
});

suiteNeeding('curl', 'curl', 'curl', () => {
  test('reads an empty answer that is not in chunks', async () => {
    await using gateway = await aGateway();
    const { status, said } = await shell(
      `curl -sS -i -H 'Authorization: guess' ${gateway.httpUrl}/api/pull/${id}`,
      '.',
    );
    expect(status).toBe(0);
    expect(said).toMatch(/^HTTP\/1.1 406/);
    expect(said).toMatch(/content-length: 0\r/i);
    expect(said).not.toMatch(/transfer-encoding/i);
  });
});

test('people are sent to a device under its id in the case that it uses', async () => {
  await using box = await anAttendanceBox();
  const client = await connectMqtt(box.gateway, id.toLowerCase());
  if (typeof client === 'number') throw new Error(`CONNACK ${client}`);
  const heard: Record<string, unknown>[] = [];
  client.on('message', (_topic, payload) => heard.push(JSON.parse(payload.toString())));
  await client.subscribeAsync(`$client/${id.toLowerCase()}`);
  await until('it is sent people', () => heard.length > 0);
  expect(heard[0]).toMatchObject({ action: 2101, to: id.toLowerCase() });
  await client.endAsync();
});
