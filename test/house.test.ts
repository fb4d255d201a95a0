import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { embeddedFile, embeddedMigrations } from '../scripts/migrations.ts';

/**
 * The house of ARCHITECTURE.md, held: which way imports point, what nobody calls, and that nothing
 * lies about.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');

const files = (readdirSync(source, { recursive: true, withFileTypes: true }) as import('node:fs').Dirent[])
  .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
  .map(entry => relative(source, join(entry.parentPath, entry.name)));

interface Import {
  readonly from: string;
  readonly to: string;
}

const textOf = (file: string): string => readFileSync(join(source, file), 'utf8');
const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)|(?:^|\n)import\s+'(\.[^']+)'|new URL\([^)]*?'(\.[^']+\.ts)'/g;

const imports: Import[] = files
  .flatMap(from =>
    [...textOf(from).matchAll(importPattern)].map(match => ({
      from,
      to: relative(source, join(source, dirname(from), (match[1] ?? match[2] ?? match[3] ?? match[4])!)),
    })),
  )
  .filter(({ to }) => to.endsWith('.ts'));

/** `platform`, `store`, … the folder at the top of `src/`. */
const roomOf = (file: string): string => file.slice(0, Math.max(0, file.indexOf('/')));

/** What every room may use: plain parts of any program, and SPEC's language. */
const floor = ['runtime', 'platform'];
const gateways = ['devices', 'upstream', 'attendance', 'accounts', 'services', 'provisioning', 'operations', 'updates'];

const mayImport: Readonly<Record<string, readonly string[]>> = {
  runtime: [],
  platform: ['runtime'],
  'mqtt-wire': [],
  listeners: floor,
  config: floor,
  store: floor,
  bus: floor,
  devices: [...floor, 'mqtt-wire', 'store'],
  upstream: [...floor, 'mqtt-wire', 'store'],
  attendance: [...floor, 'store'],
  accounts: [...floor, 'store'],
  services: [...floor, 'store'],
  provisioning: [...floor, 'store', 'bus'],
  operations: [...floor, 'store'],
  updates: [...floor, 'bus'],
  sim: floor,
  admin: [...floor, 'config', 'store', ...gateways],
  box: [...floor, 'config', 'store', 'listeners', ...gateways, 'admin'],
  cli: [...floor, 'config', 'store', ...gateways, 'admin', 'box', 'sim'],
};

test('every room stands in the table of ARCHITECTURE.md', () => {
  const rooms = [...new Set(files.map(roomOf))];
  expect(rooms.filter(room => !(room in mayImport))).toEqual([]);
  const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  for (const room of rooms) expect(architecture).toContain(`\`src/${room}/\``);
});

test('imports point the way that ARCHITECTURE.md allows', () => {
  const wrong = imports.filter(
    ({ from, to }) => roomOf(from) !== roomOf(to) && !mayImport[roomOf(from)]!.includes(roomOf(to)),
  );
  expect(wrong).toEqual([]);
});

test('a room is entered by its index.ts, runtime and platform by their files, and no room enters itself by its index', () => {
  const free = new Set(floor);
  const around = imports.filter(
    ({ from, to }) => roomOf(from) !== roomOf(to) && !free.has(roomOf(to)) && !to.endsWith('/index.ts'),
  );
  expect(around).toEqual([]);
  const own = imports.filter(({ from, to }) => roomOf(from) === roomOf(to) && to === `${roomOf(from)}/index.ts`);
  expect(own).toEqual([]);
});

