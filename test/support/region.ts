import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aProxyForHttps } from './haproxy.ts';
import { Postgres } from './postgres.ts';
import { WatchedProcesses } from './watched-processes.ts';

export interface Region extends AsyncDisposable {
  readonly postgres: Postgres;
  readonly watched: WatchedProcesses;
  /** Of HAProxy in front of the processes: `https://127.0.0.1:…`. */
  readonly url: string;
  /** The certificates of all processes, and the file of them. */
  readonly ca: string;
  readonly caFile: string;
}

/** Two processes on one database behind HAProxy, which takes boxes below to either of them. */
export async function aRegion(site: unknown, configOf: (index: number) => object = () => ({})): Promise<Region> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-region-'));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = parts.use(await Postgres.start());
  const ofRegion = (index: number) => ({ ...configOf(index), listen: { mqtts: 'off' } });
  const watched = parts.use(await WatchedProcesses.start(postgres, { count: 2, site, configOf: ofRegion }));
  const proxy = parts.use(await aProxyForHttps(watched.processes.map(one => one.port('https'))));
  const authorities = await Promise.all(
    watched.processes.map(one => readFile(join(one.dataDir, 'tls', 'ca.pem'), 'utf8')),
  );
  const ca = authorities.join('\n');
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, ca);
  const held = parts.move();
  return {
    ...{ postgres, watched, ca, caFile, url: `https://127.0.0.1:${proxy.port}` },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
