import { describe, expect, test } from 'vitest';
import type { UpstreamView } from '../../src/devices/index.ts';
import { aGateway, anHttpDevice, ask, connectHttp, connectMqtt, eventsOf, type Gateway } from '../support/gateway.ts';
import { aStore, deviceId, registered } from '../support/store.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';
const checkin = { records: [{ ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000 }] };
const numberOf = ({ store }: Gateway, device = id) => store.directory.device(deviceId(device))!.deviceNo;
const envelope = (mid: string, data: object = {}, action = 9) =>
  Buffer.from(JSON.stringify({ mid, from: 'system', to: id, time: 1, action, data }));

const activation = (mid: string) => JSON.stringify({ mid, from: id, to: 'system', time: 0, action: 1001, data: {} });

/** An uplink on which the device's own session comes up when the test says so. */
function sessionToCome() {
  const session = Promise.withResolvers<boolean>();
  const upstream: UpstreamView = {
    standsAlone: false,
    isUp: () => false,
    whenUp: (_deviceNo, signal) => {
      signal.addEventListener('abort', () => session.resolve(false));
      return session.promise;
    },
    tryLogin: async () => 'refused',
  };
  return { upstream, comesUp: () => session.resolve(true) };
}

async function aListener(gateway: Gateway, device = id) {
  const client = await connectMqtt(gateway, device);
  if (typeof client === 'number') throw new Error(`CONNACK ${client}`);
  const heard: Record<string, unknown>[] = [];
  client.on('message', (_topic, payload) => heard.push(JSON.parse(payload.toString())));
  return { client, heard, listen: () => client.subscribeAsync(`$client/${device}`) };
}

describe('logs', () => {
  test('20 are taken in any second, the rest is acknowledged, dropped and counted', async () => {
    await using gateway = await aGateway();
    const device = await anHttpDevice(gateway, id);
    const answers = [];
    for (let sent = 0; sent < 25; sent++) answers.push((await device.log(`log ${sent}`)).json);
    expect(answers.every(one => one.code === 0)).toBe(true);
    expect(answers.filter(one => String(one.msg).startsWith('dropped'))).toHaveLength(5);
    await gateway.clock.advance(1000);
    expect((await device.log('a second later')).json).toEqual({ code: 0, msg: 'ok' });
    await gateway.store.catchUp();
    expect(await gateway.store.read.logs({ limit: 100 })).toHaveLength(21);
    expect(gateway.devices.counters()).toMatchObject({ log_over_per_second: 5 });
  });

  test('the day turns at midnight of the site, and a restart does not restart it', async () => {
    await using opened = await aStore();
    const limits = { logPerSecond: 1000, logPerDay: 3, logBytes: 4096, messageBytes: 1 << 20, inboxMessages: 10 };
    const stored = async () => {
      await opened.store.catchUp();
      return (await opened.store.read.logs({ limit: 100 })).length;
    };
    const clock = await (async () => {
      await using gateway = await aGateway({ opened, limits });
      gateway.clock.set(Date.parse('2026-11-20T15:00:00Z')); // 23:00 in Shanghai
      const device = await anHttpDevice(gateway, id);
      for (let sent = 0; sent < 2; sent++) await device.log('before the restart');
      expect(await stored()).toBe(2);
      return gateway.clock;
    })();
    await using gateway = await aGateway({ opened, limits, clock });
    const device = await anHttpDevice(gateway, id);
    for (let sent = 0; sent < 3; sent++) await device.log('after the restart');
    expect(await stored()).toBe(3);
    clock.set(Date.parse('2026-11-20T16:00:00Z'));
    for (let sent = 0; sent < 4; sent++) await device.log('the next day');
    expect(await stored()).toBe(6);
  });
});

