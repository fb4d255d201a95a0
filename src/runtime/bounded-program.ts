import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';

/** A program of which nothing is believed, and what the operating system lets it take. */
export interface BoundedProgram {
  /** The program by its whole path, and its arguments: no shell reads them. */
  readonly command: readonly string[];
  /** Of memory that it may write to, whatever it is for: heap, ArrayBuffers, stacks of threads. */
  readonly memoryBytesMax: number;
  readonly processorSecondsMax: number;
  /** From its start to its end, waiting included. */
  readonly durationMsMax: number;
  readonly outputBytesMax: number;
}

/**
 * Size of Node's data beside what a program uses: on x64 V8 maps the range for compiled code
 * writable as a whole, and nothing else can be put there.
 */
export const v8CodeBytes = process.arch === 'x64' ? 512 << 20 : 0;

/** The program was ended because it wanted more than it may have. */
export class BoundReached extends Error {
  constructor(bound: string) {
    super(`the program was ended: ${bound}`);
    this.name = 'BoundReached';
  }
}

/** The program ended by itself with this exit status, which is not 0. */
export class ProgramFailed extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the program ended with status ${status}`);
    this.name = 'ProgramFailed';
    this.status = status;
  }
}

/**
 * Sets the bounds and becomes the program: no core, no files, so many KiB of data, so many seconds.
 * Where memory is short, the kernel ends the program before anything else. RLIMIT_DATA in place of
 * RLIMIT_AS: V8 reserves far more addresses than it uses.
 */
const bounding =
  'echo 1000 >/proc/self/oom_score_adj; ulimit -c 0 && ulimit -f 0 && ulimit -d "$1" && ulimit -t "$2" && shift 2 && exec "$@"';

/**
 * Runs a program and yields what it writes, as it comes. The program gets `input`, and nothing of
 * the box: no environment, no open files, no folder. It has ended when the generator ends; a
 * consumer that leaves early ends it. Throws `BoundReached`, `ProgramFailed`, or the error of a
 * program that cannot be started.
 */
export async function* runBounded(program: BoundedProgram, input: Uint8Array): AsyncGenerator<Buffer, void> {
  const { command, memoryBytesMax, processorSecondsMax, durationMsMax, outputBytesMax } = program;
  const bounds = [Math.floor(memoryBytesMax / 1024), processorSecondsMax].map(String);
  const child = spawn('/bin/sh', ['-c', bounding, 'sh', ...bounds, ...command], {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: '/',
    env: { MALLOC_ARENA_MAX: '2' },
    timeout: durationMsMax,
    killSignal: 'SIGKILL',
  });
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  // Read below, unless the output was too long before.
  closed.catch(() => {});
  try {
    // A program that ends without having read everything says so by its status.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    let bytes = 0;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > outputBytesMax) throw new BoundReached(`it wrote more than ${outputBytesMax} bytes`);
      yield chunk;
    }
    const [status, signal] = await closed;
    if (signal !== null) throw new BoundReached(signal);
    if (status !== 0) throw new ProgramFailed(status ?? 1);
  } finally {
    child.kill('SIGKILL');
    child.stdin?.destroy();
    await closed.catch(() => {});
  }
}

/**
 * The command that runs the bundle `NAME.cjs` as a program of its own: the executable with NAME as
 * its first word (`src/cli/start.ts`), or the file beside the program. From sources: see
 * `startThread`.
 */
export function bundledProgram(name: string, source: () => URL): readonly string[] {
  if (isSea()) return [process.execPath, name];
  const beside = () => fileURLToPath(new URL(`./${name}.cjs`, import.meta.url));
  if (!import.meta.url.endsWith('.ts')) return [process.execPath, beside()];
  const bundles = process.env.GATEHOUSE_THREADS;
  return [process.execPath, bundles ? `${bundles}/${name}.cjs` : fileURLToPath(source())];
}
