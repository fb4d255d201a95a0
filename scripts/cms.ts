import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { commitEpoch } from './commit-epoch.ts';
import { isOnToken, type SigningKeys } from './signing-keys.ts';

/**
 * A CMS signature (RFC 5652) in DER, by the signer's key and with its certificate. Made here because
 * `openssl cms` puts the moment of its run into each: the time of signing is that of the commit, or
 * the first moment of a certificate that is younger. With an RSA key the same content has the same
 * signature; ECDSA draws a random number for each.
 *
 * `detached`: without the content. openssl computes the signature, with a token too.
 */
export function signCms(
  content: Uint8Array,
  { key, cert }: Pick<SigningKeys, 'key' | 'cert'>,
  { detached }: { readonly detached: boolean },
): Uint8Array {
  const certificate = new X509Certificate(readFileSync(cert));
  const epoch = commitEpoch();
  if (epoch === null) throw new Error('when was this committed? Set SOURCE_DATE_EPOCH');
  const at = new Date(Math.max(epoch * 1000, certificate.validFromDate.getTime()));
  // In the order of DER, by their bytes, which begin with their lengths.
  const attributes = [
    sequence(id.contentType, set(id.data)),
    sequence(id.signingTime, set(tlv(tags.utcTime, Buffer.from(utcTime(at))))),
    sequence(id.messageDigest, set(tlv(tags.octets, createHash('sha256').update(content).digest()))),
  ];
  const ofToken = isOnToken(key) ? ['-engine', 'pkcs11', '-keyform', 'engine'] : [];
  const signature = execFileSync('openssl', ['dgst', '-sha256', ...ofToken, '-sign', key], {
    input: set(...attributes),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const signer = sequence(
    one,
    issuerAndSerial(certificate.raw),
    sha256,
    tlv(tags.context0, ...attributes),
    certificate.publicKey.asymmetricKeyType === 'rsa' ? sequence(id.rsa, Buffer.of(5, 0)) : sequence(id.ecdsaSha256),
    tlv(tags.octets, signature),
  );
  const signed = sequence(
    one,
    set(sha256),
    sequence(id.data, ...(detached ? [] : [tlv(tags.context0, tlv(tags.octets, content))])),
    tlv(tags.context0, certificate.raw),
    set(signer),
  );
  return sequence(id.signedData, tlv(tags.context0, signed));
}

const tags = { octets: 0x04, utcTime: 0x17, sequence: 0x30, set: 0x31, context0: 0xa0 } as const;

function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(parts);
  if (value.length < 0x80) return Buffer.concat([Buffer.of(tag, value.length), value]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value.length);
  return Buffer.concat([Buffer.of(tag, 0x84 - leadingZeros(length)), length.subarray(leadingZeros(length)), value]);
}

const leadingZeros = (bytes: Uint8Array): number => bytes.findIndex(byte => byte !== 0);
const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(tags.sequence, ...parts);
const set = (...parts: readonly Uint8Array[]): Buffer => tlv(tags.set, ...parts);
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'));

const id = {
  data: oid('2a864886f70d010701'),
  signedData: oid('2a864886f70d010702'),
  contentType: oid('2a864886f70d010903'),
  messageDigest: oid('2a864886f70d010904'),
  signingTime: oid('2a864886f70d010905'),
  rsa: oid('2a864886f70d010101'),
  ecdsaSha256: oid('2a8648ce3d040302'),
};
const sha256 = sequence(oid('608648016503040201'));
const one = Buffer.of(0x02, 1, 1);

/** Until 2049, as RFC 5652 wants it. */
const utcTime = (at: Date): string => `${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`;

/** How CMS names a certificate; of it: SEQUENCE { SEQUENCE { [0] version, serial, algorithm, issuer, … */
function issuerAndSerial(certificate: Uint8Array): Buffer {
  const [body] = elements(elements(certificate)[0]!.value);
  const [, serial, , issuer] = elements(body!.value);
  return sequence(issuer!.whole, serial!.whole);
}

function elements(der: Uint8Array): { whole: Uint8Array; value: Uint8Array }[] {
  const found = [];
  for (let rest = der; rest.length > 0; ) {
    const long = rest[1]! < 0x80 ? 0 : rest[1]! - 0x80;
    const start = 2 + long;
    const end = start + (long === 0 ? rest[1]! : Buffer.from(rest).readUIntBE(2, long));
    found.push({ whole: rest.subarray(0, end), value: rest.subarray(start, end) });
    rest = rest.subarray(end);
  }
  return found;
}