describe('events', () => {
  test('a device that misbehaves without end fills neither the disk nor the pages of others', async () => {
    await using gateway = await aGateway();
    const [hostile, other] = [await anHttpDevice(gateway, id), await anHttpDevice(gateway, 'FACE-T1_A0002')];
    const misbehave = (device: typeof hostile, name = id) =>
      ask(`${gateway.httpUrl}/api/push/${name}`, {
        headers: { authorization: device.authorization },
        body: 'no JSON',
      });
    const kindsOf = async (name = id) => (await eventsOf(gateway, name, 1000)).map(one => one.kind);
    for (let sent = 0; sent < 100; sent++) await misbehave(hostile);
    await misbehave(other, 'FACE-T1_A0002');
    expect(await kindsOf()).toHaveLength(60);
    expect((await kindsOf('FACE-T1_A0002')).toSorted()).toEqual(['connected', 'malformed']);
    expect(gateway.devices.counters()).toMatchObject({ malformed: 101, connected: 2, events_dropped: 41 });
    await gateway.clock.advance(60_000);
    await misbehave(hostile);
    expect(await kindsOf()).toHaveLength(61);
    expect(gateway.devices.counters()).toMatchObject({ events_dropped: 41 });
  });
});

describe('the inbox', () => {
  test('messages for a device that is away wait, oldest first, and go when it subscribes', async () => {
    await using gateway = await aGateway();
    const first = await aListener(gateway);
    await first.client.endAsync();
    await until('away', () => gateway.devices.status().online === 0);
    for (const mid of ['1', '2', '3']) await gateway.devices.fromCloud(numberOf(gateway), envelope(mid));
    const back = await aListener(gateway);
    expect(back.heard).toEqual([]);
    await back.listen();
    await until('all heard', () => back.heard.length === 3);
    expect(back.heard.map(one => one.mid)).toEqual(['1', '2', '3']);
    await gateway.devices.fromCloud(numberOf(gateway), envelope('4'));
    await until('the next at once', () => back.heard.length === 4);
    await until(
      'nothing is kept',
      async () => (await gateway.store.read.inbox(numberOf(gateway), { limit: 10, bytesMax: 1 << 20 })).length === 0,
    );
    await back.client.endAsync();
  });

  test('what waited when the box stopped is heard when the device subscribes after the start', async () => {
    await using opened = await aStore();
    {
      await using gateway = await aGateway({ opened });
      await registered(gateway.store);
      await gateway.devices.fromCloud(numberOf(gateway), envelope('1'));
    }
    await using gateway = await aGateway({ opened });
    const { client, heard, listen } = await aListener(gateway);
    await listen();
    await gateway.devices.fromCloud(numberOf(gateway), envelope('2'));
    await until('both heard', () => heard.length === 2);
    expect(heard.map(one => one.mid)).toEqual(['1', '2']);
    await client.endAsync();
  });

  test('pull answers at most batchSize, oldest first, once', async () => {
    await using gateway = await aGateway();
    const device = await anHttpDevice(gateway, id);
    for (const mid of ['1', '2', '3']) await gateway.devices.fromCloud(numberOf(gateway), envelope(mid));
    const mids = (answer: { json: Record<string, unknown> }) =>
      (answer.json.data as { mid: string }[]).map(one => one.mid);
    const first = await device.pull(2);
    expect([first.json.size, mids(first)]).toEqual([2, ['1', '2']]);
    expect(mids(await device.pull())).toEqual(['3']);
    expect(mids(await device.pull())).toEqual([]);
  });

  test('more than five pulls in a second are too many', async () => {
    await using gateway = await aGateway();
    const device = await anHttpDevice(gateway, id);
    const statuses = [];
    for (let pulled = 0; pulled < 6; pulled++) statuses.push((await device.pull()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    await gateway.clock.advance(1000);
    expect((await device.pull()).status).toBe(200);
  });
});

describe('HTTP sessions', () => {
  test('end after three silent keepAliveTime periods, at least 90 s, and any call keeps them', async () => {
    await using gateway = await aGateway();
    const device = await anHttpDevice(gateway, id);
    await gateway.clock.advance(89_000);
    expect((await device.pull()).status).toBe(200);
    await gateway.clock.advance(89_000);
    expect((await device.pull()).status).toBe(200);
    await gateway.clock.advance(91_000);
    expect((await device.pull()).status).toBe(406);
    expect(gateway.devices.status().online).toBe(0);
  });

  test('the old value lives until the new one is used', async () => {
    await using gateway = await aGateway();
    const old = await anHttpDevice(gateway, id);
    const fresh = await anHttpDevice(gateway, id);
    expect((await old.pull()).status).toBe(200);
    expect((await fresh.pull()).status).toBe(200);
    expect((await old.pull()).status).toBe(406);
  });

  test('a device that leaves on purpose is offline at once', async () => {
    await using gateway = await aGateway();
    const { authorization } = await anHttpDevice(gateway, id);
    expect(gateway.devices.status().online).toBe(1);
    const answer = await ask(`${gateway.httpUrl}/api/disconnect/${id}`, { headers: { authorization } });
    expect(answer.json).toEqual({ code: 0, msg: 'ok' });
    expect(gateway.devices.status().online).toBe(0);
  });

  test('a body of connect that is no JSON is 400, an id that differs from the path 406', async () => {
    await using gateway = await aGateway();
    expect((await ask(`${gateway.httpUrl}/api/connect/${id}`, { body: 'hello' })).status).toBe(400);
    const other = JSON.stringify({ clientId: 'FACE-T1_B', userName: 'FACE-T1', password: 'x', keepAliveTime: 30 });
    expect((await ask(`${gateway.httpUrl}/api/connect/${id}`, { body: other })).status).toBe(406);
    expect((await connectHttp(gateway, id)).status).toBe(200);
  });
});

describe('activation', () => {
  test('activation gives the same key for the same mid, another for another', async () => {
    await using gateway = await aGateway();
    const device = await anHttpDevice(gateway, id);
    const keyFor = async (mid: string) => {
      await device.push({ mid, action: 1001, data: {} });
      const answer = await until('the answer', async () => {
        await gateway.clock.advance(1000);
        return ((await device.pull()).json.data as { data: { access_key: string } }[])[0];
      });
      return answer.data.access_key;
    };
    const first = await keyFor('a');
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await keyFor('a')).toBe(first);
    expect(await keyFor('b')).not.toBe(first);
  });
});

describe('answers', () => {
  test('a report is answered with its mid and action, and answered again when it comes again', async () => {
    await using gateway = await aGateway();
    const { client, heard, listen } = await aListener(gateway);
    await listen();
    const report = JSON.stringify({ mid: 'r1', from: id, to: 'system', time: 0, action: 2001, data: checkin });
    for (let sent = 0; sent < 2; sent++) await client.publishAsync('device', report, { qos: 1 });
    await until('two answers', () => heard.length === 2);
    expect(heard[0]).toMatchObject({ mid: 'r1', action: 2001, from: 'system', to: id, data: { code: 0, msg: 'ok' } });
    await gateway.store.catchUp();
    expect(await gateway.store.read.checkins({ limit: 10 })).toHaveLength(1);
    await client.endAsync();
  });

  test('an unknown action is kept and answered with nothing', async () => {
    await using gateway = await aGateway();
    const { client, heard, listen } = await aListener(gateway);
    await listen();
    await client.publishAsync(
      'device',
      JSON.stringify({ mid: 'u', from: id, to: 'system', time: 0, action: 777, data: {} }),
      { qos: 1 },
    );
    await client.publishAsync(
      'device',
      JSON.stringify({ mid: 't', from: id, to: 'system', time: 0, action: 1002, data: {} }),
      { qos: 1 },
    );
    await until('the answer to the other', () => heard.length > 0);
    expect(heard.map(one => one.mid)).toEqual(['t']);
    expect(gateway.store.journal.lastSeq).toBe(2);
    await client.endAsync();
  });

  test('with a cloud, activation is passed on, and its key learned on the way down', async () => {
    const upstream: UpstreamView = {
      standsAlone: false,
      isUp: () => true,
      whenUp: async () => true,
      tryLogin: async () => 'refused',
    };
    await using gateway = await aGateway({ upstream });
    const { client, heard, listen } = await aListener(gateway);
    await listen();
    await client.publishAsync('device', activation('act'), { qos: 1 });
    const [record] = (await gateway.store.journal.read(0 as never, { bytesMax: 1 << 20 })).records;
    expect(record?.marks.local ?? false).toBe(false);
    await gateway.devices.fromCloud(
      numberOf(gateway),
      envelope('act', { code: 0, msg: 'ok', access_key: 'from-the-cloud' }, 1001),
    );
    await until('passed down', () => heard.length === 1);
    expect(gateway.store.directory.device(deviceId(id))).toMatchObject({
      accessKey: 'from-the-cloud',
      keyConfirmedAt: null,
    });
    await client.endAsync();
  });

  test('with the line down activation is answered 503, is not asked of the cloud later, and the product key goes on working', async () => {
    const upstream: UpstreamView = {
      standsAlone: false,
      isUp: () => false,
      whenUp: async () => false,
      tryLogin: async () => 'unreachable',
    };
    await using gateway = await aGateway({ upstream });
    const { client, heard, listen } = await aListener(gateway);
    await listen();
    await client.publishAsync('device', activation('act'), { qos: 1 });
    await until('the answer', () => heard.length === 1);
    expect(heard[0]).toMatchObject({ data: { code: 503 } });
    expect((await gateway.store.read.waiting()).total).toBe(0);
    await client.endAsync();
    expect((await connectHttp(gateway, id)).status).toBe(200);
  });

  test('activation right after the login is acknowledged at once and goes to the cloud when the session is up, once for each mid', async () => {
    const { upstream, comesUp } = sessionToCome();
    await using gateway = await aGateway({ upstream });
    const { client, heard, listen } = await aListener(gateway);
    await listen();
    for (let sent = 0; sent < 2; sent++) await client.publishAsync('device', activation('act'), { qos: 1 });
    const report = JSON.stringify({ mid: 'r1', from: id, to: 'system', time: 0, action: 2001, data: checkin });
    await client.publishAsync('device', report, { qos: 1 });
    await until('the report is answered meanwhile', () => heard.length === 1);
    expect((await gateway.store.read.waiting()).total).toBe(1);
    comesUp();
    await until('it is sent on', () => gateway.store.journal.lastSeq === 4);
    expect((await gateway.store.read.waiting()).total).toBe(2);
    await gateway.clock.advance(10_000);
    const { records } = await gateway.store.journal.read(0 as never, { bytesMax: 1 << 20 });
    expect(records.map(({ marks }) => marks.local ?? false)).toEqual([true, true, false, false]);
    expect(records[3]).toMatchObject({ receivedAt: records[0]!.receivedAt });
    expect(Buffer.from(records[3]!.payload).toString()).toBe(activation('act'));
    expect(heard.map(({ mid }) => mid)).toEqual(['r1']);
    await client.endAsync();
  });

  test('activation waits 10 s for the session with the cloud and no longer, and one of a device at a time', async () => {
    const { upstream } = sessionToCome();
    await using gateway = await aGateway({ upstream });
    const { client, heard, listen } = await aListener(gateway);
    await listen();
    await client.publishAsync('device', activation('first'), { qos: 1 });
    await client.publishAsync('device', activation('second'), { qos: 1 });
    await until('the second is answered', () => heard.length === 1);
    await gateway.clock.advance(9_999);
    expect(heard).toMatchObject([{ mid: 'second', data: { code: 503 } }]);
    await gateway.clock.advance(1);
    await until('the first is answered', () => heard.length === 2);
    expect(heard[1]).toMatchObject({ mid: 'first', data: { code: 503 } });
    expect((await gateway.store.read.waiting()).total).toBe(0);
    await client.endAsync();
  });
});
