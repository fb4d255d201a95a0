import type { Connection } from '../../schema/database.ts';

/** What plans hold of one person, or department, by external id. */

const rowsOf: readonly (readonly [table: string, column: string, kind: 'person' | 'department' | null])[] = [
  ['employment', 'ext_id', null],
  ['leave', 'ext_id', null],
  ['roster_rule', 'target_id', 'person'],
  ['day_override', 'target_id', 'person'],
];

/** Of a person who is deleted with everything. */
export function forgetPlansOf({ sql }: Pick<Connection, 'sql'>, extId: string): void {
  for (const [table, column, kind] of rowsOf)
    sql(`DELETE FROM ${table} WHERE ${column} = ?${kind ? ` AND target_kind = '${kind}'` : ''}`).run(extId);
}

/** The external id changed. What was frozen keeps the old one; it is found by the new one. */
export function renamePlansOf({ sql }: Pick<Connection, 'sql'>, before: string, extId: string): void {
  for (const [table, column, kind] of rowsOf)
    sql(
      `UPDATE OR REPLACE ${table} SET ${column} = ? WHERE ${column} = ?${kind ? ` AND target_kind = '${kind}'` : ''}`,
    ).run(extId, before);
  for (const table of ['period_row', 'period_change'])
    sql(`UPDATE OR REPLACE ${table} SET ext_id = ? WHERE ext_id = ?`).run(extId, before);
}

export function renamePlansOfDepartment({ sql }: Pick<Connection, 'sql'>, before: string, extId: string): void {
  for (const table of ['roster_rule', 'day_override'])
    sql(`UPDATE OR REPLACE ${table} SET target_id = ? WHERE target_id = ? AND target_kind = 'department'`).run(
      extId,
      before,
    );
  sql('UPDATE OR REPLACE period SET scope_id = ? WHERE scope_id = ?').run(extId, before);
  sql('UPDATE period_row SET departments = replace(departments, ?2, ?1) WHERE instr(departments, ?2) > 0').run(
    JSON.stringify(extId),
    JSON.stringify(before),
  );
}
