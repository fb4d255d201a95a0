import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { entries, plan } from '../../bench/list.ts';
import { slope } from '../../bench/report.ts';
import { countedRounds } from '../../bench/rounds.ts';
import { tools } from '../../bench/tools.ts';

/**
 * What of the bench is not a measurement: which rows run, what is said of the others, and that
 * docs/performance.md has them all.
 */

const everything = () => null;

test('without a name every row runs but those that take an hour, and these are named with how to ask for them', () => {
  const { run, left } = plan(undefined, everything);
  expect([...run, 'soak']).toEqual(Object.keys(entries));
  expect(left).toEqual(['soak: it takes an hour; `npm run bench -- --only soak`']);
  expect(plan(['soak'], everything)).toEqual({ run: ['soak'], left: [] });
});

test('a row whose tool is missing is left out, with the command that installs it', () => {
  const without = (missing: string) => (tool: keyof typeof tools) => (tool === missing ? tools[tool].bring : null);
  expect(plan(['qos1', 'paced'], without('mosquitto'))).toEqual({
    run: ['paced'],
    left: ['qos1: mosquitto is missing; `apt-get install mosquitto`'],
  });
  expect(plan(['slow-disk'], without('strace')).left).toEqual([
    'slow-disk: strace is missing; `apt-get install strace`',
  ]);
});

test('docs/performance.md has each row of the bench, and no other', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/performance.md', import.meta.url)), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(Object.keys(entries).toSorted());
});

test('a slope is what is gained from one sample to the next', () => {
  expect(slope([3, 5, 7, 9])).toBeCloseTo(2);
  expect(slope([4, 4, 4])).toBe(0);
  expect(slope([4])).toBe(0);
});

test('rounds in which the host took the processor away are left out, unless there are no others', () => {
  expect(countedRounds([0.01, 0.3, 0.1])).toEqual([0, 2]);
  expect(countedRounds([0.3, 0.2])).toEqual([0, 1]);
});
