import { type DeviceId, type ProductId, productOf, serialOf } from './device-id.ts';

/** SPEC 2.3: how many characters of the device id a broadcast name ends with. */
const tailCharacters = 6;

/** The last 6 characters, upper case, zeros in front where there are fewer. */
const tailOf = (text: string): string => text.toUpperCase().slice(-tailCharacters).padStart(tailCharacters, '0');

/**
 * The Bluetooth or hotspot name of a device (SPEC 2.3): `VENDOR_{product_id}_{last 6 characters of
 * the device id}`. The characters are those of the whole id, so that those of a short serial number
 * reach into the underscore. The prefix is written as configured.
 */
export const broadcastName = ({ vendor, deviceId }: { readonly vendor: string; readonly deviceId: DeviceId }): string =>
  `${vendor}_${productOf(deviceId)}_${tailOf(deviceId)}`;

/** The name of a device whose id the app cannot learn beforehand (SPEC 2.3). */
export const broadcastNameOfModel = ({ vendor, model }: { readonly vendor: string; readonly model: string }): string =>
  `${vendor}_${model}`;

/**
 * `shortened`: the name was cut where it was sent, as Bluetooth does with one that does not fit its
 * packet.
 */
export type BroadcastName =
  /** `tail` in upper case; less than 6 characters, or none, where the name is shortened. */
  | { readonly kind: 'device'; readonly productId: ProductId; readonly tail: string; readonly shortened: boolean }
  /** `model` as a known product writes it, else as in the name. */
  | { readonly kind: 'model'; readonly model: string; readonly shortened: boolean };

interface NamedProduct {
  readonly productId: ProductId;
  readonly model: string;
}

/**
 * Parses a broadcast name; null if it is not of this platform (another prefix, or nothing usable
 * after it). In any letter case. A known product followed by 6 characters means a device, even
 * where a model reads the same. A truncated name means the one known product or model that begins
 * with it; if several do, it is a `model` as it was read.
 */
export function readBroadcastName(
  name: string,
  { vendor, products }: { readonly vendor: string; readonly products: Iterable<NamedProduct> },
): BroadcastName | null {
  const prefix = `${vendor}_`.toUpperCase();
  if (name.slice(0, prefix.length).toUpperCase() !== prefix) return null;
  const rest = name.slice(prefix.length);
  if (!/^[\w.-]{1,64}$/.test(rest)) return null;
  const known = [...products];
  const upper = rest.toUpperCase();
  // No product_id has an underscore, so the one in front of the first is the longest that fits.
  const split = upper.indexOf('_');
  const product = split < 0 ? undefined : known.find(({ productId }) => productId === upper.slice(0, split));
  const tail = upper.slice(split + 1);
  const isTail = product !== undefined && tail.length <= tailCharacters && /^[0-9A-Z_-]*$/.test(tail);
  if (isTail && tail.length === tailCharacters)
    return { kind: 'device', productId: product.productId, tail, shortened: false };
  const model = known.find(one => one.model.toUpperCase() === upper)?.model;
  if (model !== undefined) return { kind: 'model', model, shortened: false };
  if (isTail) return { kind: 'device', productId: product.productId, tail, shortened: true };
  return readCutName(rest, known);
}

function readCutName(rest: string, known: readonly NamedProduct[]): BroadcastName {
  const upper = rest.toUpperCase();
  const beginsSo = known.filter(
    ({ productId, model }) => productId.startsWith(upper) || model.toUpperCase().startsWith(upper),
  );
  const [only] = beginsSo;
  if (only === undefined) return { kind: 'model', model: rest, shortened: false };
  if (beginsSo.length > 1) return { kind: 'model', model: rest, shortened: true };
  return only.productId.startsWith(upper)
    ? { kind: 'device', productId: only.productId, tail: '', shortened: true }
    : { kind: 'model', model: only.model, shortened: true };
}

/**
 * Whether a name that was read may be that of a device: by the last 6 characters of its id, or of
 * its serial number (padded or not), because devices differ; a truncated name is compared as far as
 * it goes. The name of a model is not that of a device.
 */
export function namesDevice(read: BroadcastName, deviceId: DeviceId): boolean {
  if (read.kind === 'model' || read.productId !== productOf(deviceId)) return false;
  const serial = serialOf(deviceId);
  const tail = read.tail.toUpperCase();
  const written = [tailOf(deviceId), tailOf(serial), serial.slice(-tailCharacters)];
  return written.some(one => (read.shortened ? one.startsWith(tail) : one === tail));
}
