import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { Postgres } from './postgres.ts';
import { postgresUrl } from './postgres-store.ts';
import { BoxProcess } from './program.ts';
import { until } from './until.ts';

export interface Region extends AsyncDisposable {
  readonly postgres: Postgres;
  readonly processes: readonly BoxProcess[];
  /** Of HAProxy in front of the processes: `https://127.0.0.1:…`. */
  readonly url: string;
  /** The certificates of all processes, and the file of them. */
  readonly ca: string;
  readonly caFile: string;
  /** Why the watchdog started a process again, each time. */
  readonly startedAgain: readonly string[];
  /** Kills a process, does something while it is gone, and starts it. */
  restart(process: BoxProcess, meanwhile?: () => Promise<void>): Promise<void>;
}

/** Of one of the processes. */
type ConfigOf = (index: number) => Record<string, unknown>;

/** Two processes on one database behind HAProxy, as docs/region.md sets them up. */
export async function aRegion(site: unknown, configOf: ConfigOf = () => ({})): Promise<Region> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-region-'));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = parts.use(await Postgres.start());
  const processes = await processesOn(postgres, folder, site, configOf);
  for (const process of processes) parts.use(process);
  const proxy = parts.use(await aProxy(processes, folder));
  const authorities = await Promise.all(processes.map(one => readFile(join(one.dataDir, 'tls', 'ca.pem'), 'utf8')));
  const ca = authorities.join('\n');
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, ca);
  const startedAgain: string[] = [];
  const watchdogs = processes.map(process => new Watchdog(process, why => startedAgain.push(why)));
  for (const watchdog of watchdogs) parts.use(watchdog);
  const held = parts.move();
  return {
    ...{ postgres, processes, ca, caFile, url: `https://127.0.0.1:${proxy.port}`, startedAgain },
    restart: (process, meanwhile) => watchdogs[processes.indexOf(process)]!.restart(meanwhile),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const lookMs = 500;

/**
 * Does what systemd does with a process whose store has died, as after its connection to the
 * database broke: it starts it again.
 */
class Watchdog implements AsyncDisposable {
  readonly #process: BoxProcess;
  readonly #onDead: (why: string) => void;
  readonly #ending = new AbortController();
  readonly #watching: Promise<void>;
  /** One start at a time. */
  #last: Promise<void> = Promise.resolve();
  #isRestarting = false;

  constructor(process: BoxProcess, onDead: (why: string) => void) {
    this.#process = process;
    this.#onDead = onDead;
    this.#watching = this.#watch();
  }

  restart(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    const restarted = this.#last.then(async () => {
      this.#isRestarting = true;
      await this.#process.kill9();
      await meanwhile();
      // The server may not be there yet.
      await until('the process starts', () => this.#process.start(), 120_000);
      this.#isRestarting = false;
    });
    this.#last = restarted.catch(() => {});
    return restarted;
  }

  async #watch(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await setTimeout(lookMs, undefined, { signal: this.#ending.signal }).catch(() => {});
      const why = this.#isRestarting ? null : await this.#whyDead();
      if (why === null || this.#isRestarting || this.#ending.signal.aborted) continue;
      this.#onDead(why);
      await this.restart();
    }
  }

  async #whyDead(): Promise<string | null> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.#process.port('metrics')}/healthz`, {
        signal: AbortSignal.timeout(30_000),
      });
      const text = (await answer.text()).trim();
      return answer.ok ? null : text;
    } catch (error) {
      if (!this.#process.alive) return 'it ended';
      return (error as Error).name === 'TimeoutError' ? 'it does not answer' : null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#watching;
  }
}

/** Each has a data directory of its own and the same key. */
async function processesOn(
  postgres: Postgres,
  folder: string,
  site: unknown,
  configOf: ConfigOf,
): Promise<readonly BoxProcess[]> {
  const urlFile = join(folder, 'url');
  await writeFile(urlFile, postgresUrl(postgres, postgres.create()), { mode: 0o600 });
  const whole = (index: number) => ({
    ...configOf(index),
    store: { engine: 'postgres', url: `file:${urlFile}` },
    listen: { mqtts: 'off', metrics: '127.0.0.1:0' },
  });
  const first = await BoxProcess.start(whole(0), site);
  const second = await BoxProcess.make(whole(1), site);
  await mkdir(join(second.dataDir, 'keys'), { recursive: true });
  await copyFile(join(first.dataDir, 'keys', 'seal.key'), join(second.dataDir, 'keys', 'seal.key'));
  await second.start();
  return [first, second];
}

/** It passes TLS, and asks each process whether it is there. */
async function aProxy(region: readonly BoxProcess[], folder: string): Promise<{ port: number } & AsyncDisposable> {
  const port = await freePort();
  const servers = region.map((one, index) => `server p${index} 127.0.0.1:${one.port('https')} check inter 200 fall 1`);
  const file = join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    `global
  maxconn 4000
defaults
  mode tcp
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  retries 3
  option redispatch
listen region
  bind 127.0.0.1:${port}
  balance roundrobin
  ${servers.join('\n  ')}
`,
  );
  const proxy: ChildProcess = spawn('haproxy', ['-db', '-f', file], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const ended = once(proxy, 'exit');
  await until('HAProxy listens', async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    return true;
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      proxy.kill('SIGKILL');
      await ended;
    },
  };
}
