import { asc, desc, eq } from 'drizzle-orm';
import type { ProvisioningReads } from '../port/provisioning.ts';
import type { Connection } from '../schema/database.ts';
import { devicePeer, deviceSetup, networkSetup } from '../schema/index.ts';
import { openOptional, places } from './rows.ts';

/** How the box and its devices came into their networks. */
export function provisioningReads({ orm, seal }: Connection): ProvisioningReads {
  const own = () => orm.select().from(networkSetup).where(eq(networkSetup.id, 1)).get();

  return {
    async networkSetup() {
      const row = own();
      if (!row) return null;
      const { state, changedAt, ssid, lastStatus: status, lastAt: at } = row;
      const last =
        status === null || at === null
          ? null
          : { status, error: row.lastError, message: row.lastMessage ?? '', ssid: row.lastSsid ?? '', at };
      return { state, changedAt, ssid, last };
    },

    async hotspotKey() {
      return openOptional(seal, own()?.sealedHotspotKey ?? null, places.hotspotKey);
    },

    async deviceSetups(limit) {
      const lastFirst = [desc(deviceSetup.at), asc(deviceSetup.deviceId)];
      return orm
        .select()
        .from(deviceSetup)
        .orderBy(...lastFirst)
        .limit(limit)
        .all();
    },

    async deviceSetup(deviceId) {
      return orm.select().from(deviceSetup).where(eq(deviceSetup.deviceId, deviceId)).get() ?? null;
    },

    async devicePeer(model) {
      return orm.select().from(devicePeer).where(eq(devicePeer.model, model)).get() ?? null;
    },
  };
}
