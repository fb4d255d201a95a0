import type { Alias, SaidId } from '../../port/aliases.ts';
import type { OrganizationOutcome } from '../../port/organization.ts';
import { aliasColumns } from '../../readers/aliases.ts';
import type { Connection } from '../../schema/database.ts';
import { refused } from './departments.ts';
import { People } from './people.ts';
import { takeFromAlias } from './unresolving.ts';

/** Whose the unknown ids are (port/aliases.ts), in the writer thread. */
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
