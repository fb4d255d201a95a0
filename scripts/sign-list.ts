import { execFileSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOnToken, type SigningKeys } from './signing-keys.ts';

/**
 * Signs `SHA256SUMS` of a folder as `SHA256SUMS.sig`, a CMS signature apart from it that brings the
 * signer's certificate, and puts the certificates that verify it beside both. Verifies as
 * docs/release.md says; throws with the words of openssl if it is not valid.
 */
export async function signList({ key, cert, keyring }: SigningKeys, folder: string): Promise<void> {
  const openssl = (...words: string[]) =>
    // A token may ask for its PIN.
    execFileSync('openssl', words, { cwd: folder, encoding: 'utf8', stdio: ['inherit', 'pipe', 'pipe'] });
  const ofToken = isOnToken(key) ? ['-engine', 'pkcs11', '-keyform', 'engine'] : [];
  openssl(
    ...['cms', '-sign', '-binary', '-in', 'SHA256SUMS', '-md', 'sha256', '-outform', 'DER', '-out', 'SHA256SUMS.sig'],
    ...['-signer', cert, '-inkey', key, ...ofToken],
  );
  await copyFile(keyring, join(folder, 'keyring.pem'));
  openssl(
    ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', 'SHA256SUMS.sig', '-content', 'SHA256SUMS'],
    ...['-CAfile', 'keyring.pem', '-out', '/dev/null'],
  );
}
