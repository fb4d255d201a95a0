import { globSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { standingPages } from '../../scripts/standing-pages.ts';

const root = new URL('../../', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const kept = readdirSync(new URL('docs/pictures/', root)).toSorted();

test('git keeps at most eight pictures, and each is shown or linked to by the README or a guide', () => {
  const documents = globSync('{README.md,docs/**/*.md}', { cwd: root }).map(textOf).join('\n');
  expect(kept.length).toBeLessThanOrEqual(8);
  expect(kept.filter(name => !documents.includes(`pictures/${name})`))).toEqual([]);
});

test('npm run pictures takes each of them', () => {
  const taken = [...textOf('scripts/pictures.ts').matchAll(/\['([\w-]+)', '\/[^']*'\]/g)].map(([, name]) => name!);
  expect(taken.length).toBeGreaterThan(25);
  const pages = [...taken, 'sign-in', ...standingPages];
  const pageOf = (name: string) => /^(.+)-(?:en|zh)-(?:desktop|phone)-(?:light|dark)\.webp$/.exec(name)?.[1] ?? name;
  expect(kept.filter(name => !pages.includes(pageOf(name)))).toEqual([]);
});
