import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import 'reflect-metadata'; // @peculiar/x509 resolves its parts by it
import * as x509 from '@peculiar/x509';
import type { UnixMs } from '../runtime/clock.ts';

/** PEM texts. */
export interface Issued {
  readonly cert: string;
  readonly key: string;
}

const day = 24 * 3600 * 1000;
/**
 * A device whose clock died starts in 2000 or later and must be able to come and ask for the time.
 */
const validFrom = new Date('2000-01-01T00:00:00Z');
const caDays = 20 * 365;
const leafDays = 397;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

x509.cryptoProvider.set(webcrypto as Crypto);

/** A new authority of its own for a box, or another one, for 20 years: P-256, as the leaf. */
export async function makeAuthority(now: UnixMs, of = 'Gatehouse box'): Promise<Issued> {
  const keys = await newKeys();
  const serial = serialNumber();
  const name: x509.JsonName = [{ O: ['Gatehouse'] }, { CN: [`${of} ${serial.slice(0, 8)}`] }];
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial,
    name,
    notBefore: validFrom,
    notAfter: new Date(now + caDays * day),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: `${certificate.toString('pem')}\n`, key: await exportKey(keys.privateKey) };
}

interface LeafOptions {
  /** Default: the first name. */
  readonly commonName?: string;
  /** Default: of a server. */
  readonly uses?: readonly ('server' | 'client')[];
  /** Default: 397, the most that browsers take. */
  readonly days?: number;
}

/** A certificate for these names and addresses; `cert` has the authority's behind it. */
export async function issueLeaf(
  authority: Issued,
  { names, addresses }: { readonly names: readonly string[]; readonly addresses: readonly string[] },
  now: UnixMs,
  { commonName = names[0] ?? 'gatehouse', uses = ['server'], days = leafDays }: LeafOptions = {},
): Promise<Issued> {
  const issuer = new x509.X509Certificate(authority.cert);
  const keys = await newKeys();
  const alternatives: x509.JsonGeneralName[] = [
    ...names.map(value => ({ type: 'dns' as const, value })),
    ...addresses
      .filter(value => isIP(value.split('%', 1)[0]!))
      .map(value => ({ type: 'ip' as const, value: value.split('%', 1)[0]! })),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [{ CN: [commonName] }],
    issuer: issuer.subject,
    notBefore: validFrom,
    notAfter: new Date(now + days * day),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(uses.map(use => x509.ExtendedKeyUsage[`${use}Auth`])),
      ...(alternatives.length > 0 ? [new x509.SubjectAlternativeNameExtension(alternatives)] : []),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return { cert: `${certificate.toString('pem')}\n${authority.cert}`, key: await exportKey(keys.privateKey) };
}

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;

/** 16 bytes, positive. */
const serialNumber = (): string => {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x01;
  return bytes.toString('hex');
};

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${pkcs8.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  return webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
}
