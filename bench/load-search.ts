/**
 * Searches the logs of a full store, as staff do: `load-search.ts '{"port":1883,…}'`. First, for a
 * while, those of one device in one hour; then everything for a text that nothing has, while a
 * device sends PINGREQ on its connection and waits for each answer. The longest wait includes both
 * what held the event loop and the time for which another thread had the core.
 */
import type { RowFilter } from '../src/admin/index.ts';
import { connectAdmin } from '../src/admin-client/index.ts';
import { Histogram } from './histogram.ts';
import { connectDevice, type PingingDevice, type Pings, ping } from './pinging-device.ts';

export interface SearchLoad extends Omit<PingingDevice, 'serial'> {
  readonly dataDir: string;
  /** Devices are numbered from 1 to this. */
  readonly devices: number;
  /** The time of receipt of the logs, in Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export interface SearchResult {
  readonly searches: { readonly count: number; readonly p50Ms: number; readonly p99Ms: number; readonly found: number };
  /** Round trips of PINGREQ without a search, and while one runs. */
  readonly idle: Pings;
  readonly searching: Pings;
}

const load = JSON.parse(process.argv[2]!) as SearchLoad;
const hourMs = 3_600_000;
const pageRows = 200;

const admin = (await connectAdmin(load.dataDir))!;

/** How many logs of a page there are. */
async function find(filter: RowFilter): Promise<number> {
  let found = 0;
  for await (const _ of admin.lines('get', '/export/{what}', { what: 'logs', ...filter }))
    if (++found === pageRows) break;
  return found;
}

const serial = (number: number) => `B${String(number).padStart(5, '0')}`;

async function searchOneDevice(seconds: number): Promise<SearchResult['searches']> {
  const latencies = new Histogram();
  let [count, found] = [0, 0];
  const end = performance.now() + seconds * 1000;
  for (; performance.now() < end; count++) {
    const from = Math.floor(load.from + Math.random() * (load.to - load.from - hourMs));
    const sn = serial(1 + Math.floor(Math.random() * load.devices));
    const begun = performance.now();
    found += await find({ sn, from, to: from + hourMs, text: 'door: lock' });
    latencies.add(performance.now() - begun);
  }
  return { count, p50Ms: latencies.at(0.5), p99Ms: latencies.at(0.99), found };
}

/** One search after the other, until the pings are over. */
async function whileSearching<T>(act: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const searches = (async () => {
    while (!over.signal.aborted) {
      const found = await find({ text: 'a text that nothing has', signal: over.signal });
      if (found > 0) throw new Error('a text that nothing has was found');
    }
  })();
  const ended = searches.catch(error => {
    if (!over.signal.aborted) throw error;
  });
  try {
    return await Promise.race([act(), ended.then(() => Promise.reject(new Error('the searches ended')))]);
  } finally {
    over.abort();
    await ended;
  }
}

await searchOneDevice(load.warmUpSeconds);
process.stdout.write('measuring\n');
const searches = await searchOneDevice(load.seconds);
const socket = await connectDevice({ ...load, serial: serial(1) });
const idle = await ping(socket, load.seconds);
const searching = await whileSearching(() => ping(socket, load.seconds));
process.stdout.write(`${JSON.stringify({ searches, idle, searching } satisfies SearchResult)}\n`);
process.exit(0);
