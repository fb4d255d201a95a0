import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Postgres } from './postgres.ts';
import { postgresUrl } from './postgres-store.ts';
import { BoxProcess } from './program.ts';

interface Wanted {
  readonly count: number;
  readonly site: unknown;
  /** Of each of them, from 0 on. */
  readonly configOf: (index: number) => object;
  /** May change the database when the first process has made its tables. */
  readonly prepare?: string;
}

/** Processes on one database, each started again by itself when it ends, as systemd does. */
export class WatchedProcesses implements AsyncDisposable {
  readonly processes: BoxProcess[] = [];
  readonly url: string;
  readonly #folder: string;
  /** Those that are not to be started again yet. */
  readonly #held = new Set<BoxProcess>();
  #isOver = false;
  #watching: Promise<void> = Promise.resolve();
  /** Ended by themselves. */
  endedThemselves = 0;

  private constructor(url: string, folder: string) {
    this.url = url;
    this.#folder = folder;
  }

  static async start(postgres: Postgres, { count, site, configOf, prepare = '' }: Wanted): Promise<WatchedProcesses> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-region-'));
    const database = postgres.create();
    const region = new WatchedProcesses(postgresUrl(postgres, database), folder);
    const urlFile = join(folder, 'url');
    await writeFile(urlFile, region.url, { mode: 0o600 });
    const store = { engine: 'postgres', url: `file:${urlFile}` };
    const whole = (index: number) => {
      const config: { readonly store?: object } = configOf(index);
      return { ...config, environment: 'test', store: { ...store, ...config.store } };
    };
    const first = await BoxProcess.make(whole(0), site);
    await startedAtLast(first);
    region.processes.push(first);
    if (prepare !== '') postgres.run(database, prepare);
    while (region.processes.length < count) {
      const next = await BoxProcess.make(whole(region.processes.length), site);
      region.processes.push(next);
      await mkdir(join(next.dataDir, 'keys'), { recursive: true });
      await copyFile(join(first.dataDir, 'keys', 'seal.key'), join(next.dataDir, 'keys', 'seal.key'));
      await startedAtLast(next);
    }
    region.#watching = region.#watch();
    return region;
  }

  sealKey(): Promise<Buffer> {
    return readFile(join(this.processes[0]!.dataDir, 'keys', 'seal.key'));
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      for (const process of this.processes)
        if (!process.alive && !this.#held.has(process)) {
          this.endedThemselves++;
          // Without its database it does not start: then it is tried again.
          await process.start().catch(() => {});
        }
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }

  /** Ends a process so, does something while it is gone, and starts it again. */
  async restart(
    process: BoxProcess,
    how: 'kill9' | 'stop',
    meanwhile: () => Promise<void> = async () => {},
  ): Promise<void> {
    this.#held.add(process);
    try {
      await process[how]();
      await meanwhile();
      await process.start().catch(() => {});
    } finally {
      this.#held.delete(process);
    }
  }

  /** Stops a process for so long, as a virtual machine that is moved. */
  async freeze(box: BoxProcess, ms: number): Promise<void> {
    const { pid } = box;
    process.kill(pid, 'SIGSTOP');
    await new Promise(resolve => setTimeout(resolve, ms));
    process.kill(pid, 'SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#watching;
    for (const process of this.processes) await process[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Starts it again as systemd does: a database that does not answer in time ends a start. */
async function startedAtLast(process: BoxProcess): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await process.start();
      return;
    } catch (error) {
      if (tries === 10 || !/the database does not answer/.test(String(error))) throw error;
    }
}
