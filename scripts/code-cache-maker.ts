import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { programScript, runProgram } from '../src/cli/program-script.ts';

/**
 * Makes V8's code cache of a program, after all its commands were loaded: it holds the functions
 * that loading runs, with their bytecode. `node FLAGS --random-seed=1 scripts/code-cache-maker.ts
 * PROGRAM CACHE`, by the Node and with the flags that will read it. The fixed seed and the fixed
 * name make the same bytes each time; V8 compares neither. A cache made after `ready` would save a
 * little more, but which functions have run by then differs from start to start.
 */
const [program, cache] = process.argv.slice(2).map(word => resolve(word)) as [string, string];
const script = programScript(readFileSync(program, 'latin1'), 'program.cjs', undefined);
// A collection drops bytecode that has not run for a while. Flags count when the cache is read.
setFlagsFromString('--no-flush-bytecode');
const { commands } = runProgram<typeof import('../src/cli/main.ts')>(
  script,
  createRequire(program),
  program,
  dirname(program),
);
for (const { load } of commands) await load();
setFlagsFromString('--flush-bytecode');
writeFileSync(cache, script.createCachedData());
