import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const lines = [
  { op: 'send', device: 'T_1', kind: 'message', n: 1, mid: 'm1' },
  { op: 'ack', device: 'T_1', kind: 'message', n: 1 },
  { op: 'read', store: 'box', kind: 'message' },
  { op: 'row', store: 'box', device: 'T_1', kind: 'message', n: 1 },
  { op: 'read_end', store: 'box', kind: 'message' },
];

test('check.ts runs alone, says what it found, and ends with 1 for a fault', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-history-'));
  try {
    const check = (history: readonly object[]) => {
      const file = join(folder, 'history.ndjson');
      writeFileSync(file, history.map((line, at) => `${JSON.stringify({ at, by: 'test', ...line })}\n`).join(''));
      const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'check.ts'), file], {
        encoding: 'utf8',
      });
      return { status, stdout };
    };
    expect(check(lines)).toMatchObject({ status: 0, stdout: expect.stringMatching(/every rule was kept\n$/) });
    const { status, stdout } = check(lines.toSpliced(3, 1));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^lost: T_1 message 1, acknowledged in line 2, is not in box \(message, line 3\)$/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
