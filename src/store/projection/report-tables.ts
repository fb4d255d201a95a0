import type { ActionName, ActionTable } from '../../platform/actions.ts';
import { accessData } from '../../platform/check-data.ts';
import { type Envelope, parseEnvelope } from '../../platform/envelope.ts';
import {
  type AccessEntry,
  type CheckInEntry,
  parseAccessReport,
  parseCheckinReport,
  parseFeatureReport,
  parsePersonSyncResult,
} from '../../platform/reports.ts';
import { findMatch, noMatch, noteUncertain, takeOver } from '../people/cloud-records.ts';
import type { BiometricIndex } from '../people/erasing.ts';
import { Features } from '../people/features.ts';
import { punching } from '../people/punch.ts';
import type { JournalRecord } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { places } from '../schema/devices.ts';
import type { DeviceClocks } from './device-clocks.ts';
import { KnownPeople } from './known-people.ts';
import { type Reported, SeenReports } from './seen-reports.ts';

interface Sources {
  readonly actions: ActionTable;
  readonly biometrics: BiometricIndex;
  readonly clocks: DeviceClocks;
}

/** `isDated`: the time of receipt is known. */
type Received = Reported & { readonly isDated: boolean };

type CheckIns = readonly (CheckInEntry & { readonly seenAt: number | null })[];
type AccessRecords = readonly (AccessEntry & { readonly seenAt: number | null })[];

/** A message whose data are known. `seenAt`: the place of its answer, and of each record's. */
interface Message {
  readonly record: Received;
  readonly envelope: Envelope;
  readonly action: ActionName | undefined;
  readonly seenAt: number | null;
  readonly checkIns: CheckIns;
  readonly accessRecords: AccessRecords;
}

const peopleOf = (messages: readonly Message[]): ReadonlySet<string> =>
  new Set(
    messages
      .flatMap(({ checkIns, accessRecords }) => [...checkIns, ...accessRecords].map(({ extId }) => extId))
      .filter(extId => extId !== ''),
  );

/**
 * Stores check-ins, access records and features of device messages, each report once (CONTRACT 4).
 * Messages are collected and taken together, since one question for all of them costs little more
 * than one of each.
 */
