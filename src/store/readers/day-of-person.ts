import type { PunchSource } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';

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
