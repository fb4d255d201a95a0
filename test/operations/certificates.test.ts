import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { expect, test } from 'vitest';
import { openCertificates, trustStore } from '../../src/operations/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { HandClock } from '../support/clock.ts';

const day = 24 * 3600 * 1000;
/** TLS judges certificates by the clock of the machine. */
const now = realClock.now();

async function aFolder() {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-tls-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
const opened = (dir: string, clock: HandClock, change: { names?: string[]; addresses?: string[] } = {}) =>
  openCertificates({ dir, names: ['localhost'], addresses: ['127.0.0.1', '::1'], clock, log: silentLog, ...change });
const endOf = (cert: string) => Date.parse(new X509Certificate(cert).validTo);

/** Shakes hands as a device with this trust store, and answers whose certificate it met. */
async function meet(port: number, ca: string, servername?: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', ca, ...(servername ? { servername } : {}) });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

test('a device that trusts the exported store accepts the box by name and by address, with TLS 1.2 and 1.3', async () => {
  await using folder = await aFolder();
  const clock = new HandClock(now);
  await using certificates = await opened(folder.path, clock);
  const slim = trustStore('slim', certificates.caPem);
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const server = createServer({ ...certificates.current(), minVersion: version, maxVersion: version }).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await meet(port, slim);
    await meet(port, slim, 'localhost');
    await expect(meet(port, slim, 'another.name')).rejects.toThrow(/altnames|does not match/);
    server.close();
  }
});

test('the full edition holds the public roots too', async () => {
  await using folder = await aFolder();
  await using certificates = await opened(folder.path, new HandClock(now));
  const full = trustStore('full', certificates.caPem).match(/BEGIN CERTIFICATE/g) ?? [];
  expect(full.length).toBeGreaterThan(100);
  expect(trustStore('slim', certificates.caPem).match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
});

test('30 days before its end the certificate is renewed by itself, under the same authority', async () => {
  await using folder = await aFolder();
  const clock = new HandClock(now);
  await using certificates = await opened(folder.path, clock);
  const first = certificates.current().cert;
  expect(Math.round((endOf(first) - now) / day)).toBe(397);
  const server = createServer(certificates.current()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const before = await meet(port, certificates.caPem);
  const renewed = new Promise<void>(resolve =>
    certificates.onRenewed(() => {
      server.setSecureContext(certificates.current());
      resolve();
    }),
  );
  clock.set(now + 366 * day);
  await clock.advance(6 * 3600 * 1000);
  expect(certificates.current().cert).toBe(first);
  clock.set(now + 368 * day);
  await clock.advance(6 * 3600 * 1000);
  await renewed;
  expect(await meet(port, certificates.caPem)).not.toBe(before);
  expect(endOf(certificates.current().cert)).toBeGreaterThan(now + 700 * day);
  server.close();
});

test('a restart keeps both; a new name or address makes a new certificate, not a new authority', async () => {
  await using folder = await aFolder();
  const clock = new HandClock(now);
  const first = await opened(folder.path, clock);
  await first[Symbol.asyncDispose]();
  const again = await opened(folder.path, clock);
  expect([again.caPem, again.current().cert]).toEqual([first.caPem, first.current().cert]);
  await again[Symbol.asyncDispose]();
  await using moved = await opened(folder.path, clock, { addresses: ['127.0.0.1', '192.0.2.7'] });
  expect(moved.caPem).toBe(first.caPem);
  expect(new X509Certificate(moved.current().cert).checkIP('192.0.2.7')).toBe('192.0.2.7');
});

test('two boxes share no key, and keys are readable by the box alone', async () => {
  await using one = await aFolder();
  await using other = await aFolder();
  await using first = await opened(one.path, new HandClock(now));
  await using second = await opened(other.path, new HandClock(now));
  expect(first.caPem).not.toBe(second.caPem);
  expect(first.current().key).not.toBe(second.current().key);
  for (const name of ['ca.key', 'leaf.key']) expect((await stat(join(one.path, name))).mode & 0o777).toBe(0o600);
});

test("a site's own certificate is served as it is", async () => {
  await using folder = await aFolder();
  await using made = await opened(folder.path, new HandClock(now));
  const own = made.current();
  await using served = await openCertificates({
    dir: '/nonexistent',
    names: [],
    addresses: [],
    clock: new HandClock(now),
    log: silentLog,
    own,
  });
  expect(served.current()).toEqual(own);
  expect(served.caPem.trim()).toBe(made.caPem.trim());
});

test('a box that starts in 1970 makes an authority and a certificate that are valid when its clock is right', async () => {
  await using folder = await aFolder();
  const clock = new HandClock(5000);
  await using certificates = await opened(folder.path, clock);
  const server = createServer(certificates.current()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await meet((server.address() as AddressInfo).port, trustStore('slim', certificates.caPem));
  server.close();
  expect(endOf(certificates.caPem)).toBeGreaterThan(now + 18 * 365 * day);
});

test('a clock that is set years ahead has the certificate renewed within a minute', async () => {
  await using folder = await aFolder();
  const clock = new HandClock(now);
  await using certificates = await opened(folder.path, clock);
  const renewed = new Promise<void>(resolve => certificates.onRenewed(resolve));
  clock.set(now + 3 * 365 * day);
  await clock.advance(61_000);
  await renewed;
  expect(endOf(certificates.current().cert)).toBeGreaterThan(now + 4 * 365 * day);
});
