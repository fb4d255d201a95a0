import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { generate } from 'mqtt-packet';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Box } from '../../src/box/box.ts';
import { openBox } from '../../src/box/open.ts';
import { loadConfig } from '../../src/config/index.ts';
import { type Log, silentLog } from '../../src/runtime/log.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { freePortsOnly } from '../support/box-config.ts';
import { keptLog } from '../support/kept-log.ts';
import { productKey } from '../support/site.ts';
import { credentials } from '../support/terminal.ts';
import { until } from '../support/until.ts';

/**
 * The whole box under a flood from one address: who is refused, who is served, and what is shown.
 */

let folder: string;
const sockets: Socket[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-flood-'));
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const product = { product_id: 'FACE-T1', product_key: productKey, model: 'FT1', access: 'both' as const };

function aBox(env: NodeJS.ProcessEnv = {}, log: Log = silentLog): Promise<Box> {
  const { config } = loadConfig({
    env: {
      ...freePortsOnly,
      ...env,
    },
    dataDir: join(folder, 'data'),
    cwd: folder,
  });
  return openBox(config, { clock: realClock, random: realRandom, log }, async admin => {
    expect((await admin.apply({ site: { products: [product] }, prune: false, dryRun: false })).ok).toBe(true);
  });
}

const attacker = '127.0.0.2';
const portOf = (address: string | null) => Number(address!.split(':')[1]);
const way = (port: number): Socket => {
  const socket = connectTcp({ host: '127.0.0.1', port, localAddress: attacker });
  sockets.push(socket.on('error', () => {}));
  return socket;
};

async function loginOverMqtt(box: Box, deviceId: string): Promise<Socket> {
  const stream = connectTls({ socket: way(portOf(box.addresses.mqtts)), rejectUnauthorized: false });
  stream.on('error', () => {});
  const { clientId, username, password } = credentials({ deviceId, key: productKey });
  stream.write(
    generate({
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
  const [connack] = (await once(stream, 'data')) as [Buffer];
  expect(connack.toString('hex')).toBe('20020000');
  return stream.resume();
}

/** Two calls over one connection: the login, and one that shows what the login gave. */
async function loginOverHttp(box: Box, deviceId: string): Promise<Agent> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: attacker, rejectUnauthorized: false });
  const { clientId, username, password } = credentials({ deviceId, key: productKey });
  const ask = (path: string, headers: Record<string, string>, body?: string) =>
    new Promise<{ status: number; authorization: string }>((resolve, reject) => {
      const url = `https://${box.addresses.https}${path}`;
      const outgoing = request(url, { agent, method: body ? 'POST' : 'GET', headers }, answer => {
        answer
          .resume()
          .on('end', () =>
            resolve({ status: answer.statusCode!, authorization: String(answer.headers.authorization) }),
          );
      });
      outgoing.on('error', reject).end(body);
    });
  const login = JSON.stringify({ clientId, userName: username, password, keepAliveTime: 60 });
  const { authorization } = await ask(`/api/connect/${deviceId}`, {}, login);
  expect((await ask(`/api/pull/${deviceId}`, { authorization })).status).toBe(200);
  return agent;
}

test('one address holds 256 connections that have not logged in, beside its devices; one more is refused, counted and shown', async () => {
  await using box = await aBox();
  const device = await loginOverMqtt(box, 'FACE-T1_A1');
  const agent = await loginOverHttp(box, 'FACE-T1_A2');
  for (const listener of ['mqtts', 'https'] as const) {
    const unauthenticated = Array.from({ length: 257 }, () => way(portOf(box.addresses[listener])).resume());
    await Promise.all(unauthenticated.map(socket => once(socket, 'connect')));
    const refused = () => unauthenticated.filter(socket => socket.closed).length;
    // Whichever the box accepts last: it listens on several sockets.
    await until('one is refused', () => refused() > 0);
    expect(refused()).toBe(1);
  }
  expect(box.devices.counters().too_many_connections).toBe(2);
  expect([device.closed, box.devices.status().online]).toEqual([false, 2]);
  const shown = await until('both are shown', async () => {
    const { refusals } = await box.admin.status.report();
    return refusals.length === 2 ? refusals : null;
  });
  expect(shown.map(({ code, address, door }) => [code, address, door]).toSorted()).toEqual([
    ['too_many_connections', attacker, 'http'],
    ['too_many_connections', attacker, 'mqtt'],
  ]);
  agent.destroy();
});

test('tls.legacy_suites is warned of by status and by doctor', async () => {
  await using box = await aBox({ GATEHOUSE_TLS__LEGACY_SUITES: 'on' });
  expect((await box.admin.status.report()).warnings).toMatchObject([
    { reason: expect.stringContaining('tls.legacy_suites'), code: 'legacy_suites' },
  ]);
  const states: string[] = [];
  for await (const line of box.admin.doctor.run({ what: 'all' }))
    if ('check' in line) states.push(`${line.check.name} ${line.check.state}`);
  expect(states).toContain('suites warn');
});

test('an upstream without TLS is warned of by the log, by status and by doctor', async () => {
  const { log, texts } = keptLog();
  // On this machine, and not loopback: the test sends nothing out.
  const env = { GATEHOUSE_UPSTREAM__INSECURE: 'yes', GATEHOUSE_UPSTREAM__DEVICE_HTTP: 'http://0.0.0.0:9' };
  await using box = await aBox(env, log);
  const warning = expect.stringMatching(/^not encrypted: upstream\.device_http .*\(upstream\.insecure\)/);
  expect((await box.admin.status.report()).warnings).toMatchObject([{ reason: warning }]);
  expect(texts.warn).toContainEqual(warning);
  const checks = [];
  for await (const line of box.admin.doctor.run({ what: 'network' })) if ('check' in line) checks.push(line.check);
  expect(checks).toContainEqual(
    expect.objectContaining({ name: 'tls', of: 'http://0.0.0.0:9', state: 'warn', code: 'tls_off' }),
  );
});

test('an upstream without TLS on loopback is not warned of', async () => {
  await using box = await aBox({ GATEHOUSE_UPSTREAM__DEVICE_HTTP: 'http://127.0.0.1:9' });
  expect((await box.admin.status.report()).warnings).toEqual([]);
});

test('where it is off nothing is warned of', async () => {
  await using box = await aBox();
  expect((await box.admin.status.report()).warnings).toEqual([]);
});
