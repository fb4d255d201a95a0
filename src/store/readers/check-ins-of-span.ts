import { and, count, gte, lt } from 'drizzle-orm';
import type { DeviceNo } from '../port/journal.ts';
import type { PunchSource } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { checkin, checkinUnresolved } from '../schema/records.ts';
import { blocksOf, deviceList, isOfDevices, Slices } from './slices.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

interface EndsOfDay {
  readonly first: PunchSource | null;
  readonly last: PunchSource | null;
  readonly count: number;
}

const ofOne = `FROM checkin WHERE employee_id = CAST(asked.value AS INTEGER)
    AND check_time_seconds >= ?2 AND check_time_seconds < ?3`;
const ofOneAtDevices = `${ofOne} AND device_no IN (SELECT CAST(value AS INTEGER) FROM json_each(?5))`;
const source = 'CAST(json_array(check_time_seconds, device_no, check_type) AS TEXT)';

const endsOf = (one: string): string => `SELECT CAST(asked.value AS INTEGER) AS id,
    (SELECT count(*) ${one}) AS count,
    (SELECT ${source} ${one} ORDER BY check_time_seconds, id LIMIT ?4) AS first,
    (SELECT ${source} ${one} ORDER BY check_time_seconds DESC, id DESC LIMIT ?4) AS last
  FROM json_each(?1) AS asked`;
const timesOf = (one: string): string => `SELECT CAST(asked.value AS INTEGER) AS id,
    (SELECT CAST(coalesce(json_group_array(at), '[]') AS TEXT)
       FROM (SELECT check_time_seconds AS at ${one} ORDER BY check_time_seconds LIMIT ?4) AS own) AS times
  FROM json_each(?1) AS asked`;

interface EndsRow {
  readonly id: number;
  readonly count: number;
  readonly first: string | null;
  readonly last: string | null;
}
type Source = readonly [at: number, deviceNo: DeviceNo, checkType: string];

const sourceIn = (json: string | null): PunchSource | null => {
  if (json === null) return null;
  const [at, deviceNo, checkType] = JSON.parse(json) as Source;
  return { at, deviceNo, checkType };
};

/**
 * Check-ins of people, by their ids in the store, in a day or a month; with `deviceNos` those at
 * these devices. Each person is a subquery of one statement for many: by a list of people
 * PostgreSQL would look through everybody's check-ins of the span.
 */
export function spansOfPeople({ sql }: Pick<Connection, 'sql'>) {
  async function* rowsOf<Row>(
    [text, textAtDevices]: readonly [string, string],
    ids: readonly number[],
    span: Span,
    limit: number,
    deviceNos: ReadonlySet<DeviceNo> | undefined,
  ): AsyncGenerator<Row> {
    const slices = new Slices();
    const more = deviceNos ? [deviceList(deviceNos)] : [];
    for (const block of blocksOf(ids, span)) {
      if (slices.isOver) await slices.next();
      const rows = sql(deviceNos ? textAtDevices : text).all(block, span.from, span.to, limit, ...more);
      yield* rows as unknown as Row[];
    }
  }
  return {
    async ends(
      ids: readonly number[],
      span: Span,
      deviceNos: ReadonlySet<DeviceNo> | undefined,
    ): Promise<ReadonlyMap<number, EndsOfDay>> {
      const found = new Map<number, EndsOfDay>();
      for await (const row of rowsOf<EndsRow>([endsOf(ofOne), endsOf(ofOneAtDevices)], ids, span, 1, deviceNos))
        found.set(row.id, { first: sourceIn(row.first), last: sourceIn(row.last), count: row.count });
      return found;
    },

    /** Check times, oldest first; of each person at most `limit`. */
    async times(
      ids: readonly number[],
      { limit, ...span }: Span & { readonly limit: number },
      deviceNos: ReadonlySet<DeviceNo> | undefined,
    ): Promise<Map<number, number[]>> {
      const found = new Map<number, number[]>();
      for await (const row of rowsOf<{ id: number; times: string }>(
        [timesOf(ofOne), timesOf(ofOneAtDevices)],
        ids,
        span,
        limit,
        deviceNos,
      ))
        found.set(row.id, JSON.parse(row.times) as number[]);
      return found;
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
