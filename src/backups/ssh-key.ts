import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';

export interface SshKeyPair {
  /** As OpenSSH keeps it in a file. Secret. */
  readonly privateKey: string;
  /** A line of `authorized_keys`. */
  readonly publicKey: string;
}

/** The private section of a key file without a passphrase is padded to so many bytes. */
const blockBytes = 8;

/** Makes an Ed25519 key pair. OpenSSH before 9.6 reads these in its own format only. */
export function newSshKeyPair(comment: string): SshKeyPair {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const point = Buffer.from(x!, 'base64url');
  const type = string('ssh-ed25519');
  const publicPart = Buffer.concat([type, string(point)]);
  // The same random number twice: it shows a wrong passphrase, where there is one.
  const check = randomBytes(4);
  const secret = string(Buffer.concat([Buffer.from(d!, 'base64url'), point]));
  const unpadded = Buffer.concat([check, check, publicPart, secret, string(comment)]);
  const padding = Array.from({ length: -unpadded.length & (blockBytes - 1) }, (_, index) => index + 1);
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...[string('none'), string('none'), string(''), uint32(1), string(publicPart)],
    string(Buffer.concat([unpadded, Buffer.from(padding)])),
  ]);
  const lines = file.toString('base64').match(/.{1,70}/g)!;
  return {
    privateKey: ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n'),
    publicKey: `ssh-ed25519 ${publicPart.toString('base64')} ${comment}`,
  };
}

/** The public key of a server, as in `known_hosts`. */
export interface HostKey {
  /** Type and key in base64, one space between. */
  readonly key: string;
  /** Key type, such as `ssh-ed25519`. */
  readonly type: string;
  /** As `ssh-keygen -l` shows it: `SHA256:…`. */
  readonly fingerprint: string;
}

/** `key`: type and base64. */
export function hostKeyOf(key: string): HostKey {
  const [type = '', encoded = ''] = key.split(' ');
  const hash = createHash('sha256').update(Buffer.from(encoded, 'base64')).digest('base64');
  return { key, type, fingerprint: `SHA256:${hash.replaceAll('=', '')}` };
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function string(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([uint32(bytes.length), bytes]);
}
