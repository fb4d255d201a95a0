import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Entry } from '../history/entry.ts';
import { judgeAll } from '../history/judge.ts';
import { type Fault, faults } from '../history/plant.ts';
import { upwardFaults } from '../support/history.ts';

const nights = fileURLToPath(new URL('./nights.ts', import.meta.url));

/** In a process of its own, as each simulation. */
const simulated = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [nights, ...args])).stdout;

test('a few nights break no rule, and are the same to the byte in another process', async () => {
  const of = () => simulated('--part', '--first', '1', '--seeds', '4');
  const [once, again] = await Promise.all([of(), of()]);
  expect(again).toBe(once);
  const outcomes = once
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(outcomes.flatMap(({ findings }) => findings)).toEqual([]);
  expect(outcomes.map(({ seed }) => seed)).toEqual([1, 2, 3, 4]);
});

test('faults that are planted into the history of a night are found', async () => {
  const file = (await simulated('--seed', '3')).trim().split(' ').at(-1)!;
  const entries = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Entry);
  const planted: readonly Fault[] = ['a lost row', 'a row that is there twice', 'a gap in a page', ...upwardFaults];
  for (const fault of planted) {
    const copy = faults[fault].plant(entries);
    const rules = copy === null ? `no place for ${fault}` : judgeAll(copy).findings.map(({ rule }) => rule);
    expect(rules, fault).toContain(faults[fault].rule);
  }
});
