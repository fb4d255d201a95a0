import { asc, desc, eq } from 'drizzle-orm';
import type { ProvisioningReads } from '../port/provisioning.ts';
import type { Connection } from '../schema/database.ts';
import { devicePeer, deviceSetup, networkSetup } from '../schema/index.ts';
import { type Params, query } from '../schema/query.ts';
import { openOptional, places } from './rows.ts';

/** Reads about how the box and its devices joined their networks. */
export function provisioningReads({ orm, seal }: Connection): ProvisioningReads {
  const own = query(() => orm.select().from(networkSetup).where(eq(networkSetup.id, 1)));
  const lastFirst = [desc(deviceSetup.at), asc(deviceSetup.deviceId)];
  const setups = query((value: Params<{ limit: number }>) =>
    orm
      .select()
      .from(deviceSetup)
      .orderBy(...lastFirst)
      .limit(value.limit),
  );
  const setupOf = query((value: Params<{ deviceId: string }>) =>
    orm.select().from(deviceSetup).where(eq(deviceSetup.deviceId, value.deviceId)),
  );
  const peerOf = query((value: Params<{ model: string }>) =>
    orm.select().from(devicePeer).where(eq(devicePeer.model, value.model)),
  );

  return {
    async networkSetup() {
      const row = own.get();
      if (!row) return null;
      const { state, changedAt, ssid, lastStatus: status, lastAt: at } = row;
      const last =
        status === null || at === null
          ? null
          : { status, error: row.lastError, message: row.lastMessage ?? '', ssid: row.lastSsid ?? '', at };
      return { state, changedAt, ssid, last };
    },

    async hotspotKey() {
      return openOptional(seal, own.get()?.sealedHotspotKey ?? null, places.hotspotKey);
    },

    async deviceSetups(limit) {
      return setups.all({ limit });
    },

    async deviceSetup(deviceId) {
      return setupOf.get({ deviceId }) ?? null;
    },

    async devicePeer(model) {
      return peerOf.get({ model }) ?? null;
    },
  };
}
