import { X509Certificate as NodeCertificate, randomBytes, webcrypto } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import 'reflect-metadata'; // @peculiar/x509 resolves its parts by it
import * as x509 from '@peculiar/x509';
import type { Clock, UnixMs } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

/** What a TLS listener serves: PEM texts, the leaf with its issuer behind it. */
export interface ServedCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificatesOptions {
  /** Holds ca.pem, ca.key, leaf.pem and leaf.key; keys are readable by the box alone. */
  readonly dir: string;
  readonly names: readonly string[];
  readonly addresses: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  /** A certificate of the site's own (CONTRACT 2 `tls`): served as it is, never renewed here. */
  readonly own?: ServedCertificate;
}

export interface Certificates extends AsyncDisposable {
  /** What a device must trust to accept this box. */
  readonly caPem: string;
  current(): ServedCertificate;
  onRenewed(listener: () => void): void;
}

const day = 24 * 3600 * 1000;
/** A device whose clock died starts in 2000 or later and must be able to come and ask for the time. */
const validFrom = new Date('2000-01-01T00:00:00Z');
const caDays = 20 * 365;
const leafDays = 397;
const renewDaysBefore = 30;
const lookEveryMs = 6 * 3600 * 1000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

x509.cryptoProvider.set(webcrypto as Crypto);

/** The box's own authority and certificate, made on the first start, renewed 30 days before the end or when a name or address is new. */
export async function openCertificates(options: CertificatesOptions): Promise<Certificates> {
  if (options.own) return served(options.own);
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const authority = await openAuthority(options);
  let leaf = readLeaf(options, authority.pem) ?? (await issue(options, authority));
  const listeners: (() => void)[] = [];
  const ending = new AbortController();
  const watching = (async () => {
    while (!ending.signal.aborted) {
      await options.clock.sleep(lookEveryMs, ending.signal).catch(() => {});
      if (ending.signal.aborted || !dueAt(leaf.cert, options.clock.now())) continue;
      leaf = await issue(options, authority);
      for (const listener of listeners) listener();
    }
  })();
  return {
    caPem: authority.pem,
    current: () => leaf,
    onRenewed: listener => void listeners.push(listener),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await watching;
    },
  };
}

function served(own: ServedCertificate): Certificates {
  const chain = own.cert.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [own.cert];
  return {
    caPem: chain.at(-1)!,
    current: () => own,
    onRenewed: () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

interface Authority {
  readonly pem: string;
  readonly certificate: x509.X509Certificate;
  readonly key: webcrypto.CryptoKey;
}

async function openAuthority({ dir, clock, log }: CertificatesOptions): Promise<Authority> {
  const file = join(dir, 'ca.pem');
  const keyFile = join(dir, 'ca.key');
  if (existsSync(file) && existsSync(keyFile)) {
    const pem = readFileSync(file, 'utf8');
    return { pem, certificate: new x509.X509Certificate(pem), key: await importKey(readFileSync(keyFile, 'utf8')) };
  }
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const serial = serialNumber();
  const name: x509.JsonName = [{ O: ['Gatehouse'] }, { CN: [`Gatehouse box ${serial.slice(0, 8)}`] }];
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial,
    name,
    notBefore: validFrom,
    notAfter: new Date(clock.now() + caDays * day),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pem = `${certificate.toString('pem')}\n`;
  writeSecret(keyFile, await exportKey(keys.privateKey));
  writeFile(file, pem);
  log.info({ file }, 'made the certificate authority of this box; devices trust it after `gatehouse trust export`');
  return { pem, certificate, key: keys.privateKey };
}

/** Null when there is none, or it is due, or lacks a name, or another authority issued it. */
function readLeaf({ dir, names, addresses, clock }: CertificatesOptions, caPem: string): ServedCertificate | null {
  const file = join(dir, 'leaf.pem');
  const keyFile = join(dir, 'leaf.key');
  if (!existsSync(file) || !existsSync(keyFile)) return null;
  const cert = readFileSync(file, 'utf8');
  const parsed = new NodeCertificate(cert);
  const covers = names.every(name => parsed.checkHost(name)) && addresses.every(address => parsed.checkIP(address));
  if (!covers || dueAt(cert, clock.now()) || !parsed.checkIssued(new NodeCertificate(caPem))) return null;
  return { cert, key: readFileSync(keyFile, 'utf8') };
}

const dueAt = (cert: string, now: UnixMs): boolean =>
  Date.parse(new NodeCertificate(cert).validTo) - now < renewDaysBefore * day;

async function issue(
  { dir, names, addresses, clock, log }: CertificatesOptions,
  authority: Authority,
): Promise<ServedCertificate> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const alternatives: x509.JsonGeneralName[] = [
    ...names.map(value => ({ type: 'dns' as const, value })),
    ...addresses
      .filter(value => isIP(value.replace(/%.*$/, '')))
      .map(value => ({ type: 'ip' as const, value: value.replace(/%.*$/, '') })),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [{ CN: [names[0] ?? 'gatehouse'] }],
    issuer: authority.certificate.subject,
    notBefore: validFrom,
    notAfter: new Date(clock.now() + leafDays * day),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: authority.key,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(alternatives),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate),
    ],
  });
  const cert = `${certificate.toString('pem')}\n${authority.pem}`;
  const key = await exportKey(keys.privateKey);
  writeSecret(join(dir, 'leaf.key'), key);
  writeFile(join(dir, 'leaf.pem'), cert);
  log.info({ until: certificate.notAfter.toISOString() }, 'issued the certificate of this box');
  return { cert, key };
}

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

const writeSecret = (file: string, text: string): void => writeWhole(file, text, 0o600);
const writeFile = (file: string, text: string): void => writeWhole(file, text, 0o644);

/** Never half a file, whenever the power goes. */
function writeWhole(file: string, text: string, mode: number): void {
  writeFileSync(`${file}.new`, text, { mode, flush: true });
  renameSync(`${file}.new`, file);
}
