import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import mqtt from 'mqtt';
import { expect, test } from 'vitest';
import { Pseudonyms } from '../../src/cli/pseudonyms.ts';
import { journalOf } from '../../src/cli/support-logs.ts';
import { aBox, type LocalBox } from '../support/box.ts';
import { productKey } from '../support/site.ts';
import { credentials } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const secret = (): string => randomBytes(24).toString('hex');
/** Secrets and people, none of which a bundle may hold. */
const planted = {
  productKey: productKey,
  appKey: secret(),
  callerSecret: secret(),
  cloudSecret: secret(),
  mailPassword: secret(),
  robotToken: secret(),
  webhookSecret: secret(),
  password: secret(),
  name: 'Ouyang Zhenhua',
  chinese: '欧阳振华',
  extId: 'person-of-9Q7',
  stranger: 'stranger-of-5T3',
  number: '77431902',
  mobile: '13871829364',
  account: 'zhenhua.ouyang',
  mail: 'ouyang@plant.example',
  mailUser: 'robot-of-ouyang',
  department: 'Hall of Ouyang',
  site: 'Plant of Ouyang',
  deviceName: 'Gate of Ouyang',
  feature: randomBytes(300).toString('base64'),
  photo: randomBytes(300).toString('base64'),
} as const;
const punchedAt = 1_763_612_345;

const aBoxWithPeople = () =>
  aBox(
    {
      site: { name: planted.site, locale: 'en' },
      listen: { metrics: '127.0.0.1:0' },
      alerts: {
        mail: {
          host: 'mail.example',
          user: planted.mailUser,
          password: planted.mailPassword,
          from: planted.mail,
          to: [planted.mail],
        },
        dingtalk: { url: `https://oapi.example/robot/send?access_token=${planted.robotToken}` },
      },
      upstream: { attendance: { url: 'https://127.0.0.1:9', app_key: 'box', app_secret: planted.cloudSecret } },
    },
    {
      products: [{ product_id: 'FACE-T1', product_key: planted.productKey }],
      devices: [{ device_id: 'FACE-T1_A0001', name: planted.deviceName }],
      apps: [{ app_id: 'app1', app_key: planted.appKey }],
      attendance_callers: [{ app_key: 'payroll', app_secret: planted.callerSecret }],
      users: [{ name: planted.account, password: planted.password, role: 'staff' }],
      departments: [{ ext_id: 'd1', name: planted.department }],
      employees: [
        {
          ext_id: planted.extId,
          name: planted.name,
          mobile: planted.mobile,
          employee_num: planted.number,
          department: { ext_id: 'd1' },
        },
        { ext_id: 'e2', name: planted.chinese, department: { ext_id: 'd1' } },
      ],
    },
  );

/** Terminals report people, known and not, and a device is refused. */
async function work(box: LocalBox): Promise<void> {
  const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
  const connect = (deviceId: string, key: string) => {
    const { clientId, username, password } = credentials({ deviceId, key });
    const host = { host: '127.0.0.1', port: box.port('mqtts'), protocol: 'mqtts', ca, protocolVersion: 4 } as const;
    return mqtt.connectAsync({ ...host, clientId, username, password, reconnectPeriod: 0 });
  };
  const terminal = await connect('FACE-T1_A0001', planted.productKey);
  const say = (mid: string, action: number, data: object) =>
    terminal.publishAsync(
      'device',
      JSON.stringify({ mid, from: 'FACE-T1_A0001', to: 'system', time: 0, action, data }),
      { qos: 1 },
    );
  const face = { feature_type: 'fa', feature_alg: 'base64', values: [planted.feature] };
  await say('f1', 2003, { ext_id: planted.extId, ...face });
  await say('f2', 2003, { ext_id: planted.stranger, ...face });
  const punch = { check_type: 'fa', check_time: punchedAt };
  await say('c1', 2001, {
    records: [
      { ext_id: planted.extId, ...punch },
      { ext_id: planted.stranger, ...punch },
    ],
  });
  await say('a1', 2002, {
    records: [{ ext_id: planted.extId, ...punch, check_result: 1, capture_img: planted.photo }],
  });
  await say('a2', 2002, { records: [{ ext_id: planted.stranger, ...punch, check_result: planted.name }] });
  await expect(connect('FACE-T1_Z0001', 'wrong')).rejects.toThrow();
  await expect(connect(`FACE-T1_${planted.number}`, planted.name)).rejects.toThrow();
  await terminal.endAsync();
  await until('the punch is in the table', async () => (await box.export('access')).length > 0);
}

async function unpacked(box: LocalBox, file: string): Promise<Map<string, string>> {
  const folder = join(box.folder, `${file}.d`);
  await mkdir(folder);
  execFileSync('tar', ['-xzf', join(box.folder, file), '-C', folder]);
  const inside = join(folder, 'gatehouse-support');
  return new Map(readdirSync(inside).map(name => [name, readFileSync(join(inside, name), 'utf8')]));
}

function expectNobody(files: ReadonlyMap<string, string>): void {
  const found: string[] = [];
  for (const [name, text] of files) {
    for (const [what, value] of Object.entries(planted)) {
      const forms = [value, ...['base64', 'hex'].map(form => Buffer.from(value).toString(form as 'hex'))];
      if (forms.some(form => text.toLowerCase().includes(form.replace(/=+$/, '').toLowerCase())))
        found.push(`${name}: ${what}`);
    }
    if (/ouyang|欧阳/i.test(text)) found.push(`${name}: part of a name`);
    if (text.includes(String(punchedAt))) found.push(`${name}: a punch`);
  }
  expect(found).toEqual([]);
}

