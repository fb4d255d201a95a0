import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServedRoute } from '../../src/listeners/served.ts';
import { bodyBytesDefault } from '../../src/runtime/body-bound.ts';
import { aClient, type HttpAnswer, signInEverybody, type Target } from '../support/every-caller.ts';
import { aBoxWithEveryListener, type EveryListener } from '../support/every-listener.ts';

let running: EveryListener;
beforeAll(async () => {
  running = await aBoxWithEveryListener();
});
afterAll(() => running?.[Symbol.asyncDispose]());

const listenersOf = () => Object.keys(running.box.served) as (keyof EveryListener['box']['served'])[];
/** These alone take more than 64 KiB, each with the reason in its file. */
const larger: Readonly<Record<string, number>> = {
  'POST /api/push/:clientId': 1 << 20,
  'POST /api/v2.0/log/:model/:sn': 1 << 20,
  'POST /api/v1.0/batch/:clientId': (1 << 20) + (64 << 10),
  'PUT /api/v1.0/backups/:clientId/:name': 2 ** 40,
  'POST /v2.0/cloudappapi': 32 << 20,
  'POST /api/:version/file': (500 << 20) + (64 << 10),
  'POST /api/:version/message/app': 1 << 20,
  'POST /api/:version/message/short-message': 1 << 20,
  'POST /admin/v1/site': 64 << 20,
  'POST /admin/v1/devices/bulk': 256 << 10,
  'POST /admin/v1/people/bulk': 256 << 10,
  'POST /admin/v1/people/bulk/preview': 256 << 10,
  'POST /admin/v1/people/import': 10 << 20,
  'POST /admin/v1/schedules/import': 10 << 20,
  'POST /admin/v1/restore': 2 ** 40,
  'PUT /admin/v1/update/bundle': 2_000_000_000,
};

test('64 KiB is what a route takes of a body, but for those that say more', () => {
  const found: Record<string, number> = {};
  for (const listener of listenersOf())
    for (const { method, path, bytesMax } of running.box.served[listener]!.routes())
      if (bytesMax !== bodyBytesDefault) found[`${method} ${path.replace(/\{[^}]*\}/g, '')}`] = bytesMax;
  expect(found).toEqual(larger);
});

/** A socket to a listener, with TLS where it has that. */
function dial({ address, ca }: Target): Socket {
  if (address.startsWith('/')) return connect(address);
  const [host, port] = address.split(':');
  return ca ? connectTls({ host: host!, port: Number(port), ca }) : connect(Number(port), host!);
}

/**
 * Sends a request as it comes, piece by piece until an answer is there or all is sent, and reads
 * what is answered.
 */
async function send(target: Target, head: string, pieces: Iterable<Buffer>): Promise<HttpAnswer & { sent: number }> {
  const socket = dial(target);
  let text = '';
  let sent = 0;
  const answered = new Promise<void>((resolve, reject) => {
    const whole = () => {
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      const body = text.indexOf('\r\n\r\n') + 4;
      return body > 3 && (length === undefined ? /\r\n0\r\n/.test(text) : text.length >= body + Number(length));
    };
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
      if (whole() || /^HTTP\/1.1 30|text\/event-stream/.test(text) || head.startsWith('HEAD')) resolve();
    });
    socket.on('close', () => resolve());
    socket.on('error', error => (text === '' ? reject(error) : resolve()));
  });
  let isAnswered = false;
  void answered.then(
    () => {
      isAnswered = true;
    },
    () => {},
  );
  socket.write(head);
  for (const piece of pieces) {
    if (isAnswered || socket.destroyed) break;
    sent += piece.length;
    if (!socket.write(piece))
      await Promise.race([answered, new Promise<void>(resolve => socket.once('drain', () => resolve()))]);
  }
  await answered;
  socket.destroy();
  const [top = '', body = ''] = text.split('\r\n\r\n');
  const headers = Object.fromEntries(
    top
      .split('\r\n')
      .slice(1)
      .map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return { status: Number(top.split(' ')[1]), headers, body, sent };
}

const callOf = ({ method, path }: ServedRoute): [method: string, path: string] => [
  method === 'ALL' ? 'POST' : method,
  path
    .replace(/:version\{[^}]*\}/g, 'v1.0.0')
    .replace(/:(\w+)/g, 'x')
    .replace(/\*/g, 'x'),
];
const headOf = (route: ServedRoute, length: string, more: Record<string, string> = {}): string => {
  const [method, path] = callOf(route);
  const headers = { host: running.box.addresses.https!, ...more, 'content-type': 'application/json' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${path} HTTP/1.1`, ...lines, length].join('\r\n')}\r\n\r\n`;
};

/**
 * In the shape of the API that refuses: the attendance API alone says it in the body of a 200
 * (CONTRACT 6).
 */
function expectTooLarge(route: ServedRoute, { status, headers, body }: HttpAnswer): void {
  const name = `${route.method} ${route.path}`;
  const isHead = route.method === 'HEAD';
  if (route.path.startsWith('/v2.0/')) {
    expect(JSON.parse(body), name).toMatchObject({ code: 106 });
    return;
  }
  expect(status, name).toBe(413);
  if (isHead) return;
  const admin = route.path.startsWith('/admin/v1');
  expect(headers['content-type'], name).toBe(admin ? 'application/problem+json' : 'application/json');
  expect(JSON.parse(body), name).toBeTypeOf('object');
}

const atOnce = 8;
async function forEachRoute(listener: string, act: (route: ServedRoute, target: Target) => Promise<void>) {
  const routes = [...running.box.served[listener as 'https']!.routes()];
  const target = running.target(listener);
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let route = routes.shift(); route; route = routes.shift()) await act(route, target);
    }),
  );
}

