import { expect, test } from 'vitest';
import type { DeviceNo, JournalRecord, Seq } from '../../../src/store/index.ts';
import { type Postgres, postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore } from '../../support/postgres-store.ts';
import {
  Acknowledged,
  faultsIn,
  noFaults,
  prepareRegion,
  RegionProcess,
  readOn,
  type Seen,
} from '../../support/region-load.ts';
import { until } from '../../support/until.ts';

/** `KILLS=20` for a long run; the server crashes at each fourth. */
const kills = Number(process.env.KILLS ?? 8);

interface Blows {
  readonly kills: number;
  /** Of the server. */
  readonly crashes: number;
  /** The tables are filled in the end: never behind numbers that no record has. */
  readonly fillsTables: boolean;
}

/** Three processes take the same boxes' batches while they are killed, and the server crashes. */
async function chaos(postgres: Postgres, url: string, { kills, crashes, fillsTables }: Blows): Promise<Seen> {
  await prepareRegion(url);
  const acknowledged = new Acknowledged();
  const processes = ['a', 'b', 'c'].map(name => new RegionProcess(url, name, acknowledged));
  const read: JournalRecord[] = [];
  let after = 0 as Seq;
  for (let round = 0; round < kills; round++) {
    const count = acknowledged.texts.length;
    // A connection of its own in each round, since none lives through a crash.
    const reader = await openedPostgresStore(url);
    await until('the next records', async () => {
      after = await readOn(reader, after, read);
      return acknowledged.texts.length > count + 200;
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
  if (fillsTables) {
    await store.catchUp();
    await until('the tables', async () => (await store.read.lastLogs(1 as DeviceNo, { limit: 1 })).length > 0);
  }
  return { acknowledged: acknowledged.texts, read, stored };
}

suiteWithPostgres('processes that write to one database', () => {
  const postgres = postgresOfFile();

  test(
    `store each acknowledged record once and in order, through ${kills} kills and ${kills / 4} crashes of the server`,
    async () => {
      const server = await postgres();
      const seen = await chaos(server, aDatabase(server), { kills, crashes: kills / 4, fillsTables: true });
      expect(faultsIn(seen)).toEqual(noFaults);
      expect(seen.acknowledged.length).toBeGreaterThan(kills * 200);
    },
    300_000 + 30_000 * kills,
  );

  test('control: with numbers that are given out before the commit, a reader passes over records', async () => {
    const server = await postgres();
    let passedOver = 0;
    // Whether a commit is overtaken in the few seconds of one is chance, and near to certain here:
    // each waits longer than a reader takes to look, also on a busy machine.
    for (let tries = 0; passedOver === 0 && tries < 10; tries++) {
      const url = aDatabase(server);
      server.run(/@\/(\w+)/.exec(url)![1]!, withoutLock);
      passedOver = faultsIn(await chaos(server, url, { kills: 3, crashes: 0, fillsTables: false })).passedOver;
    }
    expect(passedOver).toBeGreaterThan(0);
  });
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
    PERFORM pg_sleep(random() / 4);
    RETURN NEW;
  END $$;
  CREATE TRIGGER take_numbers INSTEAD OF UPDATE ON journal_head FOR EACH ROW EXECUTE FUNCTION take_numbers();`;
