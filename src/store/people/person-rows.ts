import type { Connection } from '../schema/database.ts';

/** Which rows of a table move from one value of `column` to another. */
interface Moved {
  readonly table: string;
  readonly column: string;
  /** The other columns of its unique key; null: it has none with `column`. */
  readonly beside: readonly string[] | null;
  /** A condition of SQL: only these rows. */
  readonly only?: string;
}

/**
 * A row that has the new value already, and the same `beside`, makes way for the one that comes.
 */
export function moveRows({ sql }: Pick<Connection, 'sql'>, moved: Moved, before: string, after: string): void {
  if (before === after) return;
  const { table, column, beside, only = '1 = 1' } = moved;
  const same = (beside ?? []).map(key => ` AND coming.${key} = ${table}.${key}`).join('');
  if (beside)
    sql(
      `DELETE FROM ${table} WHERE ${column} = ?2 AND ${only}
         AND EXISTS (SELECT 1 FROM ${table} coming WHERE coming.${column} = ?1${same})`,
    ).run(before, after);
  sql(`UPDATE ${table} SET ${column} = ?2 WHERE ${column} = ?1 AND ${only}`).run(before, after);
}

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

/** With the person go the corrections; one that is about others too stays for them. */
export function deleteCorrections({ sql }: Connection, extId: string): void {
  const rows = sql('SELECT DISTINCT correction_id AS id FROM correction_item WHERE ext_id = ?').all(extId);
  sql('DELETE FROM correction_item WHERE ext_id = ?').run(extId);
  for (const { id } of rows as { id: number }[]) {
    if (sql('SELECT 1 FROM correction_item WHERE correction_id = ? LIMIT 1').get(id)) continue;
    sql('DELETE FROM correction_decision WHERE correction_id = ?').run(id);
    sql('DELETE FROM correction WHERE id = ?').run(id);
  }
}
