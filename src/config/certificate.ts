import { createPrivateKey, X509Certificate } from 'node:crypto';

/** The site's own certificate; empty if the box makes its own. */
export const ownCertificate = ({
  tls,
}: {
  tls?: { cert?: string | undefined; key?: string | undefined } | undefined;
}): { own?: { readonly cert: string; readonly key: string } } =>
  tls?.cert !== undefined && tls.key !== undefined ? { own: { cert: tls.cert, key: tls.key } } : {};

/**
 * Why a listener cannot use this certificate with this key; null: it can. Never quotes their
 * content.
 */
export function certificateTrouble(
  certPem: string,
  keyPem: string,
  name = 'tls.cert',
): { of: 'cert' | 'key'; reason: string } | null {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(certPem);
  } catch {
    return { of: 'cert', reason: 'holds no PEM certificate (-----BEGIN CERTIFICATE-----)' };
  }
  let key: ReturnType<typeof createPrivateKey>;
  try {
    key = createPrivateKey(keyPem);
  } catch {
    const locked = keyPem.includes('ENCRYPTED');
    const reason = locked
      ? 'is locked by a passphrase: write it out without one (openssl pkey -in … -out …)'
      : 'holds no PEM private key (-----BEGIN PRIVATE KEY-----)';
    return { of: 'key', reason };
  }
  if (!certificate.checkPrivateKey(key)) return { of: 'key', reason: `is not the key of ${name}` };
  return null;
}

/** The same for the legacy gateway host, which its certificate has to name. */
export function legacyTrouble({
  legacy_host: host,
  legacy_cert: cert,
  legacy_key: key,
}: {
  legacy_host?: string | undefined;
  legacy_cert?: string | undefined;
  legacy_key?: string | undefined;
}): { of: 'host' | 'cert' | 'key'; reason: string } | null {
  if (host === undefined || cert === undefined || key === undefined) return null;
  const trouble = certificateTrouble(cert, key, 'tls.legacy_cert');
  if (trouble || new X509Certificate(cert).checkHost(host)) return trouble;
  return {
    of: 'host',
    reason: 'is not in tls.legacy_cert, so that no device would accept it: write a name that the certificate holds',
  };
}

/**
 * Trouble with a file of roots; null if there is none. At least one block must be a certificate.
 */
export function rootsTrouble(pem: string): string | null {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!blocks) return 'holds no PEM certificate (-----BEGIN CERTIFICATE-----)';
  for (const [index, block] of blocks.entries())
    try {
      new X509Certificate(block);
    } catch {
      return `certificate ${index + 1} in it cannot be read`;
    }
  return null;
}
