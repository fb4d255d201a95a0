import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { adminOf } from '../support/admin-token.ts';
import { aCloud } from '../support/cloud.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const key = 'key-of-the-box';
const product = { product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1', access: 'both' };
const site = aSite({ products: [product] });

/** Fields of the page, as it sends them where nothing was changed. */
const nothing = {
  ...{ mode: 'per-device', device_mqtt: '', device_http: '', ca: '' },
  ...{ product_id: 'GATEHOUSE', device_sn: '000001', access_key: null },
};

/** Its ports stay the same when it restarts in place. */
async function aBox(...[config, env]: [config: Record<string, unknown>, env?: NodeJS.ProcessEnv]): Promise<BoxProcess> {
  const box = await BoxProcess.start(config, site, env);
  await box.stop();
  await box.start();
  return box;
}

const lines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as { check?: { name: string; state: string }; done?: boolean });

const effective = (box: BoxProcess) => box.ask('check-config', '--effective', box.configFile);

test('a cloud connection set on the page is tried, in use after the restart, and shown with its origin', async () => {
  await using above = await aCloud();
  await using box = await aBox({});
  const ask = await adminOf(box);
  expect((await ask('GET', '/settings/cloud')).json).toEqual({
    ...{ ...nothing, access_key: undefined },
    ...{ has_access_key: false, fixed: {}, waiting: 0 },
  });
  const { deviceMqtt: device_mqtt, deviceHttp: device_http } = above.cloud.urls;
  const ca = await readFile(above.caFile, 'utf8');
  const wanted = { ...nothing, mode: 'gateway', device_mqtt, device_http, ca, access_key: key };

  const tried = async (change: object) => {
    const all = lines((await ask('POST', '/settings/cloud/test', { ...wanted, ...change })).text);
    expect(all.at(-1)).toEqual({ done: true });
    return all.flatMap(({ check }) => (check ? [`${check.name} ${check.state}`] : []));
  };
  expect(await tried({ access_key: 'another' })).toContain('login failed');
  expect(await tried({ ca: '' })).toContain('tls failed');
  expect(await tried({})).toContain('login ok');
  // A test keeps nothing.
  expect((await ask('GET', '/settings/cloud')).json).toMatchObject({ device_mqtt: '', has_access_key: false });

  expect((await ask('PUT', '/settings/cloud', wanted)).json).toEqual({ restarts: true });
  await until('it has restarted', () => box.stderr.match(/^ready /gm)?.length === 2);
  expect(box.alive).toBe(true);
  const identity = { deviceId: 'FACE-T1_A0001', key: product.product_key };
  const trusted = await box.ask('trust', 'export', '--edition', 'slim');
  const terminal = new MqttTerminal(identity, `mqtts://${box.addresses.mqtts}`, { ca: trusted });
  await terminal.say('device');
  await until('a record is at the cloud', () => above.cloud.stats().received > 0);
  await terminal.end();
  const report = await ask('GET', '/settings/cloud');
  expect(report.json).toMatchObject({ mode: 'gateway', device_mqtt, has_access_key: true, fixed: {} });
  expect((await ask('PUT', '/settings/cloud', { ...wanted, access_key: null })).json).toEqual({ restarts: false });

  const shown = await effective(box);
  expect(shown).toMatch(/^upstream\.mode: "gateway" +# page$/m);
  expect(shown).toMatch(/^box\.access_key: "\(set\)" +# page$/m);
  expect(shown).toMatch(/^box\.product_id: "GATEHOUSE" +# default$/m);
  const audit = await ask('GET', '/audit');
  expect(audit.text).toContain('mode: per-device → gateway; device_mqtt: none → mqtts://');
  const database = await readFile(`${box.dataDir}/gatehouse.db`);
  const wal = await readFile(`${box.dataDir}/gatehouse.db-wal`).catch(() => Buffer.alloc(0));
  for (const text of [report.text, shown, audit.text, box.stderr, database.toString('latin1'), wal.toString('latin1')])
    expect(text).not.toContain(key);

  await box.kill9();
  await box.start();
  expect((await ask('GET', '/status')).json).toMatchObject({
    line: { state: expect.stringMatching(/^(up|connecting)$/) },
  });
  await box.stop();
  expect(await effective(box)).toBe(shown);
});

test('what file and environment say is fixed; what a page set under it counts again without them', async () => {
  await using box = await aBox({ upstream: { device_mqtt: 'mqtts://127.0.0.1:9' } }, { GATEHOUSE_BOX__DEVICE_SN: '7' });
  const ask = await adminOf(box);
  const now = { ...nothing, device_mqtt: 'mqtts://127.0.0.1:9', device_sn: '7' };
  expect((await ask('GET', '/settings/cloud')).json).toMatchObject({
    fixed: {
      device_mqtt: expect.stringMatching(/gatehouse\.yaml:\d+:\d+$/),
      device_sn: 'GATEHOUSE_BOX__DEVICE_SN',
    },
  });
  for (const change of [{ device_mqtt: 'mqtts://127.0.0.1:10' }, { device_sn: '8' }]) {
    const refused = { status: 409, json: { title: 'fixed' } };
    expect(await ask('PUT', '/settings/cloud', { ...now, ...change })).toMatchObject(refused);
    expect(await ask('POST', '/settings/cloud/test', { ...now, ...change })).toMatchObject(refused);
  }
  expect((await ask('PUT', '/settings/cloud', { ...now, mode: 'gateway' })).json).toMatchObject({
    title: 'box.access_key',
  });
  expect((await ask('PUT', '/settings/cloud', { ...now, product_id: 'PAGE' })).json).toEqual({ restarts: true });
  await until('it has restarted', () => box.stderr.match(/^ready /gm)?.length === 2);
  await box.stop();
  await box.configure({ box: { product_id: 'FILE' } });
  expect(await effective(box)).toMatch(/^box\.product_id: "FILE" +# .*gatehouse\.yaml:\d+:\d+$/m);
  await box.configure({ box: {} });
  expect(await effective(box)).toMatch(/^box\.product_id: "PAGE" +# page$/m);
});

test('a key that is kept is asked for again when it would go elsewhere', async () => {
  await using box = await aBox({});
  const ask = await adminOf(box);
  const wanted = { ...nothing, mode: 'gateway', device_mqtt: 'mqtts://127.0.0.1:9', access_key: key };
  expect((await ask('PUT', '/settings/cloud', wanted)).json).toEqual({ restarts: true });
  await until('it has restarted', () => box.stderr.match(/^ready /gm)?.length === 2);
  const kept = { ...wanted, access_key: null };
  for (const elsewhere of [
    { device_mqtt: 'mqtts://127.0.0.1:10' },
    { device_http: 'https://127.0.0.1:10' },
    { device_sn: '2' },
  ])
    for (const [method, path] of [
      ['PUT', ''],
      ['POST', '/test'],
    ] as const)
      expect(await ask(method, `/settings/cloud${path}`, { ...kept, ...elsewhere })).toMatchObject({
        status: 400,
        json: { title: 'secret_again' },
      });
  // Taken away, with the connection.
  expect((await ask('PUT', '/settings/cloud', { ...nothing, access_key: '' })).json).toEqual({ restarts: true });
  await until('it has restarted again', () => box.stderr.match(/^ready /gm)?.length === 3);
  expect((await ask('GET', '/settings/cloud')).json).toMatchObject({ has_access_key: false, device_mqtt: '' });
});

test('check-config shows what the other pages set too', async () => {
  await using box = await aBox({ alerts: { quiet_hours: '22:00-06:00' } });
  const ask = await adminOf(box);
  await ask('PUT', '/settings', { name: 'Plant 4', timezone: 'Asia/Shanghai' });
  const mail = {
    host: 'mail.example',
    from: 'box@site.example',
    to: ['it@site.example'],
    password: 'hunter2',
    user: 'u',
  };
  expect((await ask('PUT', '/alerts/settings', { settings: { mail } })).status).toBe(200);
  await ask('PUT', '/backup/settings', { settings: { directory: { path: '/srv/backups' } } });
  const hook = { name: 'payroll', url: 'https://hr.example/events', kinds: ['checkins'] };
  const made = (await ask('POST', '/webhooks', hook)).json as { secret: string };
  const shown = await effective(box);
  for (const line of [
    /^site\.name: "Plant 4" +# page$/m,
    /^site\.timezone: "Asia\/Shanghai" +# page$/m,
    /^alerts\.mail\.host: "mail\.example" +# page$/m,
    /^alerts\.mail\.password: "\(set\)" +# page$/m,
    /^alerts\.quiet_hours: "22:00-06:00" +# .*gatehouse\.yaml:\d+:\d+$/m,
    /^backups\.directory\.path: "\/srv\/backups" +# page$/m,
    /^events\.webhooks: "\(set\)" +# page$/m,
  ])
    expect(shown).toMatch(line);
  expect(shown).not.toContain('hunter2');
  expect(shown).not.toContain(made.secret);
});
