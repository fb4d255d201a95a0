import { cloudDeviceNo } from '../domains/mirror/tables.ts';
import type { Device } from '../port/directory.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { type device, forwardedOf } from '../schema/devices.ts';

/** Facts about a device for readers: its names, and how far the cloud has confirmed its records. */
type KnownDevice = Pick<Device, 'deviceNo' | 'deviceId' | 'name' | 'forwardedSeq' | 'forwarded'>;

/** The devices that readers need; the directory of the main thread is one. */
export interface KnownDevices {
  deviceByNo(no: DeviceNo): KnownDevice | undefined;
  devices(): Iterable<KnownDevice>;
  /** Calls the listener when cached values may be out of date. */
  onChange(listener: () => void): void;
}

/** Devices read from their table, for a thread that has no directory. */
export class StoredDevices implements KnownDevices {
  readonly #connection: Connection;
  readonly #blocks = new Map<number, ReadonlyMap<DeviceNo, KnownDevice>>();
  readonly #listeners: (() => void)[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  deviceByNo(no: DeviceNo): KnownDevice | undefined {
    const block = Math.floor(no / blockDevices);
    let known = this.#blocks.get(block);
    if (!known) {
      const first = block * blockDevices;
      const rows = this.#connection.sql(ofBlock).all(first, first + blockDevices) as unknown as Row[];
      known = new Map(rows.map(row => [row.deviceNo, deviceOf(row)]));
      this.#blocks.set(block, known);
    }
    return known.get(no);
  }

  *devices(): Iterable<KnownDevice> {
    for (const row of this.#connection.sql(columns).all() as unknown as Row[]) yield deviceOf(row);
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Called before a read, because devices may have changed since the last one. */
  forget(): void {
    this.#blocks.clear();
    for (const listener of this.#listeners) listener();
  }
}

/** Devices read at once: a page of 500 records asks for as many. */
const blockDevices = 100;

/** Hand-written, as rows that no query builder touches. */
const columns = `SELECT device_no AS deviceNo, device_id AS deviceId, name, forwarded_seq AS forwardedSeq,
  forwarded_message_seq AS forwardedMessageSeq, forwarded_log_seq AS forwardedLogSeq FROM device`;
const ofBlock = `${columns} WHERE device_no >= ? AND device_no < ?`;

type Row = Pick<
  typeof device.$inferSelect,
  'deviceNo' | 'deviceId' | 'name' | 'forwardedSeq' | 'forwardedMessageSeq' | 'forwardedLogSeq'
>;

const deviceOf = (row: Row): KnownDevice => ({
  deviceNo: row.deviceNo,
  deviceId: row.deviceId,
  name: row.name,
  forwardedSeq: row.forwardedSeq,
  forwarded: forwardedOf(row),
});

/** All empty: no device reported it; the cloud lists it, or a correction added it. */
interface Names {
  readonly deviceId: string;
  readonly name: string;
  readonly serialNumber: string;
}
export type DeviceNames = (deviceNo: number) => Names;

/**
 * The names of devices in records, as in the directory now. Cached, since a page of 500 records
 * asks 500 times.
 */
export function deviceNames(devices: KnownDevices): DeviceNames {
  const known = new Map<number, Names>();
  devices.onChange(() => known.clear());
  return deviceNo => {
    let names = known.get(deviceNo);
    if (!names) {
      names = namesOf(devices, deviceNo);
      known.set(deviceNo, names);
    }
    return names;
  };
}

const ofNoDevice: Names = { deviceId: '', name: '', serialNumber: '' };

function namesOf(devices: KnownDevices, deviceNo: number): Names {
  if (deviceNo <= cloudDeviceNo) return ofNoDevice;
  const device = devices.deviceByNo(deviceNo as DeviceNo);
  if (!device) return { deviceId: `#${deviceNo}`, name: '', serialNumber: `#${deviceNo}` };
  const { deviceId, name } = device;
  return { deviceId, name, serialNumber: deviceId.slice(deviceId.indexOf('_') + 1) };
}
