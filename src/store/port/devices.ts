import type { DeviceId, ProductId } from '../../platform/device-id.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { Device, PeopleDataWord, Product } from './directory.ts';
import type { DeviceNo, LogRow, Seq } from './journal.ts';
import type { ParkedRecord } from './parked-record.ts';
import type { StorePart } from './part.ts';

/** What people ask about devices. */
export interface DeviceReads {
  /**
   * Of these, those that have an event: they were here once, though they may never have said
   * anything.
   */
  cameOnce(deviceNos: readonly DeviceNo[]): Promise<Set<DeviceNo>>;
  /** From where each device logged in rightly the last time. */
  lastAddresses(): Promise<Map<DeviceNo, string>>;
  /** Devices that came by themselves, not by the site file or a box below, at or after a moment. */
  newDevicesSince(since: UnixMs): Promise<{ readonly productId: ProductId; readonly at: UnixMs }[]>;
  /** When each device was last heard of, and how far its clock was ahead. */
  lastSeen(): Promise<Map<DeviceNo, { readonly at: UnixMs; readonly clockSkewSeconds: number | null }>>;
  seen(deviceNo: DeviceNo): Promise<{ readonly at: UnixMs; readonly clockSkewSeconds: number | null } | null>;
  /** When it last logged in; null when its last 50 events do not tell. */
  lastConnected(deviceNo: DeviceNo): Promise<UnixMs | null>;
  /** How many messages wait for a device. */
  inboxCount(deviceNo: DeviceNo): Promise<number>;
  /** The newest logs of a device, newest first; `after`: only those with a greater seq. */
  lastLogs(deviceNo: DeviceNo, query: { limit: number; after?: Seq }): Promise<LogRow[]>;
  /**
   * The end of the journal as it was at a moment. Received times that run backwards (a box below
   * catches up) make it a near one.
   */
  seqBefore(at: UnixMs): Promise<Seq>;
  /** In the order of the journal. */
  parkedPage(query: { after: number; limit: number }): Promise<ParkedRecord[]>;
}

/** What is written about devices, their keys and products. */
export interface DeviceWrites {
  /**
   * Makes the device known (first login with a product key). Returns the existing one when it is.
   */
  registerDevice(input: { deviceId: DeviceId; at: UnixMs }): Device;
  /**
   * Somebody brings devices: those that are not known are made known, those that belong to nobody
   * yet belong to `to` from now on. Returns all of them in the order of `deviceIds`; one that
   * belonged to another before still does.
   */
  bringDevices(input: { deviceIds: readonly DeviceId[]; to: DeviceId | 'here'; at: UnixMs }): Device[];
  /** Staff say whose it is. */
  moveDevice(input: { deviceNo: DeviceNo; to: DeviceId | 'here' }): Device;
  /**
   * Takes a box off the list: its batches are refused, and its devices belong to whoever brings
   * them next. False when it was not listed.
   */
  removeBoxBelow(input: { boxId: DeviceId }): boolean;
  /**
   * Keeps a key that an activation hands over: as `accessKey` of a device that has none, else
   * beside it in `nextKeys` (`limits.nextKeysMax` at most: then the oldest goes). Nothing that
   * opened before is shut.
   */
  setDeviceKey(input: { deviceNo: DeviceNo; accessKey: string; at: UnixMs; mid: string | null }): Device;
  /**
   * A login with a key of its own: from the first one with it on no other opens, and a time for
   * which staff let the product key in ends. Nothing where it is not one of its keys.
   */
  confirmDeviceKey(input: { deviceNo: DeviceNo; accessKey: string; at: UnixMs }): Device;
  openProductKeyWindow(input: { deviceNo: DeviceNo; until: UnixMs | null }): Device;
  setPresentedPassword(input: { deviceNo: DeviceNo; password: string | null }): Device;
  /** From where it logged in rightly. */
  noteAddress(input: { deviceNo: DeviceNo; address: string }): void;
  /** New devices of the product are not counted until then. */
  letNewDevicesIn(input: { productId: ProductId; until: UnixMs }): Product;
  setBlocked(input: { deviceNo: DeviceNo; blocked: boolean }): Device;
  /**
   * What waits in the inbox of those that are not told of people any more is taken out of it.
   * Answers those that changed.
   */
  setPeopleData(input: { deviceNos: readonly DeviceNo[]; word: PeopleDataWord }): Device[];
}

export type DeviceStore = StorePart<DeviceReads, DeviceWrites>;
