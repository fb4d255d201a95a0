import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BoxProcess, run } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import { call, credentials, HttpTerminal, MqttTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

let box: BoxProcess;
let ca: string;
beforeAll(async () => {
  box = await BoxProcess.start(
    { listen: { http: '127.0.0.1:0', metrics: '127.0.0.1:0', mqtt: '127.0.0.1:0' } },
    aSite(),
  );
  ca = await box.ask('trust', 'export', '--edition', 'slim');
});
afterAll(() => box[Symbol.asyncDispose]());

describe('a running box', () => {
  test('says ready with the bound addresses, null where a listener is off', async () => {
    expect(box.addresses).toEqual({
      mqtts: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      mqtt: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      https: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      http: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      metrics: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      events: null,
    });
    await using quiet = await BoxProcess.start({}, aSite());
    expect(quiet.addresses).toMatchObject({ mqtt: null, http: null, metrics: null });
  });

  test('has a socket for its group, in its data directory', () => {
    const { mode } = statSync(join(box.dataDir, 'gatehouse.sock'));
    expect((mode & 0o777).toString(8)).toBe('660');
  });

  test('tells a punch from its receipt to where it is now', async () => {
    const terminal = new HttpTerminal(
      { deviceId: 'FACE-T1_A0001', key: productKey },
      `https://${box.addresses.https}`,
      ca,
    );
    try {
      await terminal.say('device');
      await terminal.say('log');
    } finally {
      terminal.end();
    }
    const status = JSON.parse(await box.ask('status', '--json'));
    expect(status).toMatchObject({
      running: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      line: { state: 'none', next_try_at: null },
      outbox: { parked: 0 },
      devices: { known: 1, refused: 0 },
      disk: { used_bytes: expect.any(Number), free_bytes: expect.any(Number) },
      tables: { held_back: false },
      wear: { records: 2, payload_bytes: expect.any(Number), endurance_tb: 30, bytes_per_day: null, life_days: null },
    });
    const { wear } = status;
    // Null where the system does not tell; 0 on a file system in memory.
    if (wear.written_bytes) {
      expect(wear.bytes_per_record).toBeGreaterThan(wear.payload_bytes / 2);
      expect(wear.amplification).toBeGreaterThan(1);
    }
    expect(wear.syncs).toBeGreaterThan(0);
    const device = JSON.parse(await box.ask('status', '--device', 'face-t1_a0001', '--json'));
    expect(device).toMatchObject({ device_id: 'FACE-T1_A0001', known: true, key: 'product key', waiting: 0 });
    expect(device.ledger).toMatchObject([
      { channel: 'log', state: 'kept here' },
      { channel: 'device', mid: 'A0001-1', action: 2001, state: 'kept here' },
    ]);
    expect(await box.ask('status', '--device', 'FACE-T1_A0001')).toMatch(/A0001-1 +2001/);
    const rows = await box.export<{ ext_id: string; device_id: string }>('checkins');
    expect(rows).toMatchObject([{ ext_id: 'p1', device_id: 'FACE-T1_A0001', check_type: 'fa' }]);
    expect(await box.ask('logs')).toContain('FACE-T1_A0001  {"log":"A0001-2","level":"info"}');
  });

  test('says why a login was refused, and what to do', async () => {
    const { clientId, username, password } = credentials({ deviceId: 'FACE-T1_B0001', key: 'the wrong one' });
    const answer = await call(`https://${box.addresses.https}/api/connect/${clientId}`, {
      method: 'POST',
      ca,
      body: JSON.stringify({ clientId, userName: username, password, keepAliveTime: 60 }),
    });
    expect(answer.status).toBe(406);
    const said = await until('the refusal is written down', async () => {
      const text = await box.ask('status', '--device', 'FACE-T1_B0001').catch(() => '');
      return text.includes('from 127.0.0.1') && text;
    });
    expect(said).toContain('FACE-T1_B0001  never let in');
    expect(said).toContain('the password was made with a key that is not known here: compare the key on the device');
    expect(await box.ask('status')).toContain('1 refused');
  });

  test('a device that nobody has seen is exit status 1', async () => {
    const { status, stdout } = await box.run('status', '--device', 'FACE-T1_Z9');
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: 'FACE-T1_Z9: never seen here: no login of it was accepted or refused\n',
    });
  });

  test('redirects the plain port to https, and documents its API', async () => {
    const { get } = await import('node:http');
    const location = await new Promise(resolve =>
      get(`http://${box.addresses.http}/api/pull/X_1?batchSize=2`, answer =>
        resolve([answer.statusCode, answer.headers.location]),
      ),
    );
    expect(location).toEqual([308, `https://${box.addresses.https}/api/pull/X_1?batchSize=2`]);
    const api = JSON.parse((await call(`https://${box.addresses.https}/openapi.json`, { ca })).body);
    expect(Object.keys(api.paths)).toEqual(expect.arrayContaining(['/api/connect/{clientId}', '/api/push/{clientId}']));
  });

  test('shows metrics and health on their own port', async () => {
    const get = async (path: string) => {
      const answer = await fetch(`http://${box.addresses.metrics}${path}`);
      return { status: answer.status, text: await answer.text() };
    };
    const { text } = await get('/metrics');
    expect(text).toMatch(/^# (HELP|TYPE) gatehouse_/m);
    expect(text).toMatch(/^gatehouse_store_held_back 0$/m);
    for (const name of ['lag_seconds', 'records_total', 'payload_bytes_total', 'syncs_total'])
      expect(text).toMatch(new RegExp(`^gatehouse_store_${name} [\\d.]+$`, 'm'));
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
  });

  test('lets nobody in before TLS 1.2, and stays up over a handshake that never ends', async () => {
    const half = connectTcp(box.port('mqtts'), '127.0.0.1');
    half.write(Buffer.from('160301', 'hex'));
    const { connect } = await import('node:tls');
    const old = connect({
      port: box.port('mqtts'),
      host: '127.0.0.1',
      ca,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT:@SECLEVEL=0',
    });
    expect(await new Promise(resolve => old.once('error', error => resolve(error.message)))).toMatch(
      /version|alert|disconnected/i,
    );
    const terminal = new MqttTerminal(
      { deviceId: 'FACE-T1_A0002', key: productKey },
      `mqtts://localhost:${box.port('mqtts')}`,
      { ca },
    );
    await terminal.say('log');
    await terminal.end();
    half.destroy();
  });

  test('a second process on its data directory ends with 1 and names the first', async () => {
    const { status, stderr } = await run(['serve', '--config', box.configFile]);
    expect(status).toBe(1);
    expect(stderr).toBe(
      `gatehouse: ${box.dataDir}: in use by process ${box.pid}: stop that one first, or give this one a data directory of its own\n`,
    );
  });

  test('a port that is taken is named with the remedy', async () => {
    const { status, stderr } = await run(['serve', '--log-level', 'error', '--data-dir', join(box.folder, 'other')], {
      env: {
        GATEHOUSE_LISTEN__MQTTS: box.addresses.mqtts!,
        GATEHOUSE_LISTEN__HTTPS: 'off',
        GATEHOUSE_LISTEN__HTTP: 'off',
        GATEHOUSE_LISTEN__METRICS: 'off',
      },
    });
    expect(status).toBe(1);
    expect(stderr).toBe(
      `gatehouse: listen.mqtts ${box.addresses.mqtts}: another program listens there: stop it, or choose another port in the config (or with GATEHOUSE_LISTEN__MQTTS)\n`,
    );
  });

  test('follows the logs of a device while they come', async () => {
    const { spawn } = await import('node:child_process');
    const program = process.env.GATEHOUSE_BINARY ?? 'bin/gatehouse';
    const following = spawn(program, ['logs', '-f', '--device', 'FACE-T1_A0003', '--json', '--data-dir', box.dataDir]);
    let seen = '';
    following.stdout.on('data', text => {
      seen += text;
    });
    const terminal = new HttpTerminal(
      { deviceId: 'FACE-T1_A0003', key: productKey },
      `https://${box.addresses.https}`,
      ca,
    );
    await terminal.say('log');
    await until('the log is shown', () => seen.includes('A0003-1'));
    await terminal.say('log');
    await until('the next one is shown', () => seen.includes('A0003-2'));
    expect(seen.trim().split('\n')).toHaveLength(2);
    following.kill();
    terminal.end();
  });
});

