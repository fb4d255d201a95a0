import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { siteFolder } from './big-store.ts';
import { processorSeconds, residentMiB, residentMostMiB } from './machine.ts';
import { type Row, spread } from './report.ts';
import type { Pace } from './rounds.ts';
import { program, type Server, startBox } from './servers.ts';
import { shape } from './site-store.ts';

interface Deed {
  readonly what: string;
  readonly method?: 'POST';
  readonly path: string;
  readonly body?: object;
  /** Processor seconds. */
  readonly most: number;
}

interface Cost {
  readonly seconds: number;
  readonly wall: number;
  readonly mostMiB: number;
  readonly bytes: number;
}

/** Of any deed, above what the box takes when nobody asks. */
const aboveIdleMiB = 160;
/** Rest after a start, in which the box gives back memory that only the start needed. */
const restMs = 90_000;
const month = lastMonth();

/** Deeds of an HR clerk at month's end, in the order in which they are done. */
const deeds: readonly Deed[] = [
  { what: 'a day by the schedules', path: `/attendance/day/status?day=${month}-02&limit=100`, most: 0.3 },
  { what: 'counts of the month', path: `/attendance/month/figures?month=${month}`, most: 1 },
  { what: 'first page of the month', path: `/attendance/results?month=${month}&with=marks`, most: 0.03 },
  { what: 'the month as CSV', path: `/reports/month/month.csv?month=${month}`, most: 2 },
  { what: 'the month as a workbook', path: `/reports/month/month.xlsx?month=${month}`, most: 5 },
  { what: 'check-ins of the month as CSV', path: `/reports/checkins.csv?month=${month}`, most: 1.1 },
  {
    ...{ what: 'the month closed', method: 'POST', path: '/attendance/closings' },
    ...{ body: { month, force: 'the bench' }, most: 5 },
  },
];

/** Processor time and memory of each deed of a clerk at a large site. */
export async function site(pace: Pace): Promise<Row[]> {
  pace.note(`a site of ${shape.people.toLocaleString('en-US')} people at month's end`);
  const costs = deeds.map((): Cost[] => []);
  let idle = 0;
  for (let round = 0; round < pace.rounds; round++) {
    await using folder = await siteFolder(pace.note);
    await using server = await startBox({ dataDir: folder.dataDir });
    if (round === 0) {
      await wait(restMs);
      idle = residentMiB(server.pid);
    }
    const ask = await signedIn(server);
    // Modules and statements that the first request loads.
    await ask({ path: `/attendance/results?month=${month}&limit=1` });
    for (const [at, deed] of deeds.entries()) costs[at]!.push(await costOf(server, () => ask(deed)));
    pace.note(`  round ${round + 1}: ${costs.map(all => `${all.at(-1)!.seconds.toFixed(2)} s`).join(', ')}`);
  }
  return deeds.map(({ what, most }, at): Row => {
    const all = costs[at]!;
    const memory = all.map(one => one.mostMiB);
    return {
      what: `${what}, processor s`,
      own: spread(
        all.map(one => one.seconds),
        2,
      ),
      peer: 'resident at most, MiB',
      beside: spread(memory),
      ratio: '',
      bar: `${most} s, ${aboveIdleMiB} MiB above idle`,
      met: all.every(one => one.seconds <= most && one.mostMiB - idle <= aboveIdleMiB),
      why: `idle ${Math.round(idle)} MiB; ${spread(
        all.map(one => one.wall),
        1,
      )} s from the request to the last byte, ${Math.ceil(all.at(-1)!.bytes / 1000).toLocaleString('en-US')} kB`,
    };
  });
}

async function costOf({ pid }: Server, act: () => Promise<number>): Promise<Cost> {
  writeFileSync(`/proc/${pid}/clear_refs`, '5'); // forgets the highest memory so far
  const [before, begun] = [processorSeconds(pid), performance.now()];
  const bytes = await act();
  const wall = (performance.now() - begun) / 1000;
  return { seconds: processorSeconds(pid) - before, wall, mostMiB: residentMostMiB(pid), bytes };
}

type Ask = (asked: Pick<Deed, 'method' | 'path' | 'body'>) => Promise<number>;

/** Calls of the admin API by somebody who may do all of it; each returns the bytes of its answer. */
export async function signedIn({ dataDir, ports }: Server): Promise<Ask> {
  const password = randomBytes(12).toString('hex');
  const [command, ...words] = program;
  const added = spawnSync(command!, [...words, 'user', 'add', 'clerk', '--role', 'admin', '--data-dir', dataDir], {
    input: `${password}\n`,
  });
  if (added.status !== 0) throw new Error(`user add: ${added.stderr}`);
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  let cookie = '';
  const ask = async ({ method = 'GET', path, body }: { method?: string; path: string; body?: object }) => {
    const sent = request({
      ...{ host: '127.0.0.1', port: ports.https, path: `/admin/v1${path}`, method, agent },
      headers: {
        ...{ Cookie: cookie, Origin: `https://127.0.0.1:${ports.https}` },
        'Accept-Encoding': 'gzip, deflate, br, zstd',
        ...(body && { 'Content-Type': 'application/json' }),
      },
    });
    sent.end(body && JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const part of response) bytes += (part as Buffer).length;
    if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${response.statusCode}`);
    const set = response.headers['set-cookie'];
    if (set) cookie = set.map(one => one.split(';')[0]).join('; ');
    return bytes;
  };
  await ask({ method: 'POST', path: '/session', body: { name: 'clerk', password } });
  return ask;
}

/** Before this one: all of its days are over. */
export function lastMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}
