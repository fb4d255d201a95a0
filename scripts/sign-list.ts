import { execFileSync } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signCms } from './cms.ts';
import type { SigningKeys } from './signing-keys.ts';

/**
 * Signs `SHA256SUMS` of a folder as `SHA256SUMS.sig`, a CMS signature apart from it that brings the
 * signer's certificate, and puts the certificates that verify it beside both. Verifies as
 * docs/release.md says; throws with the words of openssl if it is not valid.
 */
export async function signList(keys: SigningKeys, folder: string): Promise<void> {
  const list = await readFile(join(folder, 'SHA256SUMS'));
  await writeFile(join(folder, 'SHA256SUMS.sig'), signCms(list, keys, { detached: true }));
  await copyFile(keys.keyring, join(folder, 'keyring.pem'));
  execFileSync(
    'openssl',
    [
      ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', 'SHA256SUMS.sig', '-content', 'SHA256SUMS'],
      ...['-CAfile', 'keyring.pem', '-out', '/dev/null'],
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
}
