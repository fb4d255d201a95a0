import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Box } from '../../src/box/box.ts';
import type { ServedRoute } from '../../src/listeners/served.ts';
import {
  aClient,
  boxId,
  type CallerName,
  callers,
  deviceId,
  type HttpAnswer,
  type HttpCall,
  signInEverybody,
} from '../support/every-caller.ts';
import { aBoxWithEveryListener, type EveryListener } from '../support/every-listener.ts';
import { httpInProduction, listeners, type Row, type RowRequest, samples, type Table } from './matrix.ts';

/** A box that runs, and everybody signed in at it. */
interface Place {
  readonly running: EveryListener;
  readonly box: Box;
  credentials: Awaited<ReturnType<typeof signInEverybody>>;
}

async function aPlace(environment: 'test' | 'production'): Promise<Place> {
  const running = await aBoxWithEveryListener({ GATEHOUSE_ENVIRONMENT: environment });
  return { running, box: running.box, credentials: await signInEverybody(running.box) };
}

let inTest: Place;
beforeAll(async () => {
  inTest = await aPlace('test');
});
afterAll(() => inTest?.running[Symbol.asyncDispose]());

const marksOf = (row: Row): string => (typeof row === 'string' ? row : row[0]);
/** What ends the session of its caller is called last, each after everybody has signed in again. */
const endsSession = (row: Row | undefined): boolean => row !== undefined && requestOf(row).endsSession === true;
const nameOf = ({ method, path }: ServedRoute): string => `${method} ${path.replace(/\{[^}]*\}/g, '')}`;
const requestOf = (row: Row): RowRequest => (typeof row === 'string' ? {} : row[1]);

test('every listener that serves HTTP has its table', () => {
  expect(Object.keys(listeners).sort()).toEqual(Object.keys(inTest.box.served).sort());
});

/** So many routes in a row are called over one connection. */
const routesAConnection = 4;

test.each(Object.keys(listeners) as Listener[])(
  'each route of the listener %s lets in whom its row says, and no route is without its row',
  listener => holds(inTest, listener, listeners[listener], listener),
);

test('in production the listener http sends everybody to https and has no other route', async () => {
  const inProduction = await aPlace('production');
  await using _running = inProduction.running;
  await holds(inProduction, 'http', httpInProduction, 'httpInProduction');
});

type Listener = keyof typeof listeners;

/** `name`: of the table, in test/security/matrix.ts. */
async function holds(place: Place, listener: Listener, table: Table, name: string): Promise<void> {
  const served = place.box.served[listener]!.routes().map(nameOf);
  const ending = served.filter(route => endsSession(table[route]));
  const others = served.filter(route => !ending.includes(route));
  const found: Record<string, string> = {};
  let call = 0;
  const callAll = async (routes: readonly string[]) => {
    call++;
    const marks = await Promise.all(
      callers.map((caller, index) => marksFor(place, listener, table, caller, routes, `127.${index + 1}.${call}.1`)),
    );
    routes.forEach((route, index) => {
      found[route] = marks.map(ofCaller => ofCaller[index]).join(' ');
    });
  };
  for (let at = 0; at < others.length; at += routesAConnection) await callAll(others.slice(at, at + routesAConnection));
  for (const route of ending) {
    place.credentials = await signInEverybody(place.box);
    await callAll([route]);
  }
  const missing = served.filter(route => !table[route]);
  const lines = (routes: readonly string[]) => routes.map(route => `  '${route}': '${found[route]}',`).join('\n');
  expect(
    missing,
    `test/security/matrix.ts has no row in \`${name}\` for the routes below. Say who may call each; today it lets in:\n${lines(missing)}\n`,
  ).toEqual([]);
  expect(
    Object.keys(table).filter(route => !served.includes(route)),
    `test/security/matrix.ts has rows in \`${name}\` for routes that are gone: take them out`,
  ).toEqual([]);
  const expected = Object.fromEntries(served.map(route => [route, marksOf(table[route]!)]));
  const wrong = served.filter(route => found[route] !== expected[route]);
  expect(
    Object.fromEntries(wrong.map(route => [route, found[route]])),
    `in the order ${callers.join(', ')}: let in (+), not allowed (x), not known (-), sent to https (>)`,
  ).toEqual(Object.fromEntries(wrong.map(route => [route, expected[route]])));
}

/**
 * What each of these routes says to a caller; the most that one of its ways to show itself obtains.
 */
async function marksFor(
  { running, credentials }: Place,
  listener: Listener,
  table: Table,
  caller: CallerName,
  routes: readonly string[],
  from: string,
): Promise<string[]> {
  using client = aClient(running.target(listener), from);
  const marks: string[] = [];
  for (const route of routes) {
    const call = callOf(route, requestOf(table[route] ?? ''), caller);
    let most = '';
    for (const way of credentials[caller]) {
      const answer = await client.ask({ ...call, headers: { ...way(call.path), ...call.headers } });
      if (listener === 'https' && call.path.startsWith('/admin/v1'))
        expect(answer.headers['cache-control'], `${route} to ${caller}`).toBe('no-store');
      const mark = markOf(answer);
      if (rankOf(mark) > rankOf(most)) most = mark;
    }
    marks.push(most);
  }
  return marks;
}

/** A call that gets past no validation, so that nothing is changed by being let in. */
function callOf(route: string, { path, body, method }: RowRequest, caller: CallerName): HttpCall {
  const [said, pattern] = route.split(' ') as [string, string];
  const own = caller === 'box' ? boxId : deviceId;
  const filled = pattern
    .replace(/:clientId/g, own)
    .replace(/:(\w+)/g, (_all, name: string) => samples[name] ?? 'x')
    .replace(/\*/g, 'x');
  const verb = method ?? (said === 'ALL' ? 'GET' : said);
  const isBare = verb === 'GET' || verb === 'HEAD' || verb === 'DELETE';
  return {
    method: verb,
    path: path ?? filled,
    ...(isBare ? {} : { headers: { 'content-type': 'application/json' }, body: body?.(caller) ?? '{}' }),
  };
}

/** From the least to the most; a status that is no mark stands above all, so that it is seen. */
const order = ['', '-', 'x', '>', '+'];
const rankOf = (mark: string): number => (order.includes(mark) ? order.indexOf(mark) : order.length);

/**
 * Whether a call was let in. What it lacks besides is none of this table's business: a 400 or 404
 * behind the door is let in too.
 */
function markOf({ status, headers, body }: HttpAnswer): string {
  if (status === 308 && headers.location?.startsWith('https:')) return '>';
  if (status === 401 || status === 406) return '-';
  if (status === 403) return 'x';
  const { code, msg } = parsed(body);
  // The attendance API says who is unknown in its body (SPEC 7.3), and the public services what
  // header is missing (SPEC 7.2).
  if (status === 200 && typeof code === 'number' && code >= 101 && code <= 105) return '-';
  if (status === 200 && code === 110) return '429';
  if (status === 400 && /^send the header/.test(String(msg))) return '-';
  if (status >= 500 && status !== 503 && status !== 507) return `${status}`;
  return status === 429 ? '429' : '+';
}

function parsed(body: string): { code?: unknown; msg?: unknown } {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
}
