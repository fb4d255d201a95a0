import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Where systemd/lib/program keeps the programs of updates; only root can write there. */
const programFolder = '/var/lib/gatehouse-program';

/**
 * Root allows RAUC to install one bundle of this version although it is older than what runs
 * (systemd/lib/program asks for the file: the service alone cannot bring back an older version).
 * Without effect for other users, and where no bundles are taken. Throws what else the file system
 * says.
 */
export function allowAsRoot(version: string, folder = programFolder): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  try {
    const handle = openSync(join(folder, 'allow-older'), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644);
    writeSync(handle, `${version}\n`);
    closeSync(handle);
  } catch (error) {
    if (!['ENOENT', 'EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
