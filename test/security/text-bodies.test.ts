import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServedRoute } from '../../src/listeners/served.ts';
import {
  aClient,
  boxId,
  type CallerName,
  deviceId,
  type HttpAnswer,
  signInEverybody,
} from '../support/every-caller.ts';
import { aBoxWithEveryListener, type EveryListener } from '../support/every-listener.ts';
import { type BodySchema, bodiesWith } from '../support/schema-bodies.ts';
import { samples } from './matrix.ts';

/**
 * Every route of every listener, with bodies in another encoding than UTF-8: none is read as what
 * it is not.
 */

let running: EveryListener;
let credentials: Awaited<ReturnType<typeof signInEverybody>>;
let documents: ReadonlyMap<string, Document>;
beforeAll(async () => {
  running = await aBoxWithEveryListener();
  credentials = await signInEverybody(running.box);
  documents = await documented();
});
afterAll(() => running?.[Symbol.asyncDispose]());

interface Document {
  /** Of the media types that a route says it takes. */
  readonly types: readonly string[];
  readonly bodies: readonly string[];
}

const mark = 'MARK-OF-A-NAME';

/** What /openapi.json says of each route, such as `POST /admin/v1/people`. */
async function documented(): Promise<Map<string, Document>> {
  using client = aClient(running.target('https'));
  const { body } = await client.ask({ method: 'GET', path: '/openapi.json' });
  const { paths, components } = JSON.parse(body) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema?: BodySchema }> } }>>;
    components: { schemas: Record<string, BodySchema> };
  };
  const found = new Map<string, Document>();
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const content = requestBody?.content ?? {};
      const schema = content['application/json']?.schema;
      found.set(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`, {
        types: Object.keys(content),
        bodies: schema ? bodiesWith(mark, schema, components.schemas) : [],
      });
    }
  return found;
}

/** These keep the bytes of a body as they are, or unpack them: each says so in its file. */
const takesBytes: ReadonlySet<string> = new Set([
  'POST /api/push/:clientId',
  'POST /api/v2.0/log/:model/:sn',
  'POST /api/v1.0/batch/:clientId',
  'PUT /api/v1.0/backups/:clientId/:name',
  'POST /api/:version/file',
]);
/** These read no body: SPEC 4.2 and 4.3 name none, and it changes nothing. */
const readsNone: ReadonlySet<string> = new Set([
  'POST /api/disconnect/:clientId',
  'POST /wifi/list',
  'POST /device/query',
  // Answered to any method without a look at what it brings.
  'ALL /v2.0/*',
  'ALL /*',
]);

const text = '张伟';
const inCode = (code: 'gbk' | 'latin1' | 'utf16le' | 'gzip', body: string): Uint8Array => {
  if (code === 'utf16le') return Buffer.from(`\ufeff${body.replace(mark, text)}`, 'utf16le');
  if (code === 'gzip') return gzipSync(body.replace(mark, text));
  const named = code === 'gbk' ? [0xd5, 0xc5, 0xce, 0xb0] : [...Buffer.from('Müller', 'latin1')];
  const [before = '', after = ''] = body.split(mark);
  return Buffer.concat([Buffer.from(before), Buffer.from(named), Buffer.from(after)]);
};
const codes = {
  gbk: /GBK/,
  latin1: /windows-1252/,
  utf16le: /UTF-16/,
  gzip: /gzip/,
} as const;

const nameOf = ({ method, path }: ServedRoute): string => `${method} ${path.replace(/\{[^}]*\}/g, '')}`;
const clientOf = (route: string): string => (route.includes('/batch/') ? boxId : deviceId);
const pathOf = (route: string): string =>
  route
    .slice(route.indexOf(' ') + 1)
    .replace(/:(\w+)/g, (_all, name: string) => (name === 'clientId' ? clientOf(route) : (samples[name] ?? 'x')))
    .replace(/\*/g, 'x');
const callerOf = (path: string): CallerName => {
  if (path.startsWith('/admin/v1/own-page/')) return 'employee';
  if (path.startsWith('/admin/')) return 'admin';
  if (/^\/(api\/v?1\.0\.0|v2\.0)\//.test(path)) return 'signed';
  if (path.startsWith('/api/v1.0/batch')) return 'box';
  return path.startsWith('/api/') ? 'device' : 'nobody';
};
const typeOf = (path: string): string =>
  /^\/(oauth\/|setup$)/.test(path) && path !== '/oauth/token'
    ? 'application/x-www-form-urlencoded'
    : 'application/json';

/** In the words of its API: the attendance API says it by a code (SPEC 7.3), as the hotspot does. */
function whyRefused(path: string, { status, body }: HttpAnswer): string {
  const said = `${status} ${body}`;
  if (path.startsWith('/v2.0/')) return /^200 \{"code":106,/.test(said) ? body : '';
  if (path.startsWith('/wifi/')) return /^200 \{"code":"400",/.test(said) ? body : '';
  return status === 400 ? body : '';
}

const listeners = ['hotspot', 'metrics', 'http', 'https', 'socket'] as const;
const routesOf = (listener: (typeof listeners)[number]): string[] =>
  running.box.served[listener]!.routes()
    .map(nameOf)
    .filter(route => /^(POST|PUT|PATCH|ALL) /.test(route));

test('the listeners walked here are all there are', () => {
  expect(Object.keys(running.box.served).sort()).toEqual([...listeners].sort());
});

test.each(listeners)('each route of %s refuses a body that is not UTF-8, and names its encoding', async listener => {
  // Of /oauth on http: sent on to https before a form is read.
  using client = aClient(running.target(listener));
  const wrong: string[] = [];
  for (const route of routesOf(listener)) {
    const [method = '', pattern = ''] = route.split(' ');
    const document = documents.get(route);
    const path = pathOf(route);
    if (takesBytes.has(route) || readsNone.has(route)) continue;
    if (listener === 'http' && /^\/oauth\/(login|consent|cloud)$/.test(path)) continue;
    if (pattern.startsWith('/admin/') && document && !document.types.includes('application/json')) continue;
    const type = typeOf(path);
    const json = document?.bodies[0] ?? `{"name":"${mark}"}`;
    const body = type === 'application/json' ? json : `name=${mark}&ssid=${mark}`;
    for (const [code, words] of Object.entries(codes)) {
      const way = listener === 'socket' ? {} : credentials[callerOf(path)][0]!(path);
      const headers = { ...way, 'content-type': type, ...(path === '/v2.0/cloudappapi' ? checkin : {}) };
      const sent = inCode(code as keyof typeof codes, body);
      const answer = await client.ask({ method: method === 'ALL' ? 'POST' : method, path, headers, body: sent });
      if (!words.test(whyRefused(path, answer)))
        wrong.push(`${route} in ${code}: ${answer.status} ${answer.body.slice(0, 120)}`);
    }
  }
  expect(wrong).toEqual([]);
});

const checkin = { 'api-module': 'CHECKIN', 'api-cmd': 'feature_update' };

/** The one route that unpacks what it is sent (CONTRACT 5). */
const unpacks = 'POST /api/v1.0/batch/:clientId';

test.each(listeners)('each route of %s refuses a Content-Encoding with 415 that names it', async listener => {
  using client = aClient(running.target(listener));
  const wrong: string[] = [];
  const host = listener === 'socket' ? 'box' : running.target(listener).address;
  for (const route of routesOf(listener)) {
    if (route === unpacks) continue;
    const path = pathOf(route);
    const method = route.startsWith('ALL') ? 'POST' : route.split(' ')[0]!;
    for (const encoding of ['gzip', 'br', 'x-unknown']) {
      const headers = { host, 'content-type': typeOf(path), 'content-encoding': encoding };
      const answer = await client.ask({ method, path, headers, body: gzipSync('{}') });
      const { status, body } = answer;
      const coded = path.startsWith('/v2.0/') ? body.startsWith('{"code":106,') : true;
      if (status !== 415 || !body.includes(encoding) || !coded) wrong.push(`${route}: ${status} ${body.slice(0, 120)}`);
    }
    // Says that nothing was done to it.
    const plain = await client.ask({
      method: 'GET',
      path: '/readyz',
      headers: { host, 'content-encoding': 'identity' },
      body: '{}',
    });
    expect(plain.status).not.toBe(415);
  }
  expect(wrong).toEqual([]);
});

test('the filename of an upload in GBK is refused', async () => {
  using client = aClient(running.target('https'));
  const path = '/api/v1.0.0/file?client=gate';
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="@"\r\n\r\na\r\n--x--\r\n';
  for (const [name, status] of [
    ['\xd5\xc5', 400],
    [Buffer.from('张').toString('latin1'), 200],
  ] as const) {
    const headers = { ...credentials.signed[0]!(path), 'content-type': 'multipart/form-data; boundary=x' };
    const body = Buffer.from(part.replace('@', name), 'latin1');
    const answer = await client.ask({ method: 'POST', path, headers, body });
    expect([answer.status, answer.body]).toEqual([
      status,
      expect.stringContaining(status === 400 ? 'UTF-8' : 'file_id'),
    ]);
  }
});

test('the store has no sign that stands for a lost one', () => {
  using database = new DatabaseSync(join(dirname(running.target('socket').address), 'gatehouse.db'), {
    readOnly: true,
  });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
  const found = tables.flatMap(({ name }) =>
    (database.prepare(`SELECT * FROM "${name}"`).all() as Record<string, unknown>[])
      .filter(row => Object.values(row).some(value => typeof value === 'string' && value.includes('\ufffd')))
      .map(row => `${name}: ${JSON.stringify(row).slice(0, 200)}`),
  );
  expect(tables.length).toBeGreaterThan(30);
  expect(found).toEqual([]);
});

test('an address that is not UTF-8 is refused on every listener, in the format of its API', async () => {
  for (const listener of listeners) {
    using client = aClient(running.target(listener));
    const host = listener === 'socket' ? 'box' : running.target(listener).address;
    for (const path of ['/api/1.0.0/tts?text=', '/oauth/authorize?state=', '/admin/v1/logs?text=', '/']) {
      const { status, body } = await client.ask({ method: 'GET', path: `${path}%D5%C5`, headers: { host } });
      expect([status, body], `${listener} ${path}`).toEqual([400, expect.stringContaining('is not UTF-8')]);
    }
  }
});
