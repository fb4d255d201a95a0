import type { DeviceNo, Seq } from '../port/journal.ts';
import type { FeatureValue } from '../port/organization.ts';
import type {
  DepartmentNode,
  FeatureFacts,
  PeopleReads,
  PeopleScope,
  PersonOfDay,
  PersonPlace,
  PersonRow,
  PunchRow,
  PunchSource,
} from '../port/people.ts';
import type { Connection } from '../schema/database.ts';
import { BrokenSeal, type Seal } from '../schema/sealing.ts';
import { Features } from '../writer/organization/features.ts';
import { type MobileColumns, mobileOf } from '../writer/organization/mobile.ts';
import type { KnownDevices } from './stored-devices.ts';

type Row = Record<string, string | number | null>;
type Values = (string | number)[];

/**
 * What a list opens of each feature to see its mark; larger ones are opened on their person's page
 * alone.
 */
const openedForMarksMax = 256 << 10;

const columns = `e.id, e.department_id, coalesce(e.ext_id, '') AS ext_id, e.name, e.mobile, e.sealed_mobile, e.employee_num, e.title, d.name AS department,
  coalesce(d.ext_id, '') AS department_ext_id`;
const from = 'FROM employee e JOIN department d ON d.id = e.department_id';
const inOrder = 'ORDER BY e.department_id, e.id LIMIT ?';
/**
 * By the index of a person's check-ins: what a day costs does not grow with the years that are
 * stored.
 */
const isHere =
  'EXISTS (SELECT 1 FROM checkin c WHERE c.employee_id = e.id AND c.check_time_seconds >= ? AND c.check_time_seconds < ?)';

/** The condition that a scope is, with its values in order. */
function scoped({ departmentExtId, text }: PeopleScope): { where: string; values: Values } {
  const conditions: string[] = [];
  const values: Values = [];
  if (departmentExtId !== undefined) {
    conditions.push(`e.department_id IN (WITH RECURSIVE below(id) AS (SELECT id FROM department WHERE ext_id = ?
      UNION SELECT d.id FROM department d JOIN below b ON d.parent_id = b.id) SELECT id FROM below)`);
    values.push(departmentExtId);
  }
  if (text !== undefined && text !== '') {
    conditions.push(
      "(instr(lower(e.name), ?) > 0 OR instr(lower(e.employee_num), ?) > 0 OR instr(lower(coalesce(e.ext_id, '')), ?) > 0)",
    );
    const wanted = text.toLowerCase();
    values.push(wanted, wanted, wanted);
  }
  return { where: conditions.length === 0 ? '1' : conditions.join(' AND '), values };
}

const behind = (after: PersonPlace | undefined): Values => [after?.department ?? -1, after?.id ?? -1];

