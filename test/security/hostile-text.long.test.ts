import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServedRoute } from '../../src/listeners/served.ts';
import { aClient, type CallerName, deviceId, signInEverybody } from '../support/every-caller.ts';
import { aBoxWithEveryListener, type EveryListener } from '../support/every-listener.ts';
import { type BodySchema, bodiesWith } from '../support/schema-bodies.ts';
import { listeners, type Row, samples } from './matrix.ts';

/**
 * Every text parameter of every route, in path and query, and every header that the program reads,
 * with 200 characters that a pattern which tries more than one way to read them never comes to an
 * end with. Each is answered within a second.
 */

let running: EveryListener;
let credentials: Awaited<ReturnType<typeof signInEverybody>>;
let queries: ReadonlyMap<string, readonly string[]>;
let bodies: ReadonlyMap<string, (text: string) => readonly string[]>;
beforeAll(async () => {
  running = await aBoxWithEveryListener();
  credentials = await signInEverybody(running.box);
  ({ queries, bodies } = await documented());
});
afterAll(() => running?.[Symbol.asyncDispose]());

/**
 * Repetitions that may be read in several ways, some behind what a place in the events begins with,
 * and before what makes every reading fail. As they stand in an address.
 */
const hostile = ['a', 'a/', '+', '%25', '0.', ' ', ',', ':', '-', '=', '1=11', 'x:1=11'].flatMap(written =>
  ['!', '#!'].map(end => {
    const [, start = '', part] = /^(x:)?(.+)$/.exec(written)!;
    const whole = part!.repeat(Math.floor((198 - start.length) / part!.length));
    return `${start}${whole}${part === '%25' ? encodeURIComponent(end) : end}`;
  }),
);
/** As long, and read in one way. */
const plain = 'x'.repeat(200);
const encoded = (text: string): string => (text.includes('%25') ? text : encodeURIComponent(text));

const source = globSync('**/*.ts', { cwd: fileURLToPath(new URL('../../src', import.meta.url)) })
  .map(file => readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8'))
  .join('\n');
const named = (pattern: RegExp): string[] => [
  ...new Set([...source.matchAll(pattern)].map(one => one[1]!.toLowerCase())),
];
/** Of the message itself, and those that say who calls, without which no route reads the others. */
const notFilled =
  /^(host|connection|content-length|content-range|transfer-encoding|expect|authorization|cookie|origin|sec-fetch-site)$/;
const headersRead = [...named(/\.header\('([\w-]+)'\)/g), ...named(/headers\['([\w-]+)'\]/g), 'user-agent'].filter(
  name => !notFilled.test(name),
);
/** Of routes that the document does not have: public services, OAuth, devices. */
const queriesRead = [...named(/\.query\('([a-zA-Z_]+)'\)/g), 'client_id', 'redirect_uri', 'scope', 'state', 'code'];

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: BodySchema }>> };
}

/**
 * The parameters in the query of each route of /openapi.json, such as `GET /admin/v1/logs`, and
 * what its body is made of.
 */
async function documented() {
  using client = aClient(running.target('https'));
  const { body } = await client.ask({ method: 'GET', path: '/openapi.json' });
  const { paths, components } = JSON.parse(body) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, BodySchema> };
  };
  const found = { queries: new Map<string, string[]>(), bodies: new Map<string, (text: string) => string[]>() };
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { parameters = [], requestBody }] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
      found.queries.set(
        name,
        parameters.filter(one => one.in === 'query').map(one => one.name),
      );
      const schema = requestBody?.content['application/json']?.schema;
      if (schema) found.bodies.set(name, text => bodiesWith(text, schema, components.schemas));
    }
  return found;
}

const nameOf = ({ method, path }: ServedRoute): string => `${method} ${path.replace(/\{[^}]*\}/g, '')}`;

const callerOf = (path: string): CallerName => {
  if (path.startsWith('/admin/v1/own-page/')) return 'employee';
  if (path.startsWith('/admin/')) return 'admin';
  if (path.startsWith('/api/:version') || path.startsWith('/v2.0')) return 'signed';
  return path.startsWith('/api/') ? 'device' : 'nobody';
};

/** A path with its parameters as they may be, but for the one that is hostile. */
const filled = (pattern: string, parameter = '', text = ''): string =>
  pattern
    .replace(/:(\w+)/g, (_all, name: string) => {
      if (name === parameter) return encoded(text);
      return name === 'clientId' ? deviceId : (samples[name] ?? 'x');
    })
    .replace(/\*/g, () => (parameter === '*' ? encoded(text) : 'x'));

