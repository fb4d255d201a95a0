import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { DevicePeer, DeviceSetup, NetworkSetup } from '../port/provisioning.ts';

/** How the box itself joined its network: one row. */
export const networkSetup = sqliteTable('network_setup', {
  id: integer().primaryKey(),
  /**
   * `new`, `done`, or `reset`: what NetworkManager still knows of the last network is to be
   * forgotten.
   */
  state: text().$type<NetworkSetup['state']>().notNull(),
  changedAt: integer('changed_at').notNull(),
  ssid: text().notNull(),
  sealedHotspotKey: blob('sealed_hotspot_key', { mode: 'buffer' }),
  /** The last attempt, in the codes of SPEC 3.4 and 7.6; null: there was none. */
  lastStatus: integer('last_status'),
  lastError: integer('last_error'),
  lastMessage: text('last_says'),
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
    /** `udp`, `bluetooth` or `hotspot`. */
    via: text().$type<DeviceSetup['via']>().notNull(),
    at: integer().notNull(),
  },
  table => [index('device_setup_by_at').on(table.at)],
);

/** Findings about a model when a device of it was last configured. */
export const devicePeer = sqliteTable('device_peer', {
  model: text().primaryKey(),
  service: text().notNull(),
  write: text().notNull(),
  notify: text().notNull(),
  /** `fold` or `repeat`: the reading of SPEC 5.4 that its devices understand. */
  passwordForm: text('password_form').$type<DevicePeer['passwordForm']>().notNull(),
});
