import { and, count, gte, lt } from 'drizzle-orm';
import type { DeviceNo } from '../port/journal.ts';
import type { PunchSource } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { checkin, checkinUnresolved } from '../schema/records.ts';
import { deviceList, isOfDevices, Slices } from './slices.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

interface EndsOfDay {
  readonly first: PunchSource | null;
  readonly last: PunchSource | null;
  readonly count: number;
}

const ofDay = 'FROM checkin WHERE employee_id = ? AND check_time_seconds >= ? AND check_time_seconds < ?';
const ofDayAtDevices = `${ofDay} AND device_no IN (SELECT CAST(value AS INTEGER) FROM json_each(?))`;

/**
 * A person's check-ins of a day or a month; with `devices` (deviceList) those at these devices.
 * Hand-written: it runs for each person of a page, and the query builder would cost as much as the
 * statements do.
 */
export function dayOfPerson({ sql }: Connection) {
  const values = (id: number, { from, to }: Span, devices: string | undefined): (number | string)[] =>
    devices === undefined ? [id, from, to] : [id, from, to, devices];
  const from = (devices: string | undefined) => (devices === undefined ? ofDay : ofDayAtDevices);
  const oneOf = (
    direction: 'ASC' | 'DESC',
    id: number,
    span: Span,
    devices: string | undefined,
  ): PunchSource | null => {
    const found = sql(
      `SELECT check_time_seconds AS at, device_no AS deviceNo, check_type AS checkType ${from(devices)}
         ORDER BY check_time_seconds ${direction} LIMIT 1`,
    ).get(...values(id, span, devices)) as unknown as PunchSource | undefined;
    return found ? { ...found } : null;
  };
  return {
    ends(id: number, span: Span, devices: string | undefined): EndsOfDay {
      const { count } = sql(`SELECT count(*) AS count ${from(devices)}`).get(...values(id, span, devices)) as {
        count: number;
      };
      return { first: oneOf('ASC', id, span, devices), last: oneOf('DESC', id, span, devices), count };
    },

    /** Check times, oldest first. */
    times(id: number, { limit, ...span }: Span & { readonly limit: number }, devices: string | undefined): number[] {
      const found = sql(`SELECT check_time_seconds AS at ${from(devices)} ORDER BY check_time_seconds LIMIT ?`).all(
        ...values(id, span, devices),
        limit,
      ) as { at: number }[];
      return found.map(({ at }) => at);
    },
  };
}

/**
 * Of some devices a day is read so many seconds at a time. The index by check time knows no
 * devices, so that the check-ins themselves are looked at: other reads have their turn between.
 */
const spanSeconds = 3600;

/** The span itself, or parts of it for some devices. */
export function* spansOf({ from, to }: Span, deviceNos: ReadonlySet<DeviceNo> | undefined): Generator<Span> {
  const each = deviceNos ? spanSeconds : Math.max(1, to - from);
  for (let begin = from; begin < to; begin += each) yield { from: begin, to: Math.min(to, begin + each) };
}

/**
 * The people, by their ids in the store, who have check-ins at some devices in a span. One look at
 * the check-ins of the span costs less than one for each person of the organization.
 */
export function peopleAtDevices({
  orm,
}: Pick<Connection, 'orm'>): (span: Span, deviceNos: ReadonlySet<DeviceNo>) => Promise<ReadonlySet<number>> {
  const people = query((value: Params<Span & { readonly devices: string }>) =>
    orm
      .selectDistinct({ id: checkin.employeeId })
      .from(checkin)
      .where(
        and(
          gte(checkin.checkTimeSeconds, value.from),
          lt(checkin.checkTimeSeconds, value.to),
          isOfDevices(checkin.deviceNo, value.devices),
        ),
      ),
  );
  return async (span, deviceNos) => {
    const slices = new Slices();
    const devices = deviceList(deviceNos);
    const ids = new Set<number>();
    for (const part of spansOf(span, deviceNos)) {
      if (slices.isOver) await slices.next();
      for (const { id } of people.all({ ...part, devices })) ids.add(id);
    }
    return ids;
  };
}

/** How many check-ins of a span are of nobody known; with devices, at these. */
export function strangersIn({
  orm,
}: Pick<Connection, 'orm'>): (span: Span, deviceNos: ReadonlySet<DeviceNo> | undefined) => Promise<number> {
  const strangers = queryFor((ofDevices: boolean, value: Params<Span & { readonly devices: string }>) =>
    orm
      .select({ count: count() })
      .from(checkinUnresolved)
      .where(
        and(
          gte(checkinUnresolved.checkTimeSeconds, value.from),
          lt(checkinUnresolved.checkTimeSeconds, value.to),
          ofDevices ? isOfDevices(checkinUnresolved.deviceNo, value.devices) : undefined,
        ),
      ),
  );
  return async (span, deviceNos) => {
    const slices = new Slices();
    const devices = deviceList(deviceNos);
    let found = 0;
    for (const part of spansOf(span, deviceNos)) {
      if (slices.isOver) await slices.next();
      found += strangers(deviceNos !== undefined).get({ ...part, devices })!.count;
    }
    return found;
  };
}
