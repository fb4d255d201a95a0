import { and, asc, desc, eq, exists, gt, gte, isNotNull, isNull, max, min, or, sql } from 'drizzle-orm';
import type { ClockEpoch } from '../../platform/device-clock.ts';
import type { DeviceId, ProductId } from '../../platform/device-id.ts';
import type { UnreadableReason } from '../../platform/unreadable.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { StorePart } from '../domain.ts';
import { event } from '../domains/gateway/logins.ts';
import type { Device, PeopleDataWord, Product } from '../port/directory.ts';
import type { DeviceNo, Seq } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { device } from '../schema/devices.ts';
import { isReadFailure } from '../schema/engine-failures.ts';
import { segment } from '../schema/journal.ts';
import { type Params, query } from '../schema/query.ts';
import { deviceClock, lastSeen } from '../schema/records.ts';
import { type ClockColumns, epochOf } from './columns.ts';

/** `clock` is null while the device has not said a time. */
export interface DeviceSeen {
  readonly at: UnixMs;
  readonly clock: ClockEpoch | null;
}

/** Messages of a device that nobody can read, since the first of them. */
export interface MalformedMessages {
  readonly deviceNo: DeviceNo;
  readonly count: number;
  readonly since: UnixMs;
  readonly lastAt: UnixMs;
  readonly lastSeq: Seq;
  /** The likely reason, of the last. */
  readonly why: UnreadableReason;
}

/** Questions of people about devices. */
export interface DeviceReads {
  /** Devices that have connected, or of which a record has arrived, at any time. */
  wereHere(): Promise<Set<DeviceNo>>;
  /** The address of each device's last successful login. */
  lastAddresses(): Promise<Map<DeviceNo, string>>;
  /**
   * Devices that registered themselves (not by the site file or a box below) at or after a moment.
   */
  newDevicesSince(since: UnixMs): Promise<{ readonly productId: ProductId; readonly at: UnixMs }[]>;
  /** When each device was last heard of, and what its messages say of its clock. */
  lastSeen(): Promise<Map<DeviceNo, DeviceSeen>>;
  /** Receipt of the newest of the last records, up to a moment; 0: none that can be read. */
  newestReceipt(through: UnixMs): Promise<UnixMs>;
  /** Of the devices that have sent one. */
  malformed(): Promise<MalformedMessages[]>;
  seen(deviceNo: DeviceNo): Promise<DeviceSeen | null>;
  /** When it last logged in; null if its last 50 events do not say. */
  lastConnected(deviceNo: DeviceNo): Promise<UnixMs | null>;
  /**
   * The end of the journal as it was at a moment; only approximately, where times of receipt are
   * not in order (a box below catches up).
   */
  seqBefore(at: UnixMs): Promise<Seq>;
}

/** Writes about devices, their keys and products. */
export interface DeviceWrites {
  /**
   * Registers a device (first login with a product key). Returns the existing one if there is one.
   */
  registerDevice(input: { deviceId: DeviceId; at: UnixMs }): Device;
  /**
   * A box or this one brings devices: unknown ones are registered, and those without an owner
   * belong to `to` from now on. Returns all of them in the order of `deviceIds`; a device that
   * belonged to another box still does.
   */
  bringDevices(input: { deviceIds: readonly DeviceId[]; to: DeviceId | 'here'; at: UnixMs }): Device[];
  /** Moves a device to another box, as staff decided. */
  moveDevice(input: { deviceNo: DeviceNo; to: DeviceId | 'here' }): Device;
  /**
   * Takes a box off the list: its batches are refused, and its devices belong to the box that
   * brings them next. Returns false if it was not listed.
   */
  removeBoxBelow(input: { boxId: DeviceId }): boolean;
  /**
   * Stores a key that an activation issued: as `accessKey` of a device that has none, else in
   * `nextKeys` (at most `limits.nextKeysMax`; then the oldest is dropped). Keys that were valid
   * before stay valid.
   */
  setDeviceKey(input: { deviceNo: DeviceNo; accessKey: string; at: UnixMs; mid: string | null }): Device;
  /**
   * A login with a key of its own: from the first such login on no other key is accepted, and a
   * permission by staff to use the product key ends. Does nothing if it is not one of the device's
   * keys.
   */
  confirmDeviceKey(input: { deviceNo: DeviceNo; accessKey: string; at: UnixMs }): Device;
  openProductKeyWindow(input: { deviceNo: DeviceNo; until: UnixMs | null }): Device;
  setPresentedPassword(input: { deviceNo: DeviceNo; password: string | null }): Device;
  /** Stores the address of each device's last successful login. */
  noteAddresses(input: { addresses: readonly { deviceNo: DeviceNo; address: string }[] }): void;
  /** Until then, new devices of the product do not count against the limit. */
  letNewDevicesIn(input: { productId: ProductId; until: UnixMs }): Product;
  setBlocked(input: { deviceNo: DeviceNo; blocked: boolean }): Device;
  /**
   * Removes messages about people from the inboxes of devices that may not have them any more.
   * Returns the devices that changed.
   */
  setPeopleData(input: { deviceNos: readonly DeviceNo[]; word: PeopleDataWord }): Device[];
  /**
   * The clock of the box was set: what was known of the clocks of devices says nothing of messages
   * that come from now on.
   */
  noteClockSet(input: Record<string, never>): void;
}

export type DeviceStore = StorePart<DeviceReads, DeviceWrites>;

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
  const newestOf = query((value: Params<{ deviceNo: number }>) =>
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
      return newestOf.all({ deviceNo }).find(({ kind }) => kind === 'connected')?.at ?? null;
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
