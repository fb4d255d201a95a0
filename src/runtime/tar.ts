import type { UnixMs } from './clock.ts';

/** A file of an archive, whole: for those that fit into memory. */
export interface TarFile {
  /** ASCII, at most 100 characters. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const block = 512;
const end = new Uint8Array(2 * block);

/** Archive in the format ustar (POSIX.1-1988): regular files of root's, for their owner alone. */
export function* tarOf(files: Iterable<TarFile>, at: UnixMs): Generator<Uint8Array> {
  for (const { name, bytes } of files) {
    yield header(name, bytes.length, at);
    yield bytes;
    yield new Uint8Array((block - (bytes.length % block)) % block);
  }
  yield end;
}

function header(name: string, bytes: number, at: UnixMs): Uint8Array {
  const head = Buffer.alloc(block);
  const octal = (value: number, offset: number, length: number) =>
    head.write(value.toString(8).padStart(length - 1, '0'), offset, 'latin1');
  head.write(name, 0, 100, 'latin1');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes, 124, 12);
  octal(Math.floor(at / 1000), 136, 12);
  head.write('        0', 148, 'latin1'); // checksum as spaces while it is summed; 0: a regular file
  head.write('ustar\u000000root', 257, 'latin1');
  head.write('root', 297, 'latin1');
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return head;
}
