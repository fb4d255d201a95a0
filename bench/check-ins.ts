import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dataFolder } from './big-store.ts';
import { median, type Row, ratios, spread } from './report.ts';
import type { Pace } from './rounds.ts';
import { append, checkInMessages, openBare, openSite, shape } from './site-store.ts';

const count = 100_000;
const rowsInTransaction = 10_000;
const bar = 2;

type Values = (string | number | bigint | Uint8Array | null)[];

/**
 * From the journal to the rows of the tables, beside a bare program that inserts the same rows into
 * tables with the same indexes.
 */
export async function checkIns(pace: Pace): Promise<Row[]> {
  pace.note('check-ins into the tables');
  const own: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    await using folder = await dataFolder(0, pace.note);
    const { dataDir } = folder;
    {
      await using store = await openSite(dataDir);
      const messages = checkInMessages(store, count);
      const spent = process.cpuUsage();
      await append(store, messages);
      await store.catchUp();
      own.push(microsecondsSince(spent) / count);
    }
    bare.push((await insertAgain(dataDir)) / count);
    pace.note(`  round ${round + 1}: ${own.at(-1)!.toFixed(1)} µs, bare ${bare.at(-1)!.toFixed(1)} µs`);
  }
  const perRound = ratios(own, bare);
  return [
    {
      what: `a check-in, ${shape.perMessage} in a message, from the journal into the tables, processor µs of all threads`,
      own: spread(own, 1),
      peer: 'node:sqlite alone, the same rows and indexes',
      beside: spread(bare, 1),
      ratio: spread(perRound, 2),
      bar: `at most ${bar}`,
      met: median(perRound) <= bar,
      why: `${count.toLocaleString('en-US')} check-ins of ${shape.people.toLocaleString('en-US')} people; with the commit to the journal, the reading of the messages and the search for repeats`,
    },
  ];
}

const microsecondsSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/** Inserts the check-ins of a store, and what tells repeats apart, into an empty one. */
async function insertAgain(dataDir: string): Promise<number> {
  const from = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true, returnArrays: true });
  const folder = join(dataDir, 'again');
  mkdirSync(folder);
  await (await openBare(folder))[Symbol.asyncDispose]();
  const to = new DatabaseSync(join(folder, 'gatehouse.db'));
  try {
    const tables = ['checkin', 'report_seen'].map(name => {
      const rows = from.prepare(`SELECT * FROM ${name} ORDER BY rowid`).all() as unknown as Values[];
      const places = rows[0]!.map(() => '?').join(', ');
      return { rows, insert: to.prepare(`INSERT INTO ${name} VALUES (${places})`) };
    });
    to.exec('PRAGMA synchronous = NORMAL');
    const spent = process.cpuUsage();
    for (const { rows, insert } of tables)
      for (let begun = 0; begun < rows.length; begun += rowsInTransaction) {
        to.exec('BEGIN');
        for (const values of rows.slice(begun, begun + rowsInTransaction)) insert.run(...values);
        to.exec('COMMIT');
      }
    return microsecondsSince(spent);
  } finally {
    to.close();
    from.close();
  }
}
