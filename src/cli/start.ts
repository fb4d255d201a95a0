import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { getAssetKeys, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { bundleText, compressedAsset } from '../runtime/asset.ts';
import { processTerminal } from './process-terminal.ts';
import { type Parts, programScript, runProgram } from './program-script.ts';

/**
 * Entry point of an executable and of `bin/gatehouse`: reads the bundle of the commands and V8's
 * code cache of it (`scripts/code-cache.ts`), and runs it. What a command needs of the box is in a
 * bundle of its own, twenty times as long, which is read when the first such command asks for it
 * (`scripts/commands-bundle.ts`).
 */
const folder = dirname(fileURLToPath(import.meta.url));

function fromExecutable(name: string): [string, Buffer | undefined] {
  const hasCache = getAssetKeys().includes(`${name}.cache.zst`);
  return [bundleText(`${name}.cjs`), hasCache ? compressedAsset(`${name}.cache`) : undefined];
}

function fromFolder(name: string): [string, Buffer | undefined] {
  const cache = `${folder}/${name}.cache`;
  // ASCII, as the build makes sure.
  return [readFileSync(`${folder}/${name}.cjs`, 'latin1'), existsSync(cache) ? readFileSync(cache) : undefined];
}

/** In a function, so that text and cache do not stay in memory once they are used. */
function run<Exports>(name: string, part: (file: string) => unknown): Exports {
  const file = `${folder}/${name}.cjs`;
  const [text, codeCache] = isSea() ? fromExecutable(name) : fromFolder(name);
  return runProgram(programScript(text, file, codeCache), createRequire(import.meta.url), file, folder, part);
}

let parts: Parts | undefined;

function part(file: string): unknown {
  parts ??= run<{ parts: Parts }>('program', part).parts;
  return parts[file]!();
}

/** The bundle of another program in the executable, which starts itself for it. */
const reader = 'workbook-reader';

// Loading takes a second on a small board, in which the signal would end a box (see serve.ts).
if (process.argv[2] === 'serve') process.on('SIGHUP', () => {});

if (isSea() && process.argv[2] === reader)
  compileFunction(bundleText(`${reader}.cjs`), ['require', 'module', '__filename'])(
    createRequire(import.meta.url),
    { exports: {} },
    `${folder}/${reader}.cjs`,
  );
else
  process.exitCode = await run<typeof import('./main.ts')>('commands', part).main(
    process.argv.slice(2),
    processTerminal(),
  );
