import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tarOf } from '../../src/runtime/tar.ts';

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
