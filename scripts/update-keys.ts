import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run update-keys [-- FOLDER]`: a certification authority for updates and one signer below it,
 * for development. Images get `keyring.pem`; `npm run build:update` signs with `signer.key`.
 * Existing keys are kept, because boxes trust them.
 *
 * The keys of a real release are made in the same way on a machine that is not connected
 * (docs/updates.md).
 */
const named = process.argv[2];
const folder = resolve(named ?? fileURLToPath(new URL('../update-keys/', import.meta.url)));
/**
 * A box checks a bundle against the time of its signature, so these only limit how long the keys
 * can sign.
 */
const days = { authority: 20 * 365, signer: 5 * 365 };

if (existsSync(join(folder, 'keyring.pem'))) {
  process.stderr.write(`${folder}: the keys are there already; boxes trust them, so they stay\n`);
  process.exit(0);
}
const work = `${folder}.new`;
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true, mode: 0o700 });
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: work, stdio: ['ignore', 'pipe', 'pipe'] });
const newKey = ['-newkey', 'rsa:3072', '-nodes'];
openssl(
  ...['req', '-x509', ...newKey, '-keyout', 'authority.key', '-out', 'keyring.pem', '-days', String(days.authority)],
  ...[
    '-subj',
    `/CN=Gatehouse updates${named === undefined ? ' (development)' : ''}`,
    '-addext',
    'keyUsage=critical,keyCertSign,cRLSign',
  ],
);
openssl(
  'req',
  '-new',
  ...newKey,
  '-keyout',
  'signer.key',
  '-out',
  'signer.csr',
  '-subj',
  '/CN=Gatehouse update signer',
);
writeFileSync(
  join(work, 'signer.cnf'),
  'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n',
);
openssl(
  ...['x509', '-req', '-in', 'signer.csr', '-CA', 'keyring.pem', '-CAkey', 'authority.key', '-CAcreateserial'],
  ...['-out', 'signer.pem', '-days', String(days.signer), '-extfile', 'signer.cnf'],
);
for (const name of ['signer.csr', 'signer.cnf', 'keyring.srl']) rmSync(join(work, name), { force: true });
renameSync(work, folder);
process.stdout.write(`${folder}: authority.key, keyring.pem (for images), signer.key and signer.pem (for bundles)\n`);
