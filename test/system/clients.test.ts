import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { BoxProcess } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import { credentials, MqttTerminal, punch } from '../support/terminal.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';

/** Clients that nobody here wrote, as devices of a running box: SPEC 4.1 and 4.2, line by line. */

let box: BoxProcess;
let trust: string;

beforeAll(async () => {
  box = await BoxProcess.start({}, aSite());
  trust = join(box.folder, 'trust.pem');
  await box.ask('trust', 'export', '--edition', 'slim', '--out', trust);
});
afterAll(() => box?.[Symbol.asyncDispose]());

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; `signal` ends it, and so does the end of the test. */
const shell = (file: string, args: readonly string[], signal?: AbortSignal) =>
  new Promise<Ended>(resolve => {
    const child = execFile(file, [...args], (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
    const end = () => void child.kill();
    signal?.addEventListener('abort', end);
    onTestFinished(end);
  });

const mosquittoLogin = (deviceId: string, key = productKey) => {
  const { clientId, username, password } = credentials({ deviceId, key });
  return ['-h', '127.0.0.1', '-p', String(box.port('mqtts')), '--cafile', trust, '-V', 'mqttv311', '-k', '60'].concat([
    '-i',
    clientId,
    '-u',
    username,
    '-P',
    password,
  ]);
};

const checkinsOf = async (deviceId: string) =>
  (await box.export<{ device_id: string; ext_id: string }>('checkins')).filter(row => row.device_id === deviceId);

suiteNeeding('mosquitto', 'mosquitto', 'a mosquitto bridge as a device', () => {
  test('with its notifications, as by default, it stays connected: they are dropped and shown', async () => {
    const id = 'FACE-T1_M0009';
    const { clientId, username, password } = credentials({ deviceId: id, key: productKey });
    const own = join(box.folder, 'bridge.sock');
    const lines = [
      ...[`listener 0 ${own}`, 'allow_anonymous true', 'user root'],
      ...['connection box', `address 127.0.0.1:${box.port('mqtts')}`, `bridge_cafile ${trust}`],
      ...[`remote_clientid ${clientId}`, `remote_username ${username}`, `remote_password ${password}`],
      ...['bridge_protocol_version mqttv311', 'restart_timeout 1', 'topic device out 1'],
    ];
    const config = join(box.folder, 'bridge.conf');
    await writeFile(config, `${lines.join('\n')}\n`);
    const ended = new AbortController();
    const bridge = shell('mosquitto', ['-c', config], ended.signal);
    await until('the bridge listens', () => existsSync(own));
    for (const mid of ['b1', 'b2']) {
      const sent = await shell('mosquitto_pub', ['--unix', own, '-q', '1', '-t', 'device', '-m', punch(id, mid, mid)]);
      expect(sent).toMatchObject({ status: 0 });
      await until(`the check-in of ${mid}`, async () => (await checkinsOf(id)).some(row => row.ext_id === mid));
    }
    const events = async () => {
      const shown = JSON.parse(await box.ask('status', '--device', id, '--json')) as {
        events: { kind: string; detail: string }[];
      };
      return shown.events;
    };
    const unknown = async () => (await events()).find(({ kind }) => kind === 'unknown_topic');
    await until('its notifications are shown', async () => (await unknown()) !== undefined);
    ended.abort();
    await bridge;
    const kinds = (await events()).map(({ kind }) => kind);
    expect(kinds.filter(kind => kind === 'connected')).toHaveLength(1);
    expect((await unknown())?.detail).toMatch(/^\$SYS\/broker\/connection\//);
  });
});

suiteNeeding('mosquitto_pub', 'mosquitto-clients', 'mosquitto_pub and mosquitto_sub as devices', () => {
  test('a punch published with QoS 1 is in the store when mosquitto_pub returns', async () => {
    const id = 'FACE-T1_M0001';
    const sent = await shell('mosquitto_pub', [
      ...mosquittoLogin(id),
      '-q',
      '1',
      '-t',
      'device',
      '-m',
      punch(id, 'm1', 'mei'),
    ]);
    expect(sent).toMatchObject({ status: 0 });
    await until('the check-in', async () => (await checkinsOf(id)).some(row => row.ext_id === 'mei'));
  });

  test('a log published with QoS 0 and one with QoS 1 are both found again', async () => {
    const id = 'FACE-T1_M0002';
    for (const qos of ['0', '1']) {
      const sent = await shell('mosquitto_pub', [
        ...mosquittoLogin(id),
        '-q',
        qos,
        '-t',
        'log/FT1/M0002',
        '-m',
        `boot at qos ${qos}`,
      ]);
      expect(sent).toMatchObject({ status: 0 });
    }
    await until('both logs', async () => {
      const rows = await box.export<{ sn: string; text: string }>('logs');
      return (
        rows
          .filter(row => row.sn === 'M0002')
          .map(row => row.text)
          .join() === 'boot at qos 0,boot at qos 1'
      );
    });
  });

  test('the own topic is subscribed, and the answer to a report arrives on it with the same mid and action', async () => {
    const id = 'FACE-T1_M0003';
    const sub = shell('mosquitto_sub', [...mosquittoLogin(id), '-t', `$client/${id}`, '-C', '1']);
    // The broker knows a client id once: what the device says meanwhile comes over the other door.
    const { clientId, username, password } = credentials({ deviceId: id, key: productKey });
    const base = `https://127.0.0.1:${box.port('https')}`;
    await until('mosquitto_sub is online', async () => (await box.ask('status', '--device', id)).includes('online'));
    const connected = await shell('curl', [
      '-sS',
      '--cacert',
      trust,
      '-i',
      '-X',
      'POST',
      '-H',
      'content-type: application/json',
      '-d',
      JSON.stringify({ clientId, userName: username, password, keepAliveTime: 30 }),
      `${base}/api/connect/${clientId}`,
    ]);
    const authorization = /^authorization: (.+)\r$/im.exec(connected.stdout)?.[1];
    expect(authorization).toBeTruthy();
    await shell('curl', [
      '-sS',
      '--cacert',
      trust,
      '-H',
      `authorization: ${authorization}`,
      '-H',
      'content-type: application/json',
      '-d',
      punch(id, 'ask-1'),
      `${base}/api/push/${clientId}`,
    ]);
    const answer = JSON.parse((await sub).stdout);
    expect(answer).toMatchObject({ mid: 'ask-1', action: 2001, from: 'system', data: { code: 0 } });
  });

  test('a wrong key is refused with CONNACK 4 and the box says why', async () => {
    const id = 'FACE-T1_M0004';
    const sent = await shell('mosquitto_pub', [
      ...mosquittoLogin(id, 'not-the-key'),
      '-q',
      '1',
      '-t',
      'device',
      '-m',
      '{}',
    ]);
    expect(sent.status).not.toBe(0);
    expect(sent.stderr).toMatch(/not authori[sz]ed|bad user name or password/i);
    expect(await box.ask('status', '--device', id)).toContain('a key that is not known here');
  });

  test("a device that subscribes to another device's topic is disconnected", async () => {
    const over = new AbortController();
    const ended = shell(
      'mosquitto_sub',
      [...mosquittoLogin('FACE-T1_M0005'), '-t', '$client/FACE-T1_M0001'],
      over.signal,
    );
    await until('the reason', async () =>
      (await box.ask('status', '--device', 'FACE-T1_M0005')).includes('other than its own $client/'),
    );
    over.abort();
    expect((await ended).stdout).toBe('');
  });
});

suiteNeeding('curl', 'curl', 'curl as an HTTP device', () => {
  const base = () => `https://127.0.0.1:${box.port('https')}`;
  const curl = async (path: string, ...args: string[]) => {
    const { stdout } = await shell('curl', [
      '-sS',
      '--cacert',
      trust,
      '-i',
      '-H',
      'content-type: application/json',
      ...args,
      `${base()}${path}`,
    ]);
    const [head = '', ...body] = stdout.split('\r\n\r\n');
    return { status: Number(/^HTTP\/\S+ (\d+)/.exec(head)?.[1]), head, body: body.join('\r\n\r\n') };
  };
  const connect = async (deviceId: string, key = productKey) => {
    const { clientId, username, password } = credentials({ deviceId, key });
    return curl(
      `/api/connect/${clientId}`,
      '-d',
      JSON.stringify({ clientId, userName: username, password, keepAliveTime: 30 }),
    );
  };
  const authorizationOf = (head: string) => /^authorization: (.+)$/im.exec(head)?.[1]?.trim() ?? '';

  test('connect answers 200, an empty body and an Authorization value; a wrong password 406', async () => {
    const good = await connect('FACE-T1_C0001');
    expect(good.status).toBe(200);
    expect(good.body).toBe('');
    expect(authorizationOf(good.head).length).toBeGreaterThan(20);
    expect((await connect('FACE-T1_C0001', 'wrong')).status).toBe(406);
  });

  test('push answers 200 and code 0 once it is stored, and its answer waits for the pull', async () => {
    const id = 'FACE-T1_C0002';
    const value = authorizationOf((await connect(id)).head);
    const pushed = await curl(`/api/push/${id}`, '-H', `authorization: ${value}`, '-d', punch(id, 'c1', 'curl-person'));
    expect(pushed.status).toBe(200);
    expect(JSON.parse(pushed.body)).toMatchObject({ code: 0 });
    await until('the check-in', async () => (await checkinsOf(id)).some(row => row.ext_id === 'curl-person'));
    const pulled = JSON.parse((await curl(`/api/pull/${id}?batchSize=10`, '-H', `authorization: ${value}`)).body);
    expect(pulled).toMatchObject({
      code: 0,
      size: 1,
      data: [{ mid: 'c1', action: 2001, from: 'system', data: { code: 0 } }],
    });
    // Until the box has seen the end of the first connection, it offers the message again.
    await until('nothing is left', async () => {
      const next = JSON.parse((await curl(`/api/pull/${id}`, '-H', `authorization: ${value}`)).body);
      expect(next).toMatchObject({ code: 0, size: 0, data: [] });
      return true;
    });
  });

  test('a log is stored, and disconnect ends the Authorization value', async () => {
    const id = 'FACE-T1_C0003';
    const value = authorizationOf((await connect(id)).head);
    const logged = await curl('/api/v2.0/log/FT1/C0003', '-H', `authorization: ${value}`, '-d', '{"door":"stuck"}');
    expect(JSON.parse(logged.body)).toMatchObject({ code: 0 });
    await until('the log', async () =>
      (await box.export<{ sn: string; text: string }>('logs')).some(
        row => row.sn === 'C0003' && row.text === '{"door":"stuck"}',
      ),
    );
    expect(
      (await curl(`/api/disconnect/${id}`, '-H', `authorization: ${value}`, '-H', 'connection: close')).status,
    ).toBe(200);
    expect((await curl(`/api/pull/${id}`, '-H', `authorization: ${value}`)).status).toBe(406);
  });

  test('a value is good for its own client id alone', async () => {
    const value = authorizationOf((await connect('FACE-T1_C0004')).head);
    expect((await curl('/api/pull/FACE-T1_C0005', '-H', `authorization: ${value}`)).status).toBe(406);
  });
});

describe('mqtt.js as a device', () => {
  const terminal = async (deviceId: string, key = productKey) =>
    new MqttTerminal({ deviceId, key }, `mqtts://127.0.0.1:${box.port('mqtts')}`, { ca: await readFile(trust) });

  test('activation hands a device key over, and after the first login with it the product key is refused', async () => {
    const id = 'FACE-T1_J0001';
    const fresh = await terminal(id);
    await until('subscribed', () => fresh.client.connected);
    await fresh.client.publishAsync(
      'device',
      JSON.stringify({ mid: 'act', from: id, to: 'system', time: 0, action: 1001, data: {} }),
      { qos: 1 },
    );
    const answer = await until('the key', () =>
      fresh.received.map(one => JSON.parse(one.text)).find(one => one.mid === 'act'),
    );
    expect(answer).toMatchObject({ action: 1001, from: 'system', to: id, data: { code: 0 } });
    const key: string = answer.data.access_key;
    await fresh.end();

    const activated = await terminal(id, key);
    await until('logged in with the device key', () => activated.client.connected);
    await activated.end();

    const old = await terminal(id);
    await until('the old key refused', async () =>
      (await box.ask('status', '--device', id)).includes('signed with the product key, but this device is activated'),
    );
    expect(old.client.connected).toBe(false);
    await old.end();
  });

  test('a second connection with the same id takes the place of the first', async () => {
    const id = 'FACE-T1_J0002';
    const first = await terminal(id);
    await until('first', () => first.client.connected);
    first.client.options.reconnectPeriod = 0;
    const second = await terminal(id);
    await until('taken over', () => second.client.connected && !first.client.connected);
    await Promise.all([first.end(), second.end()]);
  });

  test('ids are compared without case and answered as they were sent', async () => {
    const id = 'face-t1_j0003';
    const lower = await terminal(id);
    lower.client.on('error', () => {});
    await until('connected', () => lower.client.connected);
    await lower.client.publishAsync('device', punch(id, 'lower'), { qos: 1 });
    await until('answered on the topic as subscribed', () => lower.received.some(one => one.topic === `$client/${id}`));
    await until('stored in upper case', async () => (await checkinsOf('FACE-T1_J0003')).length === 1);
    await lower.end();
  });
});

test('time_sync answers with the time of the box in seconds', async () => {
  const id = 'FACE-T1_J0009';
  const terminal = new MqttTerminal({ deviceId: id, key: productKey }, `mqtts://127.0.0.1:${box.port('mqtts')}`, {
    ca: await readFile(trust),
  });
  await until('connected', () => terminal.client.connected);
  const before = Math.floor(Date.now() / 1000);
  await terminal.client.publishAsync(
    'device',
    JSON.stringify({ mid: 't', from: id, to: 'system', time: 0, action: 1002, data: {} }),
    { qos: 1 },
  );
  const answer = await until('the time', () =>
    terminal.received.map(one => JSON.parse(one.text)).find(one => one.mid === 't'),
  );
  expect(answer.data.time).toBeGreaterThanOrEqual(before);
  expect(answer.data.time).toBeLessThanOrEqual(Date.now() / 1000);
  await terminal.end();
});
