import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { defaultActions } from '../src/platform/actions.ts';
import { addDays } from '../src/runtime/calendar-date.ts';
import { silentLog } from '../src/runtime/log.ts';
import { realClock } from '../src/runtime/real-world.ts';
import { dayOf } from '../src/runtime/wall-time.ts';
import { type Device, type IncomingRecord, openStore, type SiteData, type Store } from '../src/store/index.ts';
import { root } from './machine.ts';
import { logRecord } from './packets.ts';
import { product, startBox } from './servers.ts';
import { fillSite, shape as siteShape } from './site-store.ts';

/**
 * The store of a busy site after 90 days, made by the store's own code: one row in four is a
 * check-in of one of 2000 people, the others are logs of 200 B, of 200 devices, spread evenly over
 * the days. The last 7 days are still in the journal, in commits of ten records. Made once and kept
 * below node_modules/.cache.
 */
export const mixture =
  'a quarter check-ins, the rest log records of 200 B, over 90 days, the last 7 of them in the journal too';

export const caller = { app_key: 'bench-payroll', app_secret: 'bench-secret' };
const cache = join(root, 'node_modules', '.cache', 'gatehouse-bench');
const day = 24 * 3600 * 1000;
/**
 * Each shape has a store of its own: `version` goes up when the code below changes what it makes.
 */
const shape = {
  version: 1,
  days: 90,
  segmentDays: 7,
  people: 2000,
  departments: 40,
  devices: 200,
  /**
   * Records of a commit. Old rows are written in large ones, since retention has removed them from
   * the journal; the rest in small ones, like those of a quiet site.
   */
  commitRecords: { old: 10_000, kept: 10 },
} as const;
export const { days, devices } = shape;
const { segmentDays, people, departments, commitRecords } = shape;
const retireEvery = 200_000;
/** Of the site, which the store is filled for and the box is started with. */
const timeZone = 'Asia/Shanghai';
const statementsWithinMs = 20 * 60 * 1000;

export interface DataFolder extends AsyncDisposable {
  readonly dataDir: string;
}

/**
 * A folder of its own on the disk of the cache: empty, or with a copy of the store of so many rows.
 */
export const dataFolder = (rows: number, note: (line: string) => void): Promise<DataFolder> =>
  copyOf(() => (rows > 0 ? storeOf(rows, note) : null));

/** A folder with a copy of the store of `site-store.ts`. */
export const siteFolder = (note: (line: string) => void): Promise<DataFolder> =>
  copyOf(async () => {
    const folder = join(cache, `site-${siteShape.version}-${recipe()}`);
    if (!existsSync(folder)) await make(folder, fillSite, note);
    await makeStatements(folder, note);
    return folder;
  });

