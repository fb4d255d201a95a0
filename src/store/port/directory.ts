import type { DeviceId, ProductId } from '../../platform/device-id.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { Channel, DeviceNo, Seq } from './journal.ts';

export type ProductAccess = 'mqtt' | 'http' | 'both';

/** Other fields of a product's registration (SPEC 2.1), for installers to read. */
export interface ProductRegistration {
  /** How an app finds its devices: by QR code, by broadcast name. Null: nobody has said. */
  readonly discovery: 'qr' | 'broadcast' | 'both' | null;
  /** Over what an app configures their network. Null: nobody has said. */
  readonly network_configuration: 'bluetooth' | 'hotspot' | 'both' | 'none' | null;
  /** Steps of a person, one by one. */
  readonly network_configuration_flow: string;
  readonly app_supported: boolean;
  /** Custom business attributes. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Product {
  readonly productId: ProductId;
  readonly name: string;
  /** Default: the product_id. Used in log topics and QR codes. */
  readonly model: string;
  readonly access: ProductAccess;
  /** Its devices receive people and their features. */
  readonly faceFeatures: boolean;
  /** They also receive features of type `pass`, which are PINs in clear. */
  readonly passFeatures: boolean;
  readonly productKey: string;
  /** The product's key in the other environment, if known: only to recognize that mistake. */
  readonly otherEnvironmentKey: string | null;
  /** Until then staff have lifted `admission.new_devices_per_hour`; null: they have not. */
  readonly newDevicesUntil: UnixMs | null;
  readonly registration: ProductRegistration;
}

export interface OfferedKey {
  readonly key: string;
  /** The mid of the `activate` that was answered with it. */
  readonly mid: string | null;
}

export interface Device {
  readonly deviceNo: DeviceNo;
  readonly deviceId: DeviceId;
  readonly productId: ProductId;
  readonly name: string;
  /** Listed in the site file, not only registered by itself. */
  readonly listed: boolean;
  /** The decision whether it receives people's data; null: none (people-data.ts). */
  readonly peopleData: PeopleDataWord | null;
  /** The device's own key; while `keyConfirmedAt` is null, the product key is accepted as well. */
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
   * Keys issued by further activations, newest last; each of them is accepted. The first login with
   * one of them makes it the `accessKey` and voids the rest, so that a lost answer voids nothing.
   */
  readonly nextKeys: readonly OfferedKey[];
  /**
   * A password of the device that the cloud has accepted; stored sealed. Only for devices whose key
   * is not known.
   */
  readonly presentedPassword: string | null;
  readonly blocked: boolean;
  readonly firstSeenAt: UnixMs;
  /** Every record up to here is confirmed by the cloud, or parked. */
  readonly forwardedSeq: Seq;
  /**
   * The same for messages and for logs, which are two queues (CONTRACT 5): one may be far ahead of
   * the other.
   */
  readonly forwarded: Readonly<Record<Channel, Seq>>;
  /**
   * The box from which its records are accepted (CONTRACT 7): a box below, or this box; null until
   * a box has brought it.
   */
  readonly belongsTo: DeviceId | 'here' | null;
  /** Why: the first box that brought it, the site file, or staff. */
  readonly belongsBy: 'first' | 'site' | 'staff' | null;
}

/** A box below whose batches are accepted. */
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
  /** Undefined: it is not listed, and its batches are refused. */
  boxBelow(id: DeviceId): BoxBelow | undefined;
  boxesBelow(): Iterable<BoxBelow>;
  /**
   * Called with the device that changed, or with null after a site was applied, when anything may
   * have changed.
   */
  onChange(listener: (changed: Device | null) => void): void;
}

export interface DirectoryStore {
  readonly directory: Directory;
}
/**
 * Decision of staff or the site file. `waits`: the device was entered in the site file (to name or
 * block it) before anybody approved it.
 */
export type PeopleDataWord = 'yes' | 'no' | 'waits';

/**
 * Whose devices are meant: those of a box below, or of no box below. What devices sent is found by
 * the box that they belong to now, which may be another one than at the time of receipt.
 */
export type BoxChoice = DeviceId | 'here';

export const isOfBox = ({ belongsTo }: Pick<Device, 'belongsTo'>, box: BoxChoice): boolean =>
  (belongsTo ?? 'here') === box;

/** The numbers of the devices of a box. */
export function devicesOfBox(directory: Directory, box: BoxChoice): ReadonlySet<DeviceNo> {
  const found = new Set<DeviceNo>();
  for (const device of directory.devices()) if (isOfBox(device, box)) found.add(device.deviceNo);
  return found;
}

/** How a read is limited to what some devices sent. */
export interface OfDevices {
  /** Absent: of all, and of none as well (what only the cloud lists, or a correction added). */
  readonly deviceNos?: ReadonlySet<DeviceNo> | undefined;
}
