import { inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';

/**
 * Reads a QR code from rows of pixels (true: dark) with another library. Throws if it finds none.
 */
export function readQr(dark: readonly (readonly boolean[])[]): string {
  const [height, width] = [dark.length, dark[0]!.length];
  const data = new Uint8Array(width * height * 4).fill(255);
  for (const [y, row] of dark.entries())
    for (const [x, isDark] of row.entries()) if (isDark) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return decodeQR({ width, height, data });
}

/** The same picture with `scale` pixels for each. */
export const enlarged = (dark: readonly (readonly boolean[])[], scale = 4): boolean[][] =>
  dark.flatMap(row => Array.from({ length: scale }, () => row.flatMap(one => Array<boolean>(scale).fill(one))));

/**
 * Reads a PNG of one bit a pixel without filters, as the program writes it, by the PNG
 * specification.
 */
export function pixelsOfPng(png: Uint8Array): boolean[][] {
  const bytes = Buffer.from(png);
  if (bytes.toString('hex', 0, 8) !== '89504e470d0a1a0a') throw new Error('no PNG');
  let [width, height] = [0, 0];
  const data: Buffer[] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 8, at + 8 + length);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      if (body.toString('hex', 8) !== '0100000000') throw new Error('not grey of one bit');
    }
    if (type === 'IDAT') data.push(body);
    at += 12 + length;
  }
  const rows = inflateSync(Buffer.concat(data));
  const rowBytes = 1 + Math.ceil(width / 8);
  if (rows.length !== rowBytes * height) throw new Error('not as many bytes as its size says');
  return Array.from({ length: height }, (_, y) => {
    if (rows[y * rowBytes] !== 0) throw new Error('a filter');
    return Array.from({ length: width }, (_, x) => !((rows[y * rowBytes + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1));
  });
}

/**
 * Paints the rectangles of a code in SVG: a white one as large as the box, and black runs of one
 * module's height.
 */
export function pixelsOfSvg(svg: string): boolean[][] {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)![1]);
  const [white, black] = [...svg.matchAll(/<path (fill="#fff" )?d="([^"]+)"\/>/g)];
  if (white?.[1] === undefined || white[2] !== `M0 0h${side}v${side}H0z`) throw new Error('no white behind it');
  const dark = Array.from({ length: side }, () => Array<boolean>(side).fill(false));
  for (const [, x, y, width] of black![2]!.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    dark[Number(y)]!.fill(true, Number(x), Number(x) + Number(width));
  return dark;
}

/** Half blocks as a terminal shows them; `drawn` is what a block stands for. */
export const pixelsOfText = (text: string, drawn: 'dark' | 'light'): boolean[][] =>
  text
    .split('\n')
    .filter(line => line !== '')
    .flatMap(line => [
      [...line].map(one => '▀█'.includes(one) === (drawn === 'dark')),
      [...line].map(one => '▄█'.includes(one) === (drawn === 'dark')),
    ]);
