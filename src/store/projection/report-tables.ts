import { createHash } from 'node:crypto';
import type { ActionTable } from '../../platform/actions.ts';
import { type Envelope, parseEnvelope } from '../../platform/envelope.ts';
import {
  parseAccessReport,
  parseCheckinReport,
  parseFeatureReport,
  parsePersonSyncResult,
} from '../../platform/reports.ts';
import type { Connection } from '../database.ts';
import type { JournalRecord } from '../port.ts';
import { places } from '../rows.ts';

const digest = (...parts: string[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest().subarray(0, 16);
};

/** Check-ins, access records and features out of device messages, each report once (CONTRACT 4). */
export class ReportTables {
  readonly #connection: Connection;
  readonly #actions: ActionTable;

  constructor(connection: Connection, actions: ActionTable) {
    this.#connection = connection;
    this.#actions = actions;
  }

  take(record: JournalRecord): void {
    const read = parseEnvelope(record.payload);
    if (!read.ok) return;
    const envelope = read.value;
    switch (this.#actions.nameOf(envelope.action)) {
      case 'checkin_report':
        if (this.#isNew(record, envelope)) this.#takeCheckIns(record, envelope);
        break;
      case 'access_report':
        if (this.#isNew(record, envelope)) this.#takeAccessRecords(record, envelope);
        break;
      case 'feature_report':
        this.#takeFeature(record, envelope);
        break;
      case 'person_sync_result':
        this.#takeSyncResult(envelope);
        break;
    }
  }

  /**
   * A repeat is the same device, mid, action and data within 7 days. The same mid with other data is a new report, noted: counters of devices restart
   * at boot, and real punches must not be swallowed.
   */
  #isNew({ deviceNo, receivedAt }: JournalRecord, { mid, action, data }: Envelope): boolean {
    const { sql } = this.#connection;
    const midHash = digest(mid, String(action));
    const dataHash = digest(JSON.stringify(data));
    const seen = sql('SELECT data_hash FROM report_seen WHERE device_no = ? AND mid_hash = ?').all(
      deviceNo,
      midHash,
    ) as {
      data_hash: Uint8Array;
    }[];
    if (seen.some(row => dataHash.equals(row.data_hash))) return false;
    sql('INSERT INTO report_seen VALUES (?, ?, ?, ?)').run(deviceNo, midHash, dataHash, receivedAt);
    if (seen.length > 0 && mid !== '')
      sql('INSERT INTO event (at, device_no, kind, detail) VALUES (?, ?, ?, ?)').run(
        receivedAt,
        deviceNo,
        'mid_reused',
        mid,
      );
    return true;
  }

  #takeCheckIns(record: JournalRecord, { data }: Envelope): void {
    const report = parseCheckinReport(data);
    if (!report.ok) return;
    const insert = this.#connection.sql(
      'INSERT INTO checkin (seq, device_no, received_at, record_id, ext_id, employee_num, check_type, check_time_seconds, check_data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    for (const one of report.value.records)
      insert.run(
        record.seq,
        record.deviceNo,
        record.receivedAt,
        one.id,
        one.extId,
        one.employeeNum,
        one.checkType,
        one.checkTime,
        JSON.stringify(one.checkData),
      );
  }

  #takeAccessRecords(record: JournalRecord, { data }: Envelope): void {
    const report = parseAccessReport(data);
    if (!report.ok) return;
    const { sql, seal } = this.#connection;
    const insert = sql(
      'INSERT INTO access_record (seq, device_no, received_at, record_id, door_id, ext_id, check_type, check_time_seconds, check_data, check_result, sealed_capture_img) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    for (const one of report.value.records)
      insert.run(
        record.seq,
        record.deviceNo,
        record.receivedAt,
        one.id,
        one.doorId,
        one.extId,
        one.checkType,
        one.checkTime,
        JSON.stringify(one.checkData),
        one.checkResult,
        one.captureImg === null ? null : seal.sealText(one.captureImg, places.captureImg(record.seq)),
      );
  }

  #takeFeature(record: JournalRecord, { data }: Envelope): void {
    const report = parseFeatureReport(data);
    if (!report.ok) return;
    const { extId, featureType, featureAlg, values, abnormal } = report.value;
    const sealed = this.#connection.seal.sealText(
      JSON.stringify(values.map((value, index) => ({ value, is_abnormal: abnormal[index] ?? false }))),
      places.feature(extId, featureType, featureAlg),
    );
    this.#connection
      .sql('INSERT OR REPLACE INTO feature VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(extId, featureType, featureAlg, sealed, abnormal.includes(true) ? 1 : 0, record.deviceNo, record.receivedAt);
  }

  #takeSyncResult({ data }: Envelope): void {
    const result = parsePersonSyncResult(data);
    if (!result.ok) return;
    for (const { extId, featureType } of result.value.failed)
      this.#connection
        .sql('UPDATE feature SET is_abnormal = 1 WHERE ext_id = ? AND feature_type = ?')
        .run(extId, featureType);
  }
}
