import type { ActionName } from '../../../../src/platform/actions.ts';
import { type DeviceId, parseDeviceId, serialOf } from '../../../../src/platform/device-id.ts';
import type { Envelope } from '../../../../src/platform/envelope.ts';
import {
  type AccessType,
  type CheckInType,
  parseFeatureReport,
  parsePersonSyncResult,
} from '../../../../src/platform/reports.ts';
import type { Clock, UnixSeconds } from '../../../../src/runtime/clock.ts';
import type { CloudApi } from '../http-server.ts';
import { AttendanceApi } from './api.ts';
import { attendanceCalls } from './attendance-calls.ts';
import { type SimAttendanceCaller, SimCallers } from './callers.ts';
import { accessData, checkData } from './check-data.ts';
import { SimFeatures } from './features.ts';
import { type SimDepartment, type SimEmployee, SimOrganization } from './organization.ts';
import { organizationCalls, type SimOrgDevice } from './organization-calls.ts';
import { type PhoneCheckIns, phoneCheckIns } from './phone-check-ins.ts';
import { SimRecords } from './records.ts';
import { ReportedRecords } from './reported.ts';

/** The organization as the cloud holds it; each part as in a site file. */
export interface SimAttendanceOptions {
  readonly attendance_callers?: readonly SimAttendanceCaller[] | undefined;
  readonly departments?: readonly SimDepartment[] | undefined;
  readonly employees?: readonly SimEmployee[] | undefined;
  /** Devices that are listed before they have ever connected. */
  readonly devices?: readonly { readonly device_id: string; readonly name?: string | undefined }[] | undefined;
  /** The name of the root department. Default: Organization. */
  readonly organization?: string | undefined;
  /** Calls of each caller in any second; code 110 beyond. Default 50. */
  readonly callsPerSecond?: number | undefined;
}

interface AttendanceWorld {
  readonly clock: Clock;
  readonly isOnline: (deviceId: DeviceId) => boolean;
}

/**
 * The cloud's attendance integration (SPEC 2.14, 2.15, 4.8): answers callers, takes what terminals
 * report, and lets a test add records.
 */
export class SimAttendance {
  readonly api: CloudApi;
  readonly #clock: Clock;
  readonly #organization: SimOrganization;
  readonly #records: SimRecords;
  readonly #features = new SimFeatures();
  readonly #reported: ReportedRecords;
  readonly #isOnline: (deviceId: DeviceId) => boolean;
  /** Names of devices, in the order in which the cloud got to know them. */
  readonly #devices = new Map<DeviceId, string>();
  #runs = 0;

  constructor(options: SimAttendanceOptions, { clock, isOnline }: AttendanceWorld) {
    this.#clock = clock;
    this.#isOnline = isOnline;
    const { departments = [], employees = [], organization = 'Organization' } = options;
    this.#organization = new SimOrganization(organization, departments, employees);
    for (const { device_id, name = '' } of options.devices ?? []) {
      const parsed = parseDeviceId(device_id);
      if (parsed.ok) this.#devices.set(parsed.value, name);
    }
    this.#records = new SimRecords(this.#organization);
    this.#reported = new ReportedRecords(
      this.#organization,
      this.#records,
      id => this.#devices.get(id) || serialOf(id),
    );
    this.api = new AttendanceApi(
      new SimCallers(options.attendance_callers ?? [], clock, options.callsPerSecond ?? 50),
      organizationCalls(
        this.#organization,
        () => this.#deviceList(),
        userId => this.#features.forget(userId),
      ),
      attendanceCalls(this.#organization, this.#records, this.#features),
    );
  }

