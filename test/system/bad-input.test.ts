import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect as connectPlain, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import mqttPacket from 'mqtt-packet';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BoxProcess } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import { call, credentials, HttpTerminal, MqttTerminal, punch } from '../support/terminal.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';

/** What hostile and broken devices do to a running box: nothing, and it says what happened. */

let box: BoxProcess;
let ca: string;
let witness: MqttTerminal;

beforeAll(async () => {
  box = await BoxProcess.start({}, aSite());
  ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
  witness = aTerminal('FACE-T1_WITNESS');
  await until('the witness is connected', () => witness.client.connected);
});
afterAll(async () => {
  await witness?.end();
  await box?.[Symbol.asyncDispose]();
});

/**
 * Whatever was done to the box: it lives, and a device that was there all the time is served as
 * before.
 */
afterEach(async () => {
  expect(box.alive).toBe(true);
  expect(witness.client.connected).toBe(true);
  const { mid } = await witness.say('device');
  await until('the witness is answered', () => witness.received.some(one => JSON.parse(one.text).mid === mid));
});

const aTerminal = (deviceId: string) =>
  new MqttTerminal({ deviceId, key: productKey }, `mqtts://127.0.0.1:${box.port('mqtts')}`, { ca });
const eventsOf = async (deviceId: string) => box.ask('status', '--device', deviceId);
const secure = (listener: string): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port: box.port(listener), ca }, () => resolve(socket));
    socket.on('error', reject);
  });
const closed = (socket: Socket) =>
  new Promise<void>(resolve => {
    if (socket.closed) resolve();
    else socket.on('error', () => {}).once('close', () => resolve());
  });

/** A connection that is logged in, at the level of bytes. */
async function loggedIn(deviceId: string): Promise<TLSSocket> {
  const socket = await secure('mqtts');
  socket.on('error', () => {});
  const { clientId, username, password } = credentials({ deviceId, key: productKey });
  socket.write(
    mqttPacket.generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      keepalive: 60,
      clientId,
      username,
      password: Buffer.from(password),
    }),
  );
  const [connack] = (await once(socket, 'data')) as [Buffer];
  expect([...connack]).toEqual([0x20, 2, 0, 0]);
  return socket;
}

