import { and, asc, count, desc, eq, gte, isNotNull, isNull, or } from 'drizzle-orm';
import type { DeviceReads } from '../port/devices.ts';
import type { Seq } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { device, event, inbox, lastSeen } from '../schema/index.ts';

const eventsLookedAt = 50;

/**
 * What people ask about devices. Each statement reads by an index, and no more rows than it
 * answers.
 */
export function deviceReads({ sql, orm }: Connection): Omit<DeviceReads, 'lastLogs' | 'parkedPage'> {
  return {
    async cameOnce(deviceNos) {
      const find = sql('SELECT 1 FROM event WHERE device_no = ? LIMIT 1');
      return new Set(deviceNos.filter(deviceNo => find.get(deviceNo) !== undefined));
    },

    async lastAddresses() {
      const rows = orm
        .select({ deviceNo: device.deviceNo, address: device.lastAddress })
        .from(device)
        .where(isNotNull(device.lastAddress))
        .all();
      return new Map(rows.map(({ deviceNo, address }) => [deviceNo, address!]));
    },

    async newDevicesSince(since) {
      const cameHere = or(isNull(device.belongsTo), eq(device.belongsTo, 'here'));
      return orm
        .select({ productId: device.productId, at: device.firstSeenAt })
        .from(device)
        .where(and(eq(device.listed, false), gte(device.firstSeenAt, since), cameHere))
        .orderBy(asc(device.firstSeenAt))
        .all();
    },

    async seen(deviceNo) {
      const { receivedAt: at, clockSkewSeconds } = lastSeen;
      return orm.select({ at, clockSkewSeconds }).from(lastSeen).where(eq(lastSeen.deviceNo, deviceNo)).get() ?? null;
    },

    async lastConnected(deviceNo) {
      const { at, kind } = event;
      const own = orm.select({ at, kind }).from(event).where(eq(event.deviceNo, deviceNo));
      const rows = own.orderBy(desc(event.id)).limit(eventsLookedAt).all();
      return rows.find(row => row.kind === 'connected')?.at ?? null;
    },

    async inboxCount(deviceNo) {
      return orm.select({ count: count() }).from(inbox).where(eq(inbox.deviceNo, deviceNo)).get()!.count;
    },

    async seqBefore(at) {
      const ends = sql(
        'SELECT (SELECT min(first_seq) FROM segment) AS low, (SELECT max(first_seq) FROM segment) AS high',
      ).get() as {
        low: number | null;
        high: number | null;
      };
      if (ends.low === null || ends.high === null) return 0 as Seq;
      const next = sql(
        'SELECT first_seq, count, received_from FROM segment WHERE first_seq >= ? ORDER BY first_seq LIMIT 1',
      );
      let before = ends.low - 1;
      let within = ends.high + 1;
      while (within > before + 1) {
        const middle = Math.floor((before + within) / 2);
        const row = next.get(middle) as { first_seq: number; count: number; received_from: number } | undefined;
        if (!row || row.first_seq >= within || row.received_from >= at) within = middle;
        else before = row.first_seq + row.count - 1;
      }
      return before as Seq;
    },
  };
}