  /** A device has connected, or a box has spoken for it. */
  meet(deviceId: DeviceId): void {
    if (!this.#devices.has(deviceId)) this.#devices.set(deviceId, '');
  }

  /** Takes a report of a device before it is acknowledged. */
  take(deviceId: DeviceId, action: ActionName | undefined, envelope: Envelope): void {
    this.meet(deviceId);
    if (action === 'checkin_report') this.#reported.checkIns(deviceId, envelope);
    if (action === 'access_report') this.#reported.access(deviceId, envelope);
    if (action === 'feature_report') {
      const report = parseFeatureReport(envelope.data);
      const person = report.ok && this.#organization.employeeByExtId(report.value.extId);
      if (!report.ok || !person) return;
      const { featureType, featureAlg, values, abnormal } = report.value;
      this.#features.put(person.id, featureType, featureAlg, values, abnormal);
    }
    if (action === 'person_sync_result') {
      const result = parsePersonSyncResult(envelope.data);
      for (const { extId, featureType } of result.ok ? result.value.failed : []) {
        const person = this.#organization.employeeByExtId(extId);
        if (person) this.#features.markAbnormal(person.id, featureType);
      }
    }
  }

  /** Check-ins of phones and of other places, by default of the last 30 days. */
  addPhoneCheckIns(asked: Partial<PhoneCheckIns> & { readonly count: number }): void {
    const people = this.#organization.employees();
    if (people.length === 0) throw new Error('the organization has nobody who could check in: add employees');
    const { to = Math.floor(this.#clock.now() / 1000), from = to - 30 * 86_400, ...rest } = asked;
    this.#runs++;
    this.#records.checkIns.generate(asked.count, phoneCheckIns({ ...rest, from, to }, people, 2 * this.#runs));
  }

  /** Adds one check-in as it is, such as one of a terminal that the box below does not know. */
  addCheckIn(one: {
    readonly ext_id: string;
    readonly check_type: CheckInType;
    readonly check_time?: UnixSeconds;
    readonly terminal_id?: string;
    readonly check_data?: Readonly<Record<string, unknown>>;
  }): void {
    const person = this.#personOf(one.ext_id);
    this.#records.checkIns.append({
      userId: person.id,
      terminal: one.terminal_id ?? '',
      type: one.check_type,
      time: one.check_time ?? Math.floor(this.#clock.now() / 1000),
      data: checkData(one.check_type, person, one.check_data ?? {}),
    });
  }

  /** Adds one access record; without `ext_id` it is a stranger's. */
  addAccessRecord(one: {
    readonly ext_id?: string;
    readonly door_id?: string;
    readonly check_type?: AccessType;
    readonly check_time?: UnixSeconds;
    readonly check_result?: number;
    readonly check_data?: Readonly<Record<string, unknown>>;
    readonly capture_img?: string;
  }): void {
    const person = one.ext_id === undefined ? undefined : this.#personOf(one.ext_id);
    this.#records.access.append({
      door: one.door_id ?? '',
      userId: person?.id ?? '',
      type: one.check_type ?? 'fa',
      time: one.check_time ?? Math.floor(this.#clock.now() / 1000),
      result: one.check_result ?? (person ? 0 : 2),
      data: accessData(person, one.check_data ?? {}),
      photo: one.capture_img ?? '',
    });
  }

  /** Counts the check-ins that callers get, by external id. */
  countsByPerson(): Map<string, number> {
    return this.#records.countsByPerson();
  }

  /**
   * `unknown_people`: records of people whom the organization does not have; they are not listed.
   */
  stats(): { check_ins: number; access_records: number; repeats: number; unknown_people: number } {
    return {
      check_ins: this.#records.checkIns.length,
      access_records: this.#records.access.length,
      repeats: this.#reported.repeats,
      unknown_people: this.#reported.unknownPeople,
    };
  }

  close(): void {
    this.#records.close();
  }

  #personOf(extId: string) {
    const person = this.#organization.employeeByExtId(extId);
    if (!person) throw new Error(`the organization has no employee with the external id "${extId}"`);
    return person;
  }

  #deviceList(): SimOrgDevice[] {
    return [...this.#devices].map(([deviceId, name]) => ({
      sn: serialOf(deviceId),
      name: name || serialOf(deviceId),
      online: this.#isOnline(deviceId),
    }));
  }
}
