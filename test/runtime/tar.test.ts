import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tarOf } from '../../src/runtime/tar.ts';

test('tar reads folders, links, modes and owners', () => {
  const entries = [
    { name: 'of', mode: 0o750, uid: 10001 },
    { name: 'of/link', mode: 0o777, target: '../it' },
    { name: 'it', mode: 0o755, bytes: new Uint8Array(3) },
  ];
  const input = Buffer.concat([...tarOf(entries, 0)]);
  const listed = execFileSync('tar', ['-tv', '--numeric-owner', '--utc', '-f', '-'], { input, encoding: 'utf8' });
  expect(
    listed
      .trim()
      .split('\n')
      .map(line => line.replace(/ +/g, ' ')),
  ).toEqual([
    'drwxr-x--- 10001/10001 0 1970-01-01 00:00 of/',
    'lrwxrwxrwx 0/0 0 1970-01-01 00:00 of/link -> ../it',
    '-rwxr-xr-x 0/0 3 1970-01-01 00:00 it',
  ]);
});

test('tar reads what was written, with names, bytes, times and modes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tar-'));
  try {
    const files = [0, 1, 511, 512, 513, 100_000].map(length => ({
      name: `of/${length}.txt`,
      bytes: new Uint8Array(length).fill(65 + (length % 26)),
    }));
    const archive = join(folder, 'a.tar');
    writeFileSync(archive, Buffer.concat([...tarOf(files, 1_763_600_000_000)]));
    execFileSync('tar', ['-xf', archive, '-C', folder, '--no-same-owner']);
    for (const { name, bytes } of files) expect(readFileSync(join(folder, name))).toEqual(Buffer.from(bytes));
    const { mode, mtimeMs } = statSync(join(folder, 'of/513.txt'));
    expect([(mode & 0o777).toString(8), mtimeMs]).toEqual(['600', 1_763_600_000_000]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
