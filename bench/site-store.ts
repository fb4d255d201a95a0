import { defaultActions } from '../src/platform/actions.ts';
import { silentLog } from '../src/runtime/log.ts';
import { realClock } from '../src/runtime/real-world.ts';
import { type IncomingRecord, openStore, type SiteData, type Store } from '../src/store/index.ts';
import { product } from './servers.ts';

/** A site whose people check in four times a day, in messages of `perMessage` check-ins. */
export const shape = { people: 5000, departments: 100, devices: 20, days: 91, perMessage: 50 } as const;
const { people, departments, devices, days, perMessage } = shape;
const dayMs = 24 * 3600 * 1000;
const messagesAtOnce = 20;

const site: SiteData = {
  products: [{ ...product, access: 'both' }],
  devices: Array.from({ length: devices }, (_, index) => ({
    device_id: `${product.product_id}_S${String(index + 1).padStart(4, '0')}`,
    name: `Terminal ${index + 1}`,
  })),
  departments: Array.from({ length: departments }, (_, index) => ({ ext_id: `d${index}`, name: `Shop ${index}` })),
  employees: Array.from({ length: people }, (_, index) => ({
    ext_id: `e${index}`,
    name: `员工 ${index}`,
    mobile: '13800000000',
    employee_num: String(index).padStart(6, '0'),
    department: { ext_id: `d${index % departments}`, title: 'Fitter' },
  })),
};

export const openBare = (dataDir: string): Promise<Store> =>
  openStore({
    dataDir,
    environment: 'test',
    timeZone: 'Asia/Shanghai',
    actions: defaultActions,
    upstream: false,
    clock: realClock,
    log: silentLog,
  });

/** A store with the site's organization, and no check-in yet. */
export async function openSite(dataDir: string): Promise<Store> {
  const store = await openBare(dataDir);
  const at = Date.now() - days * dayMs;
  await store.write.applySite({ site, prune: false, dryRun: false, at });
  await store.write.initCheckIns({ at });
  return store;
}

/** Messages with `count` check-ins, spread over the days, as the devices of the site send them. */
export function checkInMessages(store: Store, count: number): IncomingRecord[] {
  const begun = Date.now() - days * dayMs;
  const terminals = [...store.directory.devices()].filter(({ productId }) => productId === product.product_id);
  const messages = Math.ceil(count / perMessage);
  return Array.from({ length: messages }, (_, number) => {
    const receivedAt = begun + Math.floor((number / messages) * days * dayMs);
    const { deviceNo, deviceId } = terminals[number % terminals.length]!;
    const payload = messageOf(deviceId, { number, receivedAt });
    return { deviceNo, receivedAt, channel: 'device', logPath: '', marks: {}, payload };
  });
}

/** Appends them to the journal; resolves when they are on disk. */
export async function append(store: Store, messages: readonly IncomingRecord[]): Promise<void> {
  for (let done = 0; done < messages.length; done += messagesAtOnce)
    await committed(store, messages.slice(done, done + messagesAtOnce));
}

function messageOf(from: string, { number, receivedAt }: { number: number; receivedAt: number }): Buffer {
  const time = Math.floor(receivedAt / 1000);
  const records = Array.from({ length: perMessage }, (_, index) => {
    const id = number * perMessage + index;
    const person = (id * 7919) % people;
    const check_time = time - perMessage + index;
    return { id: String(id), ext_id: `e${person}`, check_type: 'fa', check_time, check_data: { cmd: 'in' } };
  });
  const envelope = { mid: `m${number}`, from, to: 'system', time, action: defaultActions.checkin_report };
  return Buffer.from(JSON.stringify({ ...envelope, data: { records } }));
}

const committed = (store: Store, records: readonly IncomingRecord[]): Promise<void> =>
  new Promise((resolve, reject) => {
    for (const [index, record] of records.entries())
      store.journal.append(record, {
        onCommitted: error => {
          if (error) reject(error);
          else if (index === records.length - 1) resolve();
        },
      });
  });
