import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { caller, dataFolder, forget, mixture } from './big-store.ts';
import { end, loadCore, pinned, root } from './machine.ts';
import { type Measured, measureMqtt, measurePages, mqttLoad } from './measure.ts';
import { median, type Row, ratios, spread } from './report.ts';
import { of, type Pace } from './rounds.ts';
import { startBox } from './servers.ts';
import { lagOf } from './table-lag.ts';

const count = (rows: number) => rows.toLocaleString('en-US');
const mebibytes = (file: string) => Math.round(statSync(file).size / (1 << 20)).toLocaleString('en-US');

/**
 * The load of the first bar on a box whose store is full, beside a box whose store is empty: both
 * on the same disk, in turn.
 */
export async function bigIngest(pace: Pace): Promise<Row[]> {
  pace.note(`ingest with ${count(pace.rows)} rows`);
  const ingest = async (rows: number) => {
    await using folder = await dataFolder(rows, pace.note);
    await using server = await startBox({ dataDir: folder.dataDir });
    return await measureMqtt(server, mqttLoad(server, false, { seconds: pace.seconds }));
  };
  const [full, empty] = [[], []] as Awaited<ReturnType<typeof ingest>>[][];
  for (let round = 0; round < pace.rounds; round++) {
    empty!.push(await ingest(0));
    full!.push(await ingest(pace.rows));
    pace.note(
      `  round ${round + 1}: ${Math.round(full!.at(-1)!.perSecond)}/s beside ${Math.round(empty!.at(-1)!.perSecond)}/s`,
    );
  }
  const perRound = ratios(of(full!, 'perSecond'), of(empty!, 'perSecond'));
  return [
    {
      what: `ingest with ${count(pace.rows)} rows in the store, plain, messages/s`,
      own: spread(of(full!, 'perSecond')),
      peer: 'the box with an empty store',
      beside: spread(of(empty!, 'perSecond')),
      ratio: spread(perRound, 2),
      bar: '0.9',
      met: median(perRound) >= 0.9,
      why: `${mixture}; ${spread(of(full!, 'cpuMicroseconds'), 1)} µs of processor time a message beside ${spread(of(empty!, 'cpuMicroseconds'), 1)} µs`,
    },
  ];
}

const pageSize = 500;

/**
 * A page of check-ins over the signed API, at random places of a full store: the request of an
 * integrator's payroll.
 */
export async function pages(pace: Pace): Promise<Row[]> {
  pace.note(`pages of ${count(pace.rows)} rows`);
  await using folder = await dataFolder(pace.rows, pace.note);
  const all: Measured[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    await using server = await startBox({ dataDir: folder.dataDir });
    all.push(
      await measurePages(server, {
        appKey: caller.app_key,
        appSecret: caller.app_secret,
        checkIns: Math.floor(pace.rows / 4),
        pageSize,
        seconds: pace.seconds,
        warmUpSeconds: 2,
      }),
    );
    pace.note(`  round ${round + 1}: p50 ${all.at(-1)!.p50Ms.toFixed(1)} ms, p99 ${all.at(-1)!.p99Ms.toFixed(1)} ms`);
  }
  const row = (share: 'p50' | 'p99', most: number, why: string): Row => {
    const values = of(all, share === 'p50' ? 'p50Ms' : 'p99Ms');
    return {
      what: `a page of ${pageSize} check-ins with ${count(pace.rows)} rows in the store, ${share} ms`,
      own: spread(values, 1),
      peer: '',
      beside: '',
      ratio: '',
      bar: `at most ${most} ms`,
      met: median(values) <= most,
      why,
    };
  };
  return [
    row(
      'p50',
      2,
      `the signed API over TLS on a kept connection, one page after the other at random places, from the request to the last byte: ${spread(of(all, 'perSecond'))} pages/s, ${spread(
        of(all, 'cpuMicroseconds').map(us => us / 1000),
        1,
      )} ms of processor time a page`,
    ),
    row('p99', 6, ''),
  ];
}

/**
 * From the start of the process to `ready` with a full store: after an orderly stop, and after a
 * kill under load.
 */
export async function bigStart(pace: Pace): Promise<Row[]> {
  pace.note(`start with ${count(pace.rows)} rows`);
  const [orderly, cold, killed, behind]: number[][] = [[], [], [], []] as const;
  await using folder = await dataFolder(pace.rows, pace.note);
  const { dataDir } = folder;
  const startedIn = async () => {
    await using server = await startBox({ dataDir, endBy: 'SIGTERM' });
    return server.startedInMs;
  };
  for (let round = 0; round < pace.rounds; round++) {
    orderly!.push(await startedIn());
    forget(dataDir);
    cold!.push(await startedIn());
    behind!.push(await killUnderLoad(dataDir));
    killed!.push(await startedIn());
    pace.note(
      `  round ${round + 1}: ${orderly!.at(-1)!.toFixed(0)} ms, from the disk ${cold!.at(-1)!.toFixed(0)} ms, after a kill ${killed!.at(-1)!.toFixed(0)} ms`,
    );
  }
  const row = (what: string, values: readonly number[], why: string): Row => ({
    what: `start to \`ready\`, ${count(pace.rows)} rows${what}, ms`,
    own: spread(values),
    peer: '',
    beside: '',
    ratio: '',
    bar: 'at most 350 ms',
    met: median(values) <= 350,
    why,
  });
  return [
    row(
      '',
      orderly!,
      `${mixture}: ${mebibytes(`${dataDir}/gatehouse.db`)} MiB; with nothing of the store in the machine's memory, as after a reboot: ${spread(cold!)} ms`,
    ),
    row(
      ' and a kill -9 under load',
      killed!,
      `3 s into the load of the first bar: ${spread(behind!)} records stood in the journal that the tables did not hold`,
    ),
  ];
}

/** Returns how far the tables were behind. */
async function killUnderLoad(dataDir: string): Promise<number> {
  const server = await startBox({ dataDir, endBy: 'SIGKILL' });
  let load: ChildProcess | undefined;
  try {
    const words = mqttLoad(server, false, { seconds: 60 });
    load = pinned(loadCore, `${root}bin/node`, [`${root}bench/load-mqtt.ts`, JSON.stringify(words)]);
    await wait(3000);
    if (load.exitCode !== null) throw new Error('the load ended before the kill');
  } finally {
    await server[Symbol.asyncDispose]();
    if (load) await end(load, 'SIGKILL');
  }
  using lag = lagOf(dataDir);
  return lag.behind();
}
