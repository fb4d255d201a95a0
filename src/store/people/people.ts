import { accessData, type CheckInFacts, checkInData, terminalIdOf } from '../../platform/check-data.ts';
import type { AccessType, CheckInType } from '../../platform/reports.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { findMatch, hasCloudRecords, type Kind, noMatch, noteUncertain, takeOver } from './cloud-records.ts';
import { type Person, type Punch, personColumns, personOf, punching, punchOf, type UnresolvedRow } from './punch.ts';

/** 32 bits with a sign, as callers keep a `next_id`: 50 years at 100,000 check-ins a day. */
const checkInIdMax = 2 ** 31 - 1;

const insertCheckIn = `INSERT INTO checkin (id, seq, device_no, received_at, record_id, employee_id, terminal_id, check_type, check_time_seconds, check_data,
  clock_low_ms, clock_high_ms, shown_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** A check-in that only the cloud lists has its place from there, whatever its type. */
const terminalOf = (row: UnresolvedRow, said: Readonly<Record<string, unknown>>): string | null =>
  terminalIdOf(row.check_type as CheckInType, said) ??
  (row.device_no === 0 && typeof said.terminal_id === 'string' ? said.terminal_id : null);

interface AliasRow {
  id: number;
  said_ext_id: string;
  said_number: string;
}

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

  /** Whose staff said that an id is which nobody has. */
  aliased(extId: string, employeeNum: string): { readonly person: Person; readonly alias: number } | null {
    const row = this.#connection
      .sql('SELECT id, ext_id FROM person_alias WHERE said_ext_id = ? AND said_number = ?')
      .get(extId, extId === '' ? employeeNum : '') as { id: number; ext_id: string } | undefined;
    const person = row ? this.byExtId(row.ext_id) : null;
    return row && person ? { person, alias: row.id } : null;
  }

  /** Numbers the person's newest change, so that it is sent to devices. */
  changed(extId: string | null, removed = false): void {
    if (extId === null) return;
    this.#connection.later(
      `INSERT INTO person_change (change_no, ext_id, removed) VALUES (?, ?, ?)
         ON CONFLICT (ext_id) DO UPDATE SET change_no = excluded.change_no, removed = excluded.removed`,
      this.next('person_change'),
      extId,
      removed ? 1 : 0,
    );
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
       UNION ALL SELECT * FROM checkin_unresolved WHERE CAST(?2 AS INTEGER) = 1 AND ext_id = '' AND employee_num = ?3 AND employee_num <> '' ORDER BY id`,
    ).all(person.extId ?? '', alone ? 1 : 0, person.employeeNum) as unknown as UnresolvedRow[];
    this.#assign(person, rows, null);
    if (person.extId === null) return;
    this.#resolveAccess(person, person.extId);
    const aliases = sql('SELECT id, said_ext_id, said_number FROM person_alias WHERE ext_id = ?').all(
      person.extId,
    ) as unknown as AliasRow[];
    for (const { id, said_ext_id: extId, said_number: number } of aliases) {
      const said = sql(
        extId === ''
          ? "SELECT * FROM checkin_unresolved WHERE ext_id = '' AND employee_num = ? AND employee_num <> '' ORDER BY id"
          : "SELECT * FROM checkin_unresolved WHERE ext_id = ? AND ext_id <> '' ORDER BY id",
      ).all(extId === '' ? number : extId) as unknown as UnresolvedRow[];
      this.#assign(person, said, id);
      if (extId !== '') this.#resolveAccess(person, extId);
    }
  }

  /** With the alias that they came under, or null. */
  #assign(person: Person, rows: readonly UnresolvedRow[], alias: number | null): void {
    const { sql } = this.#connection;
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
        terminalOf(row, said),
        type,
        row.check_time_seconds,
        JSON.stringify(checkInData(type, said, { ...this.facts(row.device_no as DeviceNo), person: punching(person) })),
        punch.clock?.lowMs ?? null,
        punch.clock?.highMs ?? null,
        row.shown_id,
      );
      if (alias !== null) this.#came(id, alias);
      remove.run(row.id);
    }
  }

  /** A check-in belongs to its person by this alias alone. */
  #came(checkIn: number, alias: number): void {
    this.#connection
      .sql(
        'INSERT INTO person_alias_checkin (checkin_id, alias_id) VALUES (?, ?) ON CONFLICT (checkin_id) DO UPDATE SET alias_id = excluded.alias_id',
      )
      .run(checkIn, alias);
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
    const { later } = this.#connection;
    const { seq, deviceNo, receivedAt, recordId, checkType, checkTime, checkData, clock } = punch;
    const known = this.find(punch.extId, punch.employeeNum);
    const aliased = known ? null : this.aliased(punch.extId, punch.employeeNum);
    const person = known ?? aliased?.person ?? null;
    const match = person && this.#inCloud(person, punch);
    if (match && match.same !== null) {
      takeOver(this.#connection, 'checkin', match.same, punch);
      return;
    }
    const id = this.nextCheckInId();
    if (match) noteUncertain(this.#connection, { at: receivedAt, kind: 'checkin', siteId: id, cloudId: match.perhaps });
    if (person) {
      if (aliased) this.#came(id, aliased.alias);
      const data = checkInData(checkType, checkData, { ...this.facts(deviceNo), person: punching(person) });
      later(
        insertCheckIn,
        ...[id, seq, deviceNo, receivedAt, recordId, person.id, terminalIdOf(checkType, checkData)],
        ...[checkType, checkTime, JSON.stringify(data), clock?.lowMs ?? null, clock?.highMs ?? null, null],
      );
    } else
      later(
        'INSERT INTO checkin_unresolved (id, seq, device_no, received_at, record_id, ext_id, employee_num, check_type, check_time_seconds, check_data, clock_low_ms, clock_high_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[id, seq, deviceNo, receivedAt, recordId, punch.extId, punch.employeeNum],
        ...[checkType, checkTime, JSON.stringify(checkData), clock?.lowMs ?? null, clock?.highMs ?? null],
      );
  }

  hasCloudRecords(kind: Kind): boolean {
    return hasCloudRecords(this.#connection, kind);
  }

  /** The cloud's row of a punch, if it was listed before the terminal reported it here. */
  #inCloud(
    person: Person,
    { deviceNo, checkType, checkData, checkTime }: Pick<Punch, 'deviceNo' | 'checkType' | 'checkData' | 'checkTime'>,
  ): ReturnType<typeof findMatch> {
    if (!this.hasCloudRecords('checkin')) return noMatch;
    const place = terminalIdOf(checkType, checkData) ?? this.facts(deviceNo).serialNumber;
    return findMatch(this.#connection, 'checkin', 'cloud', { person: person.id, time: checkTime, place, checkType });
  }
}
