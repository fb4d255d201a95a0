import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** What the documents point at is there, and they say things by the names of ARCHITECTURE.md. */

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const documents = globSync('{*.md,docs/**/*.md,firmware-images/*.md}', { cwd: root });

test('every file that a document names exists', () => {
  const named = documents.flatMap(document =>
    [
      ...textOf(document).matchAll(
        /`((?:src|test|web-ui|docs|bench|scripts|systemd|tools|firmware-images)\/[\w./-]*(?:\/|\.(?:tsx?|md|sh|css)))`/g,
      ),
    ].map(([, path]) => ({ document, path: path! })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});

test('each fault of docs/reliability.md has a promise and a test', () => {
  const rows = textOf('docs/reliability.md')
    .split('\n')
    .filter(line => /^\| (?!fault |---)/.test(line))
    .map(line => line.split(' | '));
  expect(rows.length).toBeGreaterThan(15);
  const lacking = rows.filter(
    ([fault, promise, tests, ...more]) => !fault || !promise || more.length > 0 || !/`test\/[^`]+`/.test(tests ?? ''),
  );
  expect(lacking).toEqual([]);
});

test('every source file that a document names by the end of its path exists', () => {
  const sources = globSync('{src,tools,test,web-ui,bench,scripts,systemd}/**/*.{ts,tsx}', { cwd: root });
  const named = documents.flatMap(document =>
    [...textOf(document).matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, path]) => ({ document, path: path! })),
  );
  expect(named.filter(({ path }) => !sources.some(source => source === path || source.endsWith(`/${path}`)))).toEqual(
    [],
  );
});

test('every link within the documents leads to a file, and to a heading that is there', () => {
  const links = documents.flatMap(document =>
    [...textOf(document).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, path, heading]) => ({
      document,
      target: path ? join(dirname(document), path) : document,
      heading,
    })),
  );
  expect(links.length).toBeGreaterThan(50);
  const broken = links.filter(
    ({ target, heading }) =>
      !existsSync(join(root, target)) || (heading !== undefined && !headingsOf(target).includes(heading)),
  );
  expect(broken).toEqual([]);
});

/** As GitHub and its like make anchors of headings. */
const headingsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('each page of docs/operating has one task: at most 1,200 words, and its place in docs/operating.md', () => {
  const pages = documents.filter(document => document.startsWith('docs/operating/'));
  expect(pages.length).toBeGreaterThan(10);
  const index = textOf('docs/operating.md');
  expect(pages.filter(page => !index.includes(`](${page.slice('docs/'.length)})`))).toEqual([]);
  expect(pages.filter(page => textOf(page).split(/\s+/).length > 1200)).toEqual([]);
});

test('none of the ten changes of CONTRIBUTING.md touches more than five files', () => {
  const [, table] = textOf('CONTRIBUTING.md').split('| to add | edit |\n|---|---|\n');
  const rows = table!.trim().split('\n');
  expect(rows).toHaveLength(10);
  for (const row of rows) {
    const files = [...row.matchAll(/`([\w./-]+\.tsx?)`/g)];
    expect(files.length, row).toBeGreaterThan(0);
    expect(files.length, row).toBeLessThanOrEqual(5);
  }
});

/** Words that ARCHITECTURE.md has others for, and what to write. */
const oldWords: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, 'again'],
  [/\bmailroom/i, 'inbox'],
  [/\berrands?\b/i, 'background job'],
  [/\bnever jumps\b/i, 'monotonic'],
  [/\bdevices?' doors?\b|\bdoors? of (?:the )?devices\b|\b(?:MQTT|HTTP|HTTPS) doors?\b/i, 'gateway, or API'],
  [/^(?:\/\*\* |\* )?Answers the\b/, 'Returns the'],
];

test('comments and documents call things by the names of ARCHITECTURE.md', () => {
  const comments = globSync('{src,tools,web-ui/src}/**/*.{ts,tsx}', { cwd: root })
    .filter(file => !file.endsWith('.generated.ts'))
    .flatMap(file => lines(file).filter(([, line]) => /^(?:\/\*\*|\*|\/\/)/.test(line)));
  const prose = documents.flatMap(lines);
  expect(comments.length).toBeGreaterThan(5000);
  const found = [...comments, ...prose].flatMap(([place, line]) =>
    oldWords.filter(([pattern]) => pattern.test(line)).map(([, write]) => `${place}: ${line}: write ${write}`),
  );
  expect(found).toEqual([]);
});

test('a comment begins with its noun', () => {
  const pronoun = /^(?:it|that|what|who|whoever|so many|such as)\b|^null:/i;
  const found = globSync('{src,tools,web-ui/src}/**/*.{ts,tsx}', { cwd: root })
    .filter(file => !file.endsWith('.generated.ts'))
    .flatMap(file => beginnings(textOf(file)).map(text => `${file}: ${text}`));
  expect(found.length).toBeGreaterThan(1000);
  expect(found.filter(line => pronoun.test(line.slice(line.indexOf(': ') + 2)))).toEqual([]);
});

/** First lines of the comments in a source file. */
const beginnings = (source: string): string[] => [
  ...[...source.matchAll(/\/\*\*?\s+(?:\* )?(?!\*)(.*)/g)].map(([, text]) => text!),
  ...[...source.matchAll(/^(?!\s*\/\/).*\n\s*\/\/ (.*)/gm)].map(([, text]) => text!),
];

const lines = (file: string) =>
  textOf(file)
    .split('\n')
    .map((line, index) => [`${file}:${index + 1}`, line.trim()] as const);

test('a release is of one day in the changelog and its notes, and its support ends on one in the notes and SECURITY.md', () => {
  const [newest, ...older] = [...textOf('CHANGELOG.md').matchAll(/^## (\d+)\.(\d+\.\d+) \(([\d-]+)\)$/gm)];
  const [, major, rest, day] = newest!;
  const notes = textOf(`docs/releases/${major}.${rest}.md`);
  expect(notes).toContain(`of ${day}.`);
  const began = [newest!, ...older].filter(([, one]) => one === major).at(-1)![3]!;
  const end = began.replace(/^\d+/, year => String(Number(year) + 5));
  expect(textOf('SECURITY.md')).toContain(`The support period of ${major}.x is **5 years from the release`);
  for (const text of [notes, textOf('SECURITY.md')]) expect(text).toContain(end);
});
