import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startBareMqtt } from './bare-servers.ts';
import { dataFolder, days, devices } from './big-store.ts';
import type { PingsLoad } from './load-pings.ts';
import type { SearchLoad, SearchResult } from './load-search.ts';
import { loadCore, pinned, root } from './machine.ts';
import type { Pings } from './pinging-device.ts';
import { median, type Row, spread } from './report.ts';
import type { Pace } from './rounds.ts';
import { product, type Server, startBox } from './servers.ts';

const dayMs = 24 * 3600 * 1000;
/** Days at both ends of the store that are not searched: it may have been made some days ago. */
const endDays = 5;
/**
 * By then a box without load has given back what its start took (src/operations/settle.ts), which
 * stops it once for a tenth or a fifth of a second.
 */
const settledAfterMs = 20_000;
const searchMsMost = 100;
const holdMsMost = 20;
/** 12 GB for 100 million rows. */
const bytesOfRowMost = 120;

/**
 * Logs of a full store, as staff search them, and what a search without a hit does to the devices
 * meanwhile. The last row is what the store takes on the disk.
 */
export async function bigSearch(pace: Pace): Promise<Row[]> {
  const rows = `${pace.rows.toLocaleString('en-US')} rows`;
  pace.note(`searches of ${rows}`);
  await using folder = await dataFolder(pace.rows, pace.note);
  const bytes = bytesBelow(folder.dataDir);
  const all: SearchResult[] = [];
  const bare: Pings[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    await using server = await startBox({ dataDir: folder.dataDir });
    await wait(settledAfterMs);
    all.push(await search(server, pace.seconds));
    bare.push(await pingsOfBareServer(pace.seconds));
    const { searches, idle, searching } = all.at(-1)!;
    pace.note(
      `  round ${round + 1}: p50 ${searches.p50Ms.toFixed(1)} ms, p99 ${searches.p99Ms.toFixed(1)} ms; PINGRESP after ${searching.mostMs.toFixed(1)} ms at most, ${idle.mostMs.toFixed(1)} ms without a search, ${bare.at(-1)!.mostMs.toFixed(1)} ms of a bare server`,
    );
  }
  const none = { peer: '', beside: '', ratio: '' };
  const p99 = all.map(({ searches }) => searches.p99Ms);
  const most = all.map(({ searching }) => searching.mostMs);
  const found = all.map(({ searches }) => searches.found / searches.count);
  return [
    {
      ...none,
      what: `a page of the logs of one device in one hour with a text, of ${rows}, p99 ms`,
      own: spread(p99, 1),
      bar: `at most ${searchMsMost} ms`,
      met: median(p99) <= searchMsMost,
      why: `over the socket of the commands, one after the other, at random places: p50 ${spread(
        all.map(({ searches }) => searches.p50Ms),
        1,
      )} ms; ${spread(found)} logs were found by each`,
    },
    {
      what: `a device's PINGREQ answered while all logs of ${rows} are searched for a text that nothing has, the longest, ms`,
      own: spread(most, 1),
      peer: 'without a search',
      beside: spread(
        all.map(({ idle }) => idle.mostMs),
        1,
      ),
      ratio: '',
      floor: `bare node:net: ${spread(
        bare.map(({ mostMs }) => mostMs),
        1,
      )}`,
      bar: `at most ${holdMsMost} ms`,
      met: median(most) <= holdMsMost,
      why: `p99 ${spread(
        all.map(({ searching }) => searching.p99Ms),
        1,
      )} ms beside ${spread(
        all.map(({ idle }) => idle.p99Ms),
        1,
      )}; the search has a thread of its own, on the same core here`,
    },
    {
      ...none,
      what: `the store of ${rows} on the disk, GB`,
      own: (bytes / 1e9).toFixed(2),
      bar: `at most ${bytesOfRowMost} B a row`,
      met: bytes / pace.rows <= bytesOfRowMost,
      why: `${(bytes / pace.rows).toFixed(0)} B a row, everything in the data directory`,
    },
  ];
}

async function search({ dataDir, ports }: Server, seconds: number): Promise<SearchResult> {
  const now = Date.now();
  const load: SearchLoad = {
    ...{ port: ports.mqtt, dataDir, devices, seconds, warmUpSeconds: 2 },
    ...{ product: product.product_id, productKey: product.product_key },
    from: now - (days - endDays) * dayMs,
    to: now - endDays * dayMs,
  };
  const result = await resultOf<SearchResult>('load-search.ts', load);
  if (result.searches.found === 0) throw new Error('the searches found nothing');
  return result;
}

/** What the machine lets a device wait for a server that does nothing else, beside the box at rest. */
async function pingsOfBareServer(seconds: number): Promise<Pings> {
  await using server = await startBareMqtt('plain');
  const { product_id, product_key } = product;
  const device = { port: server.ports.mqtt, product: product_id, productKey: product_key, serial: 'B00001' };
  return await resultOf<Pings>('load-pings.ts', { ...device, seconds, warmUpSeconds: 2 } satisfies PingsLoad);
}

async function resultOf<Result>(program: string, load: object): Promise<Result> {
  const child = pinned(loadCore, `${root}bin/node`, [`${root}bench/${program}`, JSON.stringify(load)]);
  let said = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${child.said()}`);
  return JSON.parse(said.trim().split('\n').at(-1)!) as Result;
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
