import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hasAesInstructions } from '../../src/operations/processor.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-processor-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['a Raspberry Pi 4', 'processor\t: 0\nFeatures\t: fp asimd evtstrm crc32 cpuid\n', false],
  ['a Raspberry Pi 5', 'Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics\n', true],
  ['a processor for servers', 'flags\t\t: fpu vme de sse2 pclmulqdq aes xsave avx\n', true],
  ['cores of two kinds', 'Features\t: fp asimd aes pmull\n\nFeatures\t: fp asimd crc32\n', false],
  ['a file that lists nothing', 'processor\t: 0\n', true],
])('%s has instructions for AES or not, by what the kernel says', (_name, cpuinfo, has) => {
  const file = join(folder, 'cpuinfo');
  writeFileSync(file, cpuinfo);
  expect(hasAesInstructions(file)).toBe(has);
});

test('where the kernel says nothing the processor is taken to have them', () => {
  expect(hasAesInstructions(join(folder, 'missing'))).toBe(true);
});
