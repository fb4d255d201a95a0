import type { DeviceId, ProductId } from '../../platform/device-id.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { Channel, DeviceNo, Seq } from './journal.ts';

export type ProductAccess = 'mqtt' | 'http' | 'both';

export interface Product {
  readonly productId: ProductId;
  readonly name: string;
  /** Default: the product_id. Stands in log topics and QR codes. */
  readonly model: string;
  readonly access: ProductAccess;
  /** Its devices are told of people and their features. */
  readonly faceFeatures: boolean;
  /** They are told features of type `pass` too: PINs in clear. */
  readonly passFeatures: boolean;
  readonly productKey: string;
  /** The product's key of the other environment, when it is told: only to name that mistake. */
  readonly otherEnvironmentKey: string | null;
  /**
   * Staff let in more new devices than `admission.new_devices_per_hour` until then; null: never.
   */
  readonly newDevicesUntil: UnixMs | null;
}

export interface OfferedKey {
  readonly key: string;
  /** Of the `activate` that it answered. */
  readonly mid: string | null;
}

export interface Device {
  readonly deviceNo: DeviceNo;
  readonly deviceId: DeviceId;
  readonly productId: ProductId;
  readonly name: string;
  /** Named by the site file, not only seen. */
  readonly listed: boolean;
  /** What was said about telling it of people; null: nothing (people-data.ts). */
  readonly peopleData: PeopleDataWord | null;
  /**
   * In force (or, while `keyConfirmedAt` is null, offered beside the product key until the first
   * login with it).
   */
  readonly accessKey: string | null;
  readonly keyIssuedAt: UnixMs | null;
  /** First login with `accessKey`: from then on the product key is refused. */
  readonly keyConfirmedAt: UnixMs | null;
  /** Staff let the product key in again until then (after a factory reset). */
  readonly productKeyUntil: UnixMs | null;
  /**
   * The mid of the `activate` that made the key: the same mid gets the same key again (CONTRACT 7).
   */
  readonly activationMid: string | null;
  /**
   * Handed over by further activations, the newest last; each of them opens. `accessKey` stays as
   * it is until the first login with one of these, which takes its place and voids the rest: an
   * answer that was lost voids nothing.
   */
  readonly nextKeys: readonly OfferedKey[];
  /**
   * Learned by asking the cloud: a password that was accepted there. Kept sealed. Only for devices
   * whose key is not known.
   */
  readonly presentedPassword: string | null;
  readonly blocked: boolean;
  readonly firstSeenAt: UnixMs;
  /** Every record up to here is confirmed by the cloud, or parked. */
  readonly forwardedSeq: Seq;
  /**
   * The same for the messages and for the logs: two queues (CONTRACT 5), of which one may be far
   * ahead of the other.
   */
  readonly forwarded: Readonly<Record<Channel, Seq>>;
  /**
   * Whose records of it are taken (CONTRACT 7): a box below, or this box; null until somebody has
   * brought it.
   */
  readonly belongsTo: DeviceId | 'here' | null;
  /** Who said so: whoever brought it first, the site file, or staff. */
  readonly belongsBy: 'first' | 'site' | 'staff' | null;
}

/** A box below whose batches are taken. */
export interface BoxBelow {
  readonly boxId: DeviceId;
  readonly name: string;
}

/**
 * Products, devices and boxes below in memory, as last committed; plain synchronous look-ups for
 * the hot path.
 */
export interface Directory {
  product(id: ProductId): Product | undefined;
  device(id: DeviceId): Device | undefined;
  deviceByNo(no: DeviceNo): Device | undefined;
  products(): Iterable<Product>;
  devices(): Iterable<Device>;
  /** Undefined: it is not listed here, and its batches are not taken. */
  boxBelow(id: DeviceId): BoxBelow | undefined;
  boxesBelow(): Iterable<BoxBelow>;
  /**
   * Called with the device that was changed, or null after a site was applied: then anything may be
   * different.
   */
  onChange(listener: (changed: Device | null) => void): void;
}

export interface DirectoryStore {
  readonly directory: Directory;
}
/**
 * What staff or the site file said: `waits` is that it came into the site file (named, blocked)
 * before anybody approved it.
 */
export type PeopleDataWord = 'yes' | 'no' | 'waits';
