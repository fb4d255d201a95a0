import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultActions } from '../../src/platform/actions.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import type { Store, StoreOptions } from '../../src/store/index.ts';
import { Bridge } from '../../src/store/postgres/bridge.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import type { Postgres } from './postgres.ts';

export const postgresUrl = ({ folder, user }: Pick<Postgres, 'folder' | 'user'>, database: string): string =>
  `postgresql://${user}@/${database}?host=${encodeURIComponent(folder)}`;

/**
 * The store on PostgreSQL, as one of the processes that have it open: with a data directory of its
 * own, and the key that all of them have.
 */
export async function openedPostgresStore(
  url: string,
  { key = Buffer.alloc(32, 1), ...change }: Partial<StoreOptions> & { key?: Buffer | null } = {},
): Promise<Store> {
  await using parts = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-region-'));
  parts.defer(() => rm(dataDir, { recursive: true, force: true }));
  await mkdir(join(dataDir, 'keys'));
  if (key) await writeFile(join(dataDir, 'keys', 'seal.key'), key);
  const store = parts.use(
    await openPostgresStore({
      ...{ url, dataDir, environment: 'test', timeZone: 'Asia/Shanghai', actions: defaultActions },
      ...{ upstream: true, clock: realClock, log: silentLog, ...change },
    }),
  );
  const held = parts.move();
  return { ...store, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Brings the tables of a database to a version, as a start does; see `migratePostgres`. */
export function migrateAt(url: string, upgrade?: Parameters<typeof migratePostgres>[1]): void {
  const bridge = new Bridge(url);
  try {
    migratePostgres(bridge, upgrade);
  } finally {
    bridge.close();
  }
}

/** By server: a database with the tables of the store, which others are made from. */
const templates = new WeakMap<Postgres, string>();

/** The address of a new database with the tables of the store. */
export function aDatabase(postgres: Postgres): string {
  let template = templates.get(postgres);
  if (template === undefined) {
    template = postgres.create();
    migrateAt(postgresUrl(postgres, template));
    templates.set(postgres, template);
  }
  return postgresUrl(postgres, postgres.create(template));
}

/** A store on a database of its own. */
export async function aPostgresStore(postgres: Postgres): Promise<{ readonly store: Store } & AsyncDisposable> {
  const store = await openedPostgresStore(aDatabase(postgres));
  return { store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
