import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { standingPages } from '../../scripts/standing-pages.ts';

const script = readFileSync(new URL('../../scripts/pictures.ts', import.meta.url), 'utf8');
const views = ['en', 'zh'].flatMap(language =>
  ['desktop', 'phone'].flatMap(width => ['light', 'dark'].map(theme => `${language}-${width}-${theme}`)),
);

test('each page of the list has its eight pictures, and no picture is of a page that is gone', () => {
  const listed = [...script.matchAll(/\['([\w-]+)', '\/[^']*'\]/g)].map(([, name]) => name!);
  expect(listed.length).toBeGreaterThan(25);
  const wanted = [...listed, 'sign-in', ...standingPages].flatMap(name => views.map(view => `${name}-${view}.webp`));
  expect(readdirSync(new URL('../../docs/pictures/', import.meta.url)).toSorted()).toEqual(wanted.toSorted());
});