async function copyOf(made: () => Promise<string> | null): Promise<DataFolder> {
  await sweep();
  const folder = join(cache, `use-${process.pid}-${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { recursive: true });
  const dataDir = join(folder, 'data');
  const from = await made();
  if (from !== null) {
    const copied = spawnSync('cp', ['-a', '--reflink=auto', from, dataDir]);
    if (copied.status !== 0) throw new Error(`the store could not be copied: ${copied.stderr.toString().trim()}`);
    spawnSync('sync', ['-f', dataDir]); // else the rest of the copy would be written under the load
  }
  return { dataDir, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** Deletes what an interrupted bench left behind (gigabytes), and stores of an older shape. */
async function sweep(): Promise<void> {
  await mkdir(cache, { recursive: true });
  for (const name of await readdir(cache)) {
    const owner = /^use-(\d+)-|\.making-(\d+)$/.exec(name);
    const stale = owner ? !existsSync(`/proc/${owner[1] ?? owner[2]}`) : !name.endsWith(recipe());
    if (stale) await rm(join(cache, name), { recursive: true, force: true });
  }
}

function recipe(): string {
  const hash = createHash('sha256').update(JSON.stringify(shape));
  return hash
    .update(readFileSync(join(root, 'src/store/schema/migrations.generated.ts')))
    .digest('hex')
    .slice(0, 12);
}

/** Drops the file from the page cache: the next start reads it from the disk, as after a reboot. */
export function forget(dataDir: string): void {
  for (const name of ['gatehouse.db', 'gatehouse.db-wal'])
    spawnSync('dd', [`if=${join(dataDir, name)}`, 'iflag=nocache', 'count=0', 'status=none']);
}

async function storeOf(rows: number, note: (line: string) => void): Promise<string> {
  const folder = join(cache, `store-${rows}-${recipe()}`);
  if (!existsSync(folder)) {
    note(`  making a store of ${rows.toLocaleString('en-US')} rows, once: it takes some minutes`);
    await make(folder, dataDir => fill(dataDir, rows, note), note);
  }
  await makeStatements(folder, note);
  return folder;
}

async function make(
  folder: string,
  fillWith: (dataDir: string) => Promise<void>,
  note: (line: string) => void,
): Promise<void> {
  note('  the store is made once, and kept');
  const making = `${folder}.making-${process.pid}`;
  await mkdir(making, { recursive: true });
  try {
    await fillWith(making);
    // Its certificates too: the rows do not measure what the first start makes.
    await (await startBox({ dataDir: making, endBy: 'SIGTERM' }))[Symbol.asyncDispose]();
    await rename(making, folder);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/**
 * A box that was off makes the statements of the days that it missed, soon after its start: work of
 * seconds, which would run beside the load. These rows measure a box that was on.
 */
async function makeStatements(dataDir: string, note: (line: string) => void): Promise<void> {
  const yesterday = addDays(dayOf(Date.now(), timeZone).day, -1);
  const areMade = () => existsSync(join(dataDir, 'statements', `${yesterday}.ndjson`));
  if (areMade()) return;
  note('  the statements of the days before are made first');
  await using _box = await startBox({ dataDir, endBy: 'SIGTERM' });
  const begun = performance.now();
  while (!areMade()) {
    if (performance.now() - begun > statementsWithinMs) throw new Error(`no statement of ${yesterday} was made`);
    await wait(200);
  }
}

const serial = (number: number) => `B${String(number).padStart(5, '0')}`;

const site: SiteData = {
  products: [{ ...product, access: 'both' }],
  devices: Array.from({ length: devices }, (_, index) => ({
    device_id: `${product.product_id}_${serial(index + 1)}`,
    name: `Terminal ${index + 1}`,
  })),
  attendance_callers: [{ ...caller, name: 'Payroll' }],
  departments: Array.from({ length: departments }, (_, index) => ({ ext_id: `d${index}`, name: `Shop ${index}` })),
  employees: Array.from({ length: people }, (_, index) => ({
    ext_id: `e${index}`,
    name: `员工 ${index}`,
    mobile: '13800000000',
    employee_num: String(index).padStart(6, '0'),
    department: { ext_id: `d${index % departments}`, title: 'Fitter' },
  })),
};

async function fill(dataDir: string, rows: number, note: (line: string) => void): Promise<void> {
  const now = Date.now();
  const begun = now - days * day;
  await using store = await openStore({
    dataDir,
    environment: 'test',
    timeZone,
    actions: defaultActions,
    upstream: false,
    clock: realClock,
    log: silentLog,
  });
  await store.write.applySite({ site, prune: false, dryRun: false, at: begun });
  await store.write.initCheckIns({ at: begun });
  const terminals = [...store.directory.devices()].filter(({ productId }) => productId === product.product_id);
  // As after the first day: no device has to get all the people when the load connects.
  for (const { deviceNo } of terminals)
    await store.write.personsSent({ deviceNo, fromNo: 0, toNo: people, at: begun, delivery: 'handed over' });
  let retiredAt = 0;
  for (let done = 0; done < rows; ) {
    const at = begun + Math.floor((done / rows) * days * day);
    const step = Math.min(at > now - segmentDays * day ? commitRecords.kept : commitRecords.old, rows - done);
    await commit(store, step, index => {
      const number = done + index;
      const receivedAt = begun + Math.floor((number / rows) * days * day);
      return recordOf(number, receivedAt, terminals[Math.floor(number / 4) % terminals.length]!);
    });
    done += step;
    if (done - retiredAt < retireEvery && done < rows) continue;
    retiredAt = done;
    await store.catchUp();
    while ((await store.write.retire({ now: at })).segments > 0);
    note(`  ${done.toLocaleString('en-US')} rows`);
  }
}

/** One commit of the journal; resolves when it is on disk. */
const commit = (store: Store, count: number, make: (index: number) => IncomingRecord): Promise<void> =>
  new Promise((resolve, reject) => {
    for (let index = 0; index < count; index++)
      store.journal.append(make(index), {
        onCommitted: error => {
          if (error) reject(error);
          else if (index === count - 1) resolve();
        },
      });
  });

const { payload: line, numberAt } = logRecord(200);

function recordOf(number: number, receivedAt: number, terminal: Device): IncomingRecord {
  const { deviceNo, deviceId } = terminal;
  const common = { deviceNo, receivedAt, marks: {} };
  if (number % 4 !== 0) {
    line.write(String(number).padStart(10, '0'), numberAt);
    const sn = deviceId.slice(deviceId.indexOf('_') + 1);
    return { ...common, channel: 'log', logPath: `${product.model}/${sn}`, payload: line };
  }
  const time = Math.floor(receivedAt / 1000);
  const extId = `e${((number / 4) * 7919) % people}`;
  const record = { id: String(number), ext_id: extId, check_type: 'fa', check_time: time };
  const data = { records: [{ ...record, check_data: { cmd: 'in' } }] };
  const envelope = {
    mid: `m${number}`,
    from: deviceId,
    to: 'system',
    time,
    action: defaultActions.checkin_report,
    data,
  };
  return { ...common, channel: 'device', logPath: '', payload: Buffer.from(JSON.stringify(envelope)) };
}