export class ReportTables {
  readonly #connection: Connection;
  readonly #actions: ActionTable;
  readonly #people: KnownPeople;
  readonly #features: Features;
  readonly #biometrics: BiometricIndex;
  readonly #clocks: DeviceClocks;
  readonly #seen: SeenReports;
  /** Which table the messages of an action fill, each once. Null: none. */
  readonly #fills: Readonly<Record<ActionName, ((message: Message) => void) | null>> = {
    activate: null,
    time_sync: null,
    checkin_report: ({ record, checkIns }) => this.#takeCheckIns(record, checkIns),
    access_report: ({ record, accessRecords }) => this.#takeAccessRecords(record, accessRecords),
    feature_report: ({ record, envelope }) => this.#takeFeature(record, envelope),
    person_sync: null,
    person_sync_result: ({ record, envelope }) => this.#takeSyncResult(record, envelope),
  };
  #messages: Message[] = [];

  constructor(connection: Connection, { actions, biometrics, clocks }: Sources) {
    this.#connection = connection;
    this.#actions = actions;
    this.#clocks = clocks;
    this.#people = new KnownPeople(connection);
    this.#features = new Features(connection);
    this.#biometrics = biometrics;
    this.#seen = new SeenReports(connection);
  }

  add({ seq, deviceNo, receivedAt, marks, payload }: JournalRecord): void {
    const read = parseEnvelope(payload);
    if (!read.ok) return;
    const envelope = read.value;
    const record = { seq, deviceNo, receivedAt, isDated: marks.clamped !== true };
    const action = this.#actions.nameOf(envelope.action);
    this.#messages.push({
      ...{ record, envelope, action },
      seenAt: action && this.#fills[action] ? this.#askFor(record, envelope) : null,
      checkIns: action === 'checkin_report' ? this.#checkInsOf(record, envelope) : [],
      accessRecords: action === 'access_report' ? this.#accessRecordsOf(record, envelope) : [],
    });
  }

  /** Stores what was added, in its order. */
  takeAll(): void {
    this.#seen.answer();
    this.#people.readAll(peopleOf(this.#messages));
    for (const message of this.#messages) {
      const { record, envelope, action } = message;
      if (record.isDated) this.#clocks.hear(record.deviceNo, record.receivedAt, envelope, action);
      this.#fill(message);
      this.#biometrics.add(record.seq, envelope.data);
    }
    this.#messages = [];
  }

  /** In the transaction, before its commit. */
  save(): void {
    this.#people.save();
  }

  /** Others may have changed people or devices. */
  forgetPeople(): void {
    this.#people.forget();
  }

  /** The transaction was rolled back. */
  forget(): void {
    this.#people.forget();
    this.#seen.forget();
    this.#messages = [];
  }

  /**
   * A repeat has the same device, mid, action and data, within 7 days. The same mid with other data
   * is a new report and is noted: counters of devices restart at boot, and real punches must not be
   * lost.
   */
  #askFor(record: Received, { mid, action, data }: Envelope): number {
    return this.#seen.ask(record, [mid, String(action)], data);
  }

  /**
   * The same for one record with an `id`, whatever its mid: a device that packs its unsent records
   * again sends the same ones in other messages. Null: it has no id, and is always new.
   */
  #askForRecord(record: Received, action: Envelope['action'], id: string, ...said: readonly unknown[]): number | null {
    return id === '' ? null : this.#seen.ask(record, ['record', String(action), id], said);
  }

  #checkInsOf(record: Received, { action, data }: Envelope): CheckIns {
    const report = parseCheckinReport(data);
    if (!report.ok) return [];
    return report.value.records.map(one => ({
      ...one,
      seenAt: this.#askForRecord(record, action, one.id, one.extId, one.employeeNum, one.checkType, one.checkTime),
    }));
  }

  #accessRecordsOf(record: Received, { action, data }: Envelope): AccessRecords {
    const report = parseAccessReport(data);
    if (!report.ok) return [];
    return report.value.records.map(one => {
      const { id, doorId, extId, checkType, checkTime, checkResult } = one;
      const seenAt = this.#askForRecord(record, action, id, doorId, extId, checkType, checkTime, checkResult);
      return { ...one, seenAt };
    });
  }

  #fill(message: Message): void {
    const { record, envelope, action, seenAt } = message;
    if (action && seenAt !== null && this.#isNew(record, seenAt, 'mid_reused', envelope.mid))
      this.#fills[action]?.(message);
  }

  #isNew({ deviceNo, receivedAt }: Received, seenAt: number | null, kind: string, said: string): boolean {
    if (seenAt === null) return true;
    const seen = this.#seen.at(seenAt);
    if (seen === 'with other data' && said !== '')
      this.#connection.later(
        'INSERT INTO event (at, device_no, kind, detail) VALUES (?, ?, ?, ?)',
        ...[receivedAt, deviceNo, kind, said],
      );
    return seen !== 'before';
  }

  #takeCheckIns(record: Received, checkIns: CheckIns): void {
    for (const { id, seenAt, ...punch } of checkIns) {
      if (!this.#isNew(record, seenAt, 'record_id_reused', id)) continue;
      this.#people.takeCheckIn({
        ...punch,
        recordId: id,
        seq: record.seq,
        deviceNo: record.deviceNo,
        receivedAt: record.receivedAt,
        clock: record.isDated ? this.#clocks.boundsOf(record.deviceNo, punch.checkTime, record.receivedAt) : null,
      });
    }
  }

  #takeAccessRecords(record: Received, accessRecords: AccessRecords): void {
    const { sql, later, seal } = this.#connection;
    const insert = `INSERT INTO access_record (seq, device_no, received_at, record_id, door_id, ext_id, employee_id, check_type, check_time_seconds, check_data,
      check_result, clock_low_ms, clock_high_ms, sealed_capture_img) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    const facts = this.#people.facts(record.deviceNo);
    for (const one of accessRecords) {
      if (!this.#isNew(record, one.seenAt, 'record_id_reused', one.id)) continue;
      const erased = one.extId !== '' && this.#people.isErased(one.extId, record.seq);
      const person =
        one.extId === '' || erased
          ? null
          : (this.#people.byExtId(one.extId) ?? this.#people.aliased(one.extId, '')?.person ?? null);
      // For an unknown person the device's own data are kept, until the person becomes known.
      const data = person
        ? accessData(one.checkType, one.checkData, { ...facts, person: punching(person) })
        : one.checkData;
      const clock = record.isDated ? this.#clocks.boundsOf(record.deviceNo, one.checkTime, record.receivedAt) : null;
      const trace = {
        ...{ person: erased ? '' : one.extId, time: one.checkTime, checkType: one.checkType },
        place: one.doorId || facts.serialNumber,
      };
      const match = this.#people.hasCloudRecords('access')
        ? findMatch(this.#connection, 'access', 'cloud', trace)
        : noMatch;
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
        later(insert, ...values);
        continue;
      }
      const { id: siteId } = sql(`${insert} RETURNING id`).get(...values) as { id: number };
      noteUncertain(this.#connection, { at: record.receivedAt, kind: 'access', siteId, cloudId: match.perhaps });
    }
  }

  #takeFeature(record: Received, { data }: Envelope): void {
    const report = parseFeatureReport(data);
    // The tables were behind when the person was deleted.
    if (!report.ok || this.#people.isErased(report.value.extId, record.seq)) return;
    const { abnormal, ...update } = report.value;
    const changed = this.#features.put(update, record.receivedAt, { deviceNo: record.deviceNo, abnormal });
    if (changed && this.#people.byExtId(update.extId)) this.#people.changed(update.extId);
  }

  /** The device accepted everything of its last `person_sync` that the result does not name. */
  #takeSyncResult({ deviceNo, receivedAt }: Received, { data }: Envelope): void {
    const result = parsePersonSyncResult(data);
    if (!result.ok) return;
    const last = this.#connection
      .sql('SELECT last_from_no, last_to_no FROM person_sync WHERE device_no = ?')
      .get(deviceNo) as { last_from_no: number; last_to_no: number } | undefined;
    if (last) this.#features.taken(deviceNo, last.last_from_no, last.last_to_no);
    this.#features.failed(deviceNo, result.value.failed, receivedAt);
  }
}
