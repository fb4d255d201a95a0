import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Hop {
  readonly file: string;
  readonly names: readonly string[];
}

/** The rows of the tables in a document: hop, file, functions. */
function hops(document: string): Hop[] {
  const text = readFileSync(`${root}${document}`, 'utf8');
  return [...text.matchAll(/^\|[^|]*\| `((?:src|web-ui)\/[^`]+\.tsx?)` \| (.*) \|$/gm)].map(([, file, cell]) => ({
    file: file!,
    names: [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  }));
}

/** Whether the text declares it: a function, or a method of its class. */
function declares(text: string, name: string): boolean {
  const [owner, method] = name.split('.');
  if (method === undefined) return new RegExp(`(?:function|const) ${owner}\\b`).test(text);
  const from = text.search(new RegExp(`class ${owner}\\b`));
  const body = from < 0 ? '' : text.slice(from).split('\n}\n')[0]!;
  return new RegExp(`\\n {2}(async )?\\*?${method}\\(`).test(body);
}

const missingOf = (way: readonly Hop[]): string[] =>
  way.flatMap(({ file, names }) => {
    const text = readFileSync(`${root}${file}`, 'utf8');
    return names.filter(name => !declares(text, name)).map(name => `${file}: ${name}`);
  });

test("one record's way is written down with functions that exist, in ten files or fewer", () => {
  const way = hops('ARCHITECTURE.md');
  expect(way.length).toBeGreaterThan(8);
  expect(missingOf(way)).toEqual([]);
  expect(new Set(way.map(({ file }) => file)).size).toBeLessThanOrEqual(10);
});

test('the tour leads to functions that exist, in at most 600 words', () => {
  const way = hops('docs/tour.md');
  expect(way.length).toBeGreaterThan(15);
  expect(missingOf(way)).toEqual([]);
  const [before, , after] = readFileSync(`${root}docs/tour.md`, 'utf8').split('```');
  expect(`${before}${after}`.split(/[\s|]+/).length).toBeLessThanOrEqual(600);
});
