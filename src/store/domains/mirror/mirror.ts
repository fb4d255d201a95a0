import { aliasedTable, and, asc, count, desc, eq, isNotNull, type SQLWrapper, sql } from 'drizzle-orm';
import type { PartOf, Reading, ReadsOf, WritesOf } from '../../domain.ts';
import { orEmpty } from '../../readers/columns.ts';
import { device } from '../../schema/devices.ts';
import { department, employee } from '../../schema/people.ts';
import { type Params, query } from '../../schema/query.ts';
import { accessRecord, checkin } from '../../schema/records.ts';
import { deleteMissingAtCloud, showMissingAtCloud } from './missing-at-cloud.ts';
import { mirrorFeatures, mirrorOrganization } from './organization.ts';
import { dismissUncertainMatch, mirrorAccess, mirrorCheckIns, mirrorFrom, noteMirrored } from './records.ts';
import {
  areTooManyMissing,
  type MirrorCursor,
  type MirroredList,
  type MissingAtCloud,
  mirrorCursor,
  missingKeptMs,
  type UncertainMatch,
  uncertainMatch,
} from './tables.ts';

/** Of a record of the site: what it names, else the serial number of its device. */
const placeOf = (own: SQLWrapper) =>
  sql<string>`coalesce(nullif(${own}, ''), substr(${device.deviceId}, instr(${device.deviceId}, '_') + 1), '')`;

const columns = {
  id: uncertainMatch.id,
  at: uncertainMatch.at,
  kind: uncertainMatch.kind,
  extId: orEmpty(employee.extId),
  name: orEmpty(employee.name),
};

/** How far the cloud's lists are copied, and which rows may be duplicates. */
function reads({ connection: { orm } }: Reading) {
  const cursorOf = query((value: Params<{ list: string }>) =>
    orm
      .select({ nextId: mirrorCursor.nextId, wholeAt: mirrorCursor.wholeAt })
      .from(mirrorCursor)
      .where(eq(mirrorCursor.list, value.list)),
  );
  const matchCount = query(() => orm.select({ total: count() }).from(uncertainMatch));
  const checkins = query((value: Params<{ limit: number }>) => {
    const site = aliasedTable(checkin, 'site');
    const cloud = aliasedTable(checkin, 'cloud');
    return orm
      .select({
        ...columns,
        siteId: site.id,
        siteTime: site.checkTimeSeconds,
        sitePlace: placeOf(site.terminalId),
        siteType: site.checkType,
        cloudId: cloud.id,
        cloudTime: cloud.checkTimeSeconds,
        cloudPlace: orEmpty(cloud.terminalId),
        cloudType: cloud.checkType,
      })
      .from(uncertainMatch)
      .innerJoin(site, eq(site.id, uncertainMatch.siteId))
      .innerJoin(cloud, eq(cloud.id, uncertainMatch.cloudId))
      .leftJoin(employee, eq(employee.id, cloud.employeeId))
      .leftJoin(device, eq(device.deviceNo, site.deviceNo))
      .where(eq(uncertainMatch.kind, 'checkin'))
      .orderBy(desc(uncertainMatch.id))
      .limit(value.limit);
  });
  const passages = query((value: Params<{ limit: number }>) => {
    const site = aliasedTable(accessRecord, 'site');
    const cloud = aliasedTable(accessRecord, 'cloud');
    return orm
      .select({
        ...columns,
        siteId: site.id,
        siteTime: site.checkTimeSeconds,
        sitePlace: placeOf(site.doorId),
        siteType: site.checkType,
        cloudId: cloud.id,
        cloudTime: cloud.checkTimeSeconds,
        cloudPlace: orEmpty(cloud.doorId),
        cloudType: cloud.checkType,
      })
      .from(uncertainMatch)
      .innerJoin(site, eq(site.id, uncertainMatch.siteId))
      .innerJoin(cloud, eq(cloud.id, uncertainMatch.cloudId))
      .leftJoin(employee, eq(employee.id, cloud.employeeId))
      .leftJoin(device, eq(device.deviceNo, site.deviceNo))
      .where(eq(uncertainMatch.kind, 'access'))
      .orderBy(desc(uncertainMatch.id))
      .limit(value.limit);
  });

  const tables = [
    { kind: 'employee', table: employee, isOfCloud: isNotNull(employee.cloudId) },
    {
      kind: 'department',
      table: department,
      isOfCloud: and(isNotNull(department.cloudId), isNotNull(department.parentId)),
    },
  ] as const;
  const missing = tables.map(({ kind, table, isOfCloud }) => ({
    kind,
    counted: query(() =>
      orm
        .select({ all: count(), missing: count(table.missingSince) })
        .from(table)
        .where(isOfCloud),
    ),
    first: query((value: Params<{ limit: number }>) =>
      orm
        .select({ extId: orEmpty(table.extId), name: table.name, since: table.missingSince })
        .from(table)
        .where(isNotNull(table.missingSince))
        .orderBy(asc(table.missingSince), asc(table.id))
        .limit(value.limit),
    ),
  }));

  return {
    /** Counts of all, and the first rows, those that are missing longest first. */
    async missingAtCloud(limit: number): Promise<{ hidden: number; held: number; rows: MissingAtCloud[] }> {
      const found = { hidden: 0, held: 0, rows: [] as MissingAtCloud[] };
      for (const { kind, counted, first } of missing) {
        const { all, missing: gone } = counted.get()!;
        const isHeld = areTooManyMissing(gone, all);
        found[isHeld ? 'held' : 'hidden'] += gone;
        if (gone === 0) continue;
        for (const { since: at, ...row } of first.all({ limit })) {
          const since = isHeld ? null : at;
          found.rows.push({ kind, ...row, since, deletedFrom: since === null ? null : since + missingKeptMs });
        }
      }
      return { ...found, rows: found.rows.slice(0, limit) };
    },

    async mirrorCursor(list: MirroredList): Promise<MirrorCursor> {
      return cursorOf.get({ list }) ?? { nextId: 0, wholeAt: null };
    },

    async uncertainMatches(limit: number): Promise<{ total: number; rows: UncertainMatch[] }> {
      const rows = [...checkins.all({ limit }), ...passages.all({ limit })];
      rows.sort((one, other) => other.id - one.id);
      return {
        total: matchCount.get()!.total,
        rows: rows.slice(0, limit).map(row => ({
          ...{ id: row.id, at: row.at, kind: row.kind, extId: row.extId, name: row.name },
          site: { id: row.siteId, time: row.siteTime, place: row.sitePlace, checkType: row.siteType },
          cloud: { id: row.cloudId, time: row.cloudTime, place: row.cloudPlace, checkType: row.cloudType },
        })),
      };
    },
  };
}

/** The copy of the cloud's organization, features, check-ins and access records. */
export const mirror = {
  reads,
  writes: {
    mirrorFrom,
    mirrorCheckIns,
    mirrorAccess,
    noteMirrored,
    dismissUncertainMatch,
    mirrorOrganization,
    deleteMissingAtCloud,
    showMissingAtCloud,
    mirrorFeatures,
  },
};

export type MirrorStore = PartOf<typeof mirror>;
export type MirrorReads = ReadsOf<typeof mirror>;
export type MirrorWrites = WritesOf<typeof mirror>;
