import { aliasedTable, and, asc, count, desc, eq, getTableColumns, gt, isNotNull, isNull, max, sql } from 'drizzle-orm';
import { joinSides } from '../people/cloud-writes.ts';
import { Features } from '../people/features.ts';
import { mobileOf } from '../people/mobile.ts';
import type { Employee, OrganizationReads, PersonToSync } from '../port/organization.ts';
import type { Connection } from '../schema/database.ts';
import { places, product } from '../schema/devices.ts';
import {
  attendanceCaller,
  department,
  employee,
  employment,
  feature,
  organizationConflict,
  organizationWrite,
  personChange,
  personSync,
} from '../schema/people.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { checkinUnresolved, counter } from '../schema/records.ts';
import { orEmpty, publicId } from './columns.ts';

type Reads = Pick<
  OrganizationReads,
  | 'departments'
  | 'employees'
  | 'features'
  | 'featureKinds'
  | 'personChangeNo'
  | 'personSyncs'
  | 'personSyncOf'
  | 'personsAfter'
  | 'nextOrganizationWrite'
  | 'organizationWrites'
  | 'conflicts'
  | 'unresolvedPeople'
  | 'attendanceCaller'
  | 'attendanceCallers'
>;

/**
 * The organization as callers and people at the box read it. Short statements on the read-only
 * connection.
 */
export function organizationReads(connection: Connection): Reads {
  return { ...listReads(connection), ...syncReads(connection), ...cloudReads(connection) };
}

type Page = Params<{ limit: number; offset: number }>;

/** Departments, people and what is stored of them. */
function listReads(connection: Connection) {
  const { orm, seal } = connection;
  const features = new Features(connection);
  const parent = aliasedTable(department, 'parent');
  const departments = query((value: Page) =>
    orm
      .select({
        id: publicId(department),
        extId: orEmpty(department.extId),
        name: department.name,
        parentId: orEmpty(publicId(parent)),
      })
      .from(department)
      .leftJoin(parent, eq(parent.id, department.parentId))
      .where(isNull(department.missingSince))
      .orderBy(asc(department.id))
      .limit(value.limit)
      .offset(value.offset),
  );
  const departmentCount = query(() =>
    orm.select({ total: count() }).from(department).where(isNull(department.missingSince)),
  );
  const employees = query((value: Page) =>
    orm
      .select({
        row: { id: employee.id, sealedMobile: employee.sealedMobile },
        id: publicId(employee),
        extId: orEmpty(employee.extId),
        name: employee.name,
        employeeNum: employee.employeeNum,
        departmentId: publicId(department),
        title: employee.title,
      })
      .from(employee)
      .innerJoin(department, eq(department.id, employee.departmentId))
      .where(isNull(employee.missingSince))
      .orderBy(asc(employee.id))
      .limit(value.limit)
      .offset(value.offset),
  );
  const employeeCount = query(() => orm.select({ total: count() }).from(employee).where(isNull(employee.missingSince)));
  const employeeId = query((value: Params<{ extId: string }>) =>
    orm.select({ id: employee.id }).from(employee).where(eq(employee.extId, value.extId)),
  );
  const kinds = query(() =>
    orm.selectDistinct({ featureType: feature.featureType, featureAlg: feature.featureAlg }).from(feature),
  );
  const unresolved = query((value: Params<{ limit: number }>) =>
    orm
      .select({
        extId: checkinUnresolved.extId,
        employeeNum: checkinUnresolved.employeeNum,
        records: count(),
        lastAt: sql`max(${checkinUnresolved.receivedAt})`.mapWith(Number),
        ambiguous: sql`(SELECT count(*) FROM ${employee}
            WHERE ${checkinUnresolved.extId} = '' AND ${employee.employeeNum} = ${checkinUnresolved.employeeNum}) > 1`.mapWith(
          Boolean,
        ),
      })
      .from(checkinUnresolved)
      .groupBy(checkinUnresolved.extId, checkinUnresolved.employeeNum)
      .orderBy(desc(max(checkinUnresolved.receivedAt)))
      .limit(value.limit),
  );
  const unresolvedCount = query(() => orm.select({ total: count() }).from(checkinUnresolved));
  const caller = query((value: Params<{ appKey: string }>) =>
    orm.select().from(attendanceCaller).where(eq(attendanceCaller.appKey, value.appKey)),
  );
  const callers = query((value: Params<{ limit: number }>) =>
    orm.select().from(attendanceCaller).orderBy(asc(attendanceCaller.appKey)).limit(value.limit),
  );

  return {
    async departments(page) {
      return { total: departmentCount.get()!.total, rows: departments.all(page) };
    },

    async employees(page) {
      const rows = employees
        .all(page)
        .map(({ row, ...columns }): Employee => ({ ...columns, mobile: mobileOf(seal, row) }));
      return { total: employeeCount.get()!.total, rows };
    },

    async features({ extId, featureType, featureAlg }) {
      return employeeId.get({ extId }) ? features.values(extId, featureType, featureAlg) : null;
    },

    async featureKinds() {
      return kinds.all();
    },

    async unresolvedPeople(limit) {
      return { records: unresolvedCount.get()!.total, people: unresolved.all({ limit }) };
    },

    async attendanceCaller(appKey) {
      const row = caller.get({ appKey });
      return row ? { secret: seal.openText(row.sealedSecret, places.attendanceSecret(appKey)), name: row.name } : null;
    },

    async attendanceCallers(limit) {
      return callers.all({ limit }).map(({ appKey, sealedSecret }) => ({
        appKey,
        secret: seal.openText(sealedSecret, places.attendanceSecret(appKey)),
      }));
    },
  } satisfies Partial<Reads>;
}

