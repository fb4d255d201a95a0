import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aColumn, aConfigKey, aResource, copyTree, makeBy, type RecordedChange } from './support/recorded-changes.ts';

/**
 * Three changes of CONTRIBUTING.md, "Ten changes", made one after another in a copy of the tree:
 * how many files each touches, and that the types and the tests that guard them hold.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
let copy: string;
/** Ends what a test that timed out has started. */
const ended = new AbortController();

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'gatehouse-changes-'));
  copyTree(root, copy);
});
afterAll(() => {
  ended.abort();
  rmSync(copy, { recursive: true, force: true });
});

const ofThisRun = /^(?:VITEST|GATEHOUSE_|NODE_|CI$|TEST$)/;

/** Runs a command in the copy as one would by hand; fails with what it printed. */
function inCopy(program: string, ...args: readonly string[]): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofThisRun.test(name)));
  return new Promise((resolve, reject) =>
    execFile(
      program,
      [...args],
      { cwd: copy, env, maxBuffer: 1 << 26, signal: ended.signal },
      (error, stdout, stderr) =>
        error ? reject(new Error(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`)) : resolve(),
    ),
  );
}

/** Digests of the files of the copy, by path; a migration's files under one name. */
function digests(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(copy.length + 1);
    if (!entry.isFile() || /^(?:node_modules|dist)\//.test(path)) continue;
    const isMigration = path.startsWith('src/store/migrations/') || path.endsWith('/migrations.generated.ts');
    const name = isMigration ? 'a migration' : path;
    const digest = createHash('sha256')
      .update(readFileSync(join(copy, path)))
      .digest('hex');
    texts.set(name, `${texts.get(name) ?? ''}${digest}`);
  }
  return texts;
}

async function touchedBy(change: RecordedChange): Promise<string[]> {
  const before = digests();
  makeBy(copy, change);
  await inCopy(process.execPath, ...change.command);
  const besides = new Set(change.besides?.map(({ file }) => file));
  return [...digests()]
    .filter(([file, digest]) => before.get(file) !== digest && !besides.has(file))
    .map(([file]) => file);
}

test.each([
  ['a column', 4, aColumn],
  ['a key of the config', 3, aConfigKey],
  ['a resource of the admin API', 4, aResource],
])(
  '%s touches %i files',
  async (_name, count, change) => {
    const touched = await touchedBy(change);
    expect(touched.toSorted()).toEqual(change.touches);
    expect(touched).toHaveLength(count);
  },
  1_200_000,
);

test('after the three changes the types are right', () => inCopy(join(copy, 'node_modules/.bin/tsc'), '--noEmit'));
