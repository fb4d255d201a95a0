import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Blow, HaCluster } from '../../../scripts/region-ha/cluster.ts';
import type { JournalRecord, Seq, Store } from '../../../src/store/index.ts';
import { openedPostgresStore } from '../../support/postgres-store.ts';
import {
  Acknowledged,
  faultsIn,
  noFaults,
  prepareRegion,
  RegionProcess,
  readOn,
  type Seen,
} from '../../support/region-load.ts';
import { hasTool, suiteWhere } from '../../support/tools.ts';
import { until } from '../../support/until.ts';

/** `KILLS=20` for a long run; the blows take turns. */
const kills = Number(process.env.KILLS ?? 3);
const blows: readonly Blow[] = ['machine', 'server', 'patroni'];

/**
 * Reads the journal as it grows, by a cursor that no database knows of, on a new store where one has
 * broken. Its data directory stays: there it remembers how far the database had come.
 */
class OutsideReader {
  readonly #url: string;
  readonly read: JournalRecord[] = [];
  through = 0 as Seq;
  /** Of the database, one after another. */
  readonly epochs = new Set<string>();
  #dataDir: string | null = null;
  #store: Store | null = null;
  #isOver = false;
  readonly #ended: Promise<unknown>;

  constructor(url: string) {
    this.#url = url;
    this.#ended = until('the end', () => this.#look().then(() => this.#isOver));
  }

  async #look(): Promise<void> {
    try {
      this.#store ??= await openedPostgresStore(this.#url, { dataDir: await this.#folder() });
      this.epochs.add(this.#store.epoch);
      if (this.#store.healthState() !== 'ok') throw new Error('its connection has broken');
      this.through = await readOn(this.#store, this.through, this.read);
    } catch {
      await this.#close();
    }
  }

  async #folder(): Promise<string> {
    if (this.#dataDir) return this.#dataDir;
    this.#dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-reader-'));
    await mkdir(join(this.#dataDir, 'keys'));
    await writeFile(join(this.#dataDir, 'keys', 'seal.key'), Buffer.alloc(32, 1));
    return this.#dataDir;
  }

  async #close(): Promise<void> {
    const store = this.#store;
    this.#store = null;
    await store?.[Symbol.asyncDispose]();
  }

  /** What it has read. */
  async end(): Promise<readonly JournalRecord[]> {
    this.#isOver = true;
    await this.#ended;
    await this.#close();
    if (this.#dataDir) await rm(this.#dataDir, { recursive: true, force: true });
    return this.read;
  }
}

interface Outcome extends Seen {
  readonly epochs: number;
  readonly longestPauseMs: number;
}

/** Two processes take batches and records while the primary is killed, again and again. */
async function failovers(
  cluster: HaCluster,
  rounds: number,
  kill: (primary: string, round: number) => Promise<unknown>,
): Promise<Outcome> {
  const url = await cluster.makeDatabase();
  await prepareRegion(url);
  const reader = new OutsideReader(url);
  const acknowledged = new Acknowledged();
  const processes = ['a', 'b'].map(name => new RegionProcess(url, name, acknowledged));
  const worked = (wanted = 300) => {
    const count = acknowledged.texts.length + wanted;
    return until('records are acknowledged', () => acknowledged.texts.length > count);
  };
  for (let round = 0; round < rounds; round++) {
    await worked();
    await until('every member is there', () => cluster.isWhole());
    const primary = (await cluster.primary())!;
    const began = performance.now();
    const said = await kill(primary, round);
    const isAnother = async () => ![null, primary].includes(await cluster.primary());
    await until('another member is the primary', isAnother);
    cluster.startPatroni(primary);
    await worked(1);
    console.log(`${round + 1}. ${said}: records again after ${Math.round(performance.now() - began)} ms`);
  }
  await worked();
  for (const process of processes) await process.end();
  await using store = await openedPostgresStore(url);
  const stored: JournalRecord[] = [];
  await readOn(store, 0 as Seq, stored);
  await until('the reader has come as far', () => reader.through >= stored.length);
  const read = await reader.end();
  const seen = {
    acknowledged: acknowledged.texts,
    read,
    stored,
    epochs: reader.epochs.size,
    longestPauseMs: acknowledged.longestPauseMs,
  };
  const { lost, passedOver } = faultsIn(seen);
  console.log(
    `${seen.acknowledged.length} acknowledged, ${lost} lost, ${passedOver} passed over; longest pause ${Math.round(seen.longestPauseMs)} ms`,
  );
  return seen;
}

const tools = ['patroni', 'etcd', 'haproxy'];

suiteWhere(
  tools.every(hasTool),
  'needs patroni, etcd and haproxy: apt-get install patroni etcd-server haproxy postgresql',
  'a database under Patroni',
  () => {
    let started: Promise<HaCluster> | undefined;
    const cluster = () => (started ??= HaCluster.start());
    afterAll(async () => (await started)?.[Symbol.asyncDispose]());

    test(`loses nothing that was acknowledged, however often its primary is killed (${kills})`, async () => {
      const database = await cluster();
      await database.synchronous(true);
      const seen = await failovers(database, kills, async (primary, round) => {
        const blow = blows[round % blows.length]!;
        await database.kill(primary, blow);
        return `${blow} of ${primary}`;
      });
      expect(faultsIn(seen)).toEqual(noFaults);
      // Nothing is gone, so nobody takes it for a database of an earlier state.
      expect(seen.epochs).toBe(1);
    }, 3_600_000);

    test('control: with asynchronous standbys it loses what was acknowledged, and that is seen', async () => {
      const database = await cluster();
      await database.synchronous(false);
      const seen = await failovers(database, 1, primary => database.holdStandbysBack(primary, 1500));
      expect(faultsIn(seen).lost).toBeGreaterThan(0);
      expect(faultsIn(seen).passedOver).toBeGreaterThan(0);
    });
  },
);
