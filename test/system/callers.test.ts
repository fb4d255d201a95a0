import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import mqtt from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realClock } from '../../src/runtime/real-world.ts';
import { startSimCloud } from '../../tools/sim/index.ts';
import { Browser, mei } from '../support/accounts.ts';
import { seededRandom } from '../support/clock.ts';
import { BoxProcess } from '../support/program.ts';
import { shell } from '../support/shell.ts';
import { aSite, productKey } from '../support/site.ts';
import { credentials } from '../support/terminal.ts';
import { hasPythonModule, hasTool, suiteWhere } from '../support/tools.ts';

/**
 * Callers of the attendance API whose language makes the mistake: what PHP, Go, Java, Python and
 * curl send by themselves, and what the box makes of it.
 */

/** In base64 `+/++`: the signs that other alphabets and forms of addresses change. */
const feature = 'fbffbe';

/** Of several addresses, none of which the token call names. */
const portal = {
  ...{ client_id: 'portal', client_secret: 's3cret of the portal', name: 'Portal' },
  redirect_uris: ['https://portal.example/cb', 'https://portal.example/other?x=1'],
};
/** Of which RFC 6749 4.1.3 is asked for. */
const strict = { ...portal, client_id: 'strict', needs_redirect_uri: true };

const caller = { app_key: 'ak1', app_secret: 'as1' };
const people = {
  employees: ['e1', 'e2'].map(ext_id => ({ ext_id, name: 'Li Mei', department: { ext_id: '0' } })),
  departments: [{ ext_id: '0', name: 'Plant 4' }],
};

let box: BoxProcess;
let trust: string;
beforeAll(async () => {
  box = await BoxProcess.start(
    {},
    aSite({
      ...people,
      attendance_callers: [caller],
      users: [mei],
      oauth_clients: [portal, strict],
    }),
  );
  trust = join(box.folder, 'trust.pem');
  await box.ask('trust', 'export', '--edition', 'slim', '--out', trust);
});
afterAll(() => box?.[Symbol.asyncDispose]());

/** Each line that the program prints is what the box answered to one call. */
async function answersTo<Answer = { code: number; msg: string; data?: Record<string, unknown> }>(
  file: string,
  command: string,
  environment: NodeJS.ProcessEnv = {},
) {
  const folder = join(box.folder, file.toLowerCase().replace('.', '-'));
  await mkdir(folder, { recursive: true });
  await copyFile(new URL(`callers/${file}`, import.meta.url), join(folder, file));
  const { status, said } = await shell(command, folder, {
    URL: `https://${box.addresses.https}`,
    CA: trust,
    FEATURE: feature,
    GOCACHE: join(box.folder, 'go-build'),
    ...environment,
  });
  expect(status, said).toBe(0);
  return said
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Answer);
}

const isEmpty = { code: 0 };
const isSpoiled = { code: 0, data: { error_ext_ids: ['e1'] } };
const isIn = (encoding: string) => ({ code: 106, msg: expect.stringContaining(encoding) });
/** Of a body with a Content-Encoding: HTTP 415 and this. */
const isPacked = { code: 106, msg: expect.stringContaining('gzip') };

/** What a client gets for a code that a person let it have: tokens, who it is, and both again. */
async function signedIn(file: string, command: string) {
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: portal.client_id, redirect_uri: portal.redirect_uris[1]! },
  });
  const answer = await new Browser(`https://${box.addresses.https}`).allow(`/oauth/authorize?${query}`);
  const answers = await answersTo<Record<string, unknown>>(file, command, { CODE: answer.get('code')! });
  const [tokens, who, later, same] = answers;
  expect(tokens).toMatchObject({ access_token: expect.any(String), expires_in: 3600, scope: 'read' });
  expect(who).toMatchObject({ openid: expect.stringMatching(/^[0-9a-f]{32}$/), name: mei.name });
  expect(later).toMatchObject({ refresh_token: tokens!.refresh_token, expires_in: 2_592_000 });
  expect(later!.access_token).not.toBe(tokens!.access_token);
  expect(same).toEqual(who);
}

suiteWhere(hasTool('php'), 'needs php: apt-get install php-cli', 'a caller in PHP', () => {
  test('signs in as SPEC 4.6 prints it, without redirect_uri in the token call', async () => {
    await signedIn('sign-in.php', 'php sign-in.php');
  });

  test('an empty array is a body without fields; blanks in base64, GBK and gzip are named', async () => {
    expect(await answersTo('call.php', 'php call.php')).toMatchObject([
      ...[isEmpty, isEmpty, isSpoiled],
      ...[isIn('GBK'), isPacked],
    ]);
  });
});

