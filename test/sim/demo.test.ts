import { expect, test } from 'vitest';
import { run } from '../support/program.ts';

test('the demo tells its story to the end, and nothing is lost in it', { timeout: 90_000 }, async () => {
  const { status, stdout, stderr } = await run(['demo', '--once']);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/bin\/gatehouse status --data-dir \S+/);
  expect(stdout).toMatch(/came in at FACE-T1_A000\d by/);
  expect(stdout).toMatch(/line +down/);
  expect(stdout).toMatch(/Nothing was lost: all \d+ records/);
  expect(status).toBe(0);
});
