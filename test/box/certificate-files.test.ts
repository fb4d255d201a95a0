import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { CertificateFiles } from '../../src/box/certificate-files.ts';
import { loadConfig } from '../../src/config/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { LocalBox } from '../support/box.ts';
import { aCertificate } from '../support/certificate.ts';
import { HandClock } from '../support/clock.ts';

type Pair = Awaited<ReturnType<typeof aCertificate>>;

function write(folder: string, { cert, key }: Pick<Pair, 'cert' | 'key'>): void {
  writeFileSync(join(folder, 'own.pem'), cert);
  writeFileSync(join(folder, 'own.key'), key);
}

/** A connection that trusts this authority alone; null: its handshake fails. */
async function connected(address: string, { ca }: Pair, servername = ''): Promise<TLSSocket | null> {
  const [host, port] = address.split(':');
  const socket = connect({ host: host!, port: Number(port), ca, ...(servername === '' ? {} : { servername }) });
  const isOpen = await new Promise<boolean>(resolve => {
    socket.once('secureConnect', () => resolve(true)).on('error', () => resolve(false));
  });
  return isOpen ? socket : null;
}

test('a certificate that is replaced on disk is served, connections stay, and a pair that does not fit is refused', async () => {
  const [first, second] = [await aCertificate(), await aCertificate()];
  await using box = await LocalBox.make({ tls: { cert: 'own.pem', key: 'own.key' } });
  write(box.folder, first);
  const { mqtts, https } = await box.start();
  const before = (await connected(mqtts!, first))!;

  // A certificate without its key, as between two copies.
  write(box.folder, { cert: second.cert, key: first.key });
  box.opened.lookAtCertificates();
  for (const address of [mqtts!, https!]) {
    (await connected(address, first))!.destroy();
    expect(await connected(address, second)).toBeNull();
  }
  expect(await box.ask('status')).toMatch(/^look +tls\.key: \S+ is not the key of tls\.cert: .*stays in use; put a/m);

  write(box.folder, second);
  box.opened.lookAtCertificates();
  for (const address of [mqtts!, https!]) {
    (await connected(address, second))!.destroy();
    expect(await connected(address, first)).toBeNull();
  }
  expect(await box.ask('status')).not.toContain('stays in use');
  expect(before.destroyed).toBe(false);
  before.destroy();
});

test('the certificate of the legacy host is taken too, beside the certificate that the box made itself', async () => {
  const name = 'legacy.example';
  const [first, second, other] = [await aCertificate([name]), await aCertificate([name]), await aCertificate()];
  await using box = await LocalBox.make({
    tls: { legacy_host: name, legacy_cert: 'own.pem', legacy_key: 'file:own.key' },
  });
  write(box.folder, first);
  const { mqtts, https } = await box.start();
  const before = (await connected(mqtts!, first, name))!;

  // It does not hold the name.
  write(box.folder, other);
  box.opened.lookAtCertificates();
  (await connected(https!, first, name))!.destroy();
  expect(await box.ask('status')).toMatch(/^look +tls\.legacy_host: .*is not in tls\.legacy_cert/m);

  write(box.folder, second);
  box.opened.lookAtCertificates();
  for (const address of [mqtts!, https!]) {
    (await connected(address, second, name))!.destroy();
    expect(await connected(address, first, name)).toBeNull();
  }
  expect(before.destroyed).toBe(false);
  before.destroy();
});

test('within a minute the box sees by itself that files were replaced', async () => {
  const [first, second] = [await aCertificate(), await aCertificate()];
  await using box = await LocalBox.make({ tls: { cert: 'own.pem', key: 'own.key' } });
  write(box.folder, first);
  const { config, fileOf } = loadConfig({ file: box.configFile, env: {}, cwd: box.folder });
  const clock = new HandClock();
  const used: unknown[] = [];
  const certificates = { notTaken: null, use: (replaced: unknown) => void used.push(replaced) };
  const trust = { use: (ca: unknown) => void used.push(ca) };
  await using _files = new CertificateFiles({ config, fileOf, certificates, trust, clock, log: silentLog });
  await clock.advance(60_000);
  expect(used).toEqual([]);
  write(box.folder, second);
  await clock.advance(60_000);
  expect(used).toEqual([{ own: { cert: second.cert.trimEnd(), key: second.key.trimEnd() }, legacyHost: null }]);
  await clock.advance(60_000);
  expect(used).toHaveLength(1);
});
