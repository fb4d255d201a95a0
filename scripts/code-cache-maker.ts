import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { programScript, runProgram } from '../src/cli/program-script.ts';
import { isOfYoungGeneration, nodeFlags } from './node-flags.ts';

/**
 * Makes V8's code cache of a bundle, after everything was loaded that it may load: it holds the
 * functions that loading runs, with their bytecode. `node FLAGS scripts/code-cache-maker.ts
 * PROGRAM CACHE`, started by `code-cache.ts`. A cache made after `ready` would save a little more,
 * but which functions have run by then differs from start to start.
 */
const [program, cache] = process.argv.slice(2).map(word => resolve(word)) as [string, string];
// The name is in the cache. V8 does not compare it.
const script = programScript(readFileSync(program, 'latin1'), 'program.cjs', undefined);
const { loadAll } = runProgram<Pick<typeof import('../src/cli/main.ts'), 'loadAll'>>(
  script,
  createRequire(program),
  program,
  dirname(program),
  () => ({}), // What belongs to the other bundle is in its own cache.
);
await loadAll();
// The cache holds the flags, and is refused by a start with others.
for (const flag of nodeFlags.filter(isOfYoungGeneration)) setFlagsFromString(flag);
writeFileSync(cache, script.createCachedData());
