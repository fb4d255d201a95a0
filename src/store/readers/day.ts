import { and, count, countDistinct, desc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import type { DayReads } from '../port/day.ts';
import type { Connection } from '../schema/database.ts';
import { checkin, checkinUnresolved, employee } from '../schema/index.ts';
import { type Params, query } from '../schema/query.ts';
import { orEmpty } from './columns.ts';
import { deviceNames } from './device-names.ts';
import type { KnownDevices } from './stored-devices.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Reads about a day, for the pages. */
export function dayReads({ orm }: Connection, devices: KnownDevices): DayReads {
  const names = deviceNames(devices);
  const inSpan = (table: typeof checkin | typeof checkinUnresolved, value: Params<Span>) =>
    and(gte(table.checkTimeSeconds, value.from), lt(table.checkTimeSeconds, value.to));

  const parts = [checkin, checkinUnresolved].map(table =>
    query((value: Params<Span & { partSeconds: number }>) => {
      const part = sql`CAST((${table.checkTimeSeconds} - ${value.from}) / ${value.partSeconds} AS INTEGER)`;
      return orm
        .select({ part: part.mapWith(Number).as('part'), count: count() })
        .from(table)
        .where(inSpan(table, value))
        .groupBy(sql`part`);
    }),
  );
  const people = query((value: Params<Span>) =>
    orm
      .select({ people: countDistinct(checkin.employeeId) })
      .from(checkin)
      .where(inSpan(checkin, value)),
  );
  const latest = query((value: Params<{ after: number; limit: number }>) =>
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
      .where(gt(checkin.id, value.after))
      .orderBy(desc(checkin.id))
      .limit(value.limit),
  );

  const latestUnresolved = query((value: Params<{ after: number; limit: number }>) =>
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
      .where(gt(checkinUnresolved.id, value.after))
      .orderBy(desc(checkinUnresolved.id))
      .limit(value.limit),
  );

  return {
    async checkinCounts({ from, to, partSeconds }) {
      const counts = Array.from({ length: Math.ceil((to - from) / partSeconds) }, () => 0);
      for (const table of parts)
        for (const { part, count } of table.all({ from, to, partSeconds })) counts[part]! += count;
      return counts;
    },

    async checkinPeople(span) {
      return people.get(span)!.people;
    },

    async latestCheckins({ limit, after }) {
      const span = { after: after ?? -1, limit };
      const rows = [
        ...latest.all(span).map(row => ({ ...row, said: '' })),
        ...latestUnresolved
          .all(span)
          .map(({ saidExtId, saidNumber, ...row }) => ({ ...row, extId: '', name: '', said: saidExtId || saidNumber })),
      ].sort((one, other) => other.id - one.id);
      return rows.slice(0, limit).map(({ deviceNo, ...row }) => {
        const { deviceId, name: device } = names(deviceNo);
        return { ...row, deviceId, device };
      });
    },
  };
}