suiteWhere(hasTool('go'), 'needs go: apt-get install golang-go', 'a caller in Go', () => {
  test('signs in by forms, without redirect_uri in the token call', async () => {
    await signedIn('sign-in.go', 'go run sign-in.go');
  });
  test('a nil map is a body without fields; base64 without its end and gzip are named', async () => {
    const answers = await answersTo('call.go', 'go run call.go');
    expect(answers).toMatchObject([isEmpty, isEmpty, isSpoiled, { code: 106 }, isPacked]);
    // A nil slice in the place of a list that is needed.
    expect(answers[3]!.msg).toMatch(/: users: is missing$/);
  });
});

suiteWhere(hasTool('javac'), 'needs javac: apt-get install default-jdk-headless', 'a caller in Java', () => {
  test('null is a body without fields; the alphabet for addresses, ISO 8859-1 and UTF-16 are named', async () => {
    expect(await answersTo('Call.java', 'java Call.java')).toMatchObject([
      ...[isEmpty, { code: 0, data: { error_ext_ids: [] } }, isSpoiled],
      ...[isIn('windows-1252'), isIn('UTF-16'), isIn('GBK')],
    ]);
  });
});

suiteWhere(hasTool('python3'), 'needs python3: apt-get install python3', 'a caller in Python', () => {
  test('signs in by POST with a query, without redirect_uri in the token call', async () => {
    await signedIn('sign-in.py', 'python3 sign-in.py');
  });

  test('payroll goes on from its place through a restore, and is told when the place is not of this box', async () => {
    const place = join(box.folder, 'place');
    const pulled = async () => {
      const [said] = await answersTo<Pulled>('payroll.py', 'python3 payroll.py', { PLACE: place });
      return said!;
    };
    const backup = join(box.folder, 'box.gh');
    const words = join(box.folder, 'words');
    await writeFile(words, 'correct horse battery staple');
    expect(await pulled()).toMatchObject({ code: 0, records: [] });
    await punch('e1', 'e2', 'e1');
    expect((await pulled()).records.map(([, extId]) => extId)).toEqual(['e1', 'e2', 'e1']);
    await box.ask('backup', backup, '--passphrase-file', words);
    await punch('e2', 'e2');
    const last = await pulled();
    expect(last.records).toHaveLength(2);

    await box.stop();
    await box.ask('restore', backup, '--passphrase-file', words, '--yes');
    await box.start();
    expect(await pulled()).toMatchObject({ code: 0, records: [] });
    await punch('e1');
    const next = await pulled();
    expect(next.records.map(([, extId]) => extId)).toEqual(['e1']);
    expect(Number(next.records[0]![0])).toBeGreaterThan(last.next_id);

    // As after the cloud, whose numbers are other ones.
    await writeFile(place, '59780000000');
    const refused = await pulled();
    expect(refused).toMatchObject({ code: 106, records: [] });
    expect(refused.msg).toMatch(/next_id.*begin with 0/s);
    await writeFile(place, '0');
    expect((await pulled()).records.map(([, extId]) => extId)).toEqual(['e1', 'e2', 'e1', 'e1']);
  });

  test('payroll that moves from the cloud to the box is told that its place is none of the box, and then gets what the cloud lists', async () => {
    const site = aSite({ ...people, attendance_callers: [caller] });
    await using cloud = await startSimCloud({
      clock: realClock,
      random: seededRandom(1),
      products: site.products,
      limits: false,
      attendance: site,
    } as never);
    const place = join(box.folder, 'place-at-the-cloud');
    const at = async (url: string, ca: string) =>
      (await answersTo<Pulled>('payroll.py', 'python3 payroll.py', { PLACE: place, URL: url, CA: ca }))[0]!;
    const atCloud = () => at(cloud.urls.deviceHttp!, trust);
    const to = Math.floor(Date.now() / 1000);
    const byPhone = (count: number) => cloud.attendance.addPhoneCheckIns({ count, from: to - 86_400, to });
    byPhone(40);
    expect(await atCloud()).toMatchObject({ code: 0, records: [] });
    byPhone(5);
    const before = await atCloud();
    expect(before.records).toHaveLength(5);

    const upstream = {
      ...{ device_http: cloud.urls.deviceHttp, device_mqtt: cloud.urls.deviceMqtt },
      attendance: { url: cloud.urls.deviceHttp, ...caller },
    };
    await using moved = await BoxProcess.start(
      { upstream },
      { products: site.products, devices: [{ device_id: 'FACE-T1_P1' }], attendance_callers: [caller] },
    );
    const ownTrust = join(moved.folder, 'trust.pem');
    await moved.ask('trust', 'export', '--edition', 'slim', '--out', ownTrust);
    await moved.ask('attendance', 'sync');
    const atBox = () => at(`https://${moved.addresses.https}`, ownTrust);
    const told = await atBox();
    expect(told).toMatchObject({ code: 106, records: [] });
    expect(told.msg).toMatch(/next_id.*begin with 0/s);
    expect(told.next_id).toBe(before.next_id);

    await writeFile(place, '0');
    await punchAt(moved, 'e1');
    const all = await atBox();
    expect(all).toMatchObject({ code: 0 });
    expect(all.records.map(([, extId]) => extId).sort()).toEqual(
      [...before.records.map(([, extId]) => extId), 'e1'].sort(),
    );
    expect(new Set(all.records.map(([id]) => id)).size).toBe(6);
    byPhone(1);
    await moved.ask('attendance', 'sync');
    expect((await atBox()).records).toHaveLength(1);
  });

  test('None is a body without fields, a mark is read past; what else it may write is named', async () => {
    expect(await answersTo('call.py', 'python3 call.py')).toMatchObject([
      ...[isEmpty, isSpoiled, isEmpty],
      ...[isIn('GBK'), isIn('UTF-16'), { code: 106 }, isPacked],
    ]);
  });
});

