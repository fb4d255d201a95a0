import { type DeviceId, serialOf } from '../../../../src/platform/device-id.ts';
import type { Envelope } from '../../../../src/platform/envelope.ts';
import { parseAccessReport, parseCheckinReport } from '../../../../src/platform/reports.ts';
import { accessData, checkData } from './check-data.ts';
import type { SimOrganization } from './organization.ts';
import type { SimRecords } from './records.ts';

/** Repeats are recognized among so many of a device's latest records. */
const rememberedMax = 10_000;

/** The records that terminals report through the device gateway (SPEC 4.1, 4.2, 6). */
export class ReportedRecords {
  readonly #organization: SimOrganization;
  readonly #records: SimRecords;
  readonly #nameOf: (deviceId: DeviceId) => string;
  readonly #seen = new Map<DeviceId, Set<string>>();
  /** Records of people whom the organization does not know: not listed. */
  unknownPeople = 0;
  /** Records that had arrived before. */
  repeats = 0;

  constructor(organization: SimOrganization, records: SimRecords, nameOf: (deviceId: DeviceId) => string) {
    this.#organization = organization;
    this.#records = records;
    this.#nameOf = nameOf;
  }

  checkIns(deviceId: DeviceId, { mid, data }: Envelope): void {
    const report = parseCheckinReport(data);
    if (!report.ok) return;
    for (const [index, one] of report.value.records.entries()) {
      const { extId, employeeNum, checkType: type, checkTime: time, checkData: said } = one;
      const key = one.id === '' ? `${mid} ${index} ${time} ${extId}${employeeNum}` : `id ${one.id}`;
      if (!this.#isNew(deviceId, key)) continue;
      const person =
        extId === '' ? this.#organization.employeeByNumber(employeeNum) : this.#organization.employeeByExtId(extId);
      if (!person) {
        this.unknownPeople++;
        continue;
      }
      const phone = String(said.terminal_id ?? said.phone_id ?? '');
      const ofPhone = (type === 'wifi' || type === 'gps' || type === 'out_work') && phone !== '';
      this.#records.checkIns.append({
        userId: person.id,
        terminal: type === 'reissue' ? 'apply' : ofPhone ? phone : serialOf(deviceId),
        type,
        time,
        data: checkData(type, person, { ...said, device_name: this.#nameOf(deviceId) }),
      });
    }
  }

  access(deviceId: DeviceId, { mid, data }: Envelope): void {
    const report = parseAccessReport(data);
    if (!report.ok) return;
    for (const [index, one] of report.value.records.entries()) {
      if (!this.#isNew(deviceId, `access ${mid} ${index} ${one.checkTime} ${one.extId}`)) continue;
      const person = one.extId === '' ? undefined : this.#organization.employeeByExtId(one.extId);
      this.#records.access.append({
        door: one.doorId,
        userId: person?.id ?? '',
        type: one.checkType,
        time: one.checkTime,
        result: one.checkResult,
        data: accessData(person, { ...one.checkData, device_name: this.#nameOf(deviceId) }),
        photo: one.captureImg ?? '',
      });
    }
  }

  #isNew(deviceId: DeviceId, key: string): boolean {
    const seen = this.#seen.get(deviceId) ?? new Set();
    this.#seen.set(deviceId, seen);
    if (seen.has(key)) {
      this.repeats++;
      return false;
    }
    seen.add(key);
    if (seen.size > rememberedMax) seen.delete(seen.values().next().value!);
    return true;
  }
}
