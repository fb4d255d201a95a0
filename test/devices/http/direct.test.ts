import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { aGateway, connectHttp, eventsOf, type Gateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';

const id = 'FACE-T1_A0001';

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly authorization?: string;
}

/** A connection that shows its requests byte by byte, and its answers likewise. */
class Connection {
  readonly #socket: Socket;
  #said = '';

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname).on('data', chunk => {
      this.#said += chunk;
    });
  }

  /** `inPieces`: the body comes behind the head, in two pieces. Returns the answer without its date. */
  async ask({ method, path, body = '', authorization = '' }: Asked, inPieces: boolean): Promise<string> {
    this.#said = '';
    const length = method === 'POST' ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : '';
    const head = `${method} ${path} HTTP/1.1\r\nHost: box\r\nAuthorization: ${authorization}\r\n${length}\r\n`;
    for (const piece of inPieces ? [head, body.slice(0, 3), body.slice(3)] : [head + body]) {
      this.#socket.write(piece);
      await new Promise(resolve => setTimeout(resolve, inPieces ? 20 : 0));
    }
    await until('it is answered', () => {
      const [top, rest] = this.#said.split('\r\n\r\n');
      return rest !== undefined && rest.length >= Number(/content-length: (\d+)/i.exec(top!)?.[1] ?? Number.NaN);
    });
    const [top, rest] = this.#said.split('\r\n\r\n');
    const [status, ...headers] = top!.split('\r\n');
    const shown = headers.map(header => header.replace(/^[^:]+/, name => name.toLowerCase()));
    return [status, ...shown.filter(header => !header.startsWith('date:')).sort(), rest].join('\n');
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

const login = async (gateway: Gateway): Promise<string> =>
  String((await connectHttp(gateway, id)).headers.authorization);
const punch = JSON.stringify({ mid: '1', from: id, to: 'system', time: 0, action: 9999, data: {} });

test.each<[string, Asked, number]>([
  ['a push', { method: 'POST', path: `/api/push/${id}`, body: punch }, 200],
  ['a push under the id in small letters', { method: 'POST', path: `/api/push/${id.toLowerCase()}`, body: punch }, 200],
  ['a push that is no JSON', { method: 'POST', path: `/api/push/${id}`, body: 'no JSON' }, 400],
  ['a push of another', { method: 'POST', path: `/api/push/${id}`, body: punch.replace('A0001', 'A0002') }, 200],
  ['a push to another', { method: 'POST', path: '/api/push/FACE-T1_A0002', body: punch }, 406],
  ['a push without a session', { method: 'POST', path: `/api/push/${id}`, body: punch, authorization: 'x' }, 406],
  ['a log', { method: 'POST', path: '/api/v2.0/log/FT1/A0001', body: 'a line' }, 200],
  ['a log of another', { method: 'POST', path: '/api/v2.0/log/FT1/A0002', body: 'a line' }, 400],
  ['a log under an encoded path', { method: 'POST', path: '/api/v2.0/log/F%20T/A0001', body: 'a line' }, 200],
  ['a pull', { method: 'GET', path: `/api/pull/${id}` }, 200],
  ['a pull of ten', { method: 'GET', path: `/api/pull/${id}?batchSize=10` }, 200],
])('%s is answered the same in one piece and in several', async (_what, asked, status) => {
  await using gateway = await aGateway();
  const authorization = await login(gateway);
  using connection = new Connection(gateway.httpUrl);
  const whole = await connection.ask({ authorization, ...asked }, false);
  const again = await connection.ask({ authorization, ...asked }, false);
  expect(again).toBe(whole);
  expect(whole).toMatch(`HTTP/1.1 ${status} `);
  if (asked.method === 'POST') expect(await connection.ask({ authorization, ...asked }, true)).toBe(whole);
});

test('a device that hangs up before its answer has stored what it sent, and harms nobody', async () => {
  await using gateway = await aGateway();
  const authorization = await login(gateway);
  const asked = { authorization, method: 'POST', path: `/api/push/${id}`, body: punch } as const;
  for (let sent = 0; sent < 10; sent++) {
    using connection = new Connection(gateway.httpUrl);
    connection.ask(asked, false).catch(() => {});
    await until('it is read', () => gateway.store.journal.lastSeq > sent);
  }
  using connection = new Connection(gateway.httpUrl);
  expect(await connection.ask(asked, false)).toMatch('HTTP/1.1 200 ');
  expect(gateway.store.journal.lastSeq).toBe(11);
});

test('a log of another device is noted once', async () => {
  await using gateway = await aGateway();
  const authorization = await login(gateway);
  using connection = new Connection(gateway.httpUrl);
  await connection.ask({ authorization, method: 'POST', path: '/api/v2.0/log/FT1/A0002', body: 'a line' }, false);
  expect((await eventsOf(gateway, id)).filter(({ kind }) => kind === 'foreign_publish')).toHaveLength(1);
});

test('more logs than a second may have are dropped, and the device is told', async () => {
  await using gateway = await aGateway();
  const authorization = await login(gateway);
  using connection = new Connection(gateway.httpUrl);
  const log = () =>
    connection.ask({ authorization, method: 'POST', path: '/api/v2.0/log/FT1/A0001', body: 'x' }, false);
  for (let sent = 0; sent < 20; sent++) expect(await log()).toMatch(/"code":0/);
  expect(await log()).not.toMatch(/"msg":"ok"/);
});

test('only what is usual is served without the router', async () => {
  await using gateway = await aGateway();
  const authorization = await login(gateway);
  const isDirect = (method: string, url: string, shown = authorization): boolean => {
    const request = { method, url, headers: { authorization: shown }, socket: {} } as unknown as IncomingMessage;
    return gateway.devices.direct(request, {} as ServerResponse) !== null;
  };
  for (const [method, url] of [
    ['POST', `/api/push/${id}`],
    ['POST', '/api/v2.0/log/FT1/A0001'],
    ['GET', `/api/pull/${id}?batchSize=5`],
  ] as const)
    expect(isDirect(method, url), url).toBe(true);
  for (const [method, url] of [
    ['GET', `/api/push/${id}`],
    ['HEAD', `/api/pull/${id}`],
    ['POST', `/api/pull/${id}`],
    ['POST', `/api/push/${id}/`],
    ['POST', `/api/push/${id}?a=1`],
    ['POST', '/api/v2.0/log/FT1/A0002'],
    ['POST', `/api/connect/${id}`],
  ] as const)
    expect(isDirect(method, url), url).toBe(false);
  expect(isDirect('POST', `/api/push/${id}`, 'guess')).toBe(false);
});
