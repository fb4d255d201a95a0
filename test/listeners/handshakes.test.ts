import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { expect, test } from 'vitest';
import { handshakeTrouble, watchHandshakes } from '../../src/listeners/handshakes.ts';
import { openCertificates } from '../../src/operations/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { until } from '../support/until.ts';

test.each([
  ['tlsv1 alert unknown ca', 'it does not trust the certificate of this box'],
  ['sslv3 alert certificate expired', 'it takes the certificate for expired: its clock may be wrong'],
  ['wrong version number', 'it does not speak TLS'],
  ['something new', 'something new'],
])('%s means: %s', (reason, words) => expect(handshakeTrouble({ reason, message: '40F3:error:0A00:…' })).toBe(words));

/** A listener that reports each handshake that fails; `handshakeTimeout` of the machine's time. */
async function aListener(handshakeTimeout?: number) {
  await using parts = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'));
  parts.defer(() => rmSync(dir, { recursive: true, force: true }));
  const names = { names: ['localhost'], addresses: ['127.0.0.1'] };
  const certificates = parts.use(await openCertificates({ dir, ...names, clock: realClock, log: silentLog }));
  const server = createServer({ ...certificates.current(), minVersion: 'TLSv1.2', handshakeTimeout });
  const failures: string[] = [];
  watchHandshakes(server, (address, error) => failures.push(`${address}: ${error.message}`));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  parts.defer(() => new Promise(resolve => server.close(() => resolve())));
  const owned = parts.move();
  const { port } = server.address() as AddressInfo;
  return { port, failures, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('each failed handshake is reported with its address, even when the client has hung up, and its socket is closed', async () => {
  await using listener = await aListener();
  const { port, failures } = listener;
  const old = connect({
    port,
    host: '127.0.0.1',
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
    rejectUnauthorized: false,
  });
  await new Promise(resolve => old.once('error', resolve));
  const plain = connectTcp(port, '127.0.0.1').on('error', () => {});
  plain.write('GET / HTTP/1.1\r\n\r\n');
  await once(plain.resume(), 'close');
  const gone = connectTcp(port, '127.0.0.1');
  gone.write(Buffer.from('16030102', 'hex'), () => gone.destroy());
  await until('the third is reported', () => failures.length === 3);
  expect(failures).toEqual([
    '127.0.0.1: it speaks no TLS 1.2 or later',
    '127.0.0.1: it speaks HTTP without TLS',
    '127.0.0.1: it hung up in the middle: it may not trust the certificate of this box',
  ]);
});

test('a client that says nothing is reported when its time is over, and closed', async () => {
  await using listener = await aListener(100);
  const silent = connectTcp(listener.port, '127.0.0.1').on('error', () => {});
  await once(silent.resume(), 'close');
  expect(listener.failures).toEqual(['127.0.0.1: it did not finish the handshake within 10 s']);
});
