import type { Connection } from '../../schema/database.ts';
import { type Moved, moveRows } from '../move-rows.ts';

/** Plans of one person or department, by external id. */

const ofPerson: readonly Moved[] = [
  { table: 'employment', column: 'ext_id', beside: [] },
  { table: 'leave', column: 'ext_id', beside: null },
  { table: 'roster_rule', column: 'target_id', beside: ['target_kind', 'from_date'], only: "target_kind = 'person'" },
  { table: 'day_override', column: 'target_id', beside: ['target_kind', 'date'], only: "target_kind = 'person'" },
];

const frozen: readonly Moved[] = [
  { table: 'period_row', column: 'ext_id', beside: null },
  { table: 'period_change', column: 'ext_id', beside: ['period_id', 'kind', 'date'] },
];

const ofDepartment: readonly Moved[] = [
  {
    table: 'roster_rule',
    column: 'target_id',
    beside: ['target_kind', 'from_date'],
    only: "target_kind = 'department'",
  },
  { table: 'day_override', column: 'target_id', beside: ['target_kind', 'date'], only: "target_kind = 'department'" },
  { table: 'period', column: 'scope_id', beside: ['month', 'revision'] },
];

/** Of a person who is deleted with everything. */
export function forgetPlansOf({ sql }: Pick<Connection, 'sql'>, extId: string): void {
  for (const { table, column, only = '1 = 1' } of ofPerson)
    sql(`DELETE FROM ${table} WHERE ${column} = ? AND ${only}`).run(extId);
}

/** The external id changed. What was frozen keeps the old one; it is found by the new one. */
export function renamePlansOf(connection: Pick<Connection, 'sql'>, before: string, extId: string): void {
  for (const moved of [...ofPerson, ...frozen]) moveRows(connection, moved, before, extId);
}

export function renamePlansOfDepartment(connection: Pick<Connection, 'sql'>, before: string, extId: string): void {
  for (const moved of ofDepartment) moveRows(connection, moved, before, extId);
  connection
    .sql('UPDATE period_row SET departments = replace(departments, ?2, ?1) WHERE instr(departments, ?2) > 0')
    .run(JSON.stringify(extId), JSON.stringify(before));
}
