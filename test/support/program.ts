import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';

const gatehouse = process.env.GATEHOUSE_BINARY ?? fileURLToPath(new URL('../../bin/gatehouse', import.meta.url));

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command of the program to its end. */
export function run(args: readonly string[], options: { input?: string; cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
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
  });
}

/**
 * Addresses of the `ready` line, such as `mqtts: "127.0.0.1:40123"`; null where a listener is off.
 */
export type Addresses = Readonly<Record<string, string | null>>;

/** A box as a process of its own, on a temporary data directory and free ports of the loopback. */
export class BoxProcess implements AsyncDisposable {
  readonly folder: string;
  readonly dataDir: string;
  addresses: Addresses = {};
  stderr = '';
  #child: ChildProcess | undefined;
  readonly #env: NodeJS.ProcessEnv;
  /** What the next start runs. */
  program: string;

  private constructor(folder: string, env: NodeJS.ProcessEnv, dataDir: string, program: string) {
    this.folder = folder;
    this.dataDir = dataDir;
    this.#env = env;
    this.program = program;
  }

  /**
   * `config` overrides a default of loopback listeners on free ports; the ports that the first
   * start picked stay the same after a restart. `site` is applied at the start. `program`: another
   * one than that under test.
   */
  static async make(
    config: Record<string, unknown>,
    site: unknown,
    env: NodeJS.ProcessEnv = {},
    dataDir?: string,
    program = gatehouse,
  ): Promise<BoxProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-box-'));
    const box = new BoxProcess(folder, env, dataDir ?? join(folder, 'data'), program);
    box.#config = {
      data_dir: box.dataDir,
      provisioning: { bluetooth: 'off', wifi: 'off', result_listen: 'off' },
      ...config,
      listen: {
        mqtts: '127.0.0.1:0',
        mqtt: 'off',
        https: '127.0.0.1:0',
        http: 'off',
        metrics: 'off',
        ...(config.listen as object),
      },
    };
    await writeFile(join(folder, 'site.yaml'), stringify(site));
    await box.#writeConfig();
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

  #config: Record<string, unknown> = {};

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get configFile(): string {
    return join(this.folder, 'gatehouse.yaml');
  }

  async #writeConfig(): Promise<void> {
    await writeFile(this.configFile, stringify(this.#config));
  }

  /** How many files the next start may open (`ulimit -n`). */
  openFiles: number | null = null;

  async configure(change: Record<string, unknown>): Promise<void> {
    Object.assign(this.#config, change);
    await this.#writeConfig();
  }

  /**
   * Resolves with the addresses when the box prints `ready`; rejects with its output if it ends
   * before that.
   */
  async start(): Promise<Addresses> {
    const words = ['serve', '--config', this.configFile, '--apply', join(this.folder, 'site.yaml')];
    const limited = ['-c', `ulimit -n ${this.openFiles} && exec "$0" "$@"`, this.program, ...words];
    const child = spawn(
      ...((this.openFiles === null ? [this.program, words] : ['sh', limited]) as [string, string[]]),
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, ...this.#env },
      },
    );
    this.#child = child;
    this.stderr = '';
    const addresses = await new Promise<Addresses>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        this.stderr = (this.stderr + text).slice(-200_000);
        const ready = /^ready (\{.*\})$/m.exec(this.stderr);
        if (ready) resolve(JSON.parse(ready[1]!));
      });
      child.once('exit', (code, signal) => reject(new Error(`the box ended with ${code ?? signal}:\n${this.stderr}`)));
      child.once('error', reject);
    });
    this.addresses = addresses;
    const listen = this.#config.listen as Record<string, unknown>;
    for (const [name, address] of Object.entries(addresses)) if (address && name in listen) listen[name] = address;
    await this.#writeConfig();
    return addresses;
  }

  /** The port of a listener of the `ready` line. */
  port(listener: string): number {
    return Number(/:(\d+)$/.exec(this.addresses[listener] ?? '')?.[1]);
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
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  /** Runs a command against this box, running or stopped. */
  run(...args: string[]): Promise<Outcome> {
    return run([...args, '--data-dir', this.dataDir], { cwd: this.folder });
  }

  /** Runs a command that must succeed, and returns its output. */
  async ask(...args: string[]): Promise<string> {
    const outcome = await this.run(...args);
    if (outcome.status !== 0) throw new Error(`gatehouse ${args.join(' ')}: ${outcome.status}: ${outcome.stderr}`);
    return outcome.stdout;
  }

  async export<Row>(what: 'logs' | 'checkins' | 'access'): Promise<Row[]> {
    const text = await this.ask('export', '--what', what, '--format', 'ndjson');
    return text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGKILL');
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
