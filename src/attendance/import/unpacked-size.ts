import { createInflateRaw } from 'node:zlib';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;
const entriesMax = 2000;

/**
 * Unpacks every entry of a ZIP archive and throws the bytes away: the archive's own figures may
 * lie. Returns whether they are at most `bytesMax` together; memory does not grow with them. Throws
 * when the archive is damaged.
 */
export async function unpacksToAtMost(bytes: Uint8Array, bytesMax: number): Promise<boolean> {
  let unpacked = 0;
  for (const { method, packed } of entriesOf(bytes)) {
    if (method === 0) unpacked += packed.length;
    else {
      const inflate = createInflateRaw();
      inflate.end(packed);
      for await (const chunk of inflate) {
        unpacked += (chunk as Uint8Array).length;
        if (unpacked > bytesMax) return false;
      }
    }
    if (unpacked > bytesMax) return false;
  }
  return true;
}

/** Where an entry has no data in front of the directory, everything up to it is taken. */
function* entriesOf(bytes: Uint8Array): Generator<{ readonly method: number; readonly packed: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== endOfDirectory) end--;
  if (end < 0) throw new Error('it has no directory');
  const count = view.getUint16(end + 10, true);
  if (count > entriesMax) throw new Error(`it has more than ${entriesMax} parts`);
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== directoryEntry)
      throw new Error('its directory is damaged');
    const method = view.getUint16(at + 10, true);
    const size = view.getUint32(at + 20, true);
    const header = view.getUint32(at + 42, true);
    if (header + 30 > bytes.length || view.getUint32(header, true) !== localHeader)
      throw new Error('a part of it is damaged');
    const from = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    yield { method, packed: bytes.subarray(from, from + size) };
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
}
