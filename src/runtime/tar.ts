import type { UnixMs } from './clock.ts';

/** Entry of an archive, whole: for those that fit into memory. */
export interface TarEntry {
  /** ASCII, at most 100 characters, without a slash at either end. */
  readonly name: string;
  /** Content of a file; absent: a folder, or a link where there is a `target`. */
  readonly bytes?: Uint8Array;
  readonly target?: string;
  /** Absent: for its owner alone. */
  readonly mode?: number;
  /** Owner and group, by number; absent: root. */
  readonly uid?: number;
}

const block = 512;
const nameMax = 100;
const end = new Uint8Array(2 * block);

/** Archive in the format ustar (POSIX.1-1988). The same entries at one time are the same bytes. */
export function* tarOf(entries: Iterable<TarEntry>, at: UnixMs): Generator<Uint8Array> {
  for (const entry of entries) {
    const { bytes } = entry;
    yield header(entry, at);
    if (bytes === undefined) continue;
    yield bytes;
    yield new Uint8Array((block - (bytes.length % block)) % block);
  }
  yield end;
}

function header({ name, bytes, target, mode = 0o600, uid = 0 }: TarEntry, at: UnixMs): Uint8Array {
  const kind = bytes ? '0' : target === undefined ? '5' : '2';
  const path = kind === '5' ? `${name}/` : name;
  if (path.length > nameMax || (target ?? '').length > nameMax) throw new Error(`${name}: too long for an archive`);
  const head = Buffer.alloc(block);
  const octal = (value: number, offset: number, length: number) =>
    head.write(value.toString(8).padStart(length - 1, '0'), offset, 'latin1');
  head.write(path, 0, 'latin1');
  octal(mode, 100, 8);
  octal(uid, 108, 8);
  octal(uid, 116, 8);
  octal(bytes?.length ?? 0, 124, 12);
  octal(Math.floor(at / 1000), 136, 12);
  head.write(`        ${kind}`, 148, 'latin1'); // checksum as spaces while it is summed
  head.write(target ?? '', 157, 'latin1');
  head.write('ustar\u000000', 257, 'latin1');
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return head;
}
