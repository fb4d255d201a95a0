import type { FormerPlace } from '../../platform/places.ts';
import type { DepartmentsByDate, PeopleReads } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';

const nodes = `SELECT id, parent_id AS "parentId", coalesce(ext_id, '') AS "extId", name FROM department
  UNION ALL SELECT id, parent_id, coalesce(ext_id, ''), name FROM gone_department ORDER BY 1`;

const formerParents = `SELECT subject_id AS id, until, department_id AS "parentId" FROM former_place
  WHERE kind = 'department' AND until >= ? ORDER BY subject_id, until`;

const formerOf = `SELECT subject_id AS id, until, department_id AS "departmentId" FROM former_place
  WHERE kind = 'person' AND until >= ?1 AND subject_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?2))
  ORDER BY subject_id, until`;

/** Where people and departments stood on which date. Hand-written: a union is shorter in SQL. */
export const placeReads = ({
  sql,
}: Pick<Connection, 'sql'>): Pick<PeopleReads, 'departmentsByDate' | 'formerDepartments'> => ({
  async departmentsByDate(since) {
    return { nodes: sql(nodes).all(), former: sql(formerParents).all(since) } as unknown as DepartmentsByDate;
  },
  async formerDepartments({ ids, since }) {
    const rows = sql(formerOf).all(since, JSON.stringify(ids)) as unknown as (FormerPlace & { id: number })[];
    const found = new Map<number, FormerPlace[]>();
    for (const { id, until, departmentId } of rows) {
      const places = found.get(id);
      if (places) places.push({ until, departmentId });
      else found.set(id, [{ until, departmentId }]);
    }
    return found;
  },
});
