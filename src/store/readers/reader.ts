import { desc, eq, sql as expression, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { readLedger } from '../journal/ledger.ts';
import type { JournalReader } from '../journal/read.ts';
import type { DeviceEvent, InboxMessage } from '../port/gateway.ts';
import type { StoreReader } from '../port/store.ts';
import type { Connection } from '../schema/database.ts';
import { event, lastSeen, logDayCount, refusal } from '../schema/index.ts';
import { BrokenSeal } from '../schema/sealing.ts';
import { readSite } from '../site/sections.ts';
import { accessReads } from './access.ts';
import { accountReads } from './accounts.ts';
import { attendanceReads } from './attendance.ts';
import { dayReads } from './day.ts';
import { deviceReads } from './devices.ts';
import { erasureReads } from './erasures.ts';
import { forwardingReads } from './forwarding.ts';
import { logReads } from './logs.ts';
import { mirrorReads } from './mirror.ts';
import { organizationReads } from './organization.ts';
import { peopleReads } from './people.ts';
import { provisioningReads } from './provisioning.ts';
import { places } from './rows.ts';
import { serviceReads } from './services.ts';
import { staffReads } from './staff.ts';
import type { KnownDevices } from './stored-devices.ts';
import { supportReads } from './support.ts';
import { waitingReads } from './waiting.ts';

const upper = (column: SQLiteColumn): SQL => expression`upper(${column})`;

/**
 * Reads on a read-only connection. Lists are paged by key; what may have to look through many rows
 * for few does so in turns (turns.ts), or stands among those that only the reader thread runs
 * (growing.ts).
 */
export function storeReader(
  connection: Connection,
  journal: JournalReader,
  devices: KnownDevices,
  hasCloud: boolean,
): StoreReader {
  const { sql, seal, orm } = connection;

  return {
    async inbox(deviceNo, { limit, bytesMax }) {
      const messages: InboxMessage[] = [];
      let bytes = 0;
      const rows = sql('SELECT id, put_at, sealed_message FROM inbox WHERE device_no = ? ORDER BY id LIMIT ?').all(
        deviceNo,
        limit,
      ) as {
        id: number;
        put_at: number;
        sealed_message: Uint8Array;
      }[];
      for (const row of rows) {
        const payload = opened(() => seal.open(row.sealed_message, places.inbox));
        // One that is damaged reaches nobody, and must not keep the others back; it goes with its
        // day.
        if (payload === null) continue;
        bytes += payload.length;
        if (messages.length > 0 && bytes > bytesMax) break;
        messages.push({ id: row.id, deviceNo, putAt: row.put_at, payload });
      }
      return messages;
    },

    async record(seq) {
      return journal.record(seq);
    },

    async ledger(deviceNo, options) {
      return readLedger(connection, journal, deviceNo, devices.deviceByNo(deviceNo)?.forwarded, options);
    },

    async refusals({ clientId, limit = 200 } = {}) {
      const rows = orm
        .select()
        .from(refusal)
        .where(clientId === undefined ? undefined : eq(upper(refusal.clientId), clientId.toUpperCase()))
        .orderBy(desc(refusal.lastAt))
        .limit(limit)
        .all();
      return rows.map(({ lastAt, ...row }) => ({
        ...row,
        at: lastAt,
      }));
    },

    async events(deviceNo, limit) {
      const rows = orm
        .select()
        .from(event)
        .where(eq(event.deviceNo, deviceNo))
        .orderBy(desc(event.id))
        .limit(limit)
        .all();
      return rows.map(({ at, kind, detail }): DeviceEvent => ({ at, kind, detail, deviceNo }));
    },

    async logCounts(day) {
      const rows = orm.select().from(logDayCount).where(eq(logDayCount.day, day)).all();
      return new Map(rows.map(row => [row.deviceNo, row.stored]));
    },

    ...accountReads(connection),
    ...serviceReads(connection),
    ...provisioningReads(connection),
    ...staffReads(connection),
    ...waitingReads(journal, devices),
    ...forwardingReads(connection, devices),
    ...logReads(connection, devices),
    ...dayReads(connection, devices),
    ...deviceReads(connection),
    ...peopleReads(connection, devices),
    ...erasureReads(connection, journal, devices, hasCloud),
    ...accessReads(connection),
    ...supportReads(connection, devices),
    ...attendanceReads(connection, devices),
    ...organizationReads(connection),
    ...mirrorReads(connection),

    async lastSeen() {
      const rows = orm.select().from(lastSeen).all();
      return new Map(rows.map(row => [row.deviceNo, { at: row.receivedAt, clockSkewSeconds: row.clockSkewSeconds }]));
    },

    async site({ withSecrets }) {
      return readSite(connection, withSecrets);
    },

    async batchCursor(boxNo, epoch) {
      const row = sql('SELECT seq FROM batch_cursor WHERE box_no = ? AND epoch = ?').get(boxNo, epoch) as
        | { seq: number }
        | undefined;
      return row?.seq ?? 0;
    },
  };
}

/** Null for what is damaged. */
function opened<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof BrokenSeal) return null;
    throw error;
  }
}
