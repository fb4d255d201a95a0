import { and, asc, desc, eq, exists, gt, gte, isNotNull, isNull, max, min, or, sql } from 'drizzle-orm';
import type { UnixMs } from '../../runtime/clock.ts';
import { event } from '../domains/gateway/logins.ts';
import type { DeviceReads, DeviceSeen, MalformedMessages } from '../port/devices.ts';
import type { Seq } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { isReadFailure } from '../schema/engine-failures.ts';
import { device, deviceClock, lastSeen, segment } from '../schema/index.ts';
import { type Params, query } from '../schema/query.ts';
import { type ClockColumns, epochOf } from './device-clock.ts';

const eventsLookedAt = 50;
const segmentsLookedAt = 256;

const isNewestClock = sql`${deviceClock.begunAt} = (SELECT max(begun_at) FROM device_clock WHERE device_no = ${lastSeen.deviceNo})`;
const seenIn = ({ at, clock }: { at: UnixMs; clock: ClockColumns | null }): DeviceSeen => ({
  at,
  clock: clock && epochOf(clock),
});

/** Reads about devices. Each query uses an index, and reads no more rows than it returns. */
export function deviceReads({ orm }: Connection): Omit<DeviceReads, 'lastLogs' | 'parkedPage'> {
  const one = { one: sql`1` };
  const wereHere = query(() =>
    orm
      .select({ deviceNo: device.deviceNo })
      .from(device)
      .where(
        or(
          exists(orm.select(one).from(lastSeen).where(eq(lastSeen.deviceNo, device.deviceNo))),
          exists(orm.select(one).from(event).where(eq(event.deviceNo, device.deviceNo))),
        ),
      ),
  );
  const addresses = query(() =>
    orm
      .select({ deviceNo: device.deviceNo, address: device.lastAddress })
      .from(device)
      .where(isNotNull(device.lastAddress)),
  );
  const newDevices = query((value: Params<{ since: number }>) =>
    orm
      .select({ productId: device.productId, at: device.firstSeenAt })
      .from(device)
      .where(
        and(
          eq(device.listed, false),
          gte(device.firstSeenAt, value.since),
          or(isNull(device.belongsTo), eq(device.belongsTo, 'here')),
        ),
      )
      .orderBy(asc(device.firstSeenAt)),
  );
  const seen = () =>
    orm
      .select({ deviceNo: lastSeen.deviceNo, at: lastSeen.receivedAt, clock: deviceClock })
      .from(lastSeen)
      .leftJoin(deviceClock, and(eq(deviceClock.deviceNo, lastSeen.deviceNo), isNewestClock));
  const malformedOfAll = query(() =>
    orm
      .select({
        deviceNo: lastSeen.deviceNo,
        count: lastSeen.malformedCount,
        since: lastSeen.malformedSince,
        lastAt: lastSeen.malformedAt,
        lastSeq: lastSeen.malformedSeq,
        why: lastSeen.malformedWhy,
      })
      .from(lastSeen)
      .where(gt(lastSeen.malformedCount, 0)),
  );
  const seenOfAll = query(seen);
  const seenOf = query((value: Params<{ deviceNo: number }>) => seen().where(eq(lastSeen.deviceNo, value.deviceNo)));
  const lastEvents = query((value: Params<{ deviceNo: number }>) =>
    orm
      .select({ at: event.at, kind: event.kind })
      .from(event)
      .where(eq(event.deviceNo, value.deviceNo))
      .orderBy(desc(event.id))
      .limit(eventsLookedAt),
  );
  const firstSegment = query(() => orm.select({ seq: min(segment.firstSeq) }).from(segment));
  const lastSegment = query(() => orm.select({ seq: max(segment.firstSeq) }).from(segment));
  const lastReceipts = query(() =>
    orm.select({ to: segment.receivedTo }).from(segment).orderBy(desc(segment.firstSeq)).limit(segmentsLookedAt),
  );
  const segmentFrom = query((value: Params<{ seq: number }>) =>
    orm
      .select({ firstSeq: segment.firstSeq, count: segment.count, receivedFrom: segment.receivedFrom })
      .from(segment)
      .where(gte(segment.firstSeq, value.seq))
      .orderBy(asc(segment.firstSeq))
      .limit(1),
  );

  return {
    async wereHere() {
      return new Set(wereHere.all().map(({ deviceNo }) => deviceNo));
    },

    async lastAddresses() {
      return new Map(addresses.all().map(({ deviceNo, address }) => [deviceNo, address!]));
    },

    async newDevicesSince(since) {
      return newDevices.all({ since });
    },

    async lastSeen() {
      return new Map(seenOfAll.all().map(row => [row.deviceNo, seenIn(row)]));
    },

    async newestReceipt(through) {
      try {
        return Math.max(0, ...lastReceipts.all().flatMap(({ to }) => (to <= through ? to : [])));
      } catch (error) {
        // A bad sector keeps no box from starting.
        if (isReadFailure(error)) return 0;
        throw error;
      }
    },

    async malformed() {
      return malformedOfAll.all() as MalformedMessages[];
    },

    async seen(deviceNo) {
      const row = seenOf.get({ deviceNo });
      return row ? seenIn(row) : null;
    },

    async lastConnected(deviceNo) {
      return lastEvents.all({ deviceNo }).find(({ kind }) => kind === 'connected')?.at ?? null;
    },

    async seqBefore(moment) {
      const low = firstSegment.get()!.seq;
      const high = lastSegment.get()!.seq;
      if (low === null || high === null) return 0 as Seq;
      let before = low - 1;
      let within = high + 1;
      while (within > before + 1) {
        const middle = Math.floor((before + within) / 2);
        const next = segmentFrom.get({ seq: middle });
        if (!next || next.firstSeq >= within || next.receivedFrom >= moment) within = middle;
        else before = next.firstSeq + next.count - 1;
      }
      return before as Seq;
    },
  };
}
