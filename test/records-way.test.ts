import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Hop {
  readonly file: string;
  readonly names: readonly string[];
}

/** The rows of the table in ARCHITECTURE.md: hop, file, functions. */
function hops(): Hop[] {
  const text = readFileSync(`${root}ARCHITECTURE.md`, 'utf8');
  const table = text.slice(text.indexOf("### One record's way, by name")).split('\n## ')[0]!;
  return [...table.matchAll(/^\|[^|]*\| `(src\/[^`]+)` \| (.*) \|$/gm)].map(([, file, cell]) => ({
    file: file!,
    names: [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  }));
}

/** Whether the text declares it: `function`, or a method of its class. */
function declares(text: string, name: string): boolean {
  const [owner, method] = name.split('.');
  if (method === undefined) return text.includes(`function ${owner}(`);
  const from = text.search(new RegExp(`class ${owner}\\b`));
  const body = from < 0 ? '' : text.slice(from).split('\n}\n')[0]!;
  return new RegExp(`\\n {2}(async )?${method}\\(`).test(body);
}

test("one record's way is written down with functions that exist, in ten files or fewer", () => {
  const way = hops();
  expect(way.length).toBeGreaterThan(8);
  const missing = way.flatMap(({ file, names }) => {
    const text = readFileSync(`${root}${file}`, 'utf8');
    return names.filter(name => !declares(text, name)).map(name => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
  expect(new Set(way.map(({ file }) => file)).size).toBeLessThanOrEqual(10);
});
