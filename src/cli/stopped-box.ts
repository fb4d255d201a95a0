import { fullStrength } from '../accounts/index.ts';
import { type AdminIdentity, adminRoutes, byCommand, stoppedAdmin } from '../admin/index.ts';
import { type BoxClient, clientOver } from '../admin-client/index.ts';
import type { Config, LastConfig } from '../config/index.ts';
import { becomeOwner } from '../runtime/become-owner.ts';
import { silentLog } from '../runtime/log.ts';
import { realClock } from '../runtime/real-world.ts';
import { openStore, openStoreForReading, type Store } from '../store/index.ts';
import { type Call, CommandFailed } from './command.ts';
import { configInForce } from './config-of.ts';

/**
 * The administration of a box that is not running, on its store. Until it is disposed of, root is
 * the owner of the data directory.
 */
export async function stoppedBox(call: Call, dataDir: string): Promise<BoxClient> {
  // Before the change of user: the config may be for root alone.
  const inForce = configInForce(call);
  refuseRegion(inForce, dataDir);
  await using opening = new AsyncDisposableStack();
  opening.use(becomeOwner(dataDir));
  const store = await openStoreForReading({ dataDir });
  const admin = stoppedAdmin({
    store,
    own: () => openOwn(inForce, dataDir, store.environment),
    clock: realClock,
    hashStrength: fullStrength,
    site: { name: '', timezone: inForce.timezone, locale: inForce.naming.locale },
    dataDir,
    isAlone: !inForce.upstream,
    naming: () => inForce.naming,
  });
  opening.use(admin);
  const opened = opening.move();
  let failed: unknown;
  const onError = (error: unknown) => {
    failed = error;
  };
  const app = adminRoutes(admin, { ...byItsOwner, onError });
  return clientOver(
    async ({ method, path, body, signal }) => {
      failed = undefined;
      const answer = await app.request(path, {
        method,
        ...(signal && { signal }),
        ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      if (!answer.ok) throw failed;
      return {
        headers: Object.fromEntries(answer.headers),
        json: () => answer.json(),
        async *pieces() {
          yield* answer.body!;
          if (failed) throw failed;
        },
      };
    },
    () => opened.disposeAsync(),
  );
}

/**
 * A process that may open the store is an admin, and writes no audit log of a box that does not
 * run.
 */
const byItsOwner: AdminIdentity = {
  callerOf: async () => ({ ok: true, caller: byCommand.caller }),
  // An export levels the tables itself, if it has to.
  tablesHoldAll: async () => 0,
  audit: async () => {},
  auditRead: async () => {},
};

/**
 * Opens the store of a stopped box for writing, or makes one (`apply` before the first start). Uses
 * the named config or, if none is named, the config with which the box last ran. The caller has
 * become the owner of the data directory.
 */
export async function ownStore(call: Call, dataDir: string): Promise<Store> {
  const inForce = configInForce(call);
  refuseRegion(inForce, dataDir);
  return openOwn(inForce, dataDir);
}

function openOwn(inForce: LastConfig, dataDir: string, environment?: string): Promise<Store> {
  const { timezone: timeZone, actions, upstream, ...option } = inForce;
  return openStore({
    dataDir,
    environment: (environment as Config['environment'] | undefined) ?? option.environment,
    timeZone,
    actions,
    upstream,
    clock: realClock,
    log: silentLog,
  });
}

/** Its store is no file here: one that a command made would be for nobody. */
function refuseRegion({ engine }: LastConfig, dataDir: string): void {
  if (engine === 'postgres')
    throw new CommandFailed(
      `${dataDir}: this process of a region is stopped, and its store is a database: start it, then repeat the command`,
    );
}
