import type { ClockEpoch } from '../../platform/device-clock.ts';
import type { DeviceId, ProductId } from '../../platform/device-id.ts';
import type { UnreadableReason } from '../../platform/unreadable.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { Device, PeopleDataWord, Product } from './directory.ts';
import type { DeviceNo, Seq } from './journal.ts';
import type { StorePart } from './part.ts';

/** `clock` is null while the device has not said a time. */
export interface DeviceSeen {
  readonly at: UnixMs;
  readonly clock: ClockEpoch | null;
}

/** Messages of a device that nobody can read, since the first of them. */
export interface MalformedMessages {
  readonly deviceNo: DeviceNo;
  readonly count: number;
  readonly since: UnixMs;
  readonly lastAt: UnixMs;
  readonly lastSeq: Seq;
  /** The likely reason, of the last. */
  readonly why: UnreadableReason;
}

/** Questions of people about devices. */
export interface DeviceReads {
  /** Devices that have connected, or of which a record has arrived, at any time. */
  wereHere(): Promise<Set<DeviceNo>>;
  /** The address of each device's last successful login. */
  lastAddresses(): Promise<Map<DeviceNo, string>>;
  /**
   * Devices that registered themselves (not by the site file or a box below) at or after a moment.
   */
  newDevicesSince(since: UnixMs): Promise<{ readonly productId: ProductId; readonly at: UnixMs }[]>;
  /** When each device was last heard of, and what its messages say of its clock. */
  lastSeen(): Promise<Map<DeviceNo, DeviceSeen>>;
  /** Receipt of the newest of the last records, up to a moment; 0: none that can be read. */
  newestReceipt(through: UnixMs): Promise<UnixMs>;
  /** Of the devices that have sent one. */
  malformed(): Promise<MalformedMessages[]>;
  seen(deviceNo: DeviceNo): Promise<DeviceSeen | null>;
  /** When it last logged in; null if its last 50 events do not say. */
  lastConnected(deviceNo: DeviceNo): Promise<UnixMs | null>;
  /**
   * The end of the journal as it was at a moment; only approximately, where times of receipt are
   * not in order (a box below catches up).
   */
  seqBefore(at: UnixMs): Promise<Seq>;
}

/** Writes about devices, their keys and products. */
export interface DeviceWrites {
  /**
   * Registers a device (first login with a product key). Returns the existing one if there is one.
   */
  registerDevice(input: { deviceId: DeviceId; at: UnixMs }): Device;
  /**
   * A box or this one brings devices: unknown ones are registered, and those without an owner
   * belong to `to` from now on. Returns all of them in the order of `deviceIds`; a device that
   * belonged to another box still does.
   */
  bringDevices(input: { deviceIds: readonly DeviceId[]; to: DeviceId | 'here'; at: UnixMs }): Device[];
  /** Moves a device to another box, as staff decided. */
  moveDevice(input: { deviceNo: DeviceNo; to: DeviceId | 'here' }): Device;
  /**
   * Takes a box off the list: its batches are refused, and its devices belong to the box that
   * brings them next. Returns false if it was not listed.
   */
  removeBoxBelow(input: { boxId: DeviceId }): boolean;
  /**
   * Stores a key that an activation issued: as `accessKey` of a device that has none, else in
   * `nextKeys` (at most `limits.nextKeysMax`; then the oldest is dropped). Keys that were valid
   * before stay valid.
   */
  setDeviceKey(input: { deviceNo: DeviceNo; accessKey: string; at: UnixMs; mid: string | null }): Device;
  /**
   * A login with a key of its own: from the first such login on no other key is accepted, and a
   * permission by staff to use the product key ends. Does nothing if it is not one of the device's
   * keys.
   */
  confirmDeviceKey(input: { deviceNo: DeviceNo; accessKey: string; at: UnixMs }): Device;
  openProductKeyWindow(input: { deviceNo: DeviceNo; until: UnixMs | null }): Device;
  setPresentedPassword(input: { deviceNo: DeviceNo; password: string | null }): Device;
  /** Stores the address of each device's last successful login. */
  noteAddresses(input: { addresses: readonly { deviceNo: DeviceNo; address: string }[] }): void;
  /** Until then, new devices of the product do not count against the limit. */
  letNewDevicesIn(input: { productId: ProductId; until: UnixMs }): Product;
  setBlocked(input: { deviceNo: DeviceNo; blocked: boolean }): Device;
  /**
   * Removes messages about people from the inboxes of devices that may not have them any more.
   * Returns the devices that changed.
   */
  setPeopleData(input: { deviceNos: readonly DeviceNo[]; word: PeopleDataWord }): Device[];
  /**
   * The clock of the box was set: what was known of the clocks of devices says nothing of messages
   * that come from now on.
   */
  noteClockSet(input: Record<string, never>): void;
}

export type DeviceStore = StorePart<DeviceReads, DeviceWrites>;
