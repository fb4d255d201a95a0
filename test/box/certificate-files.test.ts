import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { LocalBox } from '../support/box.ts';
import { aCertificate } from '../support/certificate.ts';

type Pair = Awaited<ReturnType<typeof aCertificate>>;

function write(folder: string, { cert, key }: Pick<Pair, 'cert' | 'key'>): void {
  writeFileSync(join(folder, 'own.pem'), cert);
  writeFileSync(join(folder, 'own.key'), key);
}

/** A connection that trusts this authority alone; null: its handshake fails. */
async function connected(address: string, { ca }: Pair): Promise<TLSSocket | null> {
  const [host, port] = address.split(':');
  const socket = connect({ host: host!, port: Number(port), ca });
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

  write(box.folder, second);
  box.opened.lookAtCertificates();
  for (const address of [mqtts!, https!]) {
    (await connected(address, second))!.destroy();
    expect(await connected(address, first)).toBeNull();
  }
  expect(before.destroyed).toBe(false);
  before.destroy();
});
