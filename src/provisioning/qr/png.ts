import { crc32, deflateSync } from 'node:zlib';
import { type QrMatrix, quietModules } from './draw.ts';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Length, type, data, CRC-32 over type and data (PNG 5.3). */
function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/**
 * With its quiet zone, one bit a pixel: 1 is white. `scale`: pixels of a module, a whole number, so
 * that every module is as wide as the next.
 */
export function qrPng(matrix: QrMatrix, { scale = 8 }: { readonly scale?: number } = {}): Buffer {
  const side = (matrix.length + 2 * quietModules) * scale;
  // A row begins with its filter, 0: none.
  const rowBytes = 1 + Math.ceil(side / 8);
  const rows = Buffer.alloc(rowBytes * side, 0xff);
  for (let y = 0; y < side; y++) {
    rows[y * rowBytes] = 0;
    const modules = matrix[Math.floor(y / scale) - quietModules];
    for (let x = 0; x < side; x++)
      if (modules?.[Math.floor(x / scale) - quietModules]) rows[y * rowBytes + 1 + (x >> 3)]! &= ~(0x80 >> (x & 7));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1; // bits a pixel; grey, deflate, its filters and no interlace are all 0
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
