import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stripElf } from '../../scripts/strip-elf.ts';

test('a stripped Node is smaller by its symbols, and runs', () => {
  const whole = readFileSync(process.execPath);
  const stripped = stripElf(whole);
  expect(whole.length - stripped.length).toBeGreaterThan(20_000_000);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-strip-'));
  try {
    writeFileSync(join(folder, 'node'), stripped, { mode: 0o755 });
    expect(execFileSync(join(folder, 'node'), ['-p', '6 * 7'], { encoding: 'utf8' })).toBe('42\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('stripping what is stripped changes nothing', () => {
  const once = stripElf(readFileSync(process.execPath));
  expect(stripElf(once).equals(once)).toBe(true);
});

test('what is no executable of 64 bits is refused', () => {
  expect(() => stripElf(Buffer.alloc(64))).toThrow('not a 64-bit little-endian ELF file');
});
