import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { realClock } from '../../src/operations/real-world.ts';
import { startSimCloud } from '../../src/sim/index.ts';
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
  return { cloud, box, parity, address, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const reportOf = (stdout: string) =>
  JSON.parse(stdout) as {
    differences: { api: string; call: string; field: string; box: unknown; cloud: unknown }[];
    unasked: { api: string; side: string }[];
    compared: Record<string, number>;
  };

test('a box that follows its cloud shows no difference; one planted in each API is found', async () => {
  await using pair = await aPair();
  const same = await pair.parity();
  expect(reportOf(same.stdout)).toMatchObject({ differences: [], unasked: [] });
  expect(same.status).toBe(0);
  const { compared } = reportOf(same.stdout);
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
}, 120_000);

test('a cloud that is not there is said, and the exit status is 2', async () => {
  await using pair = await aPair();
  await pair.cloud.cut();
  const { status, stdout } = await pair.parity();
  expect(status).toBe(2);
  expect(reportOf(stdout).unasked).toContainEqual(expect.objectContaining({ api: 'attendance', side: 'cloud' }));
}, 120_000);