test('no two files need each other when they are loaded', () => {
  const valueImports = new Map<string, string[]>();
  for (const file of files) {
    const text = textOf(file).replace(/(?:^|\n)(?:import|export) type [^;]*;|import\([^)]*\)/g, '');
    valueImports.set(
      file,
      [...text.matchAll(importPattern)].map(match =>
        relative(source, join(source, dirname(file), (match[1] ?? match[2] ?? match[3] ?? match[4])!)),
      ),
    );
  }
  const cycles: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' > '));
      return;
    }
    state.set(file, 'open');
    for (const to of valueImports.get(file) ?? []) visit(to, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

test('every file is used', () => {
  const used = new Set(imports.map(one => one.to));
  const entries = new Set(['cli/main.ts', 'store/thread.ts']);
  expect(files.filter(file => !used.has(file) && !entries.has(file))).toEqual([]);
});

test('time and chance are handed in', () => {
  const forbidden: readonly (readonly [RegExp, string])[] = [
    [/\bDate\.now\(/, 'use clock.now()'],
    [/new Date\(\)/, 'use new Date(clock.now())'],
    [/\bMath\.random\(/, 'use the random that is handed in'],
    [/(?<![.\w])setTimeout\(/, 'use clock.sleep()'],
    [/\bsetInterval\(/, 'use clock.sleep() in a loop that ends'],
    [/[^.\w]fetch\((?!request|environment)/, 'use node:http with a time-out'],
  ];
  // The real clock itself; and the writer thread, which looks whether it is idle.
  const allowed = new Set(['operations/real-world.ts', 'store/writer/thread.ts']);
  const found = files
    .filter(file => !allowed.has(file))
    .flatMap(file =>
      textOf(file)
        .split('\n')
        .flatMap((line, index) =>
          forbidden
            .filter(([pattern]) => pattern.test(line) && !line.trimStart().startsWith('*'))
            .map(([, instead]) => `${file}:${index + 1}: ${line.trim()}: ${instead}`),
        ),
    );
  expect(found).toEqual([]);
});

test('a file is read in one sitting', () => {
  expect(files.filter(file => !file.endsWith('.generated.ts') && textOf(file).split('\n').length > 425)).toEqual([]);
});

test('comments wrap at 100 columns', () => {
  const tables = /^\s*\* {4,}|biome-ignore|^\*\{/;
  const long = files.flatMap(file =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) =>
        line.length > 100 && /^\s*(\/\/|\/?\*)/.test(line) && !tables.test(line) ? [`${file}:${index + 1}`] : [],
      ),
  );
  expect(long).toEqual([]);
});

test('nothing is left for later in the code', () => {
  expect(files.filter(file => /\b(TODO|FIXME|XXX|HACK)\b/.test(textOf(file)))).toEqual([]);
});

test('the embedded migrations are those of the folder', () => {
  expect(readFileSync(embeddedFile, 'utf8')).toBe(embeddedMigrations());
});

test('the lockfile names no download address', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
});

test('every dependency has its reason in docs/decisions/dependencies.md', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const reasons = readFileSync(join(root, 'docs/decisions/dependencies.md'), 'utf8');
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(names.filter(name => !reasons.includes(`\`${name}\``))).toEqual([]);
});

test('the web UI has types of the box, and values of src/platform and src/runtime alone', () => {
  const pages = (readdirSync(join(root, 'web-ui/src'), { recursive: true }) as string[]).filter(name =>
    /\.tsx?$/.test(name),
  );
  const wrong = pages.flatMap(name =>
    [
      ...readFileSync(join(root, 'web-ui/src', name), 'utf8').matchAll(
        /^import (type )?[^;]*? from '([^']*\/src\/[^']+)';/gm,
      ),
    ]
      .filter(([, type, from]) => !type && !/\/src\/(platform|runtime)\//.test(from!))
      .map(([, , from]) => `${name}: ${from}`),
  );
  expect(wrong).toEqual([]);
});

test('docs/security.md names tests that exist', () => {
  const tests = (readdirSync(join(root, 'test'), { recursive: true }) as string[])
    .filter(name => name.endsWith('.test.ts'))
    .map(name => name.slice(0, -'.test.ts'.length));
  const rows = [
    ...readFileSync(join(root, 'docs/security.md'), 'utf8').matchAll(/^\|.*\| ((?:`[^`]+`(?:, )?)+) \|$/gm),
  ];
  const named = rows.flatMap(([, cell]) => [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(name => !tests.some(test => test === name || test.startsWith(`${name}/`)))).toEqual([]);
});
