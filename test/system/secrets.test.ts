import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import mqtt from 'mqtt';
import { expect, test } from 'vitest';
import { AttendanceCaller } from '../support/attendance.ts';
import { BoxProcess } from '../support/program.ts';
import { credentials } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const secret = (): string => randomBytes(24).toString('hex');
const template = (): string => randomBytes(300).toString('base64');

const secrets = {
  'product key': secret(),
  'product key of the other environment': secret(),
  'secret of an app': secret(),
  'secret of a caller': secret(),
  'secret of an OAuth client': secret(),
  'password of a person': secret(),
  'secret at the cloud': secret(),
  'feature from the API': template(),
  'feature from a terminal': template(),
  'feature of a person whom nobody knows': template(),
  'picture at the door': template(),
  'mobile from the site file': '13871829364',
  'mobile from the API': '13649182730',
} as const;
type Secret = keyof typeof secrets;

/** Each as it was told, and as the bytes that it stands for. */
function* formsOf(what: Secret): Generator<Buffer> {
  yield Buffer.from(secrets[what], 'utf8');
  yield Buffer.from(secrets[what], 'utf16le');
  yield Buffer.from(Buffer.from(secrets[what]).toString('base64').replace(/=+$/, ''));
  yield Buffer.from(Buffer.from(secrets[what]).toString('hex'));
  if (/feature|picture/.test(what)) yield Buffer.from(secrets[what], 'base64').subarray(0, 64);
  else if (secrets[what].length === 48) yield Buffer.from(secrets[what], 'hex');
}

async function everyFileBut(root: string, spared: RegExp): Promise<Map<string, Buffer>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter(one => one.isFile()).map(one => join(one.parentPath, one.name).slice(root.length + 1));
  const kept = files.filter(name => !spared.test(name));
  return new Map(await Promise.all(kept.map(async name => [name, await readFile(join(root, name))] as const)));
}

test('the files of a store hold no feature value, no picture and no secret in the clear', async () => {
  const caller = { app_key: 'payroll', app_secret: secrets['secret of a caller'] };
  await using box = await BoxProcess.start(
    {
      upstream: {
        // Nobody listens there: what is written waits.
        attendance: { url: 'https://127.0.0.1:9', app_key: 'box', app_secret: secrets['secret at the cloud'] },
      },
    },
    {
      products: [
        {
          product_id: 'FACE-T1',
          product_key: secrets['product key'],
          other_environment_key: secrets['product key of the other environment'],
        },
      ],
      apps: [{ app_id: 'app1', app_key: secrets['secret of an app'] }],
      attendance_callers: [caller],
      oauth_clients: [
        {
          client_id: 'client1',
          client_secret: secrets['secret of an OAuth client'],
          redirect_uris: ['https://127.0.0.1/back'],
        },
      ],
      users: [{ name: 'mei', password: secrets['password of a person'], role: 'staff' }],
      departments: [{ ext_id: 'd1', name: 'Assembly' }],
      employees: [
        {
          ext_id: 'e1',
          name: 'Li Mei',
          mobile: secrets['mobile from the site file'],
          employee_num: '1001',
          department: { ext_id: 'd1' },
        },
      ],
    },
  );
  const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
  const deviceId = 'FACE-T1_A0001';
  const { clientId, username, password } = credentials({ deviceId, key: secrets['product key'] });
  const terminal = await mqtt.connectAsync({
    host: '127.0.0.1',
    port: box.port('mqtts'),
    protocol: 'mqtts',
    ca,
    clientId,
    username,
    password,
    protocolVersion: 4,
  });
  const say = (mid: string, action: number, data: object) =>
    terminal.publishAsync('device', JSON.stringify({ mid, from: deviceId, to: 'system', time: 0, action, data }), {
      qos: 1,
    });
  const enrolled = (extId: string, value: string) => ({
    ext_id: extId,
    feature_type: 'fa',
    feature_alg: 'base64',
    values: [value],
  });
  await say('f1', 2003, enrolled('e1', secrets['feature from a terminal']));
  await say('f2', 2003, enrolled('stranger', secrets['feature of a person whom nobody knows']));
  const passed = { door_id: 'North', ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000, check_result: 1 };
  await say('a1', 2002, { records: [{ ...passed, capture_img: secrets['picture at the door'] }] });
  // A person's feature report that the box cannot read keeps its picture to itself as well.
  await say('a2', 2002, { records: [{ ...passed, check_result: 'odd', capture_img: secrets['picture at the door'] }] });

  const api = new AttendanceCaller(`https://${box.addresses.https}`, Date.now, caller.app_key, caller.app_secret, {
    ca,
  });
  const feature = {
    ext_id: 'e1',
    feature_type: 'fp',
    feature_alg: 'base64',
    feature_value: [secrets['feature from the API']],
  };
  expect(await api.run('feature_update', { users: [feature] })).toMatchObject({ code: 0 });
  const written = { name: 'Wang', mobile: secrets['mobile from the API'], employee_num: '1002' };
  expect(
    await api.call('/v2.0/employee', { employee_ext_id: 'e2', ...written, department_infos: [{ ext_id: 'd1' }] }),
  ).toMatchObject({ code: 0 });
  await until('the picture is in the table', async () => (await box.export('access')).length === 1);

  for (const moment of ['running', 'stopped'] as const) {
    if (moment === 'stopped') {
      await terminal.endAsync();
      await box.stop();
    }
    const files = await everyFileBut(box.dataDir, /^(keys\/|tls\/|gatehouse\.sock)/);
    expect([...files.keys()]).toContain('gatehouse.db');
    const found: string[] = [];
    for (const what of Object.keys(secrets) as Secret[])
      for (const form of formsOf(what))
        for (const [name, bytes] of files) if (bytes.includes(form)) found.push(`${name} holds the ${what}`);
    expect(found).toEqual([]);
  }
  // Whoever may run commands on the box is staff: the site has mobile numbers.
  const said = [box.stderr, await box.ask('attendance', 'status', '--json')];
  for (const what of Object.keys(secrets) as Secret[]) expect(said.join('\n'), what).not.toContain(secrets[what]);
});
