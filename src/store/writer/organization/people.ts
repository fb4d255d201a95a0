import { accessData, type CheckInFacts, checkInData, terminalIdOf } from '../../../platform/check-data.ts';
import { checkInIdMax } from '../../../platform/next-id.ts';
import type { AccessType, CheckInType } from '../../../platform/reports.ts';
import type { DeviceNo } from '../../port/journal.ts';
import type { Connection } from '../../schema/database.ts';
import { findMatch, noteUncertain, takeOver } from './cloud-records.ts';
import { type Punch, punchOf, type UnresolvedRow } from './punch.ts';

/** A person as punches need it. */
interface Person {
  readonly id: number;
  readonly extId: string | null;
  readonly name: string;
  readonly employeeNum: string;
  readonly departmentId: string;
  readonly departmentName: string;
}

interface PersonRow {
  id: number;
  ext_id: string | null;
  name: string;
  employee_num: string;
  department_id: string;
  department_name: string;
}

const personColumns = `SELECT e.id, e.ext_id, e.name, e.employee_num, d.name AS department_name,
  coalesce(d.cloud_id, CAST(d.id AS TEXT)) AS department_id FROM employee e JOIN department d ON d.id = e.department_id`;

const insertCheckIn = `INSERT INTO checkin (id, seq, device_no, received_at, record_id, employee_id, terminal_id, check_type, check_time_seconds, check_data,
  clock_low_ms, clock_high_ms, shown_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/**
 * Finds the person of a punch, and assigns unresolved check-ins to a person who becomes known. In
 * the writer thread.
 */
export class People {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The next number of a kind, incremented in the caller's transaction. */
  next(name: 'checkin' | 'person_change'): number {
    const { value } = this.#connection
      .sql('UPDATE counter SET value = value + 1 WHERE name = ? RETURNING value')
      .get(name) as { value: number };
    return value;
  }

  current(name: 'checkin' | 'person_change'): number {
    return (this.#connection.sql('SELECT value FROM counter WHERE name = ?').get(name) as { value: number }).value;
  }

  /**
   * The id of a check-in that becomes visible now, whatever its source: rising, so that a caller
   * that pages by `next_id` gets it next. Throws when all 2^31 - 1 are used.
   */
  nextCheckInId(): number {
    const id = this.next('checkin');
    if (id > checkInIdMax) throw new Error('this store has used all its numbers of check-ins (2^31 - 1)');
    return id;
  }

  byExtId(extId: string): Person | null {
    return personOf(this.#connection.sql(`${personColumns} WHERE e.ext_id = ?`).get(extId));
  }

  byId(id: number): Person | null {
    return personOf(this.#connection.sql(`${personColumns} WHERE e.id = ?`).get(id));
  }

  /** By ext id where the report has one, else by a number that only one person has. */
  find(extId: string, employeeNum: string): Person | null {
    if (extId !== '') return this.byExtId(extId);
    const found = this.#connection.sql(`${personColumns} WHERE e.employee_num = ? LIMIT 2`).all(employeeNum);
    return found.length === 1 ? personOf(found[0]) : null;
  }

  /** Numbers the person's newest change, so that it is sent to devices. */
  changed(extId: string | null, removed = false): void {
    if (extId === null) return;
    this.#connection
      .sql('INSERT OR REPLACE INTO person_change (change_no, ext_id, removed) VALUES (?, ?, ?)')
      .run(this.next('person_change'), extId, removed ? 1 : 0);
  }

  /**
   * Numbers a change of everybody who has a feature of this type, so that devices get the person
   * again, with it or without it.
   */
  changedWith(featureType: string): void {
    const rows = this.#connection
      .sql('SELECT DISTINCT ext_id FROM feature WHERE feature_type = ?')
      .all(featureType) as { ext_id: string }[];
    for (const { ext_id } of rows) if (this.byExtId(ext_id)) this.changed(ext_id);
  }

  facts(deviceNo: DeviceNo): Omit<CheckInFacts, 'person'> {
    const row = this.#connection.sql('SELECT device_id, name FROM device WHERE device_no = ?').get(deviceNo) as
      | { device_id: string; name: string }
      | undefined;
    const serialNumber = row ? row.device_id.slice(row.device_id.indexOf('_') + 1) : '';
    return { deviceName: row?.name ?? '', serialNumber };
  }

  /**
   * Assigns the check-ins that were reported before this person was known, in the order of report,
   * with new ids. Those from before the initialization keep their ids, because no caller may see
   * them (SPEC 4.8). Those that the cloud listed meanwhile are not added a second time.
   */
  resolve(person: Person): void {
    const { sql } = this.#connection;
    const alone =
      person.employeeNum !== '' &&
      (sql('SELECT count(*) AS many FROM employee WHERE employee_num = ?').get(person.employeeNum) as { many: number })
        .many === 1;
    const rows = sql(
      `SELECT * FROM checkin_unresolved WHERE ext_id = ?1 AND ext_id <> ''
       UNION ALL SELECT * FROM checkin_unresolved WHERE ?2 AND ext_id = '' AND employee_num = ?3 AND employee_num <> '' ORDER BY id`,
    ).all(person.extId ?? '', alone ? 1 : 0, person.employeeNum) as unknown as UnresolvedRow[];
    const since = this.#sinceId();
    const insert = sql(insertCheckIn);
    const remove = sql('DELETE FROM checkin_unresolved WHERE id = ?');
    const isListed = sql('SELECT 1 FROM cloud_checkin WHERE checkin_id = ?');
    const relist = sql('UPDATE cloud_checkin SET checkin_id = ? WHERE checkin_id = ?');
    for (const row of rows) {
      const said = JSON.parse(row.check_data) as Record<string, unknown>;
      const type = row.check_type as CheckInType;
      // Check-ins from the cloud, or with a match there, are not matched again.
      const isMatched = row.device_no === 0 || isListed.get(row.id) !== undefined;
      const punch = punchOf(row, said);
      const match = isMatched ? null : this.#inCloud(person, punch);
      if (match && match.same !== null) {
        takeOver(this.#connection, 'checkin', match.same, punch);
        remove.run(row.id);
        continue;
      }
      const isVisible = since !== null && row.id > since;
      const id = isVisible ? this.nextCheckInId() : row.id;
      if (id !== row.id) relist.run(id, row.id);
      if (isVisible && match)
        noteUncertain(this.#connection, { at: row.received_at, kind: 'checkin', siteId: id, cloudId: match.perhaps });
      insert.run(
        id,
        row.seq,
        row.device_no,
        row.received_at,
        row.record_id,
        person.id,
        terminalIdOf(type, said),
        type,
        row.check_time_seconds,
        JSON.stringify(checkInData(type, said, { ...this.facts(row.device_no as DeviceNo), person: punching(person) })),
        punch.clock?.lowMs ?? null,
        punch.clock?.highMs ?? null,
        row.shown_id,
      );
      remove.run(row.id);
    }
    if (person.extId !== null) this.#resolveAccess(person, person.extId);
  }

  #resolveAccess(person: Person, extId: string): void {
    const { sql } = this.#connection;
    const rows = sql(
      'SELECT id, device_no, check_type, check_data FROM access_record WHERE ext_id = ? AND employee_id IS NULL',
    ).all(extId) as { id: number; device_no: number; check_type: string; check_data: string }[];
    const update = sql('UPDATE access_record SET employee_id = ?, check_data = ? WHERE id = ?');
    for (const { id, device_no, check_type, check_data } of rows) {
      const facts = { ...this.facts(device_no as DeviceNo), person: punching(person) };
      update.run(
        person.id,
        JSON.stringify(accessData(check_type as AccessType, JSON.parse(check_data) as Record<string, unknown>, facts)),
        id,
      );
    }
  }

  /** Check-ins up to this id came in before the initialization; null when there was none yet. */
  #sinceId(): number | null {
    const row = this.#connection.sql("SELECT value FROM meta WHERE key = 'checkins_since'").get() as
      | { value: string }
      | undefined;
    return row ? (JSON.parse(row.value) as { id: number }).id : null;
  }

  /** Stores a check-in, with its person or unresolved; it gets an id in both cases. */
  takeCheckIn(punch: Punch): void {
    const { sql } = this.#connection;
    const { seq, deviceNo, receivedAt, recordId, checkType, checkTime, checkData, clock } = punch;
    const person = this.find(punch.extId, punch.employeeNum);
    const match = person && this.#inCloud(person, punch);
    if (match && match.same !== null) {
      takeOver(this.#connection, 'checkin', match.same, punch);
      return;
    }
    const id = this.nextCheckInId();
    if (match) noteUncertain(this.#connection, { at: receivedAt, kind: 'checkin', siteId: id, cloudId: match.perhaps });
    if (person)
      sql(insertCheckIn).run(
        id,
        seq,
        deviceNo,
        receivedAt,
        recordId,
        person.id,
        terminalIdOf(checkType, checkData),
        checkType,
        checkTime,
        JSON.stringify(checkInData(checkType, checkData, { ...this.facts(deviceNo), person: punching(person) })),
        clock?.lowMs ?? null,
        clock?.highMs ?? null,
        null,
      );
    else
      sql(
        'INSERT INTO checkin_unresolved (id, seq, device_no, received_at, record_id, ext_id, employee_num, check_type, check_time_seconds, check_data, clock_low_ms, clock_high_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ).run(
        id,
        seq,
        deviceNo,
        receivedAt,
        recordId,
        punch.extId,
        punch.employeeNum,
        checkType,
        checkTime,
        JSON.stringify(checkData),
        clock?.lowMs ?? null,
        clock?.highMs ?? null,
      );
  }

  /** The cloud's row of a punch, if it was listed before the terminal reported it here. */
  #inCloud(
    person: Person,
    { deviceNo, checkType, checkData, checkTime }: Pick<Punch, 'deviceNo' | 'checkType' | 'checkData' | 'checkTime'>,
  ): ReturnType<typeof findMatch> {
    const place = terminalIdOf(checkType, checkData) ?? this.facts(deviceNo).serialNumber;
    return findMatch(this.#connection, 'checkin', 'cloud', { person: person.id, time: checkTime, place, checkType });
  }

  /**
   * Hides the check-ins of a person who is unknown again. If the person becomes known again, they
   * reappear under the same `id`, at a new place.
   */
  unresolve(person: Person): void {
    const { sql } = this.#connection;
    sql(
      `INSERT INTO checkin_unresolved (id, seq, device_no, received_at, record_id, ext_id, employee_num, check_type, check_time_seconds, check_data,
         clock_low_ms, clock_high_ms, clock_skew_seconds, shown_id)
       SELECT id, seq, device_no, received_at, record_id, ?1, '', check_type, check_time_seconds, check_data, clock_low_ms, clock_high_ms, clock_skew_seconds, coalesce(shown_id, id)
       FROM checkin WHERE employee_id = ?2`,
    ).run(person.extId ?? '', person.id);
    sql('DELETE FROM checkin WHERE employee_id = ?').run(person.id);
    sql('UPDATE access_record SET employee_id = NULL WHERE employee_id = ?').run(person.id);
  }

  /** After a store of an older program was migrated: assigns the check-ins of known people. */
  resolveEverybody(): void {
    const { sql } = this.#connection;
    if (!sql("SELECT 1 FROM counter WHERE name = 'to_resolve'").get()) return;
    for (const row of sql(personColumns).all()) this.resolve(personOf(row)!);
    sql("DELETE FROM counter WHERE name = 'to_resolve'").run();
  }
}

function personOf(row: unknown): Person | null {
  if (!row) return null;
  const { id, ext_id, name, employee_num, department_id, department_name } = row as PersonRow;
  return {
    id,
    extId: ext_id,
    name,
    employeeNum: employee_num,
    departmentId: department_id,
    departmentName: department_name,
  };
}

export const punching = ({ employeeNum, name, departmentId, departmentName }: Person): CheckInFacts['person'] => ({
  employeeNum,
  name,
  departmentId,
  departmentName,
});