/** The hotspot first: resetting the network, which is one of the routes, closes it. */
const listeners = ['hotspot', 'metrics', 'http', 'https', 'socket'];

test('the listeners walked here are all there are', () => {
  expect(listenersOf().sort()).toEqual([...listeners].sort());
});

test.each(listeners)(
  'each route of %s refuses a body that is announced one byte too large, before it comes',
  async listener => {
    await forEachRoute(listener, async (route, target) => {
      const answer = await send(target, headOf(route, `Content-Length: ${route.bytesMax + 1}`), []);
      expectTooLarge(route, answer);
    });
  },
);

const piece = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes, 'x'), Buffer.from('\r\n')]);
const pieceBytes = 16 << 10;
/** So much of a body that has no length, and no end. */
function* pieces(bytes: number): Generator<Buffer> {
  const whole = piece(pieceBytes);
  for (let left = bytes; left > 0; left -= pieceBytes) yield left >= pieceBytes ? whole : piece(left);
}
/**
 * What takes more than this is refused before it is read here: for want of a signature, or of a
 * length.
 */
const sentMax = 65 << 20;

test.each(listeners)(
  'each route of %s answers while a body without a length has no end: it reads one byte too many at most',
  async listener => {
    const credentials = await signInEverybody(running.box);
    await forEachRoute(listener, async (route, target) => {
      const [method, path] = callOf(route);
      const isAdmin = path.startsWith('/admin/v1') && !/session|first-account/.test(path);
      const who = listener === 'https' && isAdmin ? credentials.admin[0]!(path) : {};
      const host = listener === 'socket' ? 'box' : target.address;
      using client = aClient(target);
      // What is answered to nobody, or without a look at the body, is answered all the same.
      const bare = await client.ask({ method, path, headers: { ...who, 'content-type': 'application/json' } });
      const head = headOf(route, 'Transfer-Encoding: chunked', { host, ...who });
      const answer = await send(target, head, pieces(Math.min(route.bytesMax + 1, sentMax)));
      if (answer.status !== bare.status) expectTooLarge(route, answer);
    });
  },
);

test('POST /session, which everybody may call, refuses what has no length as soon as 64 KiB have come', async () => {
  const route = { method: 'POST', path: '/admin/v1/session', bytesMax: bodyBytesDefault };
  const answer = await send(running.target('https'), headOf(route, 'Transfer-Encoding: chunked'), pieces(64 << 20));
  expectTooLarge(route, answer);
  expect(JSON.parse(answer.body)).toMatchObject({
    status: 413,
    title: 'too_large',
    detail: 'a body has at most 64 KiB here',
  });
  expect(answer.sent).toBeLessThan(8 << 20);
});

test('eight connections that push without end hold no memory, and are closed', async () => {
  const route = { method: 'POST', path: '/admin/v1/first-account', bytesMax: bodyBytesDefault };
  const held = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  const before = held();
  let most = 0;
  const pushing = Array.from({ length: 8 }, async () => {
    const socket = dial(running.target('https'));
    const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.write(headOf(route, 'Content-Length: 400000000'));
    const some = Buffer.alloc(64 << 10);
    while (!socket.destroyed) {
      most = Math.max(most, held());
      if (!socket.write(some)) await Promise.race([closed, new Promise(resolve => socket.once('drain', resolve))]);
    }
    await closed;
  });
  await Promise.all(pushing);
  // What is on its way, at both ends, and what is not yet collected: they push 3200 MB.
  expect(most - before).toBeLessThan(256 << 20);
});

test('a body of just its bound is read', async () => {
  const body = JSON.stringify({ name: 'the-viewer', password: 'wrong' }).padEnd(bodyBytesDefault, ' ');
  using client = aClient(running.target('https'));
  const call = { method: 'POST', path: '/admin/v1/session', body };
  const headers = { 'content-type': 'application/json' };
  expect((await client.ask({ ...call, headers })).status).toBe(403);
  expect((await client.ask({ ...call, headers: { ...headers, 'transfer-encoding': 'chunked' } })).status).toBe(403);
});
