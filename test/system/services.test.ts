import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from '../support/gateway.ts';
import { BoxProcess, run } from '../support/program.ts';
import { portal, ServiceCaller } from '../support/services.ts';
import { until } from '../support/until.ts';

const ofBox = { app_id: 'box-of-the-hall', app_key: 's3cret-of-the-box' };
const message_templates = [{ template: 'code', body: 'Your code is {{code}}' }];
const sms = '/api/1.0.0/message/short-message';

async function signed(box: BoxProcess, path: string, body?: string | Uint8Array, type = 'application/json') {
  const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
  const nonce = randomBytes(3).toString('hex');
  const headers = {
    ...new ServiceCaller('', Date.now, portal).signature(nonce),
    ...(body === undefined ? {} : { 'content-type': type }),
  };
  return ask(`https://${box.addresses.https}${path}`, { ca, headers, ...(body === undefined ? {} : { body }) });
}

interface Report {
  readonly waiting: { readonly files: number; readonly messages: number; readonly refused: number };
  readonly refused_calls: readonly { app_id: string; message: string }[];
}
const report = async (box: BoxProcess): Promise<Report> => JSON.parse(await box.ask('services', 'status', '--json'));

test('the line cut and the box killed: messages and files reach the cloud, each once', async () => {
  await using cloud = await BoxProcess.start({}, { apps: [ofBox], message_templates });
  await using box = await BoxProcess.start(
    {
      upstream: {
        psp: { url: `https://127.0.0.1:${cloud.port('https')}`, ...ofBox },
        ca: `file:${join(cloud.dataDir, 'tls', 'ca.pem')}`,
      },
    },
    { apps: [portal], message_templates },
  );
  await cloud.kill9();
  const message = (code: number) =>
    JSON.stringify({
      content: { template: 'code', template_params: { code } },
      target: [{ mobile: '13800000000', mobile_region: '86' }],
    });
  for (let code = 0; code < 20; code++) expect((await signed(box, sms, message(code))).json).toMatchObject({ code: 0 });
  const file = await signed(
    box,
    '/api/v1.0.0/file?client=A0001&name=a.bin',
    randomBytes(3 << 20),
    'application/octet-stream',
  );
  expect(file.json).toMatchObject({ code: 0 });
  expect((await report(box)).waiting).toEqual({ files: 1, messages: 20, refused: 0 });
  await box.kill9();
  await cloud.start();
  await box.start();
  await until('some are there', async () => (await report(cloud)).waiting.messages > 3);
  await box.kill9();
  await box.start();
  await until('nothing waits', async () => {
    const { waiting } = await report(box);
    return waiting.messages + waiting.files === 0;
  });
  expect((await report(cloud)).waiting.messages).toBe(20);
});

test('on the plain port OAuth and the public services are served in environment test, everything else goes to https', async () => {
  await using box = await BoxProcess.start({ listen: { http: '127.0.0.1:0' } }, { apps: [portal] });
  const plain = `http://${box.addresses.http}`;
  const token = await ask(`${plain}/oauth/token`);
  expect([token.status, token.json.error]).toEqual([400, 'invalid_request']);
  expect((await ask(`${plain}/api/1.0.0/holiday`)).json).toEqual({ code: 400, msg: 'send the header app_id' });
  const caller = new ServiceCaller(plain, Date.now, portal);
  expect((await caller.call('/api/1.0.0/holiday?year=2026')).data).toMatchObject({ year: 2026 });
  for (const path of ['/v2.0/cloudappapi', '/openapi.json', '/api/pull/FACE-T1_A1'])
    expect([path, (await ask(plain + path)).status]).toEqual([path, 308]);
  const upload = await caller.call('/api/v1.0.0/file?client=A&public=true&https=false&name=a.txt', {
    headers: { 'content-type': 'application/octet-stream' },
    body: 'plain',
  });
  expect(upload.data.public_url).toMatch(new RegExp(`^${plain}/public/file/gh`));
  expect((await ask(upload.data.public_url)).body).toBe('plain');
});

test('whoever debugs a signature finds the string that should have been signed', async () => {
  await using box = await BoxProcess.start({}, { apps: [portal] });
  const key = join(box.folder, 'key');
  await writeFile(key, `${portal.app_key}\n`);
  const { stdout } = await run([
    'sign',
    'psp',
    '--app-id',
    portal.app_id,
    '--key-file',
    key,
    '--nonce',
    'n1',
    '--json',
  ]);
  const made = JSON.parse(stdout);
  expect(made.string_to_sign).toBe(`app_id=hr-portal&app_key=********&nonce=n1&timestamp=${made.timestamp}`);
  const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
  const call = (headers: Record<string, string>) =>
    ask(`https://${box.addresses.https}/api/1.0.0/holiday`, { ca, headers });
  const { app_id, timestamp, nonce, sig } = made;
  expect((await call({ app_id, timestamp, nonce, sig })).status).toBe(200);
  expect((await call({ app_id, timestamp, nonce: 'other', sig })).status).toBe(401);
  const shown = await box.ask('services', 'status');
  expect(shown).toContain(`to be signed: app_id=hr-portal&app_key=********&nonce=other&timestamp=${timestamp}`);
  expect(shown).not.toContain(portal.app_key);
});
