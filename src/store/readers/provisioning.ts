import type { DevicePeer, DeviceSetup, NetworkSetup, ProvisioningReads } from '../port/provisioning.ts';
import type { Connection } from '../schema/database.ts';
import { openOptional, places } from './rows.ts';

interface NetworkSetupRow {
  readonly state: NetworkSetup['state'];
  readonly changed_at: number;
  readonly ssid: string;
  readonly last_status: number | null;
  readonly last_error: number | null;
  readonly last_says: string | null;
  readonly last_ssid: string | null;
  readonly last_at: number | null;
}

const deviceSetupColumns = 'device_id AS deviceId, model, status, error, message, mac, address, mask, gateway, via, at';

/** How the box and its devices came into their networks. */
export function provisioningReads({ sql, seal }: Connection): ProvisioningReads {
  return {
    async networkSetup() {
      const row = sql('SELECT * FROM network_setup WHERE id = 1').get() as NetworkSetupRow | undefined;
      if (!row) return null;
      const { state, changed_at: changedAt, ssid, last_status: status, last_at: at } = row;
      const last =
        status === null || at === null
          ? null
          : { status, error: row.last_error, says: row.last_says ?? '', ssid: row.last_ssid ?? '', at };
      return { state, changedAt, ssid, last };
    },

    async hotspotKey() {
      const row = sql('SELECT sealed_hotspot_key AS sealed FROM network_setup WHERE id = 1').get() as
        | { sealed: Uint8Array | null }
        | undefined;
      return openOptional(seal, row?.sealed ?? null, places.hotspotKey);
    },

    async deviceSetups(limit) {
      const rows = sql(`SELECT ${deviceSetupColumns} FROM device_setup ORDER BY at DESC, device_id LIMIT ?`).all(limit);
      return rows.map(row => ({ ...row })) as unknown as DeviceSetup[];
    },

    async deviceSetup(deviceId) {
      const row = sql(`SELECT ${deviceSetupColumns} FROM device_setup WHERE device_id = ?`).get(deviceId);
      return row ? ({ ...row } as unknown as DeviceSetup) : null;
    },

    async devicePeer(model) {
      const row = sql(
        'SELECT model, service, write, notify, password_form AS passwordForm FROM device_peer WHERE model = ?',
      ).get(model);
      return row ? ({ ...row } as unknown as DevicePeer) : null;
    },
  };
}
