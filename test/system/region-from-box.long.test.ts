import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AttendanceCaller } from '../support/attendance.ts';
import { walkedPages } from '../support/integrator.ts';
import { Postgres, suiteWithPostgres } from '../support/postgres.ts';
import { postgresUrl } from '../support/postgres-store.ts';
import { BoxProcess, run } from '../support/program.ts';
import { aSite, deviceIds, productKey } from '../support/site.ts';
import { call, MqttTerminal, type TerminalIdentity } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { aCloudFor } from '../support/uplink.ts';
import { WatchedWay } from '../support/watched-way.ts';

const payroll = { app_key: 'ak1', app_secret: 'as1', name: 'Payroll' };
const boxKey = 'key-of-the-boxes-below';
const ownKey = 'key-of-this-device-alone';
const password = 'a-long-enough-password';
const people = Array.from({ length: 40 }, (_, index) => `p${index + 1}`);
const site = {
  products: [
    ...aSite().products,
    { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' },
  ],
  boxes: [{ box_id: 'GATEHOUSE_000002' }],
  attendance_callers: [payroll],
  users: [{ name: 'mei', password, role: 'admin' }],
  departments: [{ ext_id: '0', name: 'Plant 4' }],
  employees: people.map(person => ({
    ...{ ext_id: person, name: `Name of ${person}`, mobile: '', employee_num: `n${person}` },
    department: { ext_id: '0', title: 'Fitter' },
  })),
  devices: [{ device_id: 'FACE-T1_A0002', access_key: ownKey }],
};
const identity = { box: { product_id: 'GATEHOUSE', device_sn: '000001', access_key: 'box-key' } };
const portOf = (url: string | null) => Number(/:(\d+)\/?$/.exec(url ?? '')?.[1]);
const statusOf = async (box: BoxProcess) => JSON.parse(await box.ask('status', '--json'));
const nothingWaits = (box: BoxProcess) =>
  until('nothing waits', async () => (await statusOf(box)).outbox.waiting === 0);
const caOf = (box: BoxProcess) => readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
const baseOf = (box: BoxProcess) => `https://127.0.0.1:${box.port('https')}`;

/** What people and programs see of it, through the commands and the attendance API. */
async function seenOf(box: BoxProcess) {
  const commands = [
    ['user', 'list', '--json'],
    ['export', '--what', 'checkins', '--format', 'csv', '--raw'],
    ['export', '--what', 'logs', '--format', 'ndjson'],
    ['export', '--what', 'site', '--with-secrets'],
    ['parked', 'list', '--json'],
  ];
  const seen: Record<string, unknown> = {};
  for (const words of commands) seen[words.join(' ')] = await box.ask(...words);
  seen.pages = (await walkedPages(baseOf(box), await caOf(box), payroll, 7)).pages;
  return seen as { readonly pages: readonly string[] } & Record<string, unknown>;
}

const identities = [
  { deviceId: 'FACE-T1_A0001', key: productKey },
  { deviceId: 'FACE-T1_A0002', key: ownKey },
];
/** At a box, or at a process of the region that took its place. */
const terminalAt = async (box: BoxProcess, identity: TerminalIdentity) =>
  new MqttTerminal(identity, `mqtts://127.0.0.1:${box.port('mqtts')}`, { ca: await caOf(box) });

/** An empty database, and the command that moves the box there. */
async function aDatabaseFor(box: BoxProcess, parts: AsyncDisposableStack) {
  const postgres = parts.use(await Postgres.start());
  const urlFile = join(box.folder, 'database');
  await writeFile(urlFile, `${postgresUrl(postgres, postgres.create())}\n`, { mode: 0o600 });
  const migrate = (...more: string[]) =>
    run(['migrate', '--to', 'postgres', '--url', `file:${urlFile}`, '--config', box.configFile, ...more]);
  return { urlFile, migrate };
}

suiteWithPostgres('a box that becomes a region', () => {
  test('its devices, staff, integrators and boxes below go on, and the cloud gets the rest once and in order', async () => {
    await using parts = new AsyncDisposableStack();
    const cloud = parts.use(
      await aCloudFor({
        products: [
          { product_id: 'FACE-T1', product_key: productKey, model: 'FACE-T1' },
          { product_id: 'GATEHOUSE', product_key: 'box-key' },
        ],
      }),
    );
    const way = await WatchedWay.to(portOf(cloud.urls.deviceMqtt), () => {});
    const upstream = { mode: 'gateway', device_mqtt: `mqtt://127.0.0.1:${way.port}` };
    const box = parts.use(await BoxProcess.start({ ...identity, upstream }, site));
    const below = parts.use(
      await BoxProcess.start(
        {
          box: { product_id: 'GATEHOUSE', device_sn: '000002', access_key: boxKey },
          upstream: { mode: 'batch', device_http: baseOf(box), ca: `file:${join(box.dataDir, 'tls', 'ca.pem')}` },
        },
        aSite(),
      ),
    );
    const terminalBelow = new MqttTerminal(
      { deviceId: 'FACE-T1_B0001', key: productKey },
      `mqtts://127.0.0.1:${below.port('mqtts')}`,
      { ca: await caOf(below) },
    );
    parts.defer(() => terminalBelow.end());

    // All of this reaches the cloud; then the line is cut, and what follows waits.
    const said = new Map<string, string[]>();
    const work = async (terminals: readonly MqttTerminal[], turns: number) => {
      for (let turn = 0; turn < turns; turn++)
        for (const terminal of terminals) {
          const record = await terminal.say('device');
          said.set(terminal.deviceId, [...(said.get(terminal.deviceId) ?? []), record.text]);
          if (turn % 2 === 0) await terminal.say('log');
        }
    };
    const integrator = new AttendanceCaller(baseOf(box), Date.now, payroll.app_key, payroll.app_secret, {
      ca: await caOf(box),
    });
    expect(await integrator.run('checkin_query_init')).toMatchObject({ code: 0 });
    const atBox = await Promise.all(identities.map(identity => terminalAt(box, identity)));
    await work([...atBox, terminalBelow], 5);
    await nothingWaits(below);
    await nothingWaits(box);
    await way[Symbol.asyncDispose]();
    const before = cloud.arrivals.received;
    await work([...atBox, terminalBelow], 6);
    await nothingWaits(below);
    await until('records wait', async () => (await statusOf(box)).outbox.waiting > 20);
    expect(cloud.arrivals.received).toBe(before);
    await until('all check-ins are in the tables', async () => (await box.export('checkins')).length === 33);
    const seen = await seenOf(box);
    expect(seen.pages).toHaveLength(5);
    await Promise.all(atBox.map(terminal => terminal.end()));
    await box.stop();

    const { urlFile, migrate } = await aDatabaseFor(box, parts);
    const dry = await migrate('--dry-run');
    expect(dry).toMatchObject({ status: 0, stderr: '' });
    expect(dry.stdout).toMatch(/can be moved to the database test_1 at this machine; nothing was written\n$/);
    const moved = await migrate();
    expect(moved).toMatchObject({ status: 0, stderr: '' });
    expect(moved.stdout).toContain('counts and checksums of all tables are equal on both sides');
    expect(moved.stdout).toContain(`copy ${join(box.dataDir, 'keys', 'seal.key')} as keys/seal.key`);
    await expect(box.start()).rejects.toThrow('this store was moved to the database test_1 at this machine');

    // One process has the data directory and the addresses of the box, the other one its own.
    const region = {
      ...identity,
      store: { engine: 'postgres', url: `file:${urlFile}` },
      upstream: { mode: 'gateway', device_mqtt: cloud.urls.deviceMqtt },
    };
    await box.configure(region);
    // Accounts and keys come from the store alone.
    await writeFile(join(box.folder, 'site.yaml'), '{}\n');
    await box.start();
    const other = parts.use(await BoxProcess.make(region, {}));
    await mkdir(join(other.dataDir, 'keys'), { recursive: true });
    await copyFile(join(box.dataDir, 'keys', 'seal.key'), join(other.dataDir, 'keys', 'seal.key'));
    await other.start();
    for (const process of [box, other]) expect(await seenOf(process)).toEqual(seen);

    const atRegion = [await terminalAt(box, identities[0]!), await terminalAt(other, identities[1]!)];
    parts.defer(async () => void (await Promise.all(atRegion.map(terminal => terminal.end()))));
    for (const [index, terminal] of atRegion.entries()) terminal.goOnAfter(atBox[index]!);
    await work([...atRegion, terminalBelow], 3);
    await nothingWaits(below);
    await until('everything has arrived', () =>
      [...said].every(([deviceId, texts]) => {
        const arrived = cloud.arrivals.of(deviceId).filter(({ channel }) => channel === 'device');
        return arrived.length >= texts.length;
      }),
    );
    for (const [deviceId, texts] of said) {
      const arrived = cloud.arrivals.of(deviceId).filter(({ channel }) => channel === 'device');
      expect(
        arrived.map(({ mid }) => mid),
        deviceId,
      ).toEqual(texts.map(text => JSON.parse(text).mid));
    }
    expect(cloud.arrivals.repeats).toBe(0);

    // A caller that pages by `next_id` goes on where it was, at either process.
    const after = await Promise.all(
      [box, other].map(async process => (await walkedPages(baseOf(process), await caOf(process), payroll, 7)).pages),
    );
    expect(after[0]).toEqual(after[1]);
    expect(after[0]!.slice(0, seen.pages.length - 1)).toEqual(seen.pages.slice(0, -1));
    for (const process of [box, other]) {
      const login = await call(`${baseOf(process)}/admin/v1/session`, {
        method: 'POST',
        headers: {
          ...{ origin: baseOf(process), 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
        },
        body: JSON.stringify({ name: 'mei', password }),
        ca: await caOf(process),
      });
      expect(login.status).toBe(200);
    }
    expect(JSON.parse(await other.ask('audit', 'verify', '--json'))).toMatchObject({ holds: true });
  });

  test.each(['per-device', 'batch'] as const)(
    'sends what the box had not yet sent, each once and in order (%s)',
    async mode => {
      await using parts = new AsyncDisposableStack();
      const cloud = parts.use(await aCloudFor());
      const { deviceMqtt, deviceHttp } = cloud.urls;
      const way = await WatchedWay.to(portOf(mode === 'batch' ? deviceHttp : deviceMqtt), () => {});
      const upstreamAt = (port: number) =>
        mode === 'batch'
          ? { mode, device_http: `http://127.0.0.1:${port}` }
          : { mode, device_mqtt: `mqtt://127.0.0.1:${port}` };
      const box = parts.use(await BoxProcess.start({ ...identity, upstream: upstreamAt(way.port) }, aSite()));
      const before = await Promise.all(deviceIds(3).map(deviceId => terminalAt(box, { deviceId, key: productKey })));
      const work = async (terminals: readonly MqttTerminal[], turns: number) => {
        for (let turn = 0; turn < turns; turn++) for (const terminal of terminals) await terminal.say('device');
      };
      await work(before, 5);
      await nothingWaits(box);
      await way[Symbol.asyncDispose]();
      const arrivedBefore = cloud.arrivals.received;
      await work(before, 6);
      await Promise.all(before.map(terminal => terminal.end()));
      await box.stop();
      expect(cloud.arrivals.received).toBe(arrivedBefore);

      const { urlFile, migrate } = await aDatabaseFor(box, parts);
      expect(await migrate()).toMatchObject({ status: 0, stderr: '' });
      await box.configure({
        store: { engine: 'postgres', url: `file:${urlFile}` },
        upstream: upstreamAt(portOf(mode === 'batch' ? deviceHttp : deviceMqtt)),
      });
      await box.start();
      const after = await Promise.all(before.map(terminal => terminalAt(box, terminal.identity)));
      parts.defer(async () => void (await Promise.all(after.map(terminal => terminal.end()))));
      for (const [index, terminal] of after.entries()) terminal.goOnAfter(before[index]!);
      await work(after, 3);
      await nothingWaits(box);
      for (const [index, { deviceId, said }] of before.entries())
        expect(
          cloud.arrivals.of(deviceId).map(({ mid }) => mid),
          deviceId,
        ).toEqual([...said, ...after[index]!.said].map(({ mid }) => mid));
    },
  );
});
