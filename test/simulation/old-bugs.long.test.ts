import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { OldBugName } from './old-bugs.ts';

const nights = fileURLToPath(new URL('./nights.ts', import.meta.url));

test.each<[OldBugName, number, string]>([
  ['a confirmation is taken off before it is counted', 1, 'stuck: '],
  ['logs go up at once after a start', 4, 'lost: '],
  ['a log with holes is written on', 6, 'lost: '],
])('an old bug that is put back fails in a night, and shrinks to a few steps: %s', (bug, seed, finding) => {
  const args = [nights, '--seed', String(seed), '--old-bug', bug];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout, stderr).toContain(finding);
  const [, steps] = /(\d+) of \d+ steps find the same/.exec(stdout) ?? [];
  expect(Number(steps)).toBeLessThan(50);
  expect(status).toBe(1);
});
