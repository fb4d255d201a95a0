import { plainChecksum } from './checksum.ts';

export const partSuffix = '.part';

const checksumPattern = '(?:[0-9a-f]{8}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})';
const ownName = new RegExp(`^[A-Za-z0-9_][A-Za-z0-9._-]*-${checksumPattern}(?:\\.part)?$`);

/**
 * The name of a record's package in the mirror: app_code, version and checksum, in characters that
 * no file system and no path minds. Two records that come to one name have one checksum, so they
 * have one package. Null for a record without a checksum that can be checked.
 */
export function packageFile(record: {
  app_code: string;
  version: string;
  checksum?: string | undefined;
}): string | null {
  const checksum = plainChecksum(record.checksum);
  return checksum && `${safe(record.app_code)}-${safe(record.version)}-${checksum}`;
}

/** Whether the mirror made a file of this name: no other is ever removed. */
export const isPackageFile = (name: string): boolean => ownName.test(name);

const safe = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^[.-]/, '_')
    .slice(0, 64) || '_';
