import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { defaultActions } from '../../src/platform/actions.ts';
import { type DeviceId, parseDeviceId } from '../../src/platform/device-id.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import {
  type DeviceWrites,
  type IncomingRecord,
  type JournalStore,
  openStore,
  type SiteData,
  type SiteWrites,
  type Store,
  type StoreError,
  type StoreOptions,
  type WritePart,
} from '../../src/store/index.ts';
import { layEmptyStore } from './empty-store.ts';

export interface TemporaryStore extends AsyncDisposable {
  store: Store;
  readonly dataDir: string;
  readonly options: StoreOptions;
  /** Closes it and opens it again on the same directory. */
  reopen(change?: Partial<StoreOptions>): Promise<Store>;
}

/** A real store, empty, on a temporary directory; on `dataDir` as it is there, where one is given. */
export async function aStore(change: Partial<StoreOptions> = {}): Promise<TemporaryStore> {
  const dataDir = change.dataDir ?? (await mkdtemp(join(tmpdir(), 'gatehouse-store-')));
  if (change.dataDir === undefined && change.url === undefined) layEmptyStore(dataDir);
  const options: StoreOptions = {
    dataDir,
    environment: 'test',
    timeZone: 'Asia/Shanghai',
    actions: defaultActions,
    upstream: true,
    // Those of the box rest for a minute: most tests look without being asked through the APIs.
    tablesRestMs: 1000,
    clock: realClock,
    log: silentLog,
    ...change,
  };
  const opened: TemporaryStore = {
    store: await openStore(options),
    dataDir,
    options,
    async reopen(again) {
      await this.store[Symbol.asyncDispose]();
      this.store = await openStore({ ...options, ...again });
      return this.store;
    },
    async [Symbol.asyncDispose]() {
      await this.store[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return opened;
}

export const aProduct = (change: Record<string, unknown> = {}) => ({
  product_id: 'FACE-T1',
  product_key: 's3cret-of-the-product',
  name: 'Face terminal',
  model: 'FT1',
  access: 'both' as const,
  ...change,
});

/** Throws where nothing of the site was written. */
export async function applied(
  store: WritePart<SiteWrites>,
  site: SiteData,
  { prune = false, dryRun = false }: { prune?: boolean; dryRun?: boolean } = {},
) {
  const changes = await store.write.applySite({ site, prune, dryRun, at: 1_763_600_000_000 });
  if (changes === 'last_admin' || 'notYet' in changes) throw new Error(JSON.stringify(changes));
  return changes;
}

export function deviceId(text: string): DeviceId {
  const parsed = parseDeviceId(text);
  if (!parsed.ok) throw new Error(parsed.refusal.detail);
  return parsed.value;
}

export const registered = (store: WritePart<DeviceWrites>, id = 'FACE-T1_A0001') =>
  store.write.registerDevice({ deviceId: deviceId(id), at: 1_763_600_000_000 });

/** Resolves when the record is committed. */
export const append = (store: JournalStore, record: IncomingRecord): Promise<void> =>
  new Promise((resolve, reject) =>
    store.journal.append(record, { onCommitted: (error: StoreError | null) => (error ? reject(error) : resolve()) }),
  );

/** Acts on a store's file with a connection of its own, beside the one that the store has. */
export function inDatabase<T>({ dataDir }: Pick<TemporaryStore, 'dataDir'>, act: (database: DatabaseSync) => T): T {
  using database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { timeout: 5000 });
  return act(database);
}
