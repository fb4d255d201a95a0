import type { OrganizationOutcome } from '../port/organization.ts';
import type { Connection } from '../schema/database.ts';
import { type Alias, aliasColumns, type SaidId } from './aliases.ts';
import { refused } from './departments.ts';
import { People } from './people.ts';
import type { Person } from './punch.ts';

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
function takeFromAlias({ sql }: Connection, alias: number): void {
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

/** Whose the unknown ids are (aliases.ts), in the writer thread. */
export class Aliases {
  readonly #connection: Connection;
  readonly #people: People;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#people = new People(connection);
  }

  join({
    saidExtId,
    saidNumber,
    extId,
    at,
    by,
  }: SaidId & { extId: string; at: number; by: string }): OrganizationOutcome<{ id: number; checkIns: number }> {
    const { sql } = this.#connection;
    const person = this.#people.byExtId(extId);
    if (!person) return refused('unknown_id', 'ext_id', 'nobody has this id');
    if (saidExtId === '' && saidNumber === '')
      return refused('bad_body', 'said_ext_id', 'these check-ins name neither an id nor a number');
    if (this.#people.find(saidExtId, saidNumber))
      return refused('ext_id_in_use', 'said_ext_id', 'somebody has this id or number');
    // A report that has an ext id is found by that alone.
    const number = saidExtId === '' ? saidNumber : '';
    const put = sql(
      `INSERT INTO person_alias (said_ext_id, said_number, ext_id, at, by) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (said_ext_id, said_number) DO NOTHING RETURNING id`,
    ).get(saidExtId, number, extId, at, by);
    const found = sql('SELECT id, ext_id FROM person_alias WHERE said_ext_id = ? AND said_number = ?').get(
      saidExtId,
      number,
    ) as { id: number; ext_id: string };
    if (!put && found.ext_id !== extId)
      return refused('ext_id_in_use', 'said_ext_id', 'this id was joined to somebody else before');
    this.#people.resolve(person);
    return { ok: true, value: { id: found.id, checkIns: this.#checkIns(found.id) } };
  }

  separate(id: number): Alias | null {
    const { sql } = this.#connection;
    const alias = sql(`${aliasColumns} WHERE a.id = ?`).get(id) as Alias | undefined;
    if (!alias) return null;
    takeFromAlias(this.#connection, id);
    sql('DELETE FROM person_alias WHERE id = ?').run(id);
    return alias;
  }

  /** Of a person who is deleted: returns the ids under which devices knew the person. */
  forget(extId: string): string[] {
    const { sql } = this.#connection;
    const rows = sql('SELECT id, said_ext_id FROM person_alias WHERE ext_id = ?').all(extId) as {
      id: number;
      said_ext_id: string;
    }[];
    for (const { id } of rows) sql('DELETE FROM person_alias_checkin WHERE alias_id = ?').run(id);
    sql('DELETE FROM person_alias WHERE ext_id = ?').run(extId);
    return rows.flatMap(row => (row.said_ext_id === '' ? [] : [row.said_ext_id]));
  }

  rename(before: string, extId: string): void {
    this.#connection.sql('UPDATE person_alias SET ext_id = ? WHERE ext_id = ?').run(extId, before);
  }

  #checkIns(id: number): number {
    const row = this.#connection.sql('SELECT count(*) AS many FROM person_alias_checkin WHERE alias_id = ?').get(id);
    return (row as { many: number }).many;
  }
}
