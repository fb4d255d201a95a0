import { readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { Postgres } from '../../test/support/postgres.ts';
import { postgresUrl } from '../../test/support/postgres-store.ts';
import { bothCores, end, pinned, processorSeconds, root, temporaryFolder } from '../machine.ts';
import type { StoreLoad, StoreLoadSaid } from './store-child.ts';

/** Of 200 devices with 16 in flight each, in every process. */
export const devices = 200;
export const window = devices * 16;
export const recordBytes = 200;
const warmUpSeconds = 2;

/** What some processes of the store did in one round. */
export interface StoresMeasured {
  /** Acknowledged by all of them together. */
  readonly perSecond: number;
  /** Microseconds of processor time a record, until the tables are level with the journal. */
  readonly nodeMicroseconds: number;
  /** The same of the server's processes; 0 on SQLite. */
  readonly postgresMicroseconds: number;
  /** Of the server's write-ahead log; 0 on SQLite. */
  readonly logBytes: number;
  readonly refused: number;
}

/** `count` processes on one new database of the server; on SQLite where there is none. */
export async function measureStores(
  count: number,
  postgres: Postgres | null,
  seconds: number,
): Promise<StoresMeasured> {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await temporaryFolder());
  const database = postgres?.create() ?? '';
  const url = postgres && postgresUrl(postgres, database);
  const children: StoreChild[] = [];
  for (let number = 0; number < count; number++) {
    const dataDir = `${folder.path}/${number}`;
    await mkdir(`${dataDir}/keys`, { recursive: true, mode: 0o700 });
    // The first one makes the key of the database.
    if (number > 0) await copyFile(`${folder.path}/0/keys/seal.key`, `${dataDir}/keys/seal.key`);
    children.push(parts.use(await StoreChild.start({ dataDir, url, devices, window, bytes: recordBytes })));
  }
  const all = async () => sumOf(await Promise.all(children.map(child => child.next())));
  const server = () => (postgres ? serverSeconds(postgres.pid) : 0);
  const log = () => (postgres ? Number(postgres.run(database, "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")) : 0);

  const begun = await all();
  const [serverBegun, logBegun] = [server(), log()];
  await wait(warmUpSeconds * 1000);
  const from = { at: performance.now(), ...(await all()) };
  await wait(seconds * 1000);
  const through = { at: performance.now(), ...(await all()) };
  const level = await all();
  const records = level.acknowledged - begun.acknowledged;
  return {
    perSecond: ((through.acknowledged - from.acknowledged) / (through.at - from.at)) * 1000,
    nodeMicroseconds: ((level.cpuSeconds - begun.cpuSeconds) * 1e6) / records,
    postgresMicroseconds: ((server() - serverBegun) * 1e6) / records,
    logBytes: (log() - logBegun) / records,
    refused: level.refused,
  };
}

const sumOf = (all: readonly StoreLoadSaid[]): StoreLoadSaid => ({
  acknowledged: all.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
  refused: all.reduce((sum, { refused }) => sum + refused, 0),
  cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
});

class StoreChild implements AsyncDisposable {
  readonly #child: ReturnType<typeof pinned>;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ReturnType<typeof pinned>, lines: Interface) {
    this.#child = child;
    this.#lines = lines[Symbol.asyncIterator]();
  }

  static async start(load: StoreLoad): Promise<StoreChild> {
    const file = `${root}bench/region/store-child.ts`;
    // As bin/gatehouse starts the program.
    const flags = ['--min-semi-space-size=4', '--max-semi-space-size=4', '--heap-growing-percent=50'];
    const process = pinned(bothCores, `${root}bin/node`, [...flags, file, JSON.stringify(load)]);
    const child = new StoreChild(process, createInterface({ input: process.stdout! }));
    await child.#line();
    return child;
  }

  /** Has it take its next step. */
  async next(): Promise<StoreLoadSaid> {
    this.#child.stdin!.write('\n');
    return JSON.parse(await this.#line()) as StoreLoadSaid;
  }

  async #line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`a process of the store ended:\n${this.#child.said()}`);
    return value as string;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return end(this.#child, 'SIGKILL');
  }
}

/** Of the server and its processes that run. */
export function serverSeconds(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + processorSeconds(one), 0);
}