test('a bundle has what a helper needs, and no secret and nobody, of a running, a stopped and a broken box', async () => {
  await using box = await aBoxWithPeople();
  await work(box);
  const running = await box.run('support', 'running.tar.gz', '--yes', '--config', box.configFile);
  expect(running).toMatchObject({ status: 0, stderr: '' });
  const files = await unpacked(box, 'running.tar.gz');
  for (const name of files.keys()) expect(running.stdout).toContain(name);
  expectNobody(files);
  expect(JSON.parse(files.get('state.json')!)).toMatchObject({
    status: { running: true, devices: { known: 1 } },
    refusals: expect.arrayContaining([expect.objectContaining({ code: expect.stringMatching(/^[a-z_]+$/) })]),
  });
  expect(JSON.parse(files.get('doctor.json')!)).toMatchObject({ running: true, done: true });
  expect(JSON.parse(files.get('config.json')!)).toContainEqual(
    expect.objectContaining({ path: 'alerts.mail.password', value: '(set)' }),
  );
  expect(JSON.parse(files.get('tables.json')!).lastRows).toMatchObject({ employee: 2 });
  expect(files.get('metrics.txt')).toMatch(/^gatehouse_store_ok 1$/m);
  expect(files.get('metrics.txt')).toContain('"FACE-T1_A0001"');
  expect(JSON.parse(files.get('disk.json')!).sync_ms).toEqual({
    median: expect.any(Number),
    longest: expect.any(Number),
  });
  expect(files.get('log.txt')).toMatch(/devices: refused: /);
  expect(files.get('audit.json')).toContain('"role"');

  await box.stop();
  expect((await box.run('support', 'stopped.tar.gz', '--yes', '--config', box.configFile)).status).toBe(0);
  const stopped = await unpacked(box, 'stopped.tar.gz');
  expectNobody(stopped);
  expect(JSON.parse(stopped.get('state.json')!)).toMatchObject({ status: { running: false, devices: { known: 1 } } });

  writeFileSync(
    box.configFile,
    `site: { nmae: ${planted.name}, timezone: ${planted.chinese} }\n${planted.appKey}: 1\n`,
  );
  expect((await box.run('support', 'refused.tar.gz', '--yes', '--config', box.configFile)).status).toBe(0);
  const refused = await unpacked(box, 'refused.tar.gz');
  expectNobody(refused);
  expect(JSON.parse(refused.get('config.json')!).refused).toHaveLength(3);
  expect(JSON.parse(refused.get('state.json')!)).toMatchObject({ status: { running: false, devices: { known: 1 } } });
  expect(refused.get('doctor.json')).toContain('"code": "config_wrong"');
  truncateSync(join(box.dataDir, 'gatehouse.db'), 5000);
  expect((await box.run('support', 'broken.tar.gz', '--yes', '--config', box.configFile)).status).toBe(0);
  const broken = await unpacked(box, 'broken.tar.gz');
  expectNobody(broken);
  expect(broken.get('state.json')).toContain('not_available');
  expect(JSON.parse(broken.get('disk.json')!)).toHaveProperty('data_directory');
});

test('the contents are listed and nothing is written, where nobody is there to agree', async () => {
  await using box = await aBox();
  const outcome = await box.run('support', 'box.tar.gz');
  expect(outcome).toMatchObject({
    status: 2,
    stdout: expect.stringMatching(/^FILE +SIZE +CONTENTS\n[\s\S]*machine\.json/),
  });
  expect(outcome.stderr).toContain('add --yes');
  expect(existsSync(join(box.folder, 'box.tar.gz'))).toBe(false);
});

test('the journal keeps the words of the program and of systemd, and no values', async () => {
  const entry = (MESSAGE: string, more: object = {}) =>
    JSON.stringify({
      __REALTIME_TIMESTAMP: '1763612345000000',
      _PID: '77',
      _SYSTEMD_UNIT: 'gatehouse.service',
      MESSAGE,
      ...more,
    });
  const journal = await journalOf(async () =>
    [
      entry('gatehouse.service: Main process exited, code=killed, status=9/KILL', {
        _PID: '1',
        _SYSTEMD_UNIT: 'init.scope',
      }),
      entry(`backups: the backup is not good: ${planted.name}`),
      entry(
        `alerts: an alert did not get through (error=connect ECONNREFUSED to ${planted.mail} device=FACE-T1_A0001)`,
      ),
      entry(`TypeError: cannot read ${planted.name}`),
      entry('    at Writer.run (file:///usr/lib/gatehouse/dist/serve.js:10:20)'),
      entry(`    at ${planted.name} said so`),
      entry(planted.name),
      '{"MESSAGE":"cut o',
    ].join('\n'),
  );
  const lines = journal(new Pseudonyms(['FACE-T1_A0001']))
    .trimEnd()
    .split('\n');
  expect(lines.map(line => line.slice('2025-11-20T04:19:05.000Z '.length)).toReversed()).toEqual([
    'systemd gatehouse.service: Main process exited, code=killed, status=9/KILL',
    'gatehouse.service backups: the backup is not good: [1]',
    'gatehouse.service alerts: an alert did not get through ([2] ECONNREFUSED FACE-T1_A0001)',
    'gatehouse.service TypeError: [3]',
    'gatehouse.service     at Writer.run (file:///usr/lib/gatehouse/dist/serve.js:10:20)',
    'gatehouse.service [4]',
    'gatehouse.service [1]',
  ]);
});