suiteWhere(
  hasPythonModule('requests_oauthlib'),
  'needs requests-oauthlib: apt-get install python3-requests-oauthlib',
  'an application in Python, with requests-oauthlib',
  () => {
    const client = (step: string, environment: NodeJS.ProcessEnv) =>
      answersTo<Record<string, string>>('oauth-library.py', `/usr/bin/python3 oauth-library.py ${step}`, environment);
    /** Asks a person, and returns the code that the browser brings back. */
    const codeFor = async (clientId: string) => {
      const asked = { CLIENT: clientId, REDIRECT: portal.redirect_uris[0]! };
      const [request] = await client('authorize', asked);
      const { pathname, search } = new URL(request!.url!);
      const answer = await new Browser(`https://${box.addresses.https}`).allow(`${pathname}${search}`);
      expect(answer.get('state')).toBe(request!.state);
      return answer.get('code')!;
    };
    const tokens = (environment: NodeJS.ProcessEnv) =>
      client('tokens', { SECRET: portal.client_secret, ...environment });

    test.each(['GET', 'POST'])('gets tokens by %s as SPEC 4.6 prints it, without redirect_uri', async METHOD => {
      const CODE = await codeFor('portal');
      const [first, who, later, same] = await tokens({ CLIENT: 'portal', CODE, METHOD });
      expect(first).toMatchObject({ expires_in: 3600, refresh_token: expect.any(String) });
      expect(who).toMatchObject({ name: mei.name });
      expect(later).toMatchObject({ refresh_token: first!.refresh_token, expires_in: 2_592_000 });
      expect(same).toEqual(who);
    });

    test('a client that needs redirect_uri is refused without it, and served with the one of the request', async () => {
      const without = await tokens({ CLIENT: 'strict', CODE: await codeFor('strict'), METHOD: 'POST' });
      expect(without).toEqual([{ error: 'invalid_grant', description: expect.stringMatching(/redirect_uri/) }]);
      const REDIRECT = portal.redirect_uris[0]!;
      const [first, who] = await tokens({ CLIENT: 'strict', CODE: await codeFor('strict'), METHOD: 'POST', REDIRECT });
      expect(first).toMatchObject({ token_type: expect.stringMatching(/^bearer$/i) });
      expect(who).toMatchObject({ name: mei.name });
    });
  },
);

suiteWhere(hasTool('curl'), 'needs curl: apt-get install curl', 'a caller with curl', () => {
  test('no body, a form that is JSON and Expect are taken; GBK is named', async () => {
    expect(await answersTo('call.sh', 'sh call.sh')).toMatchObject([
      ...[isEmpty, isEmpty, isEmpty],
      ...[isIn('GBK'), isIn('GBK')],
    ]);
  });
});

/** What the payroll client printed. */
interface Pulled {
  readonly code: number;
  readonly msg: string;
  readonly records: readonly (readonly [string, string])[];
  readonly next_id: number;
}

const punch = (...extIds: readonly string[]) => punchAt(box, ...extIds);

/** Acknowledged when it resolves. */
async function punchAt(at: BoxProcess, ...extIds: readonly string[]): Promise<void> {
  const deviceId = 'FACE-T1_P1';
  const ca = await readFile(join(at.dataDir, 'tls', 'ca.pem'), 'utf8');
  const own = credentials({ deviceId, key: productKey });
  const url = `mqtts://127.0.0.1:${at.port('mqtts')}`;
  const device = await mqtt.connectAsync(url, { ...own, ca, protocolVersion: 4 });
  for (const [no, ext_id] of extIds.entries()) {
    const time = Math.floor(Date.now() / 1000);
    const records = [{ ext_id, check_type: 'fa', check_time: time - 100 + no }];
    const mid = `${performance.now()}`;
    const envelope = { mid, from: deviceId, to: 'system', time, action: 2001, data: { records } };
    await device.publishAsync('device', JSON.stringify(envelope), { qos: 1 });
  }
  await device.endAsync();
}
