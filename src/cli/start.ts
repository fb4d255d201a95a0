import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { getAssetKeys, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { bundleText, compressedAsset } from '../runtime/asset.ts';
import { programScript, runProgram } from './program-script.ts';

/**
 * What an executable and `bin/gatehouse` start: reads the bundle of the program and V8's code cache
 * of it (`scripts/code-cache.ts`), which saves a third of a start, and runs it.
 */
const here = fileURLToPath(import.meta.url);

function fromExecutable(): [string, Buffer | undefined] {
  const hasCache = getAssetKeys().includes('program.cache.zst');
  return [bundleText('program.cjs'), hasCache ? compressedAsset('program.cache') : undefined];
}

function fromFolder(folder: string): [string, Buffer | undefined] {
  const cache = `${folder}/program.cache`;
  // ASCII, as the build makes sure.
  return [readFileSync(`${folder}/program.cjs`, 'latin1'), existsSync(cache) ? readFileSync(cache) : undefined];
}

/** In a function, so that text and cache do not stay in memory once they are used. */
function program(): typeof import('./main.ts') {
  const file = `${dirname(here)}/program.cjs`;
  const [text, codeCache] = isSea() ? fromExecutable() : fromFolder(dirname(here));
  return runProgram(programScript(text, file, codeCache), createRequire(import.meta.url), file, dirname(here));
}

process.exitCode = await program().main(process.argv.slice(2));
