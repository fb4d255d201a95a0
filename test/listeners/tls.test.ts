import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HandshakeQueue } from '../../src/listeners/accept.ts';
import { type Intake, type Listener, listenHttps, listenMqtts } from '../../src/listeners/listen.ts';
import { serveRouter } from '../../src/listeners/served.ts';
import type { TlsSide } from '../../src/listeners/tls.ts';
import { UnauthenticatedConnections } from '../../src/listeners/unauthenticated-connections.ts';
import { openCertificates } from '../../src/operations/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { shell } from '../support/shell.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';

let folder: string;
let certificate: { cert: string; key: string };
let legacy: { cert: string; key: string };
const legacyName = 'legacy.example.com';

/** A certificate of an authority of its own. */
async function madeFor(name: string) {
  await using certificates = await openCertificates({
    dir: join(folder, name),
    names: [name],
    addresses: ['127.0.0.1'],
    clock: realClock,
    log: silentLog,
  });
  return certificates.current();
}
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'));
  certificate = await madeFor('localhost');
  legacy = await madeFor(legacyName);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ticketKey = randomBytes(48);
const loopback = { host: '127.0.0.1', port: 0 };

/** A listener as the box opens it, at a free port of the loopback. */
async function aListener(
  which: 'mqtts' | 'https',
  legacySuites = false,
  ofOneAddress = 1000,
  ticketKeys: () => Buffer = () => ticketKey,
  hasAesInstructions = true,
) {
  const failed: string[] = [];
  const refused: string[] = [];
  const legacyHost = () => ({ host: legacyName, ...legacy });
  const queue = new HandshakeQueue(realClock);
  const tls: TlsSide = { certificate, legacyHost, legacySuites, hasAesInstructions, ticketKeys, queue };
  const unauthenticated = new UnauthenticatedConnections(
    { ofOneAddress, loggingIn: 1000, inAll: 1000, devices: 1000 },
    address => refused.push(address),
  );
  const intake: Intake = { unauthenticated, connectionsMax: 1000, full: () => {} };
  const onFailed = (address: string, error: Error) => void failed.push(`${address}: ${error.message}`);
  const open: Socket[] = [];
  const listener: Listener =
    which === 'mqtts'
      ? await listenMqtts(
          which,
          loopback,
          tls,
          intake,
          stream => {
            open.push(stream.on('error', () => {}));
            stream.resume();
            stream.write('hello');
          },
          onFailed,
        )
      : await listenHttps(
          which,
          loopback,
          tls,
          intake,
          {
            served: serveRouter(() => new Hono().get('*', context => context.text('hello'))),
            clock: realClock,
            slow: () => {},
          },
          onFailed,
        );
  return {
    port: Number(listener.address.split(':')[1]),
    failed,
    refused,
    unauthenticated,
    open,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await listener[Symbol.asyncDispose]();
    },
  };
}

/**
 * What `openssl s_client` says, given what is typed, each line when the one before was seen to
 * work.
 */
async function openssl(
  port: number,
  args: readonly string[],
  typed: readonly (readonly [after: RegExp, text: string])[] = [],
) {
  const child = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, ...args], { stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      said += text;
    });
  child.stdin.on('error', () => {});
  const ended = once(child, 'exit');
  for (const [after, text] of typed) {
    await until(`openssl says ${after}`, () => after.test(said));
    child.stdin.write(text);
  }
  if (typed.length === 0) child.stdin.end();
  await ended;
  return said;
}

describe.each(['mqtts', 'https'] as const)('%s', which => {
  const trusted = async (port: number, ca: string, args: readonly string[]) => {
    const file = join(folder, 'trusted.pem');
    writeFileSync(file, ca.slice(ca.lastIndexOf('-----BEGIN')));
    const said = await openssl(port, [...args, '-CAfile', file, '-verify_return_error']);
    if (/verify error/i.test(said)) return 'refused';
    return /Verification: OK|Verify return code: 0/.test(said) ? 'accepted' : said;
  };

  test.each(['-tls1_2', '-tls1_3'])(
    'each client gets the certificate of the gateway host that it asks for, %s',
    async version => {
      await using listener = await aListener(which);
      const asking = (name: string) => [version, '-servername', name, '-verify_hostname', name];
      expect(await trusted(listener.port, legacy.cert, asking(legacyName))).toBe('accepted');
      expect(await trusted(listener.port, legacy.cert, asking(legacyName.toUpperCase()))).toBe('accepted');
      expect(await trusted(listener.port, certificate.cert, asking('localhost'))).toBe('accepted');
      expect(await trusted(listener.port, certificate.cert, [version, '-noservername'])).toBe('accepted');
      expect(await trusted(listener.port, certificate.cert, [version, '-servername', 'other.example.com'])).toBe(
        'accepted',
      );
      expect(await trusted(listener.port, certificate.cert, asking(legacyName))).toBe('refused');
      expect(await trusted(listener.port, legacy.cert, asking('localhost'))).toBe('refused');
    },
  );
});