interface Fill {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Each parameter of a route in turn, then all headers at once. */
function fillsOf(route: string, text: string): Fill[] {
  const pattern = route.split(' ')[1]!;
  const inPath = [...pattern.matchAll(/:(\w+)|\*/g)].map(([all, name]) => name ?? all);
  const inQuery = queries.get(route) ?? queriesRead;
  return [
    ...inPath.map(name => ({ path: filled(pattern, name, text), headers: {} })),
    ...(queries.has(route) ? inQuery.map(name => [name]) : [inQuery]).map(names => ({
      path: `${filled(pattern)}?${names.map(name => `${name}=${encoded(text)}`).join('&')}`,
      headers: {},
    })),
    { path: filled(pattern), headers: Object.fromEntries(headersRead.map(name => [name, text])) },
  ];
}

test('the document has every route of the admin API with its parameters', () => {
  expect(queries.size).toBeGreaterThan(150);
  expect([...queries.values()].flat().length).toBeGreaterThan(100);
  expect(headersRead).toEqual(expect.arrayContaining(['last-event-id', 'accept-language', 'if-none-match', 'range']));
  const undocumented = running.box.served
    .https!.routes()
    .map(nameOf)
    .filter(one => / \/admin\/v1/.test(one) && !queries.has(one));
  expect(undocumented, 'these are filled with the names of queries that src/ reads').toEqual([]);
});

test('the socket serves routes of https alone', () => {
  const https = running.box.served.https!.routes().map(nameOf);
  expect(
    running.box.served
      .socket!.routes()
      .map(nameOf)
      .filter(one => !https.includes(one)),
  ).toEqual([]);
});

/** What took longest with hostile texts, and with plain ones. */
class Slowest {
  readonly #plain = { ms: 0, call: '' };
  readonly #hostile = { ms: 0, call: '' };

  async time<Answer>(call: string, text: string, ask: () => Promise<Answer>): Promise<Answer> {
    const begun = performance.now();
    const answer = await ask();
    const ms = performance.now() - begun;
    const slowest = text === plain ? this.#plain : this.#hostile;
    if (ms > slowest.ms) Object.assign(slowest, { ms, call });
    return answer;
  }

  /** On a busy machine a plain text is slow as well. */
  expectWithinASecond(): void {
    expect(this.#hostile.ms, this.#hostile.call).toBeLessThan(Math.max(1000, 20 * this.#plain.ms));
  }
}

const filledListeners = Object.keys(listeners).filter(one => one !== 'socket') as (keyof typeof listeners)[];

test.each(filledListeners)(
  'each text of each route of the listener %s may be hostile, and is answered',
  async listener => {
    const rows: Readonly<Record<string, Row>> = listeners[listener];
    const routes = running.box.served[listener]!.routes().map(nameOf);
    const failed: string[] = [];
    const slowest = new Slowest();
    const at = { next: 0 };
    const worker = async (number: number) => {
      for (let index = at.next++; index < routes.length; index = at.next++) {
        // Limits by address count wrong callers: each route is called from another one.
        using client = aClient(running.target(listener), `127.${number + 20}.${(index >> 6) + 1}.${(index % 64) + 1}`);
        const route = routes[index]!;
        const [said, pattern] = route.split(' ') as [string, string];
        const row = rows[route];
        const endsSession = typeof row === 'object' && row[1].endsSession === true;
        const who = endsSession ? 'nobody' : callerOf(pattern);
        const method = said === 'ALL' ? 'GET' : said;
        const body = /^(GET|HEAD|DELETE)$/.test(method) ? {} : { body: '{}' };
        for (const text of [plain, ...hostile])
          for (const { path, headers } of fillsOf(route, text)) {
            const way = credentials[who][0]!(path);
            const { status } = await slowest.time(`${method} ${path}`, text, () =>
              client.ask({ method, path, headers: { ...headers, ...way }, ...body }),
            );
            if (status === 500) failed.push(`${status} ${method} ${path}`);
          }
      }
    };
    await Promise.all([0, 1, 2, 3].map(worker));
    expect(failed).toEqual([]);
    slowest.expectWithinASecond();
  },
);

test('each text in the body of each route that has a document may be hostile, and is answered', async () => {
  const slowest = new Slowest();
  const statuses = new Map<number, number>();
  using client = aClient(running.target('https'), '127.30.1.1');
  for (const [route, bodiesOf] of bodies) {
    const [method, pattern] = route.split(' ') as [string, string];
    const row = listeners.https[route as keyof typeof listeners.https] as Row | undefined;
    if (typeof row === 'object' && row[1].endsSession) continue;
    const path = filled(pattern);
    for (const text of [plain, ...hostile])
      for (const body of bodiesOf(decodeURIComponent(text.replace(/%(?!25)/g, '%25')))) {
        const headers = { 'content-type': 'application/json', ...credentials[callerOf(pattern)][0]!(path) };
        const { status } = await slowest.time(route, text, () => client.ask({ method, path, headers, body }));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
  }
  // Many are taken: the text was read to its end.
  expect(statuses.get(200)).toBeGreaterThan(100);
  expect(statuses.has(500)).toBe(false);
  slowest.expectWithinASecond();
});