describe('bytes that are no protocol', () => {
  test('garbage instead of a TLS handshake ends that connection, at both gateways', async () => {
    for (const listener of ['mqtts', 'https']) {
      const socket = connectPlain(box.port(listener), '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(randomBytes(4096));
      socket.resume();
      await closed(socket);
    }
  });

  test('garbage after the handshake ends that connection', async () => {
    for (let round = 0; round < 20; round++) {
      const socket = await secure('mqtts');
      socket.on('error', () => {});
      socket.resume();
      socket.end(randomBytes(1 + round * 37));
      await closed(socket);
    }
  });

  test('half a packet is waited for, and its other half taken', async () => {
    const id = 'FACE-T1_HALF';
    const socket = await loggedIn(id);
    const packet = mqttPacket.generate({
      cmd: 'publish',
      topic: 'device',
      qos: 1,
      messageId: 7,
      dup: false,
      retain: false,
      payload: punch(id, 'half', 'in two halves'),
    });
    socket.write(packet.subarray(0, 30));
    await until('a turn of the event loop of the box', () => box.ask('status'));
    socket.write(packet.subarray(30));
    const [puback] = (await once(socket, 'data')) as [Buffer];
    expect([...puback.subarray(0, 4)]).toEqual([0x40, 2, 0, 7]);
    socket.destroy();
  });

  test('a login that never comes is given up', async () => {
    const silent = await secure('mqtts');
    const handshake = connectPlain(box.port('mqtts'), '127.0.0.1');
    for (const socket of [silent, handshake]) socket.on('error', () => {}).resume();
    await Promise.all([closed(silent), closed(handshake)]);
  });
});

describe('messages that are no messages', () => {
  test('wrong JSON over MQTT is acknowledged, kept as it came, and shown', async () => {
    const terminal = aTerminal('FACE-T1_WRONG');
    await terminal.client.publishAsync('device', '{"mid": "1", "action": 2001, ', { qos: 1 });
    await until('it is shown', async () => (await eventsOf('FACE-T1_WRONG')).includes('not JSON'));
    await terminal.end();
  });

  test('wrong JSON over HTTP is 400, and data that does not fit is code 400 naming the field', async () => {
    const terminal = new HttpTerminal(
      { deviceId: 'FACE-T1_WRONG2', key: productKey },
      `https://127.0.0.1:${box.port('https')}`,
      ca,
    );
    await terminal.connect();
    expect((await terminal.ask('/api/push/FACE-T1_WRONG2', { method: 'POST', body: '{]' })).status).toBe(400);
    const misfit = JSON.stringify({
      mid: '2',
      from: 'FACE-T1_WRONG2',
      to: 'system',
      time: 0,
      action: 2001,
      data: { records: [{ ext_id: 'e1', check_type: 'fa', check_time: 'noon' }] },
    });
    const answer = await terminal.ask('/api/push/FACE-T1_WRONG2', { method: 'POST', body: misfit });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 400, msg: expect.stringContaining('records[0].check_time') });
    terminal.end();
  });

  test('JSON nested a hundred thousand levels deep is kept and hurts nobody', async () => {
    const terminal = aTerminal('FACE-T1_DEEP');
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    await terminal.client.publishAsync('device', `{"mid":"deep","time":0,"action":9999,"data":{"a":${deep}}}`, {
      qos: 1,
    });
    await terminal.client.publishAsync('device', deep, { qos: 1 });
    await terminal.end();
  });

  test('an envelope in the name of another device is refused with code 403 and stored nowhere', async () => {
    const terminal = aTerminal('FACE-T1_LIAR');
    await until('connected', () => terminal.client.connected);
    await terminal.client.publishAsync('device', punch('FACE-T1_WITNESS', 'lie', 'forged'), { qos: 1 });
    const answer = await until('the answer', () =>
      terminal.received.map(one => JSON.parse(one.text)).find(one => one.mid === 'lie'),
    );
    expect(answer.data.code).toBe(403);
    expect((await box.export<{ ext_id: string }>('checkins')).some(row => row.ext_id === 'forged')).toBe(false);
    await terminal.end();
  });

  test('a packet of 10 MB ends the connection before it fills the memory, and the device page says why', async () => {
    const id = 'FACE-T1_BIG';
    const socket = await loggedIn(id);
    const big = mqttPacket.generate({
      cmd: 'publish',
      topic: 'device',
      qos: 1,
      messageId: 8,
      dup: false,
      retain: false,
      payload: Buffer.alloc(10 << 20, 'x'),
    });
    socket.write(big);
    socket.resume();
    await closed(socket);
    await until('the reason', async () => (await eventsOf(id)).includes('at most 1048576 are taken'));
  });

  test('10 MB by HTTP is 413', async () => {
    const terminal = new HttpTerminal(
      { deviceId: 'FACE-T1_BIG2', key: productKey },
      `https://127.0.0.1:${box.port('https')}`,
      ca,
    );
    await terminal.connect();
    const answer = await terminal
      .ask('/api/push/FACE-T1_BIG2', { method: 'POST', body: 'x'.repeat(10 << 20) })
      .catch(error => error);
    expect(answer.status ?? 413).toBe(413);
    terminal.end();
  });

  test('a log of 10 kB with a NUL in it is cut, mended and marked', async () => {
    const terminal = aTerminal('FACE-T1_LONG');
    await terminal.client.publishAsync('log/FT1/LONG', Buffer.concat([Buffer.from([0]), Buffer.alloc(10_000, '门')]), {
      qos: 1,
    });
    const row = await until('the log', async () =>
      (await box.export<Record<string, unknown>>('logs')).find(one => one.sn === 'LONG'),
    );
    expect(row).toMatchObject({ truncated: true, repaired: true });
    expect(Buffer.byteLength(row.text as string)).toBeLessThanOrEqual(4096);
    expect(row.text).not.toContain('\0');
    await terminal.end();
  });

  test("another device's log topic and any strange topic are dropped and shown, and the session goes on", async () => {
    const terminal = aTerminal('FACE-T1_TOPIC');
    await until('connected', () => terminal.client.connected);
    for (const topic of ['weather/today', 'log/FT1/WITNESS']) {
      await terminal.client.publishAsync(topic, 'I am somebody else', { qos: 1 });
      await until('it is shown', async () => (await eventsOf('FACE-T1_TOPIC')).includes(topic));
    }
    expect(terminal.client.connected).toBe(true);
    await terminal.end();
  });

  test('a PUBLISH to the topic of another device ends the connection, with an event', async () => {
    const terminal = aTerminal('FACE-T1_THIEF');
    await until('connected', () => terminal.client.connected);
    terminal.client.options.reconnectPeriod = 0;
    terminal.client.publish('$client/FACE-T1_WITNESS', 'I am the cloud', { qos: 1 });
    await until('disconnected', () => !terminal.client.connected);
    await until('the reason', async () => (await eventsOf('FACE-T1_THIEF')).includes('$client/FACE-T1_WITNESS'));
    await terminal.end();
  });
});

