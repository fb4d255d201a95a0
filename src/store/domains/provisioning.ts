import { asc, desc, eq } from 'drizzle-orm';
import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { PasswordForm } from '../../platform/wifi-password.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { GivenReason } from '../../words/sentences.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { type Params, query } from '../schema/query.ts';

/** How the box itself joined its network: one row. */
export const networkSetup = sqliteTable('network_setup', {
  id: integer().primaryKey(),
  /**
   * `new`, `done`, or `reset`: what NetworkManager still knows of the last network is to be
   * forgotten.
   */
  state: text().$type<'new' | 'done' | 'reset'>().notNull(),
  changedAt: integer('changed_at').notNull(),
  /** The network that it is in; empty: none by wifi. */
  ssid: text().notNull(),
  sealedHotspotKey: blob('sealed_hotspot_key', { mode: 'buffer' }),
  /** The last attempt, in the codes of SPEC 3.4 and 7.6; null: there was none. */
  lastStatus: integer('last_status'),
  lastError: integer('last_error'),
  lastWhy: text('last_says', { mode: 'json' }).$type<GivenReason>(),
  lastSsid: text('last_ssid'),
  lastAt: integer('last_at'),
});

/** The last result that a site device announced of its configuration (SPEC 4.5). */
export const deviceSetup = sqliteTable(
  'device_setup',
  {
    /** Upper case. */
    deviceId: text('device_id').primaryKey(),
    model: text().notNull(),
    status: integer().notNull(),
    error: integer(),
    message: text().notNull(),
    mac: text().notNull(),
    address: text().notNull(),
    mask: text().notNull(),
    gateway: text().notNull(),
    via: text().$type<'udp' | 'bluetooth' | 'hotspot'>().notNull(),
    at: integer().notNull(),
  },
  table => [index('device_setup_by_at').on(table.at)],
);

/** How devices of a model are reached over Bluetooth, as found out the last time. */
export const devicePeer = sqliteTable('device_peer', {
  model: text().primaryKey(),
  service: text().notNull(),
  write: text().notNull(),
  notify: text().notNull(),
  /** The reading of SPEC 5.4 that its devices understand. */
  passwordForm: text('password_form').$type<PasswordForm>().notNull(),
});

/** How the box itself joined its network. */
export interface NetworkSetup extends Readonly<Pick<typeof networkSetup.$inferSelect, 'state' | 'changedAt' | 'ssid'>> {
  readonly last: SetupAttempt | null;
}

export interface SetupAttempt {
  /** SPEC 3.4. */
  readonly status: number;
  /** SPEC 7.6; null with status 0. */
  readonly error: number | null;
  /** Outcome for people. */
  readonly why: GivenReason;
  readonly ssid: string;
  readonly at: UnixMs;
}

export type DeviceSetup = Readonly<typeof deviceSetup.$inferSelect>;
export type DevicePeer = Readonly<typeof devicePeer.$inferSelect>;

/** How the box and its devices joined their networks. */
export type ProvisioningStore = PartOf<typeof provisioning>;

const deviceSetupsMax = 2000;
const placeOfHotspotKey = 'network_setup.hotspot_key';

export const provisioning = {
  reads({ connection: { orm, seal } }: Reading) {
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
      /** Null before the first start. */
      async networkSetup(): Promise<NetworkSetup | null> {
        const row = own.get();
        if (!row) return null;
        const { state, changedAt, ssid, lastStatus: status, lastAt: at } = row;
        const last =
          status === null || at === null
            ? null
            : { status, error: row.lastError, why: row.lastWhy ?? { reason: '' }, ssid: row.lastSsid ?? '', at };
        return { state, changedAt, ssid, last };
      },

      async hotspotKey(): Promise<string | null> {
        const sealed = own.get()?.sealedHotspotKey ?? null;
        return sealed && seal.openText(sealed, placeOfHotspotKey);
      },

      /** The most recent first. */
      deviceSetups: async (limit: number): Promise<DeviceSetup[]> => setups.all({ limit }),

      deviceSetup: async (deviceId: string): Promise<DeviceSetup | null> => setupOf.get({ deviceId }) ?? null,

      devicePeer: async (model: string): Promise<DevicePeer | null> => peerOf.get({ model }) ?? null,
    };
  },

  writes: {
    noteNetworkSetup({ sql }: OperationContext, { state, changedAt, ssid }: Omit<NetworkSetup, 'last'>): void {
      sql(
        `INSERT INTO network_setup (id, state, changed_at, ssid) VALUES (1, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at, ssid = excluded.ssid`,
      ).run(state, changedAt, ssid);
    },

    noteSetupAttempt({ sql }: OperationContext, { status, error, why, ssid, at }: SetupAttempt): void {
      sql(
        `INSERT INTO network_setup (id, state, changed_at, ssid, last_status, last_error, last_says, last_ssid, last_at)
           VALUES (1, 'new', ?5, '', ?1, ?2, ?3, ?4, ?5)
           ON CONFLICT (id) DO UPDATE SET last_status = ?1, last_error = ?2, last_says = ?3, last_ssid = ?4, last_at = ?5`,
      ).run(status, error, JSON.stringify(why), ssid, at);
    },

    keepHotspotKey({ sql, seal }: OperationContext, { key, at }: { key: string; at: UnixMs }): void {
      sql(
        `INSERT INTO network_setup (id, state, changed_at, ssid, sealed_hotspot_key) VALUES (1, 'new', ?, '', ?)
           ON CONFLICT (id) DO UPDATE SET sealed_hotspot_key = excluded.sealed_hotspot_key`,
      ).run(at, seal.sealText(key, placeOfHotspotKey));
    },

    /** Kept for at most 2000 devices: the least recent one is dropped. */
    noteDeviceSetup({ sql }: OperationContext, setup: DeviceSetup): void {
      sql(
        `INSERT INTO device_setup (device_id, model, status, error, message, mac, address, mask, gateway, via, at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (device_id) DO UPDATE SET model = excluded.model, status = excluded.status, error = excluded.error, message = excluded.message,
             mac = excluded.mac, address = excluded.address, mask = excluded.mask, gateway = excluded.gateway, via = excluded.via, at = excluded.at`,
      ).run(
        ...([setup.deviceId, setup.model, setup.status, setup.error, setup.message, setup.mac] as const),
        ...([setup.address, setup.mask, setup.gateway, setup.via, setup.at] as const),
      );
      sql(
        'DELETE FROM device_setup WHERE device_id IN (SELECT device_id FROM device_setup ORDER BY at DESC LIMIT -1 OFFSET ?)',
      ).run(deviceSetupsMax);
    },

    rememberDevicePeer({ sql }: OperationContext, peer: DevicePeer): void {
      sql(
        `INSERT INTO device_peer (model, service, write, notify, password_form) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (model) DO UPDATE SET service = excluded.service, write = excluded.write, notify = excluded.notify,
             password_form = excluded.password_form`,
      ).run(peer.model, peer.service, peer.write, peer.notify, peer.passwordForm);
    },
  },
};

export type ProvisioningReads = ReadsOf<typeof provisioning>;
export type ProvisioningWrites = WritesOf<typeof provisioning>;
