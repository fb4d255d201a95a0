import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nightlyRuns } from '../scripts/nightly.ts';
import { longest } from './support/longest-first.ts';

/** The tables of CONTRIBUTING.md list every suite that `npm test` leaves out. */

const root = fileURLToPath(new URL('..', import.meta.url));
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** The cells of the first table below a heading, without its head. */
function rowsBelow(heading: string): string[][] {
  const [, below] = contributing.split(`\n## ${heading}\n`);
  const [, rows] = /\n\|---.*\n((?:\|.*\n)+)/.exec(below ?? '') ?? [];
  expect(rows, heading).toBeDefined();
  return rows!
    .trim()
    .split('\n')
    .map(row =>
      row
        .slice(1, -1)
        .split(' | ')
        .map(cell => cell.trim()),
    );
}

const namesOf = (rows: readonly string[][]): string[] => rows.map(([name]) => name!.replaceAll('`', ''));

test.each([
  ['Long suites', 'long'],
  ['Nightly suites', 'nightly'],
])('each file of the %s has its row in CONTRIBUTING.md, in order, and each row its file', (heading, kind) => {
  const ending = `.${kind}.test.ts`;
  const files = globSync(`test/**/*${ending}`, { cwd: root }).map(file => file.slice('test/'.length, -ending.length));
  expect(files.length).toBeGreaterThan(0);
  const rows = rowsBelow(heading);
  expect(namesOf(rows)).toEqual(files.sort());
  expect(rows.filter(([, proves, seconds]) => !proves || !/^(?:\d+|–)$/.test(seconds ?? ''))).toEqual([]);
});

test('each run of `npm run test:nightly` has its row in CONTRIBUTING.md, with its minutes', () => {
  const rows = rowsBelow('Nightly runs');
  expect(rows.map(([name, , minutes]) => [name!.replaceAll('`', ''), Number(minutes)])).toEqual(
    nightlyRuns.map(({ name, minutes }) => [name, minutes]),
  );
  expect(rows.filter(([, does]) => !does)).toEqual([]);
});

test('no test is ended before the others of its project, by a bound that a slow machine misses', () => {
  const ends = /(?:[tT]imeout: |Timeout\(|^\s*\}, )([1-9][\d_]{4,})\b/gm;
  const isShort = (bound: string) => Number(bound.replaceAll('_', '')) < 900_000;
  const found = globSync('test/**/*.{test,cases}.ts', { cwd: root }).flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(ends)].flatMap(([text, bound]) =>
      isShort(bound!) ? [`${file}: ${text.trim()}`] : [],
    ),
  );
  expect(found).toEqual([]);
});

test('the files that are started first exist', () => {
  expect(longest.filter(file => !existsSync(join(root, 'test', file)))).toEqual([]);
});