/** People as the pages list them: by department, in pages. */
export function peopleReads(
  connection: Connection,
  devices: KnownDevices,
): Omit<PeopleReads, 'accessEvents' | 'accessPhoto' | 'erasures'> {
  const { sql, seal } = connection;
  const features = new Features(connection);
  const count = (text: string, ...values: Values): number => (sql(text).get(...values) as { many: number }).many;

  /** Null: damaged. */
  const valuesOf = (extId: string, type: string, alg: string): FeatureValue[] | null => {
    try {
      return features.values(extId, type, alg);
    } catch (error) {
      if (error instanceof BrokenSeal) return null;
      throw error;
    }
  };

  return {
    async dayCounts({ from: first, to, ...scope }) {
      const { where, values } = scoped(scope);
      const { people, here } = sql(
        `SELECT count(*) AS people, coalesce(sum(${isHere}), 0) AS here FROM employee e WHERE ${where}`,
      ).get(first, to, ...values) as { people: number; here: number };
      const unknown = count(
        'SELECT count(*) AS many FROM checkin_unresolved WHERE check_time_seconds >= ? AND check_time_seconds < ?',
        first,
        to,
      );
      return { people, here, unknown };
    },

    async dayPeople({ from: first, to, here, after, limit, ...scope }) {
      const { where, values } = scoped(scope);
      const rows = sql(
        `SELECT ${columns} ${from} WHERE (e.department_id, e.id) > (?, ?) AND ${where} AND ${here ? '' : 'NOT '}${isHere} ${inOrder}`,
      ).all(...behind(after), ...values, first, to, limit) as Row[];
      const one = (id: number, direction: 'ASC' | 'DESC') =>
        sourceOf(
          sql(
            `SELECT check_time_seconds, device_no, check_type FROM checkin WHERE employee_id = ? AND check_time_seconds >= ? AND check_time_seconds < ?
               ORDER BY check_time_seconds ${direction} LIMIT 1`,
          ).get(id, first, to) as Row | undefined,
        );
      return rows.map((row): PersonOfDay => {
        const id = row.id as number;
        if (!here) return { ...personOf(seal, row), first: null, last: null, count: 0 };
        const many = count(
          'SELECT count(*) AS many FROM checkin WHERE employee_id = ? AND check_time_seconds >= ? AND check_time_seconds < ?',
          id,
          first,
          to,
        );
        return { ...personOf(seal, row), first: one(id, 'ASC'), last: one(id, 'DESC'), count: many };
      });
    },

    async people({ after, limit, ...scope }) {
      const { where, values } = scoped(scope);
      const rows = sql(`SELECT ${columns} ${from} WHERE (e.department_id, e.id) > (?, ?) AND ${where} ${inOrder}`).all(
        ...behind(after),
        ...values,
        limit,
      ) as Row[];
      return rows.map(row => personOf(seal, row));
    },

    async checkTimes({ ids, from: first, to, limit }) {
      const times = sql(
        `SELECT check_time_seconds AS at FROM checkin WHERE employee_id = ? AND check_time_seconds >= ? AND check_time_seconds < ?
           ORDER BY check_time_seconds LIMIT ?`,
      );
      return new Map(ids.map(id => [id, (times.all(id, first, to, limit) as { at: number }[]).map(({ at }) => at)]));
    },

    async person(extId) {
      const row = sql(`SELECT ${columns} ${from} WHERE e.ext_id = ?`).get(extId) as Row | undefined;
      if (!row) return null;
      return {
        ...personOf(seal, row),
        checkins: count('SELECT count(*) AS many FROM checkin WHERE employee_id = ?', row.id as number),
        featureKinds: count('SELECT count(*) AS many FROM feature WHERE ext_id = ?', extId),
      };
    },

    async punches({ extId, from: first, to, after, limit }) {
      const rows = sql(
        `SELECT c.id, c.seq, c.check_time_seconds, c.device_no, c.terminal_id, c.check_type, c.received_at, c.clock_skew_seconds,
           (SELECT 1 FROM parked p WHERE p.seq = c.seq) AS parked
           FROM checkin c WHERE c.employee_id = (SELECT id FROM employee WHERE ext_id = ?) AND c.check_time_seconds >= ? AND c.check_time_seconds < ?
           AND (c.check_time_seconds, c.id) > (?, ?) ORDER BY c.check_time_seconds, c.id LIMIT ?`,
      ).all(extId, first, to, after?.at ?? -1, after?.id ?? -1, limit) as Row[];
      const confirmation = sql(
        'SELECT confirmed_at FROM confirmation WHERE device_no = ? AND up_to_seq >= ? AND channels & 1 ORDER BY up_to_seq LIMIT 1',
      );
      return rows.map((row): PunchRow => {
        const deviceNo = row.device_no as DeviceNo;
        const seq = row.seq as Seq;
        const passed = seq <= (devices.deviceByNo(deviceNo)?.forwarded.device ?? 0);
        const state = row.parked === 1 ? 'parked' : passed ? 'confirmed' : 'waiting';
        const confirmed =
          state === 'confirmed' ? (confirmation.get(deviceNo, seq) as { confirmed_at: number } | undefined) : undefined;
        return {
          id: row.id as number,
          seq,
          at: row.check_time_seconds as number,
          deviceNo,
          terminalId: row.terminal_id as string | null,
          checkType: row.check_type as string,
          receivedAt: row.received_at as number,
          clockSkewSeconds: row.clock_skew_seconds as number | null,
          state,
          confirmedAt: confirmed?.confirmed_at ?? null,
        };
      });
    },

    async departmentTree(limit) {
      const rows = sql(
        `SELECT d.id, d.parent_id, coalesce(d.ext_id, '') AS ext_id, d.name, (SELECT count(*) FROM employee e WHERE e.department_id = d.id) AS people
           FROM department d ORDER BY d.id LIMIT ?`,
      ).all(limit) as Row[];
      return rows.map(
        (row): DepartmentNode => ({
          id: row.id as number,
          parentId: row.parent_id as number | null,
          extId: row.ext_id as string,
          name: row.name as string,
          people: row.people as number,
        }),
      );
    },

    async featureMarks(extIds) {
      const kinds = sql(
        'SELECT feature_type, feature_alg, length(sealed_values) AS bytes FROM feature WHERE ext_id = ? ORDER BY feature_type',
      );
      const failed = sql('SELECT 1 FROM feature_failure WHERE ext_id = ? LIMIT 1');
      return new Map(
        extIds.map(extId => {
          const rows = kinds.all(extId) as { feature_type: string; feature_alg: string; bytes: number }[];
          const reported = () =>
            rows.some(
              ({ feature_type: type, feature_alg: alg, bytes }) =>
                bytes <= openedForMarksMax && (valuesOf(extId, type, alg) ?? []).some(({ isAbnormal }) => isAbnormal),
            );
          const types = [...new Set(rows.map(row => row.feature_type))];
          return [extId, { types, abnormal: failed.get(extId) !== undefined || reported() }];
        }),
      );
    },

    async featureFacts(extId) {
      const rows = sql(
        'SELECT feature_type, feature_alg, device_no, stored_at FROM feature WHERE ext_id = ? ORDER BY feature_type, feature_alg',
      ).all(extId) as Row[];
      return rows.map((row): FeatureFacts => {
        const featureType = row.feature_type as string;
        const featureAlg = row.feature_alg as string;
        const facts = {
          featureType,
          featureAlg,
          storedAt: row.stored_at as number,
          deviceNo: row.device_no as DeviceNo | null,
        };
        const values = valuesOf(extId, featureType, featureAlg);
        return {
          ...facts,
          values: (values ?? []).map(({ value, isAbnormal }) => ({ length: value.length, isAbnormal })),
          damaged: values === null,
        };
      });
    },
  };
}

const personOf = (seal: Seal, row: Row): PersonRow => ({
  place: { department: row.department_id as number, id: row.id as number },
  extId: row.ext_id as string,
  name: row.name as string,
  mobile: mobileOf(seal, row as unknown as MobileColumns),
  employeeNum: row.employee_num as string,
  title: row.title as string,
  department: row.department as string,
  departmentExtId: row.department_ext_id as string,
});

const sourceOf = (row: Row | undefined): PunchSource | null =>
  row
    ? {
        at: row.check_time_seconds as number,
        deviceNo: row.device_no as DeviceNo,
        checkType: row.check_type as string,
      }
    : null;
