import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertSettings, backupSettings } from '../../src/config/index.ts';
import type { KeyMeta } from '../../src/config/kinds.ts';
import { aBox, type LocalBox } from '../support/box.ts';
import { aClient } from '../support/every-caller.ts';

/** Each section of settings that a page replaces, with null in the place of a secret that stays. */
const sections = { '/alerts/settings': alertSettings, '/backup/settings': backupSettings };

/** A daily report is one channel by itself. */
const dailyReport = '/attendance/daily-reports/{name}';

/** Two values of each key beside a secret. A new channel with a secret needs its line here. */
const channels: Record<string, Record<string, readonly [unknown, unknown]>> = {
  mail: {
    host: ['127.0.0.1', '127.0.0.2'],
    port: [1465, 1466],
    security: ['tls', 'starttls'],
    user: ['box', 'another'],
    password: ['hunter-2', 'hunter-3'],
    from: ['box@example.com', 'gate@example.com'],
    to: [['mei@example.com'], ['li@example.com']],
  },
  ...Object.fromEntries(
    ['webhook', 'dingtalk', 'feishu'].map(name => [
      name,
      {
        url: [`https://127.0.0.1:9/${name}?token=a`, `https://127.0.0.2:9/${name}?token=b`],
        secret: ['whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz', 'whsec_eDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz'],
      },
    ]),
  ),
  wecom: { url: ['https://127.0.0.1:9/?key=a', 'https://127.0.0.2:9/?key=b'] },
};

let box: LocalBox;
let token: string;
beforeAll(async () => {
  box = await aBox();
  token = (await box.ask('token', 'create', '--role', 'admin')).trim();
});
afterAll(() => box?.[Symbol.asyncDispose]());

async function ask(method: string, path: string, body?: object) {
  const ca = box.opened.caPem;
  using client = aClient({ address: box.addresses.https!, ...(ca ? { ca } : {}) });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await client.ask({ method, path: `/admin/v1${path}`, headers, ...sent });
  return { status: answer.status, json: JSON.parse(answer.body) };
}

interface Shape {
  readonly def: { readonly innerType?: Shape; readonly shape?: Record<string, Shape> };
  meta(): unknown;
}
const inside = (schema: Shape): Record<string, Shape> =>
  schema.def.innerType ? inside(schema.def.innerType) : (schema.def.shape ?? {});
const metaOf = (schema: Shape): KeyMeta => (schema.meta() ?? {}) as KeyMeta;

/** The keys of each channel of a section that holds a secret. */
const withSecrets = Object.entries(sections).flatMap(([path, schema]) =>
  Object.entries(inside(schema as unknown as Shape))
    .map(([name, channel]) => ({ path, name, keys: Object.entries(inside(channel)) }))
    .filter(({ keys }) => keys.some(([, key]) => metaOf(key).secret)),
);

test('every route that takes settings is among the sections, and every channel with a secret has its values', () => {
  const { paths } = JSON.parse(readFileSync('test/admin/openapi.golden.json', 'utf8'));
  const taking = Object.keys(paths).filter(path =>
    ['put', 'post'].some(method =>
      /null (leaves|keeps)/.test(JSON.stringify(paths[path][method]?.requestBody ?? null)),
    ),
  );
  expect(taking.map(path => path.replace('/admin/v1', '')).sort()).toEqual(
    [...Object.keys(sections), dailyReport].sort(),
  );
  expect(Object.fromEntries(withSecrets.map(({ name, keys }) => [name, keys.map(([key]) => key)]))).toEqual(
    Object.fromEntries(Object.entries(channels).map(([name, values]) => [name, Object.keys(values)])),
  );
});

const nullWhere = (keys: readonly [string, Shape][], values: Record<string, unknown>) =>
  Object.fromEntries(keys.map(([key, schema]) => [key, metaOf(schema).secret ? null : values[key]]));

test.each(withSecrets.flatMap(({ path, name, keys }) => keys.map(([changed]) => ({ path, name, keys, changed }))))(
  '$name: where $changed changes, no secret that was kept goes there',
  async ({ path, name, keys, changed }) => {
    const first = Object.fromEntries(keys.map(([key]) => [key, channels[name]![key]![0]]));
    expect((await ask('PUT', path, { settings: { [name]: first } })).status).toBe(200);
    const changedTo = channels[name]![changed]![1];
    const sent = { ...nullWhere(keys, first), [changed]: changedTo };
    const answer = await ask('PUT', path, { settings: { [name]: sent } });
    const others = keys.filter(([key, schema]) => key !== changed && metaOf(schema).secret).map(([key]) => key);
    const isBeside = metaOf(keys.find(([key]) => key === changed)![1]).besideSecret === true;
    expect(isBeside).toBe(['from', 'to', 'password', 'secret'].includes(changed));
    if (isBeside || others.length === 0) return expect(answer.status).toBe(200);
    expect(answer).toMatchObject({ status: 400, json: { title: 'secret_again' } });
    expect(answer.json.detail).toContain(`${name}.${others[0]}`);
    expect(answer.json.detail).toContain(`${name}.${changed} changed`);
    const again = { ...sent, ...Object.fromEntries(others.map(key => [key, channels[name]![key]![1]])) };
    expect((await ask('PUT', path, { settings: { [name]: again } })).status).toBe(200);
  },
);

test('an absent key is its default: the secret stays with it', async () => {
  const { port: _, ...first } = Object.fromEntries(
    Object.entries(channels.mail!).map(([key, [value]]) => [key, value]),
  );
  expect((await ask('PUT', '/alerts/settings', { settings: { mail: first } })).status).toBe(200);
  const kept = { ...first, password: null };
  expect((await ask('PUT', '/alerts/settings', { settings: { mail: kept } })).status).toBe(200);
  const moved = { mail: { ...kept, port: 2525 } };
  expect((await ask('PUT', '/alerts/settings', { settings: moved })).status).toBe(400);
  const { json } = await ask('GET', '/alerts/settings');
  expect(json.chosen).toMatchObject({ mail: { port: 587, password: null } });
});

test('a daily report: where what it is sent to changes, no secret that was kept goes there', async () => {
  const put = (settings: object) => ask('PUT', dailyReport.replace('{name}', 'group'), { settings });
  const first = { channel: 'dingtalk', url: 'https://127.0.0.1:9/?token=a', secret: 'SEC1' };
  expect((await put(first)).status).toBe(200);
  const kept = { ...first, url: null, secret: null };
  for (const beside of [{ at: '07:30' }, { departments: ['d1'] }, { language: 'zh' }, { secret: 'SEC2' }])
    expect((await put({ ...kept, ...beside })).status).toBe(200);
  for (const moved of [{ channel: 'feishu' }, { channel: 'webhook' }, { url: 'https://127.0.0.2:9/?token=a' }])
    expect(await put({ ...kept, ...moved })).toMatchObject({ status: 400, json: { title: 'secret_again' } });
});
