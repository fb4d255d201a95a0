import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const nights = fileURLToPath(new URL('./nights.ts', import.meta.url));

test('an old bug that is put back fails in a night, and shrinks to a few steps', () => {
  const args = [nights, '--seed', '1', '--old-bug', 'a confirmation is taken off before it is counted'];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout).toContain('stuck: ');
  const [, steps] = /(\d+) of \d+ steps find the same/.exec(stdout) ?? [];
  expect(Number(steps)).toBeLessThan(50);
  expect(status).toBe(1);
});