test('https serves a client that offers http/1.0 alone, and one that offers nothing', async () => {
  await using listener = await aListener('https');
  for (const [offered, agreed] of [
    [['http/1.0'], 'http/1.0'],
    [['http/1.0', 'http/1.1'], 'http/1.1'],
    [undefined, false],
  ] as const) {
    const socket = connectTls({
      port: listener.port,
      host: '127.0.0.1',
      ca: certificate.cert,
      servername: 'localhost',
      rejectUnauthorized: false,
      ...(offered ? { ALPNProtocols: [...offered] } : {}),
    });
    await once(socket, 'secureConnect');
    expect(socket.alpnProtocol).toBe(agreed);
    socket.write('GET / HTTP/1.0\r\nHost: localhost\r\n\r\n');
    const [bytes] = await once(socket, 'data');
    expect(String(bytes)).toMatch(/^HTTP\/1\.1 200/);
    socket.destroy();
  }
  expect(listener.failed).toEqual([]);
});

suiteNeeding('curl', 'curl', 'curl', () => {
  test('with --http1.0 is served over TLS', async () => {
    await using listener = await aListener('https');
    const { status, said } = await shell(`curl -sSk --http1.0 https://127.0.0.1:${listener.port}/`, '.');
    expect({ status, said }).toEqual({ status: 0, said: 'hello' });
  });
});

