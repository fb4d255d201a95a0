import { once } from 'node:events';
import { BlockList, connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { HandshakeQueue } from '../../src/listeners/accept.ts';
import {
  type HttpSide,
  type Intake,
  listenHttp,
  listenHttps,
  listenMqtt,
  listenMqtts,
} from '../../src/listeners/listen.ts';
import { serveRouter } from '../../src/listeners/served.ts';
import { UnauthenticatedConnections } from '../../src/listeners/unauthenticated-connections.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { aCertificate } from '../support/certificate.ts';

const header = Buffer.from('0d0a0d0a000d0a515549540a2111000cc0000207c000022f1f9022b3', 'hex');

/** A listener behind a proxy at `proxy`, which tells each client its address. */
async function aListener(which: 'mqtt' | 'mqtts' | 'http' | 'https', proxy = '127.0.0.1', host = '127.0.0.1') {
  const at = { host, port: 0 };
  const proxies = new BlockList();
  proxies.addAddress(proxy);
  const bounds = { ofOneAddress: 10, loggingIn: 10, inAll: 10, devices: 10 };
  const unauthenticated = new UnauthenticatedConnections(bounds, () => {});
  const intake: Intake = { unauthenticated, connectionsMax: 10, proxies, full: () => {} };
  const { cert, key } = await aCertificate();
  const tls = {
    ...{ certificate: { cert, key }, legacyHost: () => null, legacySuites: false, hasAesInstructions: true },
    ...{ ticketKeys: () => Buffer.alloc(48), queue: new HandshakeQueue(realClock) },
  };
  const routes = new Hono<{ Bindings: { incoming: { socket: Socket } } }>().get('*', call =>
    call.text(`from ${call.env.incoming.socket.remoteAddress}`),
  );
  const http: HttpSide = { served: serveRouter(() => routes), clock: realClock, slow: () => {} };
  const handle = (stream: Socket, { address }: { address: string }) => {
    stream.on('error', () => {});
    stream.once('data', data => stream.end(`${data} from ${address}`));
  };
  const listeners = {
    mqtt: () => listenMqtt('mqtt', at, intake, handle),
    mqtts: () => listenMqtts('mqtts', at, tls, intake, handle, () => {}),
    http: () => listenHttp('http', at, intake, http),
    https: () => listenHttps('https', at, tls, intake, http, () => {}),
  };
  const listener = await listeners[which]();
  return {
    port: Number(/:(\d+)$/.exec(listener.address)![1]),
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

/** What the listener answers to this, cut in two. */
async function answer(which: keyof typeof asked, port: number, first: Buffer, says = asked[which]): Promise<string> {
  const raw = connectTcp(port, '127.0.0.1');
  await once(raw, 'connect');
  if (first.length > 0) {
    raw.write(first.subarray(0, 10));
    await new Promise(resolve => setImmediate(resolve));
  }
  const isTls = which.endsWith('s');
  const rest = first.subarray(10);
  // The rest of the header and what follows may come in one piece.
  if (!isTls) raw.write(Buffer.concat([rest, Buffer.from(says)]));
  else raw.write(rest);
  const stream = isTls ? connectTls({ socket: raw, rejectUnauthorized: false }) : raw;
  if (isTls) stream.write(says);
  let said = '';
  stream
    .on('error', () => {})
    .on('data', data => {
      said += data;
    });
  await once(stream, 'close');
  return said;
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const asked = { mqtt: 'hello', mqtts: 'hello', http: get, https: get };

test.each(['mqtt', 'mqtts', 'http', 'https'] as const)(
  'a client of %s counts as coming from the address that its proxy says',
  async which => {
    await using listener = await aListener(which);
    expect(await answer(which, listener.port, header)).toContain('from 192.0.2.7');
  },
);

test.each(['mqtt', 'mqtts', 'http', 'https'] as const)(
  'an IPv4 address that a proxy of %s writes as IPv6 is the IPv4 address',
  async which => {
    const mapped = `00000000000000000000ffff0a090806${'00'.repeat(16)}022f1f90`;
    await using listener = await aListener(which);
    const said = await answer(which, listener.port, Buffer.from(`0d0a0d0a000d0a515549540a21210024${mapped}`, 'hex'));
    expect(said).toContain('from 10.9.8.6');
  },
);

test.each(['mqtt', 'mqtts', 'http', 'https'] as const)(
  'a client over IPv4 of a listener of %s for both is known by its IPv4 address',
  async which => {
    await using listener = await aListener(which, '192.0.2.1', '::');
    expect(await answer(which, listener.port, Buffer.alloc(0))).toContain('from 127.0.0.1');
  },
);

test.each(['http', 'https'] as const)('a request of HTTP/1.0 to %s needs no Host, one of 1.1 does', async which => {
  await using listener = await aListener(which, '192.0.2.1');
  const { port } = listener;
  const ask = (text: string) => answer(which, port, Buffer.alloc(0), text);
  expect(await ask('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  expect(await ask('GET / HTTP/1.0\r\nHost: a\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  expect(await ask('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
});

test('what comes from a proxy without a header is closed', async () => {
  await using listener = await aListener('mqtt');
  expect(await answer('mqtt', listener.port, Buffer.alloc(0))).toBe('');
});

test('what does not come from a proxy is taken as it is', async () => {
  await using listener = await aListener('mqtt', '192.0.2.1');
  expect(await answer('mqtt', listener.port, Buffer.alloc(0))).toContain('hello from 127.0.0.1');
});
