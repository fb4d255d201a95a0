import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { examineRegion, type RegionExamination } from '../../../src/operations/region/checks.ts';
import { databaseCertificates, makeRegionAuthorities } from '../../../src/operations/region/make.ts';
import { machineNames, type RegionMachine } from '../../../src/operations/region/region.ts';
import { realClock } from '../../../src/runtime/real-world.ts';

/** A region on the loopback: what its etcd, Patroni, HAProxy and database say is up to each test. */
interface Fake {
  /** Of each machine: its members of etcd. */
  readonly members: Record<string, readonly string[]>;
  readonly cluster: Record<string, string>;
  readonly roles: Record<string, string>;
  readonly clockOffMs: Record<string, number>;
  standby: string;
  settings: Record<string, string>;
  role: Record<string, unknown>;
  proxy: string;
  isRefused: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-region-doctor-'));
const servers: { close(): unknown }[] = [];
let machines: RegionMachine[];
let fake: Fake;

const settings = {
  ...{ fsync: 'on', full_page_writes: 'on', ssl: 'on', synchronous_standby_names: '*' },
  ...{ data_checksums: 'on' },
};
const up = (part: string, server: string, status = 'UP') => `${part},${server},${status},`;
const proxy = (status = 'UP') =>
  [
    '# pxname,svname,status,last_chk',
    ...['people', 'devices'].flatMap(part => machineNames.map(name => up(part, name, name === 'two' ? status : 'UP'))),
    ...[up('people', 'BACKEND'), up('database', 'one'), up('database', 'two', 'DOWN'), up('database', 'three', 'DOWN')],
  ].join('\n');

beforeEach(() => {
  const each = <T>(value: T) => Object.fromEntries(machineNames.map(name => [name, value]));
  fake = {
    ...{ members: each([...machineNames]), cluster: each('7'), clockOffMs: each(0) },
    roles: { one: 'master', two: 'replica', three: 'replica' },
    ...{ standby: 'sync_standby', settings, proxy: proxy(), isRefused: true },
    role: { writer: 'gatehouse', owner: 'gatehouse_owner', attributes: null, makes: false, lacking: null },
  };
});

const peerPort = (name: string) => 10_000 + machineNames.indexOf(name as 'one');
const answersOf =
  (name: string): RequestListener =>
  ({ url = '', method }, answer) => {
    answer.sendDate = false;
    answer.setHeader('Date', new Date(Date.now() + fake.clockOffMs[name]!).toUTCString());
    const members = fake.members[name]!.map(one => ({
      name: one,
      ID: one,
      peerURLs: [`https://127.0.0.1:${peerPort(one)}`],
    }));
    const says: Record<string, unknown> = {
      '/v3/cluster/member/list': { header: { cluster_id: fake.cluster[name] }, members },
      '/v3/maintenance/status': { leader: members[0]!.ID },
      '/patroni': { role: fake.roles[name] },
      '/cluster': {
        members: machineNames.map(one => ({
          ...{ name: one, state: 'running', role: one === 'two' ? fake.standby : 'replica' },
        })),
      },
    };
    if (url === '/config') answer.statusCode = method === 'PATCH' ? 401 : 200;
    answer.end(JSON.stringify(says[url] ?? {}));
  };

beforeAll(async () => {
  const authorities = await makeRegionAuthorities(Date.now());
  const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  machines = [];
  for (const name of machineNames) {
    const ports = { etcd: 0, patroni: 0, etcdPeers: peerPort(name), database: 0, primary: 0 };
    const folders = { config: folder, etcd: '', database: '', socket: '', programs: '' };
    const machine = { name, address: '127.0.0.1', user: 'postgres', folders, ports };
    const made = await databaseCertificates(machine, authorities, Date.now());
    for (const [file, text] of made) writeFileSync(join(folder, file), text);
    const tls = (cert: string, ca: string) => ({
      ...{ cert: made.get(`${cert}.pem`)!, key: made.get(`${cert}.key`)!, ca: made.get(ca)! },
      ...{ requestCert: true, rejectUnauthorized: true },
    });
    ports.etcd = await listening(createServer(tls('etcd', 'etcd-ca.pem'), answersOf(name)));
    ports.patroni = await listening(createServer(tls('database', 'ca.pem'), answersOf(name)));
    machines.push(machine);
  }
  const stats = createSocketServer(socket => socket.once('data', () => socket.end(fake.proxy)));
  servers.push(stats);
  const before = process.umask(0o077);
  stats.listen(join(folder, 'proxy.sock'));
  await once(stats, 'listening');
  process.umask(before);
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  machines = machines.map(machine => ({ ...machine, address: '127.0.0.1' }));
});

/** State and name of each finding, with its sentence where it is not well. */
async function findings(): Promise<string[]> {
  const options: RegionExamination = {
    ...{ machines, folder, socket: join(folder, 'proxy.sock'), clock: realClock, timeZone: 'UTC' },
    ask: async statement => {
      if (statement.includes('pg_database'))
        return [{ version: '15.18', number: 150_018, collation: 'C', encoding: 'UTF8' }];
      if (statement.includes('pg_settings'))
        return Object.entries(fake.settings).map(([name, setting]) => ({ name, setting }));
      return [fake.role];
    },
    isRefused: async () => fake.isRefused,
  };
  const found: string[] = [];
  for await (const { name, state, message, remedy } of examineRegion(options)) {
    if (state !== 'ok') expect(remedy).not.toBe('');
    found.push(state === 'ok' ? `ok ${name}` : `${state} ${name}: ${message}`);
  }
  return found;
}
const wrong = async () => (await findings()).filter(one => !one.startsWith('ok '));

test('a region as it should be: members and leaders are counted before anything else', async () => {
  expect(await findings()).toEqual([
    ...['etcd', 'primary', 'standby', 'database', 'settings', 'roles', 'clock', 'haproxy'].map(name => `ok ${name}`),
    ...['ok strangers', 'ok strangers', 'ok strangers', 'ok certificate'],
  ]);
});

test('a cluster of one member, and two leaders', async () => {
  Object.assign(fake.members, { two: ['two'] });
  Object.assign(fake.roles, { two: 'master' });
  const found = await wrong();
  expect(found[0]).toMatch(/^failed etcd: two: a cluster of one member/);
  expect(found[1]).toBe('failed primary: two leaders: one, two both take writes');
});

test('two clusters of etcd, and a member that belongs to none of the machines', async () => {
  Object.assign(fake.cluster, { three: '8' });
  expect(await wrong()).toEqual(['failed etcd: the machines are in different clusters: one, two | three']);
  Object.assign(fake.cluster, { three: '7' });
  for (const name of machineNames) fake.members[name] = ['one', 'two'];
  expect((await wrong())[0]).toMatch(/^failed etcd: the members are not those of this region/);
});

test('no synchronous standby, and a standby that is away', async () => {
  fake.standby = 'replica';
  expect(await wrong()).toEqual(['failed standby: no synchronous standby: commits wait for one']);
});

test('a setting that loses what is acknowledged', async () => {
  fake.settings = { ...settings, fsync: 'off', synchronous_standby_names: '' };
  expect(await wrong()).toEqual([
    'failed settings: fsync is "off", not on',
    'failed settings: synchronous_standby_names is "", not a standby',
  ]);
});

test('a role that may too much or too little', async () => {
  Object.assign(fake.role, { attributes: 'SUPERUSER', makes: true, lacking: 'segment' });
  expect(await wrong()).toEqual([
    'failed roles: gatehouse may more than it needs: SUPERUSER, CREATE TABLE',
    'failed roles: gatehouse may not write to segment',
  ]);
});

test('a clock that is off', async () => {
  Object.assign(fake.clockOffMs, { three: -60_000 });
  expect((await wrong())[0]).toMatch(/^failed clock: three is (59|60) s off/);
});

test('a process that HAProxy does not reach', async () => {
  fake.proxy = proxy('DOWN');
  expect(await wrong()).toEqual([
    'failed haproxy: people: does not reach two (DOWN)',
    'failed haproxy: devices: does not reach two (DOWN)',
  ]);
});

test('a database, and an etcd, that let strangers in', async () => {
  fake.isRefused = false;
  const open = createPlainServer(answersOf('one'));
  open.listen(0, '127.0.0.1');
  await once(open, 'listening');
  const { port } = open.address() as AddressInfo;
  const [one, ...others] = machines as [RegionMachine, ...RegionMachine[]];
  machines = [{ ...one, ports: { ...one.ports, etcd: port } }, ...others];
  try {
    const found = await wrong();
    expect(found).toContain('failed strangers: one: etcd without TLS lets in who shows no certificate or password');
    expect(found.filter(text => text.includes('PostgreSQL lets in'))).toHaveLength(3);
  } finally {
    open.close();
    machines = [one, ...others];
  }
});
