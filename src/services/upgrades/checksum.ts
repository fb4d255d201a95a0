import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Which sum a checksum of SPEC 2.13 is shows in the number of its hex digits. */
const kindByLength: Readonly<Record<number, 'crc32' | 'md5' | 'sha1' | 'sha256'>> = {
  8: 'crc32',
  32: 'md5',
  40: 'sha1',
  64: 'sha256',
};

/**
 * The checksum in lower case; null for one that is no hex or of another length than 8, 32, 40 and
 * 64.
 */
export function plainChecksum(checksum: string | undefined): string | null {
  const plain = checksum?.trim().toLowerCase() ?? '';
  return /^[0-9a-f]+$/.test(plain) && plain.length in kindByLength ? plain : null;
}

/** Sums up a package as it streams by: the record's checksum and, in any case, sha256. */
export class Summing {
  readonly #sha256 = createHash('sha256');
  readonly #isCrc: boolean;
  /** Null where the checksum is a crc32, or the sha256 that is made anyway. */
  readonly #hash: Hash | null;
  #crc = 0;
  #bytes = 0;

  /** `like`: a plain checksum, of whose kind `checksum` will be. */
  constructor(like: string) {
    const kind = kindByLength[like.length]!;
    this.#isCrc = kind === 'crc32';
    this.#hash = kind === 'md5' || kind === 'sha1' ? createHash(kind) : null;
  }

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#sha256.update(chunk);
    this.#hash?.update(chunk);
    if (this.#isCrc) this.#crc = crc32(chunk, this.#crc);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Hex in lower case. Ends the summing. */
  finish(): { checksum: string; sha256: string } {
    const sha256 = this.#sha256.digest('hex');
    if (this.#isCrc) return { checksum: this.#crc.toString(16).padStart(8, '0'), sha256 };
    return { checksum: this.#hash?.digest('hex') ?? sha256, sha256 };
  }
}
