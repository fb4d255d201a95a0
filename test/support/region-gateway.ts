import { silentLog } from '../../src/runtime/log.ts';
import { aGateway, type Gateway } from './gateway.ts';
import { openedPostgresStore } from './postgres-store.ts';
import type { TemporaryStore } from './store.ts';

/** The gateway of one process of a region. */
export async function aRegionGateway(url: string, change: Parameters<typeof aGateway>[0] = {}): Promise<Gateway> {
  const store = await openedPostgresStore(url, { log: silentLog });
  const opened = { store, dataDir: '/nowhere', [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
  const gateway = await aGateway({ ...change, opened: opened as unknown as TemporaryStore });
  return {
    ...gateway,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}
