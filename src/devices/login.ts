import { type DeviceId, productOf } from '../platform/device-id.ts';
import { type Parsed, refuse } from '../platform/parsed.ts';
import { mqttPassword, sameDigest } from '../platform/signature.ts';
import type { GatewayName, Product } from '../store/index.ts';

export interface Login {
  readonly gateway: GatewayName;
  readonly address: string;
  readonly clientId: string;
  /** User name; null if the client did not send one. */
  readonly userName: string | null;
  readonly password: string | null;
}

/** Fault of a login that shows before its password is checked; null if there is none. */
export function looksWrong(login: Login, productId: string, product: Product | undefined): Parsed<never> | null {
  if (!product) return refuse('unknown_product', productId);
  if (login.userName !== null && login.userName.toUpperCase() !== productId)
    return refuse('user_name_is_not_the_product', login.userName.slice(0, 40));
  return login.password ? null : refuse('missing_password');
}

/**
 * The MD5 of SPEC 5.1, over the id as sent and in upper case: ids are compared without case, and
 * devices differ in which form they sign.
 */
export function signed(login: Login, password: string, id: DeviceId, accessKey: string): boolean {
  const productId = productOf(id);
  const spellings: readonly (readonly [string, string])[] = [
    [login.clientId, login.userName || login.clientId.slice(0, productId.length)],
    [id, productId],
    [login.clientId, productId],
  ];
  return spellings.some(([deviceId, product]) =>
    sameDigest(password, mqttPassword({ deviceId, productId: product, accessKey })),
  );
}
