import type {
  Department,
  Employee,
  OrganizationConflictRow,
  OrganizationReads,
  OrganizationWriteRow,
  PersonToSync,
  UnresolvedPerson,
} from '../port/organization.ts';
import type { Connection } from '../schema/database.ts';
import { joinSides } from '../writer/organization/conflict-sides.ts';
import { Features } from '../writer/organization/features.ts';
import { type MobileColumns, mobileOf } from '../writer/organization/mobile.ts';
import { places } from './rows.ts';

type Reads = Pick<
  OrganizationReads,
  | 'departments'
  | 'employees'
  | 'features'
  | 'featureKinds'
  | 'personChangeNo'
  | 'personSyncOf'
  | 'personsAfter'
  | 'nextOrganizationWrite'
  | 'organizationWrites'
  | 'conflicts'
  | 'unresolvedPeople'
  | 'attendanceCaller'
>;

type Row = Record<string, string | number | null>;

/**
 * The organization as callers and people at the box read it. Short statements on the read-only
 * connection.
 */
export function organizationReads(connection: Connection): Reads {
  const { sql, seal } = connection;
  const features = new Features(connection);
  const count = (text: string): number => (sql(text).get() as { many: number }).many;

  return {
    async departments({ limit, offset }) {
      const rows = sql(
        `SELECT coalesce(d.cloud_id, CAST(d.id AS TEXT)) AS id, d.ext_id, d.name, coalesce(p.cloud_id, CAST(p.id AS TEXT), '') AS pid
           FROM department d LEFT JOIN department p ON p.id = d.parent_id ORDER BY d.id LIMIT ? OFFSET ?`,
      ).all(limit, offset) as Row[];
      return {
        total: count('SELECT count(*) AS many FROM department'),
        rows: rows.map(
          (row): Department => ({
            id: row.id as string,
            extId: (row.ext_id as string | null) ?? '',
            name: row.name as string,
            parentId: row.pid as string,
          }),
        ),
      };
    },

    async employees({ limit, offset }) {
      const rows = sql(
        `SELECT coalesce(e.cloud_id, CAST(e.id AS TEXT)) AS id, e.ext_id, e.name, e.id AS row_id, e.mobile, e.sealed_mobile, e.employee_num, e.title,
           coalesce(d.cloud_id, CAST(d.id AS TEXT)) AS department_id
           FROM employee e JOIN department d ON d.id = e.department_id ORDER BY e.id LIMIT ? OFFSET ?`,
      ).all(limit, offset) as Row[];
      return {
        total: count('SELECT count(*) AS many FROM employee'),
        rows: rows.map(
          (row): Employee => ({
            id: row.id as string,
            extId: (row.ext_id as string | null) ?? '',
            name: row.name as string,
            mobile: mobileOf(seal, { ...row, id: row.row_id } as unknown as MobileColumns),
            employeeNum: row.employee_num as string,
            departmentId: row.department_id as string,
            title: row.title as string,
          }),
        ),
      };
    },

    async features({ extId, featureType, featureAlg }) {
      if (!sql('SELECT 1 FROM employee WHERE ext_id = ?').get(extId)) return null;
      return features.values(extId, featureType, featureAlg);
    },

    async featureKinds() {
      const rows = sql('SELECT DISTINCT feature_type, feature_alg FROM feature').all() as Row[];
      return rows.map(row => ({ featureType: row.feature_type as string, featureAlg: row.feature_alg as string }));
    },

    async personChangeNo() {
      return count("SELECT value AS many FROM counter WHERE name = 'person_change'");
    },

    async personSyncOf(deviceNo) {
      const row = sql('SELECT change_no FROM person_sync WHERE device_no = ?').get(deviceNo) as
        | { change_no: number }
        | undefined;
      return row?.change_no ?? 0;
    },

    async personsAfter(changeNo, { limit, bytesMax, productId }) {
      // Read with the people, not from the directory, which may hear of a change a moment later.
      const takesPins = sql('SELECT pass_features FROM product WHERE product_id = ?').get(productId) as
        | { pass_features: number }
        | undefined;
      const rows = sql(
        `SELECT c.change_no, c.ext_id, c.removed, e.name, e.employee_num FROM person_change c LEFT JOIN employee e ON e.ext_id = c.ext_id
           WHERE c.change_no > ?1 AND (?1 > 0 OR c.removed = 0) ORDER BY c.change_no LIMIT ?2`,
      ).all(changeNo, limit) as Row[];
      const people: PersonToSync[] = [];
      let bytes = 0;
      for (const row of rows) {
        const extId = row.ext_id as string;
        // Somebody whom the organization does not know is one whom the terminals need not know.
        const removed = row.removed === 1 || row.name === null;
        const stored = removed
          ? []
          : features.of(extId).filter(({ featureType }) => featureType !== 'pass' || takesPins?.pass_features === 1);
        for (const { values } of stored) for (const value of values) bytes += value.length;
        if (people.length > 0 && bytes > bytesMax) break;
        people.push({
          changeNo: row.change_no as number,
          extId,
          removed,
          name: (row.name as string | null) ?? '',
          employeeNum: (row.employee_num as string | null) ?? '',
          features: stored,
        });
      }
      return people;
    },

    async nextOrganizationWrite() {
      const row = sql('SELECT * FROM organization_write WHERE refused_at IS NULL ORDER BY id LIMIT 1').get() as
        | (Row & { sealed_body: Uint8Array })
        | undefined;
      return row
        ? { ...writeRow(row), body: seal.openText(row.sealed_body as unknown as Uint8Array, places.organizationWrite) }
        : null;
    },

    async organizationWrites({ refused, limit }) {
      const which = refused ? 'refused_at IS NOT NULL' : 'refused_at IS NULL';
      const rows = sql(
        `SELECT id, at, caller, path, command, subject, refused_at, code, reason FROM organization_write WHERE ${which} ORDER BY id LIMIT ?`,
      ).all(limit) as Row[];
      return {
        total: count(`SELECT count(*) AS many FROM organization_write WHERE ${which}`),
        rows: rows.map(writeRow),
      };
    },

    async conflicts(limit) {
      const rows = sql('SELECT * FROM organization_conflict ORDER BY id DESC LIMIT ?').all(limit) as Row[];
      return {
        total: count('SELECT count(*) AS many FROM organization_conflict'),
        rows: rows.map((row): OrganizationConflictRow => {
          const [cloudSide, boxSide] = joinSides(seal, row as never);
          return {
            id: row.id as number,
            at: row.at as number,
            subject: row.subject as string,
            cloudSide,
            boxSide,
          };
        }),
      };
    },

    async unresolvedPeople(limit) {
      const rows = sql(
        `SELECT ext_id, employee_num, count(*) AS records, max(received_at) AS last_at,
           (SELECT count(*) FROM employee e WHERE u.ext_id = '' AND e.employee_num = u.employee_num) > 1 AS ambiguous
           FROM checkin_unresolved u GROUP BY ext_id, employee_num ORDER BY last_at DESC LIMIT ?`,
      ).all(limit) as Row[];
      return {
        records: count('SELECT count(*) AS many FROM checkin_unresolved'),
        people: rows.map(
          (row): UnresolvedPerson => ({
            extId: row.ext_id as string,
            employeeNum: row.employee_num as string,
            records: row.records as number,
            ambiguous: row.ambiguous === 1,
            lastAt: row.last_at as number,
          }),
        ),
      };
    },

    async attendanceCaller(appKey) {
      const row = sql('SELECT sealed_secret, name FROM attendance_caller WHERE app_key = ?').get(appKey) as
        | { sealed_secret: Uint8Array; name: string }
        | undefined;
      return row ? { secret: seal.openText(row.sealed_secret, places.attendanceSecret(appKey)), name: row.name } : null;
    },
  };
}

const writeRow = (row: Row): OrganizationWriteRow => ({
  id: row.id as number,
  at: row.at as number,
  caller: row.caller as string,
  path: row.path as string,
  command: row.command as string,
  subject: row.subject as string,
  refusedAt: row.refused_at as number | null,
  code: row.code as number | null,
  reason: row.reason as string | null,
});
