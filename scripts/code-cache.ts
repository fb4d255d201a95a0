import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isOfYoungGeneration, nodeFlags } from './node-flags.ts';
import { type Arch, nodeFor } from './node-for.ts';

const run = promisify(execFile);
const maker = fileURLToPath(new URL('code-cache-maker.ts', import.meta.url));

/** Debian's libraries for programs of arm64, which the emulator gives to Node. */
const armLibraries = '/usr/aarch64-linux-gnu';

/**
 * Flags that make the same bytes each time. Hashes depend on the seed, which V8 does not compare.
 * The cache has the padding of objects in it, where memory that was used before leaves its bytes: a
 * young generation that is never collected has fresh memory alone. It also says of which functions
 * the compiler Sparkplug has made machine code by then: on its own thread that is chance.
 */
const repeatable: readonly string[] = [
  '--random-seed=1',
  '--no-concurrent-sparkplug',
  ...nodeFlags.filter(isOfYoungGeneration).map(flag => flag.replace(/=.*/, '=256')),
];

/**
 * Makes V8's code cache of a program (`code-cache-maker.ts`) with the Node of an architecture.
 * Returns false if that Node cannot run here: arm64 on x64 without the emulator. The program then
 * starts without a cache, a third slower.
 */
export async function makeCodeCache(arch: Arch, program: string, cache: string): Promise<boolean> {
  const node = join(await nodeFor(arch), 'bin/node');
  const emulator = arch === process.arch ? [] : ['qemu-aarch64-static', '-L', armLibraries];
  if (emulator.length > 0 && !(existsSync(`/usr/bin/${emulator[0]}`) && existsSync(armLibraries))) return false;
  const [command, ...words] = [...emulator, node, ...nodeFlags, ...repeatable, maker, program, cache];
  // NODE_OPTIONS, Node's compile cache and its measuring of coverage change the bytes too. Whoever
  // measures coverage hands the last one on to each process that has no value for it.
  await run(command!, words, { env: { PATH: process.env.PATH, NODE_V8_COVERAGE: undefined } });
  return true;
}