describe('apply and export --what site', () => {
  const richSite = () => ({
    ...aSite(),
    users: [{ name: 'mei', password: 'file:./mei.pw', role: 'staff' }],
    departments: [
      { ext_id: '0', name: 'Plant 4' },
      { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
    ],
    employees: [
      {
        ext_id: 'e1',
        name: 'Li Mei',
        mobile: '13800000000',
        employee_num: '1001',
        department: { ext_id: 'd1', title: 'Fitter' },
      },
    ],
  });

  test.each(['running', 'stopped'])(
    'on a %s box: twice changes nothing, prune removes, what comes out goes in again',
    async state => {
      await using own = state === 'running' ? await BoxProcess.start({}, aSite()) : await BoxProcess.make({}, aSite());
      const { stringify } = await import('yaml');
      const file = join(own.folder, 'rich.yaml');
      writeFileSync(join(own.folder, 'mei.pw'), 'correct horse\n');
      writeFileSync(file, stringify(richSite()));
      expect(await own.ask('apply', file, '--dry-run')).toMatch(
        /plan: \d to add, 0 to change, 0 to remove; nothing was changed\n$/,
      );
      expect(await own.ask('apply', file)).toMatch(/\+ users mei\n/);
      expect(await own.ask('apply', file)).toBe('nothing to change\n');

      const shown = await own.ask('export', '--what', 'site');
      expect(shown).toContain('name: Li Mei');
      for (const secret of [productKey, 'correct horse', '$argon2id$']) expect(shown).not.toContain(secret);
      const whole = await own.ask('export', '--with-secrets');
      expect(whole).toContain(productKey);
      expect(whole).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
      expect(whole).not.toContain('correct horse');
      writeFileSync(join(own.folder, 'again.yaml'), whole);
      expect(await own.ask('apply', join(own.folder, 'again.yaml'), '--prune')).toBe('nothing to change\n');

      writeFileSync(file, stringify({ ...richSite(), employees: [], users: undefined }));
      expect(await own.ask('apply', file, '--prune')).toBe('- employees e1\n0 added, 0 changed, 1 removed\n');
      expect(JSON.parse(await own.ask('apply', file, '--prune', '--json'))).toEqual({ dry_run: false, changes: [] });
    },
  );

  test('a reference that the box does not know is refused with its place, and nothing is changed', async () => {
    const file = join(box.folder, 'wrong.yaml');
    writeFileSync(
      file,
      'employees:\n  - { ext_id: e7, name: Wu, department: { ext_id: d9 } }\ndevices:\n  - { device_id: NONE_1 }\n',
    );
    const { status, stderr } = await box.run('apply', file);
    expect(status).toBe(1);
    expect(stderr).toBe(
      `${file}:2:51 employees[0].department.ext_id "d9": no such department\n` +
        `${file}:4:18 devices[0].device_id "NONE_1": no such product: add NONE under products\n`,
    );
    expect(await box.ask('export')).not.toContain('e7');
  });
});

test('csv has a header, quotes what needs it, and hands no formula to a spreadsheet', async () => {
  await using own = await BoxProcess.start({}, aSite());
  const trust = await own.ask('trust', 'export');
  const terminal = new HttpTerminal(
    { deviceId: 'FACE-T1_C1', key: productKey },
    `https://${own.addresses.https}`,
    trust,
  );
  await terminal.connect();
  await terminal.ask('/api/v2.0/log/FACE-T1/C1', { method: 'POST', body: '=1+1, "quoted"' });
  terminal.end();
  const lines = (await own.ask('export', '--what', 'logs', '--format', 'csv')).split('\r\n');
  expect(lines[0]).toBe('device_id,model,sn,received_at,text,truncated,repaired');
  expect(lines[1]).toMatch(/^FACE-T1_C1,[\w-]+,C1,\d{13},"'=1\+1, ""quoted""",false,false$/);
});

test('a box that was stopped answers from its store, and a backup makes it again elsewhere', async () => {
  await using own = await BoxProcess.start({}, aSite());
  const trust = await own.ask('trust', 'export');
  const terminal = new HttpTerminal(
    { deviceId: 'FACE-T1_D1', key: productKey },
    `https://${own.addresses.https}`,
    trust,
  );
  await terminal.say('device');
  terminal.end();
  const keyFile = join(own.folder, 'recovery-key.txt');
  expect((await own.run('backup', join(own.folder, 'box.gh'))).stderr).toContain('gatehouse recovery-key new');
  writeFileSync(keyFile, await own.ask('recovery-key', 'new'));
  expect((await own.run('recovery-key', 'new')).stderr).toContain('--replace');
  expect(await own.ask('recovery-key', 'show')).toMatch(/^backups are encrypted to age1/);
  await own.ask('backup', join(own.folder, 'box.gh'));
  for (const [file, why] of [
    [join(own.dataDir, 'gatehouse.db'), "the box's own"],
    [join(own.folder, 'box.gh'), 'overwrites nothing'],
    [join(own.folder, 'absent/box.gh'), 'make it first'],
  ] as const)
    expect(await own.run('backup', file)).toMatchObject({ status: 1, stderr: expect.stringContaining(why) });
  const passphrase = join(own.folder, 'passphrase.txt');
  writeFileSync(passphrase, 'rain on four tin roofs\n');
  await own.ask('backup', join(own.folder, 'passphrase.gh'), '--passphrase-file', passphrase);
  expect(await own.stop()).toBe(0);

  expect(JSON.parse(await own.ask('status', '--json'))).toMatchObject({
    running: false,
    devices: { known: 1, online: 0 },
  });
  expect(await own.ask('status')).toMatch(/^box +not running/);
  expect(await own.export('checkins')).toMatchObject([{ ext_id: 'p1' }]);

  const elsewhere = join(own.folder, 'elsewhere');
  const restored = await run([
    'restore',
    join(own.folder, 'box.gh'),
    '--data-dir',
    elsewhere,
    '--recovery-key-file',
    keyFile,
  ]);
  expect(restored.stdout).toMatch(/restored as of .*, environment test\n$/);
  const rows = await run(['export', '--what', 'checkins', '--data-dir', elsewhere]);
  expect(JSON.parse(rows.stdout)).toMatchObject({ ext_id: 'p1', device_id: 'FACE-T1_D1' });

  const damaged = readFileSync(join(own.folder, 'box.gh'));
  damaged[damaged.length >> 1]! ^= 1;
  writeFileSync(join(own.folder, 'damaged.gh'), damaged);
  const check = (name: string, ...more: string[]) =>
    run(['restore', '--check', join(own.folder, name), ...more], { cwd: own.folder });
  const looked = await check('damaged.gh', '--recovery-key-file', keyFile);
  expect([looked.status, looked.stderr]).toEqual([1, expect.stringContaining('damaged')]);
  expect((await check('box.gh')).stderr).toContain('--recovery-key-file');
  const fromStdin = await run(['restore', '--check', join(own.folder, 'passphrase.gh'), '--passphrase-file', '-'], {
    input: 'rain on four tin roofs\n',
  });
  expect(fromStdin.stdout).toContain('whole');
  expect((await check('box.gh', '--recovery-key-file', keyFile)).stdout).toMatch(
    /: whole, made .* in environment test\n$/,
  );
  const refused = await run([
    ...['restore', join(own.folder, 'damaged.gh'), '--data-dir', join(own.folder, 'third')],
    ...['--recovery-key-file', keyFile],
  ]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/^gatehouse: .*damaged\.gh: .*damaged.*\n$/);
});

test('commands find the box by the config file, by the environment, and in ./gatehouse-data', async () => {
  await using own = await BoxProcess.start({ data_dir: './gatehouse-data' }, aSite());
  const known = async (args: string[], env: NodeJS.ProcessEnv = {}, cwd = '/') =>
    (await run(['status', '--json', ...args], { env, cwd })).status;
  expect(await known(['--config', own.configFile])).toBe(0);
  expect(await known([], { GATEHOUSE_CONFIG: own.configFile })).toBe(0);
  expect(await known([], { GATEHOUSE_DATA_DIR: join(own.folder, 'gatehouse-data') })).toBe(0);
  expect(await known([], {}, own.folder)).toBe(0);
  const nowhere = await run(['status', '--data-dir', '/nowhere/at/all']);
  expect(nowhere).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'gatehouse: /nowhere/at/all: no box here: name its --data-dir or --config, or start one with `gatehouse serve`\n',
  });
});

