import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { qrMatrix, qrPng, qrSvg, qrText } from '../../../src/provisioning/index.ts';
import { enlarged, pixelsOfPng, pixelsOfSvg, pixelsOfText, readQr } from '../../support/pictures.ts';

const content = 'https://qr.example/app/gatehouse/d/FACE-T1_A0001/activate?product=FACE-T1&status=-1';
const matrix = qrMatrix(content);

test('another program reads what stands in the SVG', () => {
  expect(readQr(enlarged(pixelsOfSvg(qrSvg(matrix))))).toBe(content);
});

test.each([1, 3, 8, 11])('another program reads what stands in a PNG of %i pixels a module', scale => {
  const pixels = pixelsOfPng(qrPng(matrix, { scale }));
  expect(pixels).toHaveLength((matrix.length + 8) * scale);
  expect(readQr(scale === 1 ? enlarged(pixels) : pixels)).toBe(content);
});

test('another program reads what stands in the terminal, dark or light', () => {
  const plain = qrText(matrix, { colours: false });
  expect(readQr(enlarged(pixelsOfText(plain, 'light')))).toBe(content);
  const coloured = qrText(matrix, { colours: true });
  const lines = coloured.trimEnd().split('\n');
  for (const line of lines) expect(line).toMatch(/^\x1b\[38;5;16;48;5;231m[ ▀▄█]+\x1b\[0m$/);
  expect(readQr(enlarged(pixelsOfText(coloured.replaceAll(/\x1b\[[\d;]*m/g, ''), 'dark')))).toBe(content);
  expect(lines.length).toBeLessThan(24);
});

test('four light modules stand around the code, in both pictures', () => {
  for (const pixels of [pixelsOfSvg(qrSvg(matrix)), pixelsOfPng(qrPng(matrix, { scale: 1 }))]) {
    const edge = pixels.flatMap((row, y) =>
      row.filter((_, x) => Math.min(x, y, row.length - 1 - x, pixels.length - 1 - y) < 4),
    );
    expect(edge).not.toContain(true);
    expect(pixels[4]!.slice(4, 12)).toEqual([true, true, true, true, true, true, true, false]);
  }
});

test('error correction is M', () => {
  // ISO 18004, format information: the two bits of the level stand beside the upper left finder,
  // under the mask 101010000010010; M is 00.
  expect([matrix[8]![0], matrix[8]![1]]).toEqual([true, false]);
});

test('every chunk of the PNG has the sum of its type and data', () => {
  const png = qrPng(matrix);
  const types = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const end = at + 8 + png.readUInt32BE(at);
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)));
    types.push(png.toString('latin1', at + 4, at + 8));
  }
  expect(types).toEqual(['IHDR', 'IDAT', 'IEND']);
});

test('texts of every length are read back from both pictures', () => {
  const texts = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_:/?=&'), minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(texts, text => {
      const drawn = qrMatrix(text);
      expect(readQr(enlarged(pixelsOfSvg(qrSvg(drawn)), 3))).toBe(text);
      expect(readQr(pixelsOfPng(qrPng(drawn, { scale: 3 })))).toBe(text);
    }),
    { numRuns: 40 },
  );
});