describe.each(['mqtts', 'https'] as const)('%s', which => {
  suiteNeeding('openssl', 'openssl', 'seen by openssl', () => {
    test.each([
      ['ECDHE-ECDSA-AES128-GCM-SHA256', true, true],
      ['ECDHE-ECDSA-AES256-GCM-SHA384', true, true],
      ['ECDHE-ECDSA-CHACHA20-POLY1305', true, true],
      ['ECDHE-ECDSA-AES128-SHA256', false, true],
      ['ECDHE-ECDSA-AES256-SHA', false, true],
      ['AES128-SHA', false, false],
      ['DHE-RSA-AES128-GCM-SHA256', false, false],
    ])('TLS 1.2 with %s: by default %s, with tls.legacy_suites %s', async (suite, byDefault, withLegacy) => {
      for (const [legacy, allowed] of [
        [false, byDefault],
        [true, withLegacy],
      ] as const) {
        await using listener = await aListener(which, legacy);
        const said = await openssl(listener.port, ['-tls1_2', '-cipher', `${suite}:@SECLEVEL=0`]);
        expect(said.includes(`Cipher is ${suite}`)).toBe(allowed);
        if (!allowed) expect(listener.failed).toEqual(['127.0.0.1: it has no cipher in common with this box']);
      }
    });

    test('TLS 1.3 is spoken, and TLS 1.1 is not, with legacy suites neither', async () => {
      for (const legacy of [false, true]) {
        await using listener = await aListener(which, legacy);
        expect(await openssl(listener.port, ['-tls1_3'])).toContain('Cipher is TLS_');
        expect(await openssl(listener.port, ['-tls1_1', '-cipher', 'ALL:@SECLEVEL=0'])).toContain('(NONE)');
      }
    });

    test('a client that renegotiates is disconnected', async () => {
      await using listener = await aListener(which);
      const said = await openssl(listener.port, ['-tls1_2'], [[/Verify return code/, 'R\n']]);
      expect(said).toContain('RENEGOTIATING');
      expect(said).not.toMatch(/RENEGOTIATING[\s\S]*Verify return code/);
    });
  });

  test.each([
    ['AES-128', true, 'TLSv1.3', 'TLS_AES_128_GCM_SHA256'],
    ['AES-128', true, 'TLSv1.2', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
    ['ChaCha20', false, 'TLSv1.3', 'TLS_CHACHA20_POLY1305_SHA256'],
    ['ChaCha20', false, 'TLSv1.2', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ] as const)(
    'a client that takes any suite gets %s where AES instructions are %s (%s)',
    async (_suite, hasAes, version, suite) => {
      await using listener = await aListener(which, true, 1000, () => ticketKey, hasAes);
      const versions = { minVersion: version, maxVersion: version };
      const socket = connectTls({ host: '127.0.0.1', port: listener.port, rejectUnauthorized: false, ...versions });
      await once(socket, 'secureConnect');
      expect(socket.getCipher().name).toBe(suite);
      socket.destroy();
    },
  );

  test('a connection that never begins its handshake counts as one that has not logged in', async () => {
    await using listener = await aListener(which, false, 3);
    const silent = Array.from({ length: 3 }, () => connectTcp(listener.port, '127.0.0.1').on('error', () => {}));
    await until('they are counted', () => listener.unauthenticated.count === 3);
    const fourth = connectTcp(listener.port, '127.0.0.1').on('error', () => {});
    await until('the fourth is refused', () => listener.refused.length === 1 && fourth.resume().closed);
    // Another address is served meanwhile.
    const way = connectTcp({ port: listener.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    const other = connectTls({ socket: way, rejectUnauthorized: false });
    await once(other, 'secureConnect');
    for (const socket of [...silent, other]) socket.destroy();
    await until('they no longer count', () => listener.unauthenticated.count === 0);
  });

  test('a handshake that comes byte by byte is one', async () => {
    await using listener = await aListener(which);
    const through = connectTcp(listener.port, '127.0.0.1');
    const { Duplex } = await import('node:stream');
    const bytewise = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        for (const byte of chunk) through.write(Buffer.of(byte));
        done();
      },
    });
    through.setNoDelay().on('data', chunk => bytewise.push(chunk));
    const client = connectTls({ socket: bytewise, rejectUnauthorized: false, servername: 'localhost' });
    await once(client, 'secureConnect');
    client.destroy();
    through.destroy();
  });

  test('a connection that is not TLS is reported with its address, and closed', async () => {
    await using listener = await aListener(which);
    const plain = connectTcp(listener.port, '127.0.0.1').on('error', () => {});
    plain.write('GET / HTTP/1.1\r\n\r\n');
    await once(plain.resume(), 'close');
    const gone = connectTcp(listener.port, '127.0.0.1');
    gone.write(Buffer.from('16030102', 'hex'), () => gone.destroy());
    await until('both are reported', () => listener.failed.length === 2);
    expect(listener.failed).toEqual([
      '127.0.0.1: it speaks HTTP without TLS',
      '127.0.0.1: it hung up in the middle: it may not trust the certificate of this box',
    ]);
  });
});

test('handshakes of one address wait for each other, and those of another come in between', async () => {
  const queue = new HandshakeQueue(realClock);
  const begun: string[] = [];
  for (let index = 0; index < 20; index++) queue.add('flood', () => begun.push('flood'));
  queue.add('staff', () => begun.push('staff'));
  queue.add('device', () => begun.push('device'));
  expect(begun).toEqual([]);
  await until('all have begun', () => begun.length === 22);
  expect(begun.slice(0, 3).toSorted()).toEqual(['device', 'flood', 'staff']);
});

/** Handshakes that begin in each turn when each takes 1 ms, and the rest of the turn `restMs`. */
async function begunInTurns(handshakes: number, restMs: number): Promise<number[]> {
  let now = 0;
  let begun = 0;
  const queue = new HandshakeQueue({ ...realClock, monotonic: () => now });
  for (let index = 0; index < handshakes; index++)
    queue.add(`10.0.0.${index}`, () => {
      begun++;
      now++;
    });
  const inEachTurn: number[] = [];
  while (begun < handshakes) {
    const before = begun;
    now += restMs;
    await new Promise(resolve => setImmediate(resolve));
    inEachTurn.push(begun - before);
  }
  return inEachTurn;
}

test('two handshakes begin in a short turn of the event loop, however many wait', async () => {
  expect(await begunInTurns(8, 1)).toEqual([2, 2, 2, 2]);
});

test('of long turns handshakes get a quarter, and never more than 10 ms', async () => {
  expect(await begunInTurns(18, 27)).toEqual([9, 9]);
  expect(await begunInTurns(40, 1000)).toEqual([10, 10, 10, 10]);
});

/** Greets a listener; returns its ticket, and whether the session was resumed. */
async function greet(port: number, version: 'TLSv1.2' | 'TLSv1.3', session?: Buffer) {
  const socket = connectTls({
    host: '127.0.0.1',
    port,
    rejectUnauthorized: false,
    minVersion: version,
    maxVersion: version,
    ...(session ? { session } : {}),
  });
  let ticket: Buffer | undefined;
  socket.on('session', given => {
    ticket = given;
  });
  await once(socket, 'data');
  await until('a ticket has come', () => ticket !== undefined || socket.isSessionReused());
  const resumed = socket.isSessionReused();
  socket.destroy();
  return { ticket, resumed };
}

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('tickets, %s', version => {
  test('a session resumes at a listener that was opened again with the same key, and not with another', async () => {
    let ticket: Buffer | undefined;
    {
      await using before = await aListener('mqtts');
      ({ ticket } = await greet(before.port, version));
    }
    await using again = await aListener('mqtts');
    expect((await greet(again.port, version, ticket)).resumed).toBe(true);
    await using other = await aListener('mqtts', false, 1000, () => randomBytes(48));
    expect((await greet(other.port, version, ticket)).resumed).toBe(false);
  });
});
