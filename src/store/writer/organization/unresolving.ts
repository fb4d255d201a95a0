import type { Connection } from '../../schema/database.ts';
import type { Person } from './person.ts';

/** The beginning of a statement that moves check-ins back to those whose person is not known. */
const toUnresolved = (extId: string, employeeNum: string, checkData: string): string =>
  `INSERT INTO checkin_unresolved (id, seq, device_no, received_at, record_id, ext_id, employee_num, check_type, check_time_seconds, check_data,
     clock_low_ms, clock_high_ms, shown_id)
   SELECT c.id, c.seq, c.device_no, c.received_at, c.record_id, ${extId}, ${employeeNum}, c.check_type, c.check_time_seconds, ${checkData},
     c.clock_low_ms, c.clock_high_ms, coalesce(c.shown_id, c.id) FROM checkin c`;

/** Where it came from is a column of a check-in; a check-in without a person has it in its data. */
const withTerminal = (checkData: string): string =>
  `CASE WHEN c.terminal_id IS NULL THEN ${checkData} ELSE json_set(${checkData}, '$.terminal_id', c.terminal_id) END`;

const withoutPerson = (checkData: string): string =>
  `json_remove(${checkData}, '$.employee_num', '$.dept_name', '$.member_name', '$.dept_id')`;

/**
 * Hides the check-ins of a person who is unknown again. If the person becomes known again, they
 * reappear under the same `id`, at a new place.
 */
export function unresolve(connection: Connection, person: Person): void {
  const { sql } = connection;
  const aliases = sql('SELECT id FROM person_alias WHERE ext_id = ?').all(person.extId) as { id: number }[];
  for (const { id } of aliases) takeFromAlias(connection, id);
  sql(`${toUnresolved('?1', "''", withTerminal('c.check_data'))} WHERE c.employee_id = ?2`).run(
    person.extId ?? '',
    person.id,
  );
  sql('DELETE FROM checkin WHERE employee_id = ?').run(person.id);
  sql('UPDATE access_record SET employee_id = NULL WHERE employee_id = ?').run(person.id);
}

/** Takes records of an alias from their person again, and removes that person's name from them. */
export function takeFromAlias({ sql }: Connection, alias: number): void {
  sql(
    `${toUnresolved('a.said_ext_id', 'a.said_number', withTerminal(withoutPerson('c.check_data')))}
     JOIN person_alias_checkin b ON b.checkin_id = c.id JOIN person_alias a ON a.id = b.alias_id WHERE a.id = ?`,
  ).run(alias);
  sql('DELETE FROM checkin WHERE id IN (SELECT checkin_id FROM person_alias_checkin WHERE alias_id = ?)').run(alias);
  sql('DELETE FROM person_alias_checkin WHERE alias_id = ?').run(alias);
  sql(
    `UPDATE access_record SET employee_id = NULL, check_data = ${withoutPerson('check_data')} WHERE employee_id IS NOT NULL
       AND ext_id <> '' AND ext_id = (SELECT said_ext_id FROM person_alias WHERE id = ?)`,
  ).run(alias);
}
