import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { TestRunner } from 'vitest';
import { type Addresses, aBoxPlace, BoxUnderTest } from './box-under-test.ts';
import type { CommandOptions, Outcome } from './command.ts';

export const gatehouse = process.env.GATEHOUSE_BINARY ?? fileURLToPath(new URL('../../bin/gatehouse', import.meta.url));

/** Runs one command of the program to its end. */
export function run(args: readonly string[], options: CommandOptions = {}) {
  const ended = saidWhenItHangs(`gatehouse ${args.join(' ')}`);
  return new Promise<Outcome>(resolve => {
    const child = execFile(
      gatehouse,
      [...args],
      { maxBuffer: 1 << 28, cwd: options.cwd, env: { ...process.env, ...options.env } },
      (error, stdout, stderr) => resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
    // A command that has ended without reading it says so by its outcome.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  }).finally(ended);
}

/** Writes what the test still waits for when its time is over; call the result when it has come. */
function saidWhenItHangs(what: string, last = () => ''): () => void {
  const signal = TestRunner.getCurrentTest()?.context.signal;
  const say = () => process.stderr.write(`still waiting: ${what}\n${last()}`);
  signal?.addEventListener('abort', say);
  return () => signal?.removeEventListener('abort', say);
}

/** Runs a command until its output matches, and kills it. Rejects if it ends before that. */
export async function runUntil(args: readonly string[], matches: RegExp, options: CommandOptions = {}): Promise<void> {
  const child = spawn(gatehouse, [...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
  });
  const ended = once(child, 'exit');
  let said = '';
  try {
    for await (const text of child.stdout.setEncoding('utf8')) {
      said += text;
      if (matches.test(said)) return;
    }
    throw new Error(`gatehouse ${args.join(' ')} ended after\n${said}`);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/** A box as a process of its own. */
export class BoxProcess extends BoxUnderTest {
  stderr = '';
  #child: ChildProcess | undefined;
  /** What the next start runs. */
  program = gatehouse;

  /**
   * `config` overrides the default of `BoxUnderTest`. `site` is applied at the start. `program`:
   * another one than that under test.
   */
  static async make(
    config: Record<string, unknown>,
    site: unknown,
    env: NodeJS.ProcessEnv = {},
    dataDir?: string,
    program = gatehouse,
  ): Promise<BoxProcess> {
    const box = new BoxProcess(await aBoxPlace(env, dataDir));
    box.program = program;
    await box.write(config, site);
    return box;
  }

  static async start(
    config: Record<string, unknown>,
    site: unknown,
    env: NodeJS.ProcessEnv = {},
    dataDir?: string,
  ): Promise<BoxProcess> {
    const box = await BoxProcess.make(config, site, env, dataDir);
    await box.start();
    return box;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** How many files the next start may open (`ulimit -n`). */
  openFiles: number | null = null;

  /**
   * Resolves with the addresses when the box prints `ready`; rejects with its output if it ends
   * before that. A port that it had before may be taken for a moment, by a connection that goes out
   * from this machine: a box that starts again waits for it.
   */
  async start(): Promise<Addresses> {
    const triesMax = Object.keys(this.addresses).length > 0 ? 20 : 1;
    for (let tries = 1; ; tries++)
      try {
        return await this.#started();
      } catch (error) {
        const isTaken = (error as Error).message.includes('another program listens there');
        if (!isTaken || tries === triesMax) throw error;
      }
  }

  async #started(): Promise<Addresses> {
    const words = ['serve', '--config', this.configFile, '--apply', this.siteFile];
    const limited = ['-c', `ulimit -n ${this.openFiles} && exec "$0" "$@"`, this.program, ...words];
    const child = spawn(
      ...((this.openFiles === null ? [this.program, words] : ['sh', limited]) as [string, string[]]),
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, ...this.env },
      },
    );
    this.#child = child;
    this.stderr = '';
    const started = saidWhenItHangs(`start of ${this.dataDir}`, () => `${this.stderr.slice(-4000)}\n`);
    const addresses = await new Promise<Addresses>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        this.stderr = (this.stderr + text).slice(-200_000);
        const ready = /^ready (\{.*\})$/m.exec(this.stderr);
        if (ready) resolve(JSON.parse(ready[1]!));
      });
      child.once('exit', (code, signal) => reject(new Error(`the box ended with ${code ?? signal}:\n${this.stderr}`)));
      child.once('error', reject);
    }).finally(started);
    return this.keep(addresses);
  }

  get alive(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async kill9(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ends it as systemd would, and resolves with its exit status. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || !this.alive) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    const said = saidWhenItHangs(`end of ${this.dataDir} by ${signal}`, () => `${this.stderr.slice(-4000)}\n`);
    child.kill(signal);
    await ended;
    said();
    return child.exitCode;
  }

  protected override end(): Promise<number | null> {
    return this.#end('SIGKILL');
  }

  protected override command(args: readonly string[], options: CommandOptions): Promise<Outcome> {
    return run(args, options);
  }
}
