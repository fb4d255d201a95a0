import { createInflateRaw } from 'node:zlib';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;
const endBytes = 22;
const entryBytes = 46;
const localBytes = 30;
const entriesMax = 2000;
const stored = 0;
const deflated = 8;
const encrypted = 1;
/** Sizes and names stand behind the data, or in the directory alone. */
const sizesFollow = 8;
/** In place of a figure that stands in the records of ZIP64. */
const inZip64 = 0xffffffff;
const zip64Extra = 1;

/** A part of an archive, with what both of its headers say. */
interface Entry {
  readonly name: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  /** As the archive has it. */
  readonly packed: Buffer;
  /** As the headers say; what is inside says whether this is true. */
  readonly size: number;
  /** Where it begins and ends in the archive. */
  readonly from: number;
  readonly to: number;
}

/**
 * The parts of a ZIP archive in an archive that is written here: whoever reads it next cannot read
 * another one than was measured. Every part is unpacked once, and the bytes are thrown away: memory
 * does not grow with them. Null: they are more than `bytesMax` together. Throws an error when the
 * archive is damaged, or can be read in two ways: ZIP64, parts that overlap, two directories,
 * headers that do not agree, two parts of one name.
 */
export async function ownArchive(bytes: Uint8Array, bytesMax: number): Promise<Buffer | null> {
  const entries = entriesOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  let unpacked = 0;
  let isTrue = true;
  for (const entry of entries) {
    const size = await unpackedSize(entry, bytesMax - unpacked);
    if (size === null) return null;
    unpacked += size;
    isTrue &&= size === entry.size;
  }
  if (!isTrue) throw new Error('a part of it has another size than its header says');
  return archiveOf(entries);
}

/** Size of an entry; null if it is more than `most`. */
async function unpackedSize({ method, packed }: Entry, most: number): Promise<number | null> {
  if (method === stored) return packed.length > most ? null : packed.length;
  const inflate = createInflateRaw();
  inflate.end(packed);
  let size = 0;
  for await (const chunk of inflate) {
    size += (chunk as Uint8Array).length;
    if (size > most) return null;
  }
  if (inflate.bytesWritten !== packed.length) throw new Error('a part of it ends too early');
  return size;
}

function entriesOf(bytes: Buffer): Entry[] {
  // Without a comment, the end is the end: whatever looks for another one finds none behind it.
  const end = bytes.length - endBytes;
  if (end < 0 || bytes.readUInt32LE(end) !== endOfDirectory) throw new Error('it does not end with its directory');
  const count = bytes.readUInt16LE(end + 10);
  if (count > entriesMax) throw new Error(`it has more than ${entriesMax} parts`);
  const start = bytes.readUInt32LE(end + 16);
  if (
    bytes.readUInt32LE(end + 4) !== 0 ||
    bytes.readUInt16LE(end + 8) !== count ||
    bytes.readUInt16LE(end + 20) !== 0 ||
    // Records of ZIP64 stand between the directory and its end.
    start + bytes.readUInt32LE(end + 12) !== end
  )
    throw new Error('the end of its directory is damaged, or of ZIP64');
  const entries: Entry[] = [];
  const names = new Set<string>();
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + entryBytes > end || bytes.readUInt32LE(at) !== directoryEntry) throw new Error('its directory is damaged');
    const extra = at + entryBytes + bytes.readUInt16LE(at + 28);
    const next = extra + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (next > end) throw new Error('its directory is damaged');
    const entry = entryAt(bytes, at, start);
    refuseZip64(bytes, extra, bytes.readUInt16LE(at + 30));
    const name = entry.name.toString('latin1').toLowerCase();
    if (names.has(name)) throw new Error('two parts of it have one name');
    names.add(name);
    entries.push(entry);
    at = next;
  }
  if (at !== end) throw new Error('its directory is damaged');
  const inOrder = entries.toSorted((one, other) => one.from - other.from);
  for (const [index, { from }] of inOrder.entries())
    if (index > 0 && from < inOrder[index - 1]!.to) throw new Error('parts of it overlap');
  return entries;
}

/** `before`: where the directory begins. */
function entryAt(bytes: Buffer, at: number, before: number): Entry {
  const flags = bytes.readUInt16LE(at + 8);
  const method = bytes.readUInt16LE(at + 10);
  const crc = bytes.readUInt32LE(at + 16);
  const packedSize = bytes.readUInt32LE(at + 20);
  const size = bytes.readUInt32LE(at + 24);
  const name = bytes.subarray(at + entryBytes, at + entryBytes + bytes.readUInt16LE(at + 28));
  const from = bytes.readUInt32LE(at + 42);
  if ([packedSize, size, from].includes(inZip64)) throw new Error('it is of ZIP64');
  if ((flags & encrypted) !== 0 || (method !== stored && method !== deflated))
    throw new Error('a part of it is encrypted, or packed in another way');
  if (from + localBytes > before || bytes.readUInt32LE(from) !== localHeader)
    throw new Error('a part of it is damaged');
  const nameEnd = from + localBytes + bytes.readUInt16LE(from + 26);
  const extraBytes = bytes.readUInt16LE(from + 28);
  const data = nameEnd + extraBytes;
  if (data + packedSize > before) throw new Error('a part of it is damaged');
  const here = [14, 18, 22].map(offset => bytes.readUInt32LE(from + offset));
  // A program that writes without going back leaves zeros here.
  const mayBeUnknown = (flags & sizesFollow) !== 0 && here.every(figure => figure === 0);
  const isOne =
    bytes.readUInt16LE(from + 6) === flags &&
    bytes.readUInt16LE(from + 8) === method &&
    bytes.subarray(from + localBytes, nameEnd).equals(name) &&
    (mayBeUnknown || [crc, packedSize, size].every((figure, index) => figure === here[index]));
  if (!isOne) throw new Error('the two headers of a part do not agree');
  refuseZip64(bytes, nameEnd, extraBytes);
  return {
    name,
    flags,
    method,
    crc,
    packed: bytes.subarray(data, data + packedSize),
    size,
    from,
    to: data + packedSize,
  };
}

function refuseZip64(bytes: Buffer, from: number, length: number): void {
  for (let at = from; at + 4 <= from + length; at += 4 + bytes.readUInt16LE(at + 2))
    if (bytes.readUInt16LE(at) === zip64Extra) throw new Error('it is of ZIP64');
}

function archiveOf(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, flags, method, crc, packed, size } of entries) {
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(flags & ~sizesFollow, 2);
    facts.writeUInt16LE(method, 4);
    facts.writeUInt32LE(crc, 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(size, 18);
    facts.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    parts.push(signed(localHeader), facts, name, packed);
    directory.push(signed(directoryEntry), Buffer.from([20, 0]), facts, rest, name);
    at += localBytes + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(endBytes);
  end.writeUInt32LE(endOfDirectory, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, end]);
}

function signed(signature: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature, 0);
  return bytes;
}