describe('a wrong clock', () => {
  test('a check-in in milliseconds is stored in seconds, and one from the far future as it was said, with the time of receipt', async () => {
    const terminal = aTerminal('FACE-T1_CLOCK');
    const before = Date.now();
    await terminal.client.publishAsync('device', punch('FACE-T1_CLOCK', 'ms', 'in ms', 1_763_600_000_123), { qos: 1 });
    await terminal.client.publishAsync('device', punch('FACE-T1_CLOCK', 'far', 'far', 4_000_000_000), { qos: 1 });
    const rows = await until('both', async () => {
      const all = await box.export<{ device_id: string; check_time: number; received_at: number }>('checkins');
      const own = all.filter(row => row.device_id === 'FACE-T1_CLOCK');
      return own.length === 2 ? own : null;
    });
    expect(rows.map(row => row.check_time)).toEqual([1_763_600_000, 4_000_000_000]);
    for (const { received_at } of rows) expect(received_at >= before && received_at <= Date.now()).toBe(true);
    await terminal.end();
  });

  suiteNeeding('openssl', 'openssl', 'seen by openssl', () => {
    test('a device whose clock stands in 2001 accepts the certificate of the box', () => {
      const leaf = join(box.dataDir, 'tls', 'leaf.pem');
      const said = execFileSync('openssl', [
        'verify',
        '-attime',
        String(Date.UTC(2001, 0, 1) / 1000),
        '-CAfile',
        join(box.dataDir, 'tls', 'ca.pem'),
        leaf,
      ]);
      expect(said.toString()).toContain('OK');
    });
  });
});

test('many wrong logins do not lock the real device out', async () => {
  const id = 'FACE-T1_LOCKED';
  const wrong = { ...credentials({ deviceId: id, key: 'guess' }), keepAliveTime: 30 };
  const answers = await Promise.all(
    Array.from({ length: 60 }, () =>
      call(`https://127.0.0.1:${box.port('https')}/api/connect/${id}`, {
        method: 'POST',
        ca,
        body: JSON.stringify({ ...wrong, userName: wrong.username }),
      }),
    ),
  );
  // The first are looked at, one after the other and slower each time; who finds no place to wait
  // hears 429.
  expect(new Set(answers.map(one => one.status))).toEqual(new Set([406, 429]));
  const real = aTerminal(id);
  await until('the real one is in', () => real.client.connected);
  await real.end();
});