test('a data directory with a very long path still has its socket', async () => {
  const long = 'a-folder-with-a-long-name-'.repeat(5);
  await using own = await BoxProcess.start({ data_dir: `./${long}` }, aSite());
  expect(JSON.parse((await run(['status', '--json', '--config', own.configFile])).stdout).running).toBe(true);
});

test('a refused config or site file ends serve with 1 before anything is made', async () => {
  await using own = await BoxProcess.make({ listen: { mqtts: 'x' } }, aSite());
  const { status, stderr } = await run(['serve', '--config', own.configFile]);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^.*gatehouse\.yaml:\d+:\d+ listen\.mqtts "x": not an address: write host:port, or "off"\n$/);
  expect(() => statSync(own.dataDir)).toThrow();
  await using other = await BoxProcess.make({ environment: 'production' }, aSite());
  const refused = await run(['serve', '--config', other.configFile, '--apply', join(other.folder, 'site.yaml')]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(
    /site\.yaml:3:\d+ products\[0\]\.product_key: an example key of the demo or the manual/,
  );
});

test('SIGTERM with devices connected ends it with 0, well within 10 s', async () => {
  await using own = await BoxProcess.start({}, aSite());
  const trust = await own.ask('trust', 'export');
  const terminal = new MqttTerminal(
    { deviceId: 'FACE-T1_E1', key: productKey },
    `mqtts://localhost:${own.port('mqtts')}`,
    { ca: trust },
  );
  await terminal.say('device');
  const begun = performance.now();
  expect(await own.stop()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(5000);
  await terminal.end();
  expect(createHash('sha256').update(trust).digest('hex')).toBe(
    createHash('sha256')
      .update(await own.ask('trust', 'export'))
      .digest('hex'),
  );
});

test('a stopped box that was killed is read with its own action codes, though only its data directory is given', async () => {
  await using own = await BoxProcess.start(
    { actions: { checkin_report: 41 }, site: { timezone: 'Europe/Berlin' } },
    aSite(),
  );
  const trust = await own.ask('trust', 'export');
  const terminal = new HttpTerminal(
    { deviceId: 'FACE-T1_F1', key: productKey },
    `https://${own.addresses.https}`,
    trust,
  );
  await terminal.connect();
  const record = { ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000 };
  const body = JSON.stringify({
    mid: '1',
    from: 'FACE-T1_F1',
    to: 'system',
    time: 0,
    action: 41,
    data: { records: [record] },
  });
  expect((await terminal.ask('/api/push/FACE-T1_F1', { method: 'POST', body })).status).toBe(200);
  terminal.end();
  await own.kill9();
  expect(JSON.parse(readFileSync(join(own.dataDir, 'last-config.json'), 'utf8'))).toMatchObject({
    timezone: 'Europe/Berlin',
    actions: { checkin_report: 41 },
    upstream: false,
  });
  expect(await own.export('checkins')).toMatchObject([{ ext_id: 'e1' }]);
});
