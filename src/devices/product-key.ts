import { mqttPassword, sameDigest } from '../platform/signature.ts';
import type { Device, Product } from '../store/index.ts';

/**
 * Whether the product key that the box has can be wrong: devices of the product were let in because
 * the cloud accepted their passwords (DESIGN 5), none of these was made with the product key, and
 * no other device has logged in with it or been activated with it. Mistyped, it stays unnoticed for
 * as long as the cloud can be asked, and shuts out each new device while the line is down.
 */
export function keyFitsNobody(
  product: Product,
  devices: Iterable<Device>,
  wasHere: (device: Device) => boolean,
): boolean {
  let onTheCloudsWord = false;
  for (const device of devices) {
    if (device.productId !== product.productId || !wasHere(device)) continue;
    if (device.presentedPassword === null || isMadeWith(product, device, device.presentedPassword)) return false;
    onTheCloudsWord = true;
  }
  return onTheCloudsWord;
}

/** In both letter cases of the ids, as devices sign them (SPEC 5.1). */
const isMadeWith = ({ productId, productKey }: Product, { deviceId }: Device, password: string): boolean =>
  [
    [deviceId, productId],
    [deviceId.toLowerCase(), productId.toLowerCase()],
  ].some(([id, product]) =>
    sameDigest(password, mqttPassword({ deviceId: id!, productId: product!, accessKey: productKey })),
  );
