/** One entry of an archive. Its path is relative, without a slash at either end. */
export interface TarEntry {
  readonly path: string;
  readonly mode: number;
  /** Content of a file; absent: a folder, or a link where there is a `target`. */
  readonly content?: Uint8Array;
  readonly target?: string;
  /** Owner, by number; default: root. */
  readonly uid?: number;
}

const blockBytes = 512;
/** `name` of a ustar header holds 100 bytes, its `prefix` 155. */
const nameBytesMax = 100;

/**
 * Packs entries, in the order given, as a ustar archive (POSIX.1-1988). Each has the same time, in
 * seconds, and no name of an owner: the same entries are the same bytes.
 */
export function tar(entries: readonly TarEntry[], seconds: number): Buffer {
  const blocks: Uint8Array[] = [];
  for (const entry of entries) {
    const bytes = entry.content?.length ?? 0;
    blocks.push(header(entry, bytes, seconds));
    if (entry.content) blocks.push(entry.content, Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes));
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]);
}

function header({ path, mode, content, target = '', uid = 0 }: TarEntry, bytes: number, seconds: number): Buffer {
  const kind = content ? '0' : target === '' ? '5' : '2';
  const { prefix, name } = split(kind === '5' ? `${path}/` : path);
  if (Buffer.byteLength(target) > nameBytesMax) throw new Error(`${path}: its target is too long for ustar`);
  const block = Buffer.alloc(blockBytes);
  const put = (text: string, at: number) => void block.write(text, at, 'utf8');
  const number = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  put(name, 0);
  put(number(mode, 7), 100);
  put(number(uid, 7), 108);
  put(number(uid, 7), 116);
  put(number(bytes, 11), 124);
  put(number(seconds, 11), 136);
  put(' '.repeat(8), 148);
  put(kind, 156);
  put(target, 157);
  put('ustar\x0000', 257);
  put(number(0, 7), 329);
  put(number(0, 7), 337);
  put(prefix, 345);
  let sum = 0;
  for (const byte of block) sum += byte;
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function split(path: string): { prefix: string; name: string } {
  if (Buffer.byteLength(path) <= nameBytesMax) return { prefix: '', name: path };
  const at = path.indexOf('/', path.length - nameBytesMax - 1);
  if (at < 1 || at > 155) throw new Error(`${path}: too long for ustar`);
  return { prefix: path.slice(0, at), name: path.slice(at + 1) };
}
