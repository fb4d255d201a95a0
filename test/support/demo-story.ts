import { expect } from 'vitest';
import type { Outcome } from './command.ts';

/** What `gatehouse demo --once` has to show, whichever program runs it. */
export function expectWholeStory({ status, stdout, stderr }: Outcome): void {
  expect(stderr).toBe('');
  expect(stdout).toMatch(/\/gatehouse\S* status --data-dir \S+/);
  expect(stdout).toMatch(/came in at FACE-T1_A000\d by/);
  expect(stdout).toMatch(/line +down/);
  expect(stdout).toMatch(/Nothing was lost: all \d+ records/);
  expect(status).toBe(0);
}
