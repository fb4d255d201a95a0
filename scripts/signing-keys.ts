import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Options of the scripts that sign (`npm run build:update`, `npm run release`): a folder with
 * signer.key, signer.pem and keyring.pem, or each by itself; the key may be a PKCS#11 URL.
 */
export const keyOptions = {
  keys: { type: 'string', default: fileURLToPath(new URL('../update-keys', import.meta.url)) },
  key: { type: 'string' },
  cert: { type: 'string' },
  keyring: { type: 'string' },
} as const;

export interface SigningKeys {
  /** A file, or a PKCS#11 URL where a token signs. */
  readonly key: string;
  readonly cert: string;
  /** Authorities, one of which has to certify the signer. */
  readonly keyring: string;
}

/** Absolute paths; throws where a file is missing, or a certificate is on a token. */
export function signingKeys(values: Partial<SigningKeys> & { readonly keys: string }): SigningKeys {
  const found = {
    key: values.key ?? join(values.keys, 'signer.key'),
    cert: values.cert ?? join(values.keys, 'signer.pem'),
    keyring: values.keyring ?? join(values.keys, 'keyring.pem'),
  };
  const at = (file: string): string => {
    if (!existsSync(file))
      throw new Error(
        `${file} is not there: npm run update-keys makes keys for development; --keys names a folder of others`,
      );
    return resolve(file);
  };
  for (const file of [found.cert, found.keyring])
    if (isOnToken(file)) throw new Error(`${file}: only a key may be on a token; say --cert FILE --keyring FILE`);
  return { key: isOnToken(found.key) ? found.key : at(found.key), cert: at(found.cert), keyring: at(found.keyring) };
}

export const isOnToken = (file: string): boolean => file.startsWith('pkcs11:');
