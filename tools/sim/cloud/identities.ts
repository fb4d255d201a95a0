import { type DeviceId, parseDeviceId, productOf } from '../../../src/platform/device-id.ts';
import { mqttPassword, sameDigest } from '../../../src/platform/signature.ts';
import type { Random } from '../../../src/runtime/clock.ts';

export interface SimProduct {
  readonly product_id: string;
  readonly product_key: string;
  /** Stands in log topics; the product_id when absent. */
  readonly model?: string | undefined;
}

interface Key {
  readonly key: string;
  readonly mid: string;
  confirmed: boolean;
}

/** Products, and the keys that activation has handed out (SPEC 3.2, 5.1; CONTRACT 4). */
export class Identities {
  readonly #products = new Map<string, SimProduct>();
  readonly #productByModel = new Map<string, string>();
  readonly #keys = new Map<string, Key>();
  readonly #random: Random;

  constructor(products: readonly SimProduct[], deviceKeys: Readonly<Record<string, string>>, random: Random) {
    this.#random = random;
    for (const product of products) {
      const id = product.product_id.toUpperCase();
      this.#products.set(id, product);
      this.#productByModel.set((product.model ?? id).toUpperCase(), id);
    }
    for (const [deviceId, key] of Object.entries(deviceKeys))
      this.#keys.set(deviceId.toUpperCase(), { key, mid: '', confirmed: true });
  }

  /**
   * Returns the device if the login is right: with the product key, or with the device key. After
   * the first login with the device key the product key is no longer accepted.
   */
  login(clientId: string, userName: string, password: string): DeviceId | null {
    const parsed = parseDeviceId(clientId);
    if (!parsed.ok) return null;
    const deviceId = parsed.value;
    const product = this.#products.get(productOf(deviceId));
    if (!product || userName.toUpperCase() !== productOf(deviceId)) return null;
    const signedWith = (accessKey: string) =>
      [
        { deviceId: clientId, productId: userName, accessKey },
        { deviceId, productId: productOf(deviceId), accessKey },
      ].some(parts => sameDigest(mqttPassword(parts), password));
    const own = this.#keys.get(deviceId);
    if (own && signedWith(own.key)) {
      own.confirmed = true;
      return deviceId;
    }
    return !own?.confirmed && signedWith(product.product_key) ? deviceId : null;
  }

  /**
   * Issues a device key; the same one again for the same `mid`, for a device that missed the
   * answer.
   */
  activate(deviceId: DeviceId, mid: string): string {
    const before = this.#keys.get(deviceId);
    if (before && mid !== '' && before.mid === mid) return before.key;
    const key = Array.from({ length: 32 }, () => Math.floor(this.#random() * 16).toString(16)).join('');
    this.#keys.set(deviceId, { key, mid, confirmed: false });
    return key;
  }

  keyOf(deviceId: string): string | undefined {
    return this.#keys.get(deviceId.toUpperCase())?.key;
  }

  /** Deletes the device key, so that the product key is accepted again. */
  forget(deviceId: string): void {
    this.#keys.delete(deviceId.toUpperCase());
  }

  /** The device that a log topic names; null when no product has that model. */
  deviceOfLog(model: string, sn: string): DeviceId | null {
    const product = this.#productByModel.get(model.toUpperCase());
    const parsed = product === undefined ? null : parseDeviceId(`${product}_${sn}`);
    return parsed?.ok ? parsed.value : null;
  }
}