/** People's data for devices. */
function syncReads(connection: Connection) {
  const { orm } = connection;
  const features = new Features(connection);
  const changeNo = query(() =>
    orm.select({ value: counter.value }).from(counter).where(eq(counter.name, 'person_change')),
  );
  const sentUpToOfAll = query(() =>
    orm.select({ deviceNo: personSync.deviceNo, changeNo: personSync.changeNo }).from(personSync),
  );
  const sentUpTo = query((value: Params<{ deviceNo: number }>) =>
    orm.select({ changeNo: personSync.changeNo }).from(personSync).where(eq(personSync.deviceNo, value.deviceNo)),
  );
  const pins = query((value: Params<{ productId: string }>) =>
    orm.select({ passFeatures: product.passFeatures }).from(product).where(eq(product.productId, value.productId)),
  );
  const changed = queryFor((since: 'the beginning' | 'a change', value: Params<{ changeNo: number; limit: number }>) =>
    orm
      .select({
        changeNo: personChange.changeNo,
        extId: personChange.extId,
        removed: personChange.removed,
        name: employee.name,
        employeeNum: orEmpty(employee.employeeNum),
        hasLeft: isNotNull(employment.extId).mapWith(Boolean),
      })
      .from(personChange)
      .leftJoin(employee, eq(employee.extId, personChange.extId))
      .leftJoin(employment, and(eq(employment.extId, personChange.extId), eq(employment.offTerminals, true)))
      .where(
        and(
          gt(personChange.changeNo, value.changeNo),
          // A device that has nobody need not get removals.
          since === 'the beginning' ? and(eq(personChange.removed, false), isNull(employment.extId)) : undefined,
        ),
      )
      .orderBy(asc(personChange.changeNo))
      .limit(value.limit),
  );

  return {
    async personChangeNo() {
      return changeNo.get()!.value;
    },

    async personSyncs() {
      return new Map(sentUpToOfAll.all().map(({ deviceNo, changeNo }) => [deviceNo, changeNo]));
    },

    async personSyncOf(deviceNo) {
      return sentUpTo.get({ deviceNo })?.changeNo ?? 0;
    },

    async personsAfter(after, { limit, bytesMax, productId }) {
      // Read together with the people, not from the directory, which may be a moment behind.
      const takesPins = pins.get({ productId })?.passFeatures ?? false;
      const rows = changed(after > 0 ? 'a change' : 'the beginning').all({ changeNo: after, limit });
      const people: PersonToSync[] = [];
      let bytes = 0;
      for (const { name, hasLeft, ...row } of rows) {
        // Terminals need not know people whom the organization does not know, or who have left.
        const removed = row.removed || name === null || hasLeft;
        const stored = removed
          ? []
          : features.of(row.extId).filter(({ featureType }) => featureType !== 'pass' || takesPins);
        for (const { values } of stored) for (const value of values) bytes += value.length;
        if (people.length > 0 && bytes > bytesMax) break;
        people.push({ ...row, removed, name: name ?? '', features: stored });
      }
      return people;
    },
  } satisfies Partial<Reads>;
}

/** Writes that the cloud, as the authority, has not had yet or has refused. */
function cloudReads({ orm, seal }: Connection) {
  const waits = isNull(organizationWrite.refusedAt);
  const isRefused = isNotNull(organizationWrite.refusedAt);
  const { sealedBody: _sealedBody, ...columns } = getTableColumns(organizationWrite);
  const next = query(() =>
    orm.select().from(organizationWrite).where(waits).orderBy(asc(organizationWrite.id)).limit(1),
  );
  const writes = queryFor((refused: boolean, value: Params<{ limit: number }>) =>
    orm
      .select(columns)
      .from(organizationWrite)
      .where(refused ? isRefused : waits)
      .orderBy(asc(organizationWrite.id))
      .limit(value.limit),
  );
  const writeCount = queryFor((refused: boolean) =>
    orm
      .select({ total: count() })
      .from(organizationWrite)
      .where(refused ? isRefused : waits),
  );
  const conflicts = query((value: Params<{ limit: number }>) =>
    orm.select().from(organizationConflict).orderBy(desc(organizationConflict.id)).limit(value.limit),
  );
  const conflictCount = query(() => orm.select({ total: count() }).from(organizationConflict));

  return {
    async nextOrganizationWrite() {
      const row = next.get();
      if (!row) return null;
      const { sealedBody, ...write } = row;
      return { ...write, body: seal.openText(sealedBody, places.organizationWrite) };
    },

    async organizationWrites({ refused, limit }) {
      return { total: writeCount(refused).get()!.total, rows: writes(refused).all({ limit }) };
    },

    async conflicts(limit) {
      const rows = conflicts.all({ limit }).map(({ id, at, subject, ...sides }) => {
        const [cloudSide, boxSide] = joinSides(seal, sides);
        return { id, at, subject, cloudSide, boxSide };
      });
      return { total: conflictCount.get()!.total, rows };
    },
  } satisfies Partial<Reads>;
}
