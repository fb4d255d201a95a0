import { asc, eq, gt, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { Reading, ReadsOf } from '../domain.ts';
import type { DeviceNo } from '../port/journal.ts';
import { orEmpty } from '../readers/columns.ts';
import { lastIds } from '../readers/slices.ts';
import { deviceNames } from '../readers/stored-devices.ts';
import { employee } from '../schema/people.ts';
import { type Params, query } from '../schema/query.ts';
import { accessRecord, checkin, checkinUnresolved } from '../schema/records.ts';
import { cloudDeviceNo } from './mirror/tables.ts';

/**
 * How far somebody has followed what terminals report: an id of check-ins and one of access
 * records.
 */
interface PunchPlace {
  readonly checkin: number;
  readonly access: number;
}

interface Punch {
  readonly kind: 'checkin' | 'access';
  readonly at: UnixSeconds;
  readonly receivedAt: UnixMs;
  readonly deviceId: string;
  /** Empty: the organization does not know the person. */
  readonly name: string;
}

interface Values {
  readonly after: number;
  readonly limit: number;
}

interface StoredPunch {
  readonly deviceNo: DeviceNo;
  readonly receivedAt: number;
  readonly at: number;
  readonly name: string;
}

const isOfDevice = ({ deviceNo }: StoredPunch): boolean => deviceNo > cloudDeviceNo;

function reads({ connection, devices }: Reading) {
  const { orm } = connection;
  const last = lastIds(connection);
  const names = deviceNames(devices);
  const columnsOf = (table: typeof checkin | typeof checkinUnresolved | typeof accessRecord) => ({
    id: table.id,
    deviceNo: table.deviceNo,
    receivedAt: table.receivedAt,
    at: table.checkTimeSeconds,
  });
  const checkins = query((value: Params<Values>) =>
    unionAll(
      orm
        .select({ ...columnsOf(checkin), name: orEmpty(employee.name).as('name') })
        .from(checkin)
        .leftJoin(employee, eq(employee.id, checkin.employeeId))
        .where(gt(checkin.id, value.after)),
      orm
        .select({ ...columnsOf(checkinUnresolved), name: sql<string>`''`.as('name') })
        .from(checkinUnresolved)
        .where(gt(checkinUnresolved.id, value.after)),
    )
      .orderBy(asc(checkin.id))
      .limit(value.limit),
  );
  const passages = query((value: Params<Values>) =>
    orm
      .select({ ...columnsOf(accessRecord), name: orEmpty(employee.name) })
      .from(accessRecord)
      .leftJoin(employee, eq(employee.id, accessRecord.employeeId))
      .where(gt(accessRecord.id, value.after))
      .orderBy(asc(accessRecord.id))
      .limit(value.limit),
  );
  const punchOf =
    (kind: Punch['kind']) =>
    ({ deviceNo, at, receivedAt, name }: StoredPunch): Punch => ({
      ...{ kind, at, receivedAt, name },
      deviceId: names(deviceNo).deviceId,
    });

  return {
    /**
     * Everything that terminals reported after a place, of known and unknown people; without a
     * place, returns the current one.
     */
    async punchesSince(after: PunchPlace | null, limit: number): Promise<{ punches: Punch[]; place: PunchPlace }> {
      if (after === null) return { punches: [], place: { checkin: last.checkin(), access: last.access() } };
      const punched = checkins.all({ after: after.checkin, limit });
      const passed = passages.all({ after: after.access, limit });
      const place: PunchPlace = {
        checkin: punched.at(-1)?.id ?? after.checkin,
        access: passed.at(-1)?.id ?? after.access,
      };
      const punches = [
        ...punched.filter(isOfDevice).map(punchOf('checkin')),
        ...passed.filter(isOfDevice).map(punchOf('access')),
      ];
      return { punches: punches.sort((one, other) => one.receivedAt - other.receivedAt), place };
    },
  };
}

/** For people who set up the site and look for faults. */
export const support = { reads, writes: {} };

export type SupportReads = ReadsOf<typeof support>;
