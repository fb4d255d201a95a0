import { and, count, countDistinct, desc, eq, gt, gte, lt, lte, sql } from 'drizzle-orm';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { OfDevices } from '../port/directory.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { employee } from '../schema/people.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { checkin, checkinUnresolved } from '../schema/records.ts';
import { peopleAtDevices, spansOf } from './check-ins-of-span.ts';
import { orEmpty } from './columns.ts';
import { deviceList, type IdRange, isOfDevices, lastIds, looksAt, Slices } from './slices.ts';
import { deviceNames, type KnownDevices } from './stored-devices.ts';

/** A check-in or an access record as people see it. */
export interface SeenRecord {
  readonly id: number;
  readonly at: UnixSeconds;
  readonly receivedAt: UnixMs;
  /** Empty: only the cloud lists it; no device of the site reported it. */
  readonly deviceId: string;
  /** The name of the device; empty: it has none. */
  readonly device: string;
  /** Empty: the organization does not know the person. */
  readonly extId: string;
  readonly name: string;
  readonly checkType: string;
}

export interface LatestCheckin extends SeenRecord {
  /** As the device named a person whom the organization does not know; else empty. */
  readonly said: string;
}

export interface DayReads {
  /**
   * Check-ins by parts of a span: how many in each, oldest first. Both ends in seconds, `to`
   * exclusive.
   */
  checkinCounts(span: { from: UnixSeconds; to: UnixSeconds; partSeconds: number } & OfDevices): Promise<number[]>;
  /** How many people the span has check-ins of. */
  checkinPeople(span: { from: UnixSeconds; to: UnixSeconds } & OfDevices): Promise<number>;
  /**
   * The latest by receipt, newest first, of people whom the organization does not know as well;
   * `after`: only those with a greater id. Of some devices only those among the last 100,000 of
   * all.
   */
  latestCheckins(query: { limit: number; after?: number } & OfDevices): Promise<LatestCheckin[]>;
}

interface Span {
  readonly from: number;
  readonly to: number;
  /** Used only by queries for some devices, as `through` of a range is. */
  readonly devices: string;
}

type Latest = IdRange & Pick<Span, 'devices'> & { readonly limit: number };
type CheckIns = typeof checkin | typeof checkinUnresolved;

/** Of some devices the latest are looked for among so many of all. */
const latestAmong = 100_000;

/** Reads about a day, for the pages. */
export function dayReads(connection: Connection, devices: KnownDevices): DayReads {
  const { orm } = connection;
  const names = deviceNames(devices);
  const last = lastIds(connection);
  const inSpan = (table: CheckIns, ofDevices: boolean, value: Params<Span>) =>
    and(
      gte(table.checkTimeSeconds, value.from),
      lt(table.checkTimeSeconds, value.to),
      ofDevices ? isOfDevices(table.deviceNo, value.devices) : undefined,
    );
  const inRange = ({ id, deviceNo }: CheckIns, ofDevices: boolean, value: Params<Latest>) =>
    and(
      gt(id, value.after),
      ofDevices ? lte(id, value.through) : undefined,
      ofDevices ? isOfDevices(deviceNo, value.devices) : undefined,
    );

  const parts = [checkin, checkinUnresolved].map(table =>
    queryFor((ofDevices: boolean, value: Params<Span & { dayFrom: number; partSeconds: number }>) => {
      const part = sql`CAST((${table.checkTimeSeconds} - ${value.dayFrom}) / ${value.partSeconds} AS INTEGER)`;
      return orm
        .select({ part: part.mapWith(Number).as('part'), count: count() })
        .from(table)
        .where(inSpan(table, ofDevices, value))
        .groupBy(sql`part`);
    }),
  );
  const people = query((value: Params<Span>) =>
    orm
      .select({ people: countDistinct(checkin.employeeId) })
      .from(checkin)
      .where(inSpan(checkin, false, value)),
  );
  const atDevices = peopleAtDevices(connection);
  const latest = queryFor((ofDevices: boolean, value: Params<Latest>) =>
    orm
      .select({
        id: checkin.id,
        at: checkin.checkTimeSeconds,
        receivedAt: checkin.receivedAt,
        deviceNo: checkin.deviceNo,
        extId: orEmpty(employee.extId),
        name: orEmpty(employee.name),
        checkType: checkin.checkType,
      })
      .from(checkin)
      .leftJoin(employee, eq(employee.id, checkin.employeeId))
      .where(inRange(checkin, ofDevices, value))
      .orderBy(desc(checkin.id))
      .limit(value.limit),
  );

  const latestUnresolved = queryFor((ofDevices: boolean, value: Params<Latest>) =>
    orm
      .select({
        id: checkinUnresolved.id,
        at: checkinUnresolved.checkTimeSeconds,
        receivedAt: checkinUnresolved.receivedAt,
        deviceNo: checkinUnresolved.deviceNo,
        saidExtId: checkinUnresolved.extId,
        saidNumber: checkinUnresolved.employeeNum,
        checkType: checkinUnresolved.checkType,
      })
      .from(checkinUnresolved)
      .where(inRange(checkinUnresolved, ofDevices, value))
      .orderBy(desc(checkinUnresolved.id))
      .limit(value.limit),
  );

  const found = (ofDevices: boolean, values: Latest) => [
    ...latest(ofDevices)
      .all(values)
      .map(row => ({ ...row, said: '' })),
    ...latestUnresolved(ofDevices)
      .all(values)
      .map(({ saidExtId, saidNumber, ...row }) => ({ ...row, extId: '', name: '', said: saidExtId || saidNumber })),
  ];
  /** From the newest back, a range of ids at a time. */
  async function foundOf(deviceNos: ReadonlySet<DeviceNo>, { after, limit }: { after: number; limit: number }) {
    const slices = new Slices();
    const values = { devices: deviceList(deviceNos), limit };
    const rows: ReturnType<typeof found> = [];
    const newest = last.checkin();
    const end = Math.max(after, newest - latestAmong);
    for (let through = newest; through > end && rows.length < limit; through -= looksAt) {
      if (slices.isOver) await slices.next();
      rows.push(...found(true, { ...values, after: Math.max(end, through - looksAt), through }));
    }
    return rows;
  }

  return {
    async checkinCounts({ from, to, partSeconds, deviceNos }) {
      const counts = Array.from({ length: Math.ceil((to - from) / partSeconds) }, () => 0);
      const values = { dayFrom: from, partSeconds, devices: deviceList(deviceNos) };
      const slices = new Slices();
      for (const span of spansOf({ from, to }, deviceNos)) {
        if (slices.isOver) await slices.next();
        for (const table of parts)
          for (const { part, count } of table(deviceNos !== undefined).all({ ...values, ...span }))
            counts[part]! += count;
      }
      return counts;
    },

    async checkinPeople({ from, to, deviceNos }) {
      if (deviceNos) return (await atDevices({ from, to }, deviceNos)).size;
      return people.get({ from, to, devices: '' })!.people;
    },

    async latestCheckins({ limit, after = -1, deviceNos }) {
      const rows = deviceNos
        ? await foundOf(deviceNos, { after, limit })
        : found(false, { after, limit, through: 0, devices: '' });
      rows.sort((one, other) => other.id - one.id);
      return rows.slice(0, limit).map(({ deviceNo, ...row }) => {
        const { deviceId, name: device } = names(deviceNo);
        return { ...row, deviceId, device };
      });
    },
  };
}
