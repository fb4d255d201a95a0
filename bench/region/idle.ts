import { setTimeout as wait } from 'node:timers/promises';
import { Postgres } from '../../test/support/postgres.ts';
import { postgresUrl } from '../../test/support/postgres-store.ts';
import { bothCores, end, pinned, processorSeconds, residentMiB, root, temporaryFolder } from '../machine.ts';
import { mqttLoad } from '../measure.ts';
import { type Row, spread } from '../report.ts';
import { type Pace, percent } from '../rounds.ts';
import { product, type Server } from '../servers.ts';
import { startProcess } from './start-process.ts';
import { serverSeconds } from './stores.ts';

const devices = 50_000;
const count = 3;
const share = Math.ceil(devices / count);
/** A device may be silent for so long: they are all there at the end. */
const keepAliveSeconds = 3600;
const settleMs = 30_000;
const restSeconds = 10;

/**
 * 50,000 devices that are connected, subscribed and silent, over processes of a region: the
 * first time, when the region hears of each, and again, when it knows them.
 */
export async function regionIdle(pace: Pace): Promise<Row[]> {
  pace.note(`${devices} idle devices at ${count} processes of a region`);
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await temporaryFolder());
  const postgres = parts.use(await Postgres.start());
  const database = postgres.create();
  const url = postgresUrl(postgres, database);
  // Without devices over HTTP those over MQTT have all files of a process: 20,000 are enough.
  const listen = { mqtts: 'off', mqtt: '127.0.0.1:0', https: 'off', http: 'off', metrics: 'off' };
  const processes: Server[] = [];
  for (let number = 0; number < count; number++)
    processes.push(parts.use(await startProcess(url, folder.path, number, { listen, site: { products: [product] } })));
  const resident = () => processes.map(({ pid }) => residentMiB(pid));
  const empty = resident();
  const seconds: number[] = [];
  for (const which of ['new to the region', 'known to it']) {
    // The processes have no room for a device beside its old connection.
    await wait(settleMs);
    const begun = performance.now();
    await using _ = await connected(processes);
    seconds.push((performance.now() - begun) / 1000);
    pace.note(`  ${which}: connected in ${seconds.at(-1)!.toFixed(0)} s`);
    if (which === 'new to the region') continue;
    await wait(settleMs);
    const cpu = () => [...processes.map(({ pid }) => processorSeconds(pid)), serverSeconds(postgres.pid)];
    const before = cpu();
    await wait(restSeconds * 1000);
    const used = cpu().map((now, index) => (now - before[index]!) / restSeconds);
    const full = resident();
    const here = Number(postgres.run(database, 'SELECT count(*) FROM device_session WHERE process <> 0'));
    const each = full.map((mib, index) => ((mib - empty[index]!) * 1024) / share);
    const row = (what: string, values: readonly number[], why: string, met: boolean | null = null): Row => ({
      ...{ what, own: spread(values, 0), peer: '', beside: '', ratio: '', met, why },
      bar: met === null ? '' : 'all of them',
    });
    return [
      row(
        `${devices.toLocaleString('en-US')} idle devices over ${count} processes, connected at the end`,
        [here],
        `plain TCP, subscribed, after ${(settleMs / 1000 + restSeconds).toFixed(0)} s of rest; the first time it took ${seconds[0]!.toFixed(0)} s (each is new to the region), again ${seconds[1]!.toFixed(0)} s, with the load on the same cores`,
        here === devices,
      ),
      row(
        'the same, MiB resident of each process',
        full,
        `${spread(empty)} MiB without them; ${percent(used.slice(0, count).reduce((sum, one) => sum + one, 0))} of a core is used by the processes meanwhile, ${percent(used[count]!)} by PostgreSQL`,
      ),
      row('the same, KiB of one device', each, 'what they add to the resident memory of their process'),
    ];
  }
  return [];
}

/** Resolves when all of them are connected and subscribed: a part of them at each process. */
async function connected(processes: readonly Server[]): Promise<AsyncDisposable> {
  const children = await Promise.all(
    processes.map(async (server, index) => {
      const first = 1 + index * share;
      const connections = Math.min(share, devices - index * share);
      const localAddress = `127.0.0.${2 + index}`;
      const load = mqttLoad(server, false, { first, connections, window: 0, keepAliveSeconds, localAddress });
      const child = pinned(bothCores, `${root}bin/node`, [`${root}bench/load-mqtt.ts`, JSON.stringify(load)]);
      await new Promise<void>((resolve, reject) => {
        child.stdout!.once('data', () => resolve());
        child.once('exit', () => reject(new Error(`${connections} devices could not connect: ${child.said()}`)));
      });
      return child;
    }),
  );
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(child => end(child, 'SIGKILL')));
    },
  };
}
