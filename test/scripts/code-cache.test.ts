import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeCodeCache } from '../../scripts/code-cache.ts';
import { nodeFlags } from '../../scripts/node-flags.ts';
import type { Arch } from '../../scripts/node-for.ts';

const compiler = fileURLToPath(new URL('../../src/cli/program-script.ts', import.meta.url));

const text = `(function (exports, require, module) {
  const table = Object.fromEntries(Array.from({ length: 20 }, (_, at) => ['key' + at, () => at]));
  exports.loadAll = async () => Object.values(table).map(value => value());
})`;

function aProgram() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'program.cjs');
  writeFileSync(program, text);
  return { folder, program };
}

/** Whether the Node of this project refuses the cache when it is started with these flags. */
const isRefused = (program: string, cache: string, flags: readonly string[]) =>
  execFileSync(
    process.execPath,
    [
      ...flags,
      '--input-type=module',
      '--eval',
      `import { readFileSync } from 'node:fs';
       import { programScript } from ${JSON.stringify(compiler)};
       const [program, cache] = process.argv.slice(1);
       process.stdout.write(String(programScript(readFileSync(program, 'latin1'), 'elsewhere.cjs', readFileSync(cache)).cachedDataRejected));`,
      program,
      cache,
    ],
    { encoding: 'utf8' },
  ) === 'true';

test('a code cache is the same each time, and is taken by a start with the flags of the program', async () => {
  const { folder, program } = aProgram();
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  expect(await makeCodeCache(process.arch as Arch, program, first)).toBe(true);
  expect(await makeCodeCache(process.arch as Arch, program, second)).toBe(true);
  expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
  expect(isRefused(program, first, nodeFlags)).toBe(false);
});

test.each([
  ['NODE_OPTIONS', '--max-lazy'],
  ['NODE_COMPILE_CACHE', 'compiled'],
  ['NODE_V8_COVERAGE', 'coverage'],
])('a code cache does not depend on %s', async (name, value) => {
  const { folder, program } = aProgram();
  const [plain, other] = [join(folder, 'plain'), join(folder, 'other')];
  await makeCodeCache(process.arch as Arch, program, plain);
  const before = process.env[name];
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
  process.env[name] = name === 'NODE_OPTIONS' ? value : join(folder, value);
  await makeCodeCache(process.arch as Arch, program, other);
  // A second time, when there is a compile cache to read from.
  await makeCodeCache(process.arch as Arch, program, other);
  expect(readFileSync(other).equals(readFileSync(plain))).toBe(true);
});

test('a code cache of another text is refused, and the program is compiled without it', async () => {
  const { folder, program } = aProgram();
  const cache = join(folder, 'cache');
  await makeCodeCache(process.arch as Arch, program, cache);
  writeFileSync(program, `${text};`);
  expect(isRefused(program, cache, nodeFlags)).toBe(true);
});
