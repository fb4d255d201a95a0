import { defaultActions } from '../src/platform/actions.ts';
import { addDays, weekdayOf } from '../src/runtime/calendar-date.ts';
import { silentLog } from '../src/runtime/log.ts';
import { realClock } from '../src/runtime/real-world.ts';
import { wallTime } from '../src/runtime/wall-time.ts';
import { type DeviceNo, type IncomingRecord, openStore, type SiteData, type Store } from '../src/store/index.ts';
import { product } from './servers.ts';

/**
 * A site whose people come and go on each weekday of three months, in messages of `perMessage`
 * check-ins.
 */
export const shape = { version: 1, people: 5000, departments: 100, devices: 20, days: 91, perMessage: 50 } as const;
const { people, departments, devices, days, perMessage } = shape;
const dayMs = 24 * 3600 * 1000;
const timeZone = 'Asia/Shanghai';
/** Check-ins of a weekday, by the clock of the site. */
const shifts = [
  { hour: 8, within: 75 * 60 },
  { hour: 17, within: 120 * 60 },
];
const messagesAtOnce = 20;

export const deviceIds: readonly string[] = Array.from(
  { length: devices },
  (_, index) => `${product.product_id}_S${String(index + 1).padStart(4, '0')}`,
);

export const site: SiteData = {
  products: [{ ...product, access: 'both' }],
  devices: deviceIds.map((device_id, index) => ({ device_id, name: `Terminal ${index + 1}` })),
  departments: Array.from({ length: departments }, (_, index) => ({ ext_id: `d${index}`, name: `Shop ${index}` })),
  employees: Array.from({ length: people }, (_, index) => ({
    ext_id: `e${index}`,
    name: `员工 ${index}`,
    mobile: '13800000000',
    employee_num: String(index).padStart(6, '0'),
    department: { ext_id: `d${index % departments}`, title: 'Fitter' },
  })),
  shifts: [{ code: 'day', name: 'Day', times: ['09:00-18:00'] }],
  schedules: [{ who: 'site', shift: 'day', from: '2020-01-01' }],
};

export const openBare = (dataDir: string): Promise<Store> =>
  openStore({
    dataDir,
    environment: 'test',
    timeZone,
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

interface Report {
  readonly deviceId: string;
  /** In seconds. */
  readonly time: number;
  readonly payload: Buffer;
}

/** What the devices report, from the first day on: of all days but today. */
export function* reports(): Generator<Report> {
  const { dateOf, instant } = wallTime(timeZone);
  const today = dateOf(Date.now() / 1000);
  const workdays = Array.from({ length: days }, (_, index) => addDays(today, index - days)).filter(
    date => weekdayOf(date) < 6,
  );
  let number = 0;
  for (const date of workdays)
    for (const { hour, within } of shifts) {
      const begun = instant(date, hour * 60);
      for (let first = 0; first < people; first += perMessage, number++) {
        const deviceId = deviceIds[number % devices]!;
        const time = begun + Math.floor((first / people) * within);
        yield { deviceId, time, payload: messageOf(deviceId, { number, first, time }) };
      }
    }
}

/** The same as records of the journal, with `count` check-ins at most; absent: all. */
export function checkInMessages(store: Store, count = Number.POSITIVE_INFINITY): IncomingRecord[] {
  const numbers = new Map<string, DeviceNo>(
    [...store.directory.devices()].map(({ deviceId, deviceNo }) => [deviceId, deviceNo]),
  );
  const messages: IncomingRecord[] = [];
  for (const { deviceId, time, payload } of reports()) {
    if (messages.length * perMessage >= count) break;
    messages.push({
      ...{ deviceNo: numbers.get(deviceId)!, receivedAt: (time + perMessage) * 1000 },
      ...{ channel: 'device', logPath: '', marks: {}, payload },
    });
  }
  return messages;
}

/** Appends them to the journal; resolves when they are on disk. */
export async function append(store: Store, messages: readonly IncomingRecord[]): Promise<void> {
  for (let done = 0; done < messages.length; done += messagesAtOnce)
    await committed(store, messages.slice(done, done + messagesAtOnce));
}

function messageOf(from: string, { number, first, time }: { number: number; first: number; time: number }): Buffer {
  const records = Array.from({ length: perMessage }, (_, index) => {
    const person = ((first + index) * 7919) % people;
    const id = number * perMessage + index;
    return {
      ...{ id: String(id), ext_id: `e${person}`, check_type: 'fa' },
      ...{ check_time: time + index, check_data: { cmd: 'in' } },
    };
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

/** Fills an empty data directory with all check-ins of the site. */
export async function fillSite(dataDir: string): Promise<void> {
  await using store = await openSite(dataDir);
  await append(store, checkInMessages(store));
  await store.catchUp();
}
