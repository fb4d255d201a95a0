import { createPrivateKey, X509Certificate } from 'node:crypto';
import { fileFaults } from '../words/config-files.ts';
import type { Reason } from '../words/sentences.ts';

const { say } = fileFaults;

/** The site's own certificate; empty if the box makes its own. */
export const ownCertificate = ({
  tls,
}: {
  tls?: { cert?: string | undefined; key?: string | undefined } | undefined;
}): { own?: { readonly cert: string; readonly key: string } } =>
  tls?.cert !== undefined && tls.key !== undefined ? { own: { cert: tls.cert, key: tls.key } } : {};

interface Trouble<Of> {
  readonly of: Of;
  readonly why: Reason;
}

/** Files that the values were read from, by key of the config; none: the value stands there. */
type FileOf = ReadonlyMap<string, string>;

/** Why a listener cannot use this certificate with this key; null: it can. */
export function certificateTrouble(
  certPem: string,
  keyPem: string,
  fileOf: FileOf,
  prefix: 'tls.' | 'tls.legacy_' = 'tls.',
): Trouble<'cert' | 'key'> | null {
  const name = `${prefix}cert`;
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(certPem);
  } catch {
    return { of: 'cert', why: say('no_certificate_in_file', { file: fileOf.get(name) ?? '' }) };
  }
  const file = fileOf.get(`${prefix}key`) ?? '';
  let key: ReturnType<typeof createPrivateKey>;
  try {
    key = createPrivateKey(keyPem);
  } catch {
    return { of: 'key', why: say(keyPem.includes('ENCRYPTED') ? 'key_locked' : 'no_key_in_file', { file }) };
  }
  return certificate.checkPrivateKey(key) ? null : { of: 'key', why: say('key_of_other_certificate', { file, name }) };
}

/** The same for the legacy gateway host, which its certificate has to name. */
export function legacyTrouble(
  {
    legacy_host: host,
    legacy_cert: cert,
    legacy_key: key,
  }: {
    legacy_host?: string | undefined;
    legacy_cert?: string | undefined;
    legacy_key?: string | undefined;
  },
  fileOf: FileOf,
): Trouble<'host' | 'cert' | 'key'> | null {
  if (host === undefined || cert === undefined || key === undefined) return null;
  const trouble = certificateTrouble(cert, key, fileOf, 'tls.legacy_');
  if (trouble || new X509Certificate(cert).checkHost(host)) return trouble;
  return { of: 'host', why: say('host_not_in_certificate', { file: fileOf.get('tls.legacy_host') ?? '' }) };
}

/**
 * Trouble with a file of roots; null if there is none. At least one block must be a certificate.
 */
export function rootsTrouble(pem: string, file: string): Reason | null {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!blocks) return say('no_certificate_in_file', { file });
  for (const [index, block] of blocks.entries())
    try {
      new X509Certificate(block);
    } catch {
      return say('certificate_unreadable', { file, number: index + 1 });
    }
  return null;
}
