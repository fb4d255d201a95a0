import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { DeviceNo, JournalRecord, Seq, Store } from '../../../src/store/index.ts';
import { type Postgres, postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore } from '../../support/postgres-store.ts';
import { aProduct, applied, registered } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const child = fileURLToPath(new URL('../../support/region-child.ts', import.meta.url));
const boxes = [1, 2, 3];

/** One process, started again whenever it ends; every start has a name of its own. */
class Restarted {
  readonly #url: string;
  readonly #name: string;
  readonly #acknowledged: string[];
  #starts = 0;
  #process: ChildProcess | null = null;
  #isOver = false;

  constructor(url: string, name: string, acknowledged: string[]) {
    this.#url = url;
    this.#name = name;
    this.#acknowledged = acknowledged;
    this.#start();
  }

  #start(): void {
    const name = `${this.#name}.${++this.#starts}`;
    const started = spawn(process.execPath, [child, this.#url, name, ...boxes.map(String)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#process = started;
    createInterface(started.stdout).on('line', line => this.#acknowledged.push(line));
    started.once('close', () => {
      if (!this.#isOver) this.#start();
    });
  }

  async kill(): Promise<void> {
    const killed = this.#process!;
    const closed = once(killed, 'close');
    killed.kill('SIGKILL');
    await closed;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.kill();
  }
}

/** Reads the journal as it grows, by a cursor of its own. */
async function readOn(store: Store, from: Seq, into: JournalRecord[]): Promise<Seq> {
  let after = from;
  for (const { lastSeq } = store.journal; after < lastSeq; ) {
    const { records, through } = await store.journal.read(after, { bytesMax: 1 << 20 });
    into.push(...records);
    after = through;
  }
  return after;
}

interface Seen {
  /** What processes printed when it was committed. */
  readonly acknowledged: readonly string[];
  /** What a reader found by its own cursor meanwhile. */
  readonly read: readonly JournalRecord[];
  /** All that stands in the journal afterwards. */
  readonly stored: readonly JournalRecord[];
}

interface Blows {
  readonly kills: number;
  /** Of the server. */
  readonly crashes: number;
}

/** Three processes take the same boxes' batches while they are killed, and the server crashes. */
async function chaos(postgres: Postgres, url: string, { kills, crashes }: Blows): Promise<Seen> {
  {
    await using store = await openedPostgresStore(url);
    await applied(store, { products: [aProduct()] });
    for (const box of boxes) await registered(store, `FACE-T1_${box}`);
  }
  const acknowledged: string[] = [];
  const processes = ['a', 'b', 'c'].map(name => new Restarted(url, name, acknowledged));
  const read: JournalRecord[] = [];
  let after = 0 as Seq;
  for (let round = 0; round < kills; round++) {
    const count = acknowledged.length;
    // A connection of its own in each round, since none lives through a crash.
    const reader = await openedPostgresStore(url);
    await until('the next records', async () => {
      after = await readOn(reader, after, read);
      return acknowledged.length > count + 200;
    });
    await processes[round % processes.length]!.kill();
    await reader[Symbol.asyncDispose]();
    if (crashes > 0 && round % (kills / crashes) === 0) await postgres.crash();
  }
  for (const process of processes) await process.end();
  await using store = await openedPostgresStore(url);
  await readOn(store, after, read);
  const stored: JournalRecord[] = [];
  await readOn(store, 0 as Seq, stored);
  await until('the tables', async () => {
    await store.catchUp();
    return (await store.read.lastLogs(1 as DeviceNo, { limit: 1 })).length > 0;
  });
  return { acknowledged, read, stored };
}

const textOf = ({ payload }: JournalRecord): string => Buffer.from(payload).toString();
const ownerOf = (text: string): string => text.slice(0, text.lastIndexOf(':'));
const numberOf = (text: string): number => Number(text.slice(text.lastIndexOf(':') + 1));

function byOwner(texts: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const text of texts) {
    const numbers = found.get(ownerOf(text)) ?? [];
    numbers.push(numberOf(text));
    found.set(ownerOf(text), numbers);
  }
  return found;
}

/** How many records are not as they have to be. */
function faultsIn({ acknowledged, read, stored }: Seen) {
  const kept = byOwner(stored.map(textOf));
  let lost = 0;
  let outOfOrder = 0;
  for (const [owner, numbers] of byOwner(acknowledged)) {
    const own = kept.get(owner) ?? [];
    // Of a box every line from the first one on, of a process all that it numbered.
    const first = owner.startsWith('box') ? 1 : 0;
    outOfOrder += own.filter((number, index) => number !== first + index).length;
    const known = new Set(own);
    lost += numbers.filter(number => !known.has(number)).length;
  }
  const seen = new Set(read.map(({ seq }) => seq));
  return {
    lost,
    outOfOrder,
    unnumbered: stored.filter(({ seq }, index) => seq !== index + 1).length,
    passedOver: stored.filter(({ seq }) => !seen.has(seq)).length,
    readTwice: read.length - seen.size,
  };
}

const none = { lost: 0, outOfOrder: 0, unnumbered: 0, passedOver: 0, readTwice: 0 };

suiteWithPostgres('processes that write to one database', () => {
  const postgres = postgresOfFile();

  test('store each acknowledged record once and in order, through 20 kills and 5 crashes of the server', async () => {
    const server = await postgres();
    const seen = await chaos(server, aDatabase(server), { kills: 20, crashes: 5 });
    expect(faultsIn(seen)).toEqual(none);
    expect(seen.acknowledged.length).toBeGreaterThan(20 * 200);
  }, 300_000);

  test('control: with numbers that are given out before the commit, a reader passes over records', async () => {
    const server = await postgres();
    const url = aDatabase(server);
    server.run(/@\/(\w+)/.exec(url)![1]!, withoutLock);
    const seen = await chaos(server, url, { kills: 3, crashes: 0 });
    expect(faultsIn(seen).passedOver).toBeGreaterThan(0);
  }, 300_000);
});

/** The end of the journal as a sequence: nobody waits until a number is committed. */
const withoutLock = `
  DROP TABLE journal_head;
  CREATE SEQUENCE number MINVALUE 0;
  CREATE FUNCTION last_number() RETURNS bigint LANGUAGE sql AS 'SELECT last_value FROM number';
  CREATE VIEW journal_head AS SELECT 0::bigint AS lane, last_number() AS seq;
  CREATE FUNCTION take_numbers() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_lock(1);
    NEW.seq := setval('number', (SELECT last_value FROM number) + NEW.seq - OLD.seq);
    PERFORM pg_advisory_unlock(1);
    PERFORM pg_sleep(random() / 50);
    RETURN NEW;
  END $$;
  CREATE TRIGGER take_numbers INSTEAD OF UPDATE ON journal_head FOR EACH ROW EXECUTE FUNCTION take_numbers();`;
