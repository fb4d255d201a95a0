import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createSecureServer } from 'node:https';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { issueLeaf, makeAuthority } from '../../src/operations/issuing.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { aBox, LocalBox } from '../support/box.ts';
import { runCommand } from '../support/command.ts';

interface Report {
  readonly running: boolean;
  readonly ok: boolean;
  readonly checks: { name: string; of: string; state: string; code: string; message: string; remedy: string }[];
}

const reportOf = async (box: LocalBox): Promise<Report & { status: number }> => {
  const { stdout, status } = await box.run('doctor', '--json');
  return { ...JSON.parse(stdout), status };
};

const found = ({ checks }: Report, of = '') =>
  checks.filter(one => one.of === of).map(one => `${one.name} ${one.code}`);

async function listening() {
  const server = createServer(stream => stream.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { port, server };
}

test('a box that stands alone and is well: exit status 0', async () => {
  await using box = await aBox({}, {});
  const report = await reportOf(box);
  // A machine without a network is not well, and says so.
  const well = Object.values(networkInterfaces())
    .flat()
    .some(one => one && !one.internal);
  expect(report).toMatchObject({ running: true, ok: well, status: well ? 0 : 1 });
  expect(report.checks.map(one => one.name)).toEqual([
    'certificate',
    'disk',
    'backup',
    'bluetooth',
    'wifi',
    'address',
    'gateway',
    'clock',
  ]);
});

test('each address of the cloud is its own chain; what is broken is said with what to do, exit status 1', async () => {
  const { port, server } = await listening();
  const notTls = `mqtts://127.0.0.1:${port}`;
  await using box = await aBox(
    {
      upstream: { device_mqtt: notTls, device_http: 'https://nowhere.invalid' },
      box: { access_key: 'key-of-the-box' },
    },
    {},
  );
  const report = await reportOf(box);
  expect(report).toMatchObject({ running: true, ok: false, status: 1 });
  expect(found(report, notTls)).toEqual(['dns no_name', 'tcp tcp', 'tls tls_none']);
  expect(found(report, 'https://nowhere.invalid')).toEqual([
    expect.stringMatching(/^dns dns_(unknown|silent)$/),
    'tcp skipped',
    'tls skipped',
  ]);
  expect(found(report)).toContain('login skipped');
  for (const { state, remedy } of report.checks) if (state === 'failed') expect(remedy).not.toBe('');
  const { stdout, status } = await box.run('doctor');
  expect(status).toBe(1);
  expect(stdout).toMatch(/^FAILED +tls +mqtts:.*\n +to do: check whether the address uses TLS/m);
  expect(stdout).not.toContain('key-of-the-box');
  server.close();
});

test("a box logs in at the cloud as itself, and is told when the cloud's certificate is not believed", async () => {
  await using cloud = await aBox(
    {},
    {
      products: [
        { product_id: 'GATEHOUSE', product_key: 'key-of-the-boxes', name: 'Box', model: 'GH1', access: 'both' },
      ],
      devices: [{ device_id: 'GATEHOUSE_A0001', access_key: 'key-of-this-box' }],
    },
  );
  const url = `mqtts://${cloud.addresses.mqtts}`;
  const ca = await cloud.ask('trust', 'export', '--edition', 'slim');
  const box = { product_id: 'GATEHOUSE', device_sn: 'A0001', access_key: 'key-of-this-box' };
  await using below = await LocalBox.make({ upstream: { mode: 'gateway', device_mqtt: url }, box }, {});
  await below.start();
  expect(found(await reportOf(below), url)).toEqual(['dns no_name', 'tcp tcp', 'tls tls_untrusted']);
  await below.stop();
  await writeFile(join(below.folder, 'ca.pem'), ca);
  await below.configure({ upstream: { mode: 'gateway', device_mqtt: url, ca: 'file:./ca.pem' } });
  await below.start();
  const report = await reportOf(below);
  expect(found(report, url)).toEqual(['dns no_name', 'tcp tcp', 'tls tls_trusted']);
  expect(found(report)).toContain('login login');
  expect(report).toMatchObject({ ok: true, status: 0 });
  // The wrong key is the cloud's to refuse.
  await below.stop();
  await below.configure({ box: { ...box, access_key: 'another-key' } });
  await below.start();
  expect(found(await reportOf(below))).toContain('login login_refused');
});

test('a captive portal with a certificate of its own is named with its page to open', async () => {
  const authority = await makeAuthority(realClock.now());
  const own = await issueLeaf(authority, { names: ['login.wifi.example'], addresses: [] }, realClock.now());
  const portal = createSecureServer(own, (_, response) => response.end('<html>')).listen(0, '127.0.0.1');
  await once(portal, 'listening');
  const url = `https://127.0.0.1:${(portal.address() as { port: number }).port}`;
  await using box = await aBox({ upstream: { device_http: url } }, {});
  const report = await reportOf(box);
  expect(found(report, url)).toEqual(['dns no_name', 'tcp tcp', 'tls tls_name']);
  expect(report.checks.find(({ code }) => code === 'tls_name')).toMatchObject({
    message: expect.stringMatching(/is for .*, not for 127\.0\.0\.1$/),
    remedy: expect.stringMatching(/captive portal .* open http:\/\/127\.0\.0\.1\//),
  });
  portal.close();
});

test('one run at a time, and a cloud that says nothing holds none of them up for long', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `mqtts://127.0.0.1:${(server.address() as { port: number }).port}`;
  await using box = await aBox({ upstream: { device_mqtt: url } }, {});
  const since = performance.now();
  const runs = await Promise.all([box.run('doctor', '--json'), box.run('doctor', '--json')]);
  expect(performance.now() - since).toBeLessThan(20_000);
  expect(runs.map(one => one.status)).toEqual([1, 1]);
  const [first, second] = runs[0]!.stderr === '' ? [runs[0]!, runs[1]!] : [runs[1]!, runs[0]!];
  expect(found(JSON.parse(first.stdout), url)).toEqual(['dns no_name', 'tcp tcp', 'tls tls_none']);
  expect(second.stderr).toContain('another test is not done yet');
  expect(JSON.parse(second.stdout).checks).toEqual([]);
  server.close();
});

test('a stopped box is checked with its config, and a wrong config is the first thing to say', async () => {
  await using box = await LocalBox.make(
    { upstream: { device_http: 'https://127.0.0.1:1' }, provisioning: { bluetooth: 'bluez', wifi: 'off' } },
    {},
  );
  vi.stubEnv('DBUS_SYSTEM_BUS_ADDRESS', `unix:path=${box.folder}/no-bus`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const stopped = async () => {
    const { stdout, status } = await runCommand(['doctor', '--json', '--config', box.configFile]);
    return { ...(JSON.parse(stdout) as Report), status };
  };
  const report = await stopped();
  expect(report).toMatchObject({ running: false, ok: false, status: 1 });
  expect(found(report)).toEqual(
    expect.arrayContaining(['config config', 'disk disk_none', 'bluetooth radio_no_bus', 'wifi radio_off']),
  );
  expect(found(report, 'https://127.0.0.1:1')).toEqual(['dns no_name', 'tcp tcp_refused', 'tls skipped']);
  await writeFile(box.configFile, 'listen: { mqtts: nonsense }\n');
  const wrong = await stopped();
  expect(wrong).toMatchObject({ ok: false, status: 1 });
  expect(found(wrong)).toEqual(['config config_wrong']);
  expect(wrong.checks[0]!.message).toContain('listen.mqtts');
});
