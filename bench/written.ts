import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { type Measured, measureMqtt, mqttLoad } from './measure.ts';
import { median, type Row, spread } from './report.ts';
import type { Pace } from './rounds.ts';
import { type Server, startBox } from './servers.ts';
import { lagOf } from './table-lag.ts';

/** What the kernel has taken from a process for the disk; see `wear` of `gatehouse status`. */
export function writtenBytes(pid: number): number {
  const said = readFileSync(`/proc/${pid}/io`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(said)?.[1]);
  return field('write_bytes') - field('cancelled_write_bytes');
}

/** Bytes that reach the disk for each record at full load, until the tables hold them all. */
export async function writtenAtFullLoad(pace: Pace): Promise<Row[]> {
  pace.note('written to disk for a record at full load');
  const written: number[] = [];
  const kept: number[] = [];
  const all: Measured[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    await using server = await startBox();
    const before = writtenBytes(server.pid);
    all.push(await measureMqtt(server, mqttLoad(server, false, { seconds: pace.seconds })));
    await level(server);
    const records = recordsOf(server);
    written.push((writtenBytes(server.pid) - before) / records);
    kept.push(statSync(join(server.dataDir, 'gatehouse.db')).size / records);
    pace.note(`  round ${round + 1}: ${Math.round(written.at(-1)!)} B a record of ${records}`);
  }
  const most = 360;
  return [
    {
      what: 'written to disk for a log of 200 B at full load until the tables are level, B',
      own: spread(written),
      peer: '',
      beside: '',
      ratio: '',
      bar: `${most}`,
      met: median(written) <= most,
      why: `the database then has ${spread(kept)} B a record; ${spread(
        all.map(one => one.cpuMicroseconds),
        1,
      )} µs of processor time a record under the load`,
    },
  ];
}

const loneSeconds = 150;

/** A log each second, and a check-in each second on another box: each in a commit of its own. */
export async function writtenForLoneRecords(pace: Pace): Promise<Row[]> {
  pace.note('written to disk for a lone record each second');
  const most = 8500;
  const measure = async (channel: 'log' | 'checkin') => {
    await using server = await startBox();
    let before = 0;
    const { acknowledged } = await measureMqtt(
      server,
      mqttLoad(server, false, { channel, connections: 1, window: 1, rate: 1, seconds: loneSeconds }),
      () => {
        before = writtenBytes(server.pid);
      },
    );
    return (writtenBytes(server.pid) - before) / acknowledged;
  };
  const [log, checkin] = await Promise.all([measure('log'), measure('checkin')]);
  const row = (name: string, bytes: number): Row => ({
    what: `written to disk for a lone ${name} each second, B`,
    own: Math.round(bytes).toLocaleString('en-US'),
    peer: '',
    beside: '',
    ratio: '',
    bar: most.toLocaleString('en-US'),
    met: bytes <= most,
    why: `over ${loneSeconds} s, with the history of the box that is written each minute`,
  });
  return [row('log', log), row('check-in', checkin)];
}

async function level(server: Server): Promise<void> {
  using lag = lagOf(server.dataDir);
  while (lag.behind() > 0) await wait(100);
}

function recordsOf({ dataDir }: Server): number {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true, timeout: 1000 });
  const { records } = database.prepare('SELECT sum(count) AS records FROM segment').get() as { records: number };
  database.close();
  return records;
}
