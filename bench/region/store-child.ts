/**
 * One process of the store under load, on SQLite or as one of several on PostgreSQL:
 * `store-child.ts '{"dataDir":…}'`. Appends records as the gateway does, as many at a time as
 * `window` says. Says `ready`; begins at the first line of its input, ends the load at the second,
 * waits for the tables at the third, and prints what it did as one JSON line each.
 */
import { createInterface } from 'node:readline';
import { defaultActions } from '../../src/platform/actions.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { type IncomingRecord, openStore } from '../../src/store/index.ts';
import { logRecord } from '../packets.ts';
import { product } from '../servers.ts';

export interface StoreLoad {
  readonly dataDir: string;
  /** Null: on SQLite. */
  readonly url: string | null;
  readonly devices: number;
  /** Not acknowledged at any time. */
  readonly window: number;
  readonly bytes: number;
}

export interface StoreLoadSaid {
  readonly acknowledged: number;
  /** Tried again: the store was too busy, as when the tables are far behind. */
  readonly refused: number;
  /** Of the process since its start, the load's share included. */
  readonly cpuSeconds: number;
}

const load = JSON.parse(process.argv[2]!) as StoreLoad;
const store = await openStore({
  ...{ dataDir: load.dataDir, environment: 'test', timeZone: 'Asia/Shanghai', actions: defaultActions },
  ...{ upstream: false, clock: realClock, log: silentLog },
  ...(load.url === null ? {} : { url: load.url }),
});
const deviceIds = Array.from(
  { length: load.devices },
  (_, index) => `${product.product_id}_B${String(index + 1).padStart(5, '0')}`,
);
await store.write.applySite({
  site: { products: [{ ...product, access: 'both' }], devices: deviceIds.map(device_id => ({ device_id, name: '' })) },
  ...{ prune: false, dryRun: false, at: realClock.now() },
});
const deviceNos = [...store.directory.devices()]
  .filter(({ productId }) => productId === product.product_id)
  .map(({ deviceNo, deviceId }) => ({ deviceNo, logPath: `${product.model}/${deviceId.split('_')[1]}` }));

const { payload, numberAt } = logRecord(load.bytes);
let [acknowledged, refused, sent] = [0, 0, 0];
let isOn = false;

function next(): void {
  if (!isOn) return;
  const number = sent++;
  payload.write(String(number).padStart(10, '0'), numberAt);
  const device = deviceNos[number % deviceNos.length]!;
  const record: IncomingRecord = { ...device, channel: 'log', receivedAt: realClock.now(), marks: {}, payload };
  store.journal.append(record, waiter);
}
const waiter = {
  onCommitted(error: Error | null): void {
    if (error) {
      refused++;
      setTimeout(next, 5);
      return;
    }
    acknowledged++;
    next();
  },
};
const say = () => {
  const { user, system } = process.cpuUsage();
  const said: StoreLoadSaid = { acknowledged, refused, cpuSeconds: (user + system) / 1e6 };
  process.stdout.write(`${JSON.stringify(said)}\n`);
};

process.stdout.write('ready\n');
let lines = 0;
for await (const _ of createInterface({ input: process.stdin })) {
  lines++;
  if (lines === 1) {
    isOn = true;
    for (let one = 0; one < load.window; one++) next();
  } else if (lines === 3) isOn = false;
  else if (lines === 4) await store.catchUp();
  say();
}
process.exit(0);
