import { createHash } from 'node:crypto';
import type { ActionName, ActionTable } from '../../platform/actions.ts';
import { accessData } from '../../platform/check-data.ts';
import { type Envelope, parseEnvelope } from '../../platform/envelope.ts';
import {
  parseAccessReport,
  parseCheckinReport,
  parseFeatureReport,
  parsePersonSyncResult,
} from '../../platform/reports.ts';
import type { BiometricIndex } from '../journal/biometric-index.ts';
import type { JournalRecord } from '../port/journal.ts';
import { places } from '../readers/rows.ts';
import type { Connection } from '../schema/database.ts';
import { findMatch, noteUncertain, takeOver } from '../writer/organization/cloud-records.ts';
import { isErased } from '../writer/organization/erased-people.ts';
import { Features } from '../writer/organization/features.ts';
import { People } from '../writer/organization/people.ts';
import { punching } from '../writer/organization/person.ts';
import type { DeviceClocks } from './device-clocks.ts';

interface Sources {
  readonly actions: ActionTable;
  readonly biometrics: BiometricIndex;
  readonly clocks: DeviceClocks;
}

const digest = (...parts: string[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest().subarray(0, 16);
};

/** `with other data`: returned once, the first time that other data arrive under the key. */
type Seen = 'never' | 'before' | 'with other data';

/**
 * Stores check-ins, access records and features of device messages, each report once (CONTRACT 4).
 */
export class ReportTables {
  readonly #connection: Connection;
  readonly #actions: ActionTable;
  readonly #people: People;
  readonly #features: Features;
  readonly #biometrics: BiometricIndex;
  readonly #clocks: DeviceClocks;

  constructor(connection: Connection, { actions, biometrics, clocks }: Sources) {
    this.#connection = connection;
    this.#actions = actions;
    this.#clocks = clocks;
    this.#people = new People(connection);
    this.#features = new Features(connection);
    this.#biometrics = biometrics;
  }

  take(record: JournalRecord): void {
    const read = parseEnvelope(record.payload);
    if (!read.ok) return;
    const action = this.#actions.nameOf(read.value.action);
    this.#clocks.hear(record.deviceNo, record.receivedAt, read.value, action);
    this.#fill(record, read.value, action);
    this.#biometrics.add(record.seq, read.value.data);
  }

  #fill(record: JournalRecord, envelope: Envelope, action: ActionName | undefined): void {
    switch (action) {
      case 'checkin_report':
        if (this.#isNew(record, envelope)) this.#takeCheckIns(record, envelope);
        break;
      case 'access_report':
        if (this.#isNew(record, envelope)) this.#takeAccessRecords(record, envelope);
        break;
      case 'feature_report':
        if (this.#isNew(record, envelope)) this.#takeFeature(record, envelope);
        break;
      case 'person_sync_result':
        if (this.#isNew(record, envelope)) this.#takeSyncResult(record, envelope);
        break;
      case undefined:
      case 'activate':
      case 'time_sync':
      case 'person_sync':
        break;
      default:
        action satisfies never;
    }
  }

  /**
   * A repeat has the same device, mid, action and data, within 7 days. The same mid with other data
   * is a new report and is noted: counters of devices restart at boot, and real punches must not be
   * lost.
   */
  #isNew(record: JournalRecord, { mid, action, data }: Envelope): boolean {
    const seen = this.#seen(record, digest(mid, String(action)), digest(JSON.stringify(data)));
    if (seen === 'with other data' && mid !== '') this.#note(record, 'mid_reused', mid);
    return seen !== 'before';
  }

  /**
   * The same for one record with an `id`, whatever its mid: a device that packs its unsent records
   * again sends the same ones in other messages.
   */
  #isNewRecord(record: JournalRecord, action: Envelope['action'], id: string, ...said: readonly unknown[]): boolean {
    if (id === '') return true;
    const seen = this.#seen(record, digest('record', String(action), id), digest(JSON.stringify(said)));
    if (seen === 'with other data') this.#note(record, 'record_id_reused', id);
    return seen !== 'before';
  }

  /** By the primary key, and at most two rows of it: a device may give everything the same id. */
  #seen({ deviceNo, receivedAt }: JournalRecord, key: Buffer, data: Buffer): Seen {
    const { sql } = this.#connection;
    const { before, others } = sql(
      `SELECT EXISTS (SELECT 1 FROM report_seen WHERE device_no = ?1 AND mid_hash = ?2 AND data_hash = ?3) AS before,
         (SELECT count(*) FROM (SELECT 1 FROM report_seen WHERE device_no = ?1 AND mid_hash = ?2 LIMIT 2) AS two) AS others`,
    ).get(deviceNo, key, data) as { before: number; others: number };
    if (before === 1) return 'before';
    sql('INSERT INTO report_seen (device_no, mid_hash, data_hash, seen_at) VALUES (?, ?, ?, ?)').run(
      deviceNo,
      key,
      data,
      receivedAt,
    );
    return others === 1 ? 'with other data' : 'never';
  }

  #note({ deviceNo, receivedAt }: JournalRecord, kind: string, detail: string): void {
    this.#connection
      .sql('INSERT INTO event (at, device_no, kind, detail) VALUES (?, ?, ?, ?)')
      .run(receivedAt, deviceNo, kind, detail);
  }

  #takeCheckIns(record: JournalRecord, envelope: Envelope): void {
    const report = parseCheckinReport(envelope.data);
    if (!report.ok) return;
    for (const { id, ...punch } of report.value.records) {
      const { extId, employeeNum, checkType, checkTime } = punch;
      if (!this.#isNewRecord(record, envelope.action, id, extId, employeeNum, checkType, checkTime)) continue;
      this.#people.takeCheckIn({
        ...punch,
        recordId: id,
        seq: record.seq,
        deviceNo: record.deviceNo,
        receivedAt: record.receivedAt,
        clock: this.#clocks.boundsOf(record.deviceNo, checkTime, record.receivedAt),
      });
    }
  }

  #takeAccessRecords(record: JournalRecord, envelope: Envelope): void {
    const report = parseAccessReport(envelope.data);
    if (!report.ok) return;
    const { sql, seal } = this.#connection;
    const insert = `INSERT INTO access_record (seq, device_no, received_at, record_id, door_id, ext_id, employee_id, check_type, check_time_seconds, check_data,
      check_result, clock_low_ms, clock_high_ms, sealed_capture_img) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    const facts = this.#people.facts(record.deviceNo);
    for (const one of report.value.records) {
      const { id, doorId, extId, checkType, checkTime, checkResult } = one;
      if (!this.#isNewRecord(record, envelope.action, id, doorId, extId, checkType, checkTime, checkResult)) continue;
      const erased = one.extId !== '' && isErased(this.#connection, one.extId, record.seq);
      const person =
        one.extId === '' || erased
          ? null
          : (this.#people.byExtId(one.extId) ?? this.#people.aliased(one.extId, '')?.person ?? null);
      // For an unknown person the device's own data are kept, until the person becomes known.
      const data = person
        ? accessData(one.checkType, one.checkData, { ...facts, person: punching(person) })
        : one.checkData;
      const clock = this.#clocks.boundsOf(record.deviceNo, one.checkTime, record.receivedAt);
      const match = findMatch(this.#connection, 'access', 'cloud', {
        person: erased ? '' : one.extId,
        time: one.checkTime,
        place: one.doorId || facts.serialNumber,
        checkType: one.checkType,
      });
      if (match.same !== null) {
        takeOver(this.#connection, 'access', match.same, { ...record, recordId: one.id, clock });
        continue;
      }
      const values = [
        record.seq,
        record.deviceNo,
        record.receivedAt,
        one.id,
        one.doorId,
        erased ? '' : one.extId,
        person?.id ?? null,
        one.checkType,
        one.checkTime,
        JSON.stringify(data),
        one.checkResult,
        clock?.lowMs ?? null,
        clock?.highMs ?? null,
        one.captureImg === null || erased ? null : seal.sealText(one.captureImg, places.captureImg(record.seq)),
      ] as const;
      if (match.perhaps === null) {
        sql(insert).run(...values);
        continue;
      }
      const { id: siteId } = sql(`${insert} RETURNING id`).get(...values) as { id: number };
      noteUncertain(this.#connection, { at: record.receivedAt, kind: 'access', siteId, cloudId: match.perhaps });
    }
  }

  #takeFeature(record: JournalRecord, { data }: Envelope): void {
    const report = parseFeatureReport(data);
    // The tables were behind when the person was deleted.
    if (!report.ok || isErased(this.#connection, report.value.extId, record.seq)) return;
    const { abnormal, ...update } = report.value;
    const changed = this.#features.put(update, record.receivedAt, { deviceNo: record.deviceNo, abnormal });
    if (changed && this.#people.byExtId(update.extId)) this.#people.changed(update.extId);
  }

  /** The device accepted everything of its last `person_sync` that the result does not name. */
  #takeSyncResult({ deviceNo, receivedAt }: JournalRecord, { data }: Envelope): void {
    const result = parsePersonSyncResult(data);
    if (!result.ok) return;
    const last = this.#connection
      .sql('SELECT last_from_no, last_to_no FROM person_sync WHERE device_no = ?')
      .get(deviceNo) as { last_from_no: number; last_to_no: number } | undefined;
    if (last) this.#features.taken(deviceNo, last.last_from_no, last.last_to_no);
    this.#features.failed(deviceNo, result.value.failed, receivedAt);
  }
}
