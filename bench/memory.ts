import { setTimeout as wait } from 'node:timers/promises';
import { end, loadCore, pinned, processorSeconds, residentMiB, root } from './machine.ts';
import { mqttLoad } from './measure.ts';
import { median, type Row, spread } from './report.ts';
import { type Pace, percent } from './rounds.ts';
import { type Server, startBox } from './servers.ts';

const [some, many] = [2000, 5000];
const settleMs = 5000;
/** Resident, with 5000 idle TLS devices. */
const manyMaxMiB = 300;
/** 15 s after its start the box gives back the memory that only the start needed (settle.ts). */
const startedMs = 20_000;

interface Bar {
  readonly says: string;
  readonly mostMiB: number;
}
const underMb = (mb: number): Bar => ({ says: `under ${mb} MB`, mostMiB: (mb * 1e6) / 2 ** 20 });

/**
 * Resident memory: idle, and with 2000 and 5000 TLS devices that are connected, subscribed and
 * silent.
 */
export async function memory(pace: Pace): Promise<Row[]> {
  pace.note('memory');
  const [idle, withSome, withMany, connectSeconds, share]: number[][] = [[], [], [], [], []] as const;
  for (let round = 0; round < pace.rounds; round++) {
    await using server = await startBox();
    await wait(startedMs);
    idle!.push(residentMiB(server.pid));
    const begun = performance.now();
    await using _some = await idleDevices(server, 1, some);
    connectSeconds!.push((performance.now() - begun) / 1000);
    await wait(settleMs);
    withSome!.push(residentMiB(server.pid));
    await using _more = await idleDevices(server, some + 1, many - some);
    await wait(settleMs);
    const before = processorSeconds(server.pid);
    await wait(2000);
    share!.push((processorSeconds(server.pid) - before) / 2);
    withMany!.push(residentMiB(server.pid));
    pace.note(`  round ${round + 1}: ${[idle, withSome, withMany].map(all => all!.at(-1)!.toFixed(0)).join(', ')} MiB`);
  }
  const eachKiB = withMany!.map((full, round) => ((full - idle![round]!) * 1024) / many);
  const row = (what: string, values: readonly number[], bar: Bar | null, why: string): Row => ({
    what,
    own: spread(values, 1),
    peer: '',
    beside: '',
    ratio: '',
    bar: bar?.says ?? '',
    met: bar === null ? null : median(values) <= bar.mostMiB,
    why,
  });
  return [
    row('memory, idle, MiB resident', idle!, underMb(90), '20 s after the start'),
    row(
      `memory, ${some} idle TLS devices, MiB resident`,
      withSome!,
      underMb(250),
      `connecting them took ${spread(connectSeconds!, 1)} s`,
    ),
    row(
      `memory, ${many} idle TLS devices, MiB resident`,
      withMany!,
      { says: `at most ${manyMaxMiB}`, mostMiB: manyMaxMiB },
      `they use ${percent(median(share!))} of the core by being there`,
    ),
    row(
      'memory of one idle TLS device, KiB',
      eachKiB,
      null,
      `what ${many} of them add to the resident memory, by ${many}`,
    ),
  ];
}

/** Resolves when all of them are connected and subscribed. */
async function idleDevices(server: Server, first: number, connections: number): Promise<AsyncDisposable> {
  const load = mqttLoad(server, true, { first, connections, window: 0 });
  const child = pinned(loadCore, `${root}bin/node`, [`${root}bench/load-mqtt.ts`, JSON.stringify(load)]);
  await new Promise<void>((resolve, reject) => {
    child.stdout!.once('data', () => resolve());
    child.once('exit', () => reject(new Error(`${connections} devices could not connect: ${child.said()}`)));
  });
  return { [Symbol.asyncDispose]: () => end(child, 'SIGKILL') };
}
