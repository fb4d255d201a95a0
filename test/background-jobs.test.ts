import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What docs/decisions/region-jobs.md says of each job: `once`, `in each` and so on, by its file. */
const listed = new Map(
  textOf('docs/decisions/region-jobs.md')
    .split('\n')
    .map(line => line.split(' | '))
    .flatMap(([file, , runs, why]) => {
      const [, path] = /^\| `(src\/[^`]+)`$/.exec(file!) ?? [];
      return path && runs && why ? [[path, runs] as const] : [];
    }),
);

const isJob = (text: string): boolean => /new BackgroundJob\(|WhileMine\.open\(/.test(text);
/** A loop that goes on until it is told to end, and waits in between. */
const isLoop = (text: string): boolean =>
  /\b(?:while|for) \(.*\baborted\b/.test(text) && /\.sleep\(|waitOrWake\(|#rest\(/.test(text);

// The commands are no part of a process of a region.
const sources = globSync('src/**/*.ts', { cwd: root })
  .filter(file => !/^src\/cli\/|^src\/runtime\/(?:background-job|while-mine)\.ts$/.test(file))
  .map(file => ({ file, text: textOf(file) }));

test('every background job is listed with how often a region runs it', () => {
  const found = sources.filter(({ text }) => isJob(text) || isLoop(text)).map(({ file }) => file);
  expect(found.length).toBeGreaterThan(30);
  expect(found.filter(file => !listed.has(file))).toEqual([]);
  expect([...listed.keys()].filter(file => !found.includes(file))).toEqual([]);
  expect([...new Set(listed.values())].toSorted()).toEqual(['in each', 'not in a region', 'once', 'while leased']);
});

test('a job needs the lease where the list says once, and nowhere else', () => {
  const needsLease = (text: string): boolean => /\blease(?:,|: [\w.]+\.once\b)/.test(text);
  const wrong = sources
    .filter(({ text }) => isJob(text))
    .filter(({ file, text }) => needsLease(text) !== (listed.get(file) === 'once'));
  expect(wrong.map(({ file }) => file)).toEqual([]);
});
