import { spawnSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { residentMiB, temporaryFolder } from './machine.ts';
import { measureMqtt, mqttLoad } from './measure.ts';
import { median, type Row, slope } from './report.ts';
import type { Pace } from './rounds.ts';
import { startBox, startMosquitto } from './servers.ts';

const diskMiB = 4096;
/** What a record of 200 B takes on the disk, in the journal and in the tables. */
const bytesOnDisk = 700;
const flatWithin = 1.05;

/**
 * Half of mosquitto's rate for an hour, to see whether the box stays as fast and as small as at the
 * start. An hour of it is more than a disk should hold: as root the box gets a file system of 4 GiB
 * in memory, where it drops its oldest logs as on a full disk; else the rate is lowered until half
 * of the free disk is enough.
 */
export async function soak(pace: Pace): Promise<Row[]> {
  const seconds = Math.round(pace.minutes * 60);
  pace.note(`soak for ${pace.minutes} minutes`);
  let rate: number;
  {
    await using peer = await startMosquitto();
    rate = Math.round((await measureMqtt(peer, mqttLoad(peer, false, { seconds: pace.seconds }))).perSecond / 2);
  }
  await using folder = await temporaryFolder();
  await using disk = ownDisk(folder.path);
  if (!disk.own) {
    const { bavail, bsize } = statfsSync(folder.path);
    rate = Math.min(rate, Math.floor((bavail * bsize) / 2 / bytesOnDisk / seconds));
  }
  await using server = await startBox({ dataDir: join(folder.path, 'data') });
  const resident: number[] = [];
  let sampling: NodeJS.Timeout | undefined;
  const measured = await measureMqtt(server, mqttLoad(server, false, { seconds, rate }), () => {
    sampling = setInterval(() => {
      resident.push(residentMiB(server.pid));
      if (resident.length % 60 === 0) pace.note(`  ${resident.length / 60} min: ${resident.at(-1)!.toFixed(0)} MiB`);
    }, 1000);
  }).finally(() => clearInterval(sampling));
  const tenth = Math.max(1, Math.floor(resident.length / 10));
  const [first, last] = [median(resident.slice(0, tenth)), median(resident.slice(-tenth))];
  const later = resident.slice(Math.floor(resident.length / 2));
  const perHour = slope(later) * 3600;
  return [
    {
      what: `memory over ${pace.minutes} minutes at ${rate.toLocaleString('en-US')} messages/s, last tenth, MiB resident`,
      own: last.toFixed(0),
      peer: 'first tenth',
      beside: first.toFixed(0),
      ratio: (last / first).toFixed(2),
      bar: `flat: at most ${flatWithin}`,
      met: last / first <= flatWithin,
      why:
        `sampled each second, most ${Math.max(...resident).toFixed(0)} MiB; in the second half it rose by ${perHour.toFixed(1)} MiB an hour; ` +
        `${Math.round(measured.perSecond).toLocaleString('en-US')} messages/s were acknowledged, p99 ${measured.p99Ms.toFixed(1)} ms, ${measured.broken} connections broke; ` +
        `${disk.own ? `on a file system of ${diskMiB / 1024} GiB in memory, where it dropped ${dropped(server.dataDir)} records for want of room, as on a full disk` : 'half of the free disk bounds the rate'}`,
    },
  ];
}

function dropped(dataDir: string): string {
  using database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true, timeout: 5000 });
  const { count } = database.prepare('SELECT coalesce(sum(count), 0) AS count FROM dropped').get() as { count: number };
  return count.toLocaleString('en-US');
}

function ownDisk(path: string): AsyncDisposable & { own: boolean } {
  const own = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMiB}m`, 'tmpfs', path]).status === 0;
  const leave = () => void (own && spawnSync('umount', ['-l', path]));
  process.once('exit', leave); // somebody may interrupt it
  return {
    own,
    [Symbol.asyncDispose]: async () => {
      process.off('exit', leave);
      leave();
    },
  };
}
