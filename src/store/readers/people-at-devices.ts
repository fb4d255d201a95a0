import { and, count, gte, lt } from 'drizzle-orm';
import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { checkin, checkinUnresolved } from '../schema/index.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { deviceList, isOfDevices } from './of-devices.ts';
import { Slices } from './slices.ts';

/**
 * Of some devices a day is read so many seconds at a time. The index by check time knows no
 * devices, so that the check-ins themselves are looked at: other reads have their turn between.
 */
const spanSeconds = 3600;

interface Span {
  readonly from: number;
  readonly to: number;
}

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
