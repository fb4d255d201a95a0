import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { realClock } from '../../src/runtime/real-world.ts';
import { trustOf } from '../../src/upstream/index.ts';
import { comparePlatforms } from '../../tools/parity/run.ts';
import { Side } from '../../tools/parity/side.ts';
import { startSimCloud } from '../../tools/sim/index.ts';
import { AttendanceCaller } from '../support/attendance.ts';
import { seededRandom } from '../support/clock.ts';
import { BoxProcess, run } from '../support/program.ts';
import { productKey } from '../support/site.ts';
import { until } from '../support/until.ts';

const product = { product_id: 'FACE-T1', product_key: productKey, model: 'FT1' };
const callers = {
  attendance_callers: [{ app_key: 'ak1', app_secret: 'secret-of-payroll' }],
  apps: [{ app_id: 'hr-portal', app_key: 'key-of-the-portal' }],
  oauth_clients: [{ client_id: 'c1', client_secret: 'secret-of-c1', redirect_uris: ['https://canteen.local/cb'] }],
  devices: [{ device_id: 'FACE-T1_A0001', name: 'North gate' }],
  app_upgrades: [{ app_code: 'panel', version: '1.2.0', url: 'https://127.0.0.1:1/panel.apk' }],
};
const organization = {
  departments: [
    { ext_id: '0', name: 'Plant 4' },
    { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
  ],
  employees: ['e1', 'e2'].map(ext_id => ({
    ext_id,
    name: `Name of ${ext_id}`,
    mobile: '13800000000',
    employee_num: ext_id,
    department: { ext_id: 'd1' },
  })),
};

/** A box that follows a simulated cloud, and the site file of an integrator whom both know. */
async function aPair() {
  await using parts = new AsyncDisposableStack();
  const cloud = parts.use(
    await startSimCloud({
      clock: realClock,
      random: seededRandom(3),
      products: [product],
      attendance: { ...callers, ...organization, callsPerSecond: 1000 },
      services: callers,
      oauth: callers,
    }),
  );
  const url = cloud.urls.deviceHttp!;
  const [{ app_key, app_secret }] = callers.attendance_callers as [{ app_key: string; app_secret: string }];
  const [app] = callers.apps;
  const payroll = new AttendanceCaller(url, Date.now, app_key, app_secret);
  await payroll.run('checkin_query_init');
  const box = parts.use(
    await BoxProcess.start(
      { upstream: { attendance: { url, app_key, app_secret }, psp: { url, ...app } } },
      { products: [product], ...callers },
    ),
  );
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-parity-'));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const site = join(folder, 'callers.yaml');
  await writeFile(site, stringify({ products: [product], ...callers }));
  await until('the box follows the cloud', async () => {
    const { mirror } = JSON.parse(await box.ask('attendance', 'status', '--json'));
    return mirror.state === 'up';
  });
  const address = `https://${box.addresses.https}`;
  const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
  await new AttendanceCaller(address, Date.now, app_key, app_secret, { ca }).run('checkin_query_init');
  const parity = (...more: string[]) =>
    run([
      'parity',
      '--box',
      address,
      '--against',
      url,
      '--site',
      site,
      '--ca',
      join(box.dataDir, 'tls', 'ca.pem'),
      '--json',
      ...more,
    ]);
  const owned = parts.move();
  return { cloud, box, payroll, parity, address, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const reportOf = (stdout: string) =>
  JSON.parse(stdout) as {
    differences: { api: string; call: string; field: string; box: unknown; cloud: unknown }[];
    unasked: { api: string; side: string }[];
    compared: Record<string, number>;
    expected: { api: string; field: string; why: string }[];
  };

test('a box that follows its cloud shows no difference; one planted in each API is found', async () => {
  await using pair = await aPair();
  const same = await pair.parity();
  expect(reportOf(same.stdout)).toMatchObject({ differences: [], unasked: [] });
  expect(same.status).toBe(0);
  const { compared, expected } = reportOf(same.stdout);
  expect(expected.find(one => one.api === 'check-ins' && one.field.includes('id'))?.why).toContain(
    'A program that moves from one to the other begins with next_id 0',
  );
  expect(Object.keys(compared).sort()).toEqual(
    ['attendance', 'devices', 'files', 'holidays', 'messages', 'oauth', 'speech', 'upgrades', 'weather'].sort(),
  );

  for (const api of Object.keys(compared) as Parameters<typeof pair.cloud.apiFaults.set>[0][])
    pair.cloud.apiFaults.set(api, api === 'devices' ? 'error' : 'differ');
  const other = await pair.parity();
  expect(other.status).toBe(1);
  const { differences } = reportOf(other.stdout);
  expect([...new Set(differences.map(one => one.api))].sort()).toEqual(Object.keys(compared).sort());
  expect(differences.find(one => one.api === 'speech')).toMatchObject({
    call: 'GET /api/1.0.0/tts?text=ok',
    field: 'body.data.origin_str',
    box: 'ok',
    cloud: 'ok~',
  });
  expect(other.stdout).not.toContain('secret-of');
});

test('punches of phones and passages are the same on both sides; one more in each list of the cloud is found', async () => {
  await using pair = await aPair();
  const { attendance } = pair.cloud;
  attendance.addPhoneCheckIns({ count: 1200 });
  attendance.addAccessRecord({ ext_id: 'e1', door_id: 'D1', capture_img: 'QUJD' });
  await pair.box.ask('attendance', 'sync');
  const same = reportOf((await pair.parity()).stdout);
  expect(same).toMatchObject({ differences: [], unasked: [] });
  expect(same.compared.attendance).toBeGreaterThan(1200);

  attendance.addCheckIn({ ext_id: 'e1', check_type: 'gps' });
  attendance.addAccessRecord({ door_id: 'D2' });
  const department = { department_ext_id: 'd9', name: 'Paint' };
  const person = { employee_ext_id: 'e9', name: 'Nine', mobile: '1', employee_num: '9' };
  const card = { feature_type: 'fa', feature_alg: 'base64', feature_value: ['QUJD'] };
  expect(await pair.payroll.call('/v2.0/department', department)).toMatchObject({ code: 0 });
  expect(await pair.payroll.call('/v2.0/employee', { ...person, department_infos: [{ ext_id: 'd9' }] })).toMatchObject({
    code: 0,
  });
  expect(await pair.payroll.run('feature_update', { users: [{ ext_id: 'e1', ...card }] })).toMatchObject({ code: 0 });
  const connect = { clientId: 'FACE-T1_Z9', userName: 'FACE-T1', keepAliveTime: 30 };
  const password = createHash('md5').update(`FACE-T1_Z9-FACE-T1-${productKey}`).digest('hex');
  const connected = await fetch(`${pair.cloud.urls.deviceHttp}/api/connect/FACE-T1_Z9`, {
    method: 'POST',
    body: JSON.stringify({ ...connect, password }),
  });
  expect(connected.status).toBe(200);
  const { differences } = reportOf((await pair.parity()).stdout);
  const named = [
    '/v2.0/org/device/query',
    '/v2.0/department/query',
    '/v2.0/employee/query',
    'checkin_query',
    'checkin_acs_query',
    'checkin_feature_query',
  ];
  expect(named.filter(name => !differences.some(one => one.call.includes(name)))).toEqual([]);
});

test('with --writes calls that write are compared, and nothing of it is left; a planted difference is found', async () => {
  await using pair = await aPair();
  const rows = async (what: string) => (await pair.payroll.call(`/v2.0/${what}/query`)).data.rows;
  const before = [await rows('department'), await rows('employee')];
  const without = reportOf((await pair.parity()).stdout);
  const same = await pair.parity('--writes');
  const report = reportOf(same.stdout);
  expect(report).toMatchObject({ differences: [], unasked: [] });
  expect(same.status).toBe(0);
  expect(report.compared.attendance! - without.compared.attendance!).toBe(19);
  expect(report.compared.files! - without.compared.files!).toBe(4);
  await until('the cloud has what it had', async () => {
    await pair.box.ask('attendance', 'sync');
    const { writes } = JSON.parse(await pair.box.ask('attendance', 'status', '--json'));
    expect([writes, await rows('department'), await rows('employee')]).toEqual([
      { waiting: 0, refused: [] },
      ...before,
    ]);
    return true;
  });
  const site = await pair.box.ask('export', '--what', 'site');
  expect(site).not.toContain('parity');

  for (const api of ['attendance', 'files'] as const) pair.cloud.apiFaults.set(api, 'differ');
  const { differences } = reportOf((await pair.parity('--writes')).stdout);
  for (const call of ['POST /v2.0/employee {', 'feature_update {"users":[{"ext_id":"parity-b-', 'name=parity.txt'])
    expect(differences.map(one => one.call).filter(one => one.includes(call))).not.toEqual([]);
});

test('what the box copied from the cloud in the middle of it is deleted at the box too', async () => {
  await using pair = await aPair();
  const [{ app_key, app_secret }] = callers.attendance_callers as [{ app_key: string; app_secret: string }];
  const keys = {
    attendance: { appKey: app_key, appSecret: app_secret },
    services: null,
    oauth: null,
    deviceId: null,
    appCodes: [],
  };
  const ca = await readFile(join(pair.box.dataDir, 'tls', 'ca.pem'), 'utf8');
  const side = (name: 'box' | 'cloud', url: string) =>
    new Side(name, url, { trust: trustOf(ca), keys, clock: realClock });
  const box = side('box', pair.address);
  const cloud = side('cloud', pair.cloud.urls.deviceHttp!);
  const ask = cloud.ask.bind(cloud);
  let copied = '';
  cloud.ask = async call => {
    const answer = await ask(call);
    if (copied !== '' || !JSON.stringify(call.body ?? '').includes('"parity-c-run-d"')) return answer;
    await pair.box.ask('attendance', 'sync');
    copied = await pair.box.ask('export', '--what', 'site');
    return answer;
  };
  try {
    const options = { clock: realClock, day: '2026-11-27', writes: 'run' };
    expect((await comparePlatforms({ box, cloud }, keys, options)).unasked).toEqual([]);
  } finally {
    box.close();
    cloud.close();
  }
  expect(copied).toContain('parity-c-run');
  expect(await pair.box.ask('export', '--what', 'site')).not.toContain('parity');
});

test('a cloud that is not there is said, and the exit status is 2', async () => {
  await using pair = await aPair();
  await pair.cloud.cut();
  const { status, stdout } = await pair.parity();
  expect(status).toBe(2);
  expect(reportOf(stdout).unasked).toContainEqual(expect.objectContaining({ api: 'attendance', side: 'cloud' }));
});
