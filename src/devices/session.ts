import type { Device, DeviceNo, GatewayName } from '../store/index.ts';

/** One admitted device at one gateway, from its login to its end. */
export interface Session {
  readonly deviceNo: DeviceNo;
  /** As the device wrote it; answers use this spelling. */
  readonly clientId: string;
  readonly gateway: GatewayName;
  readonly address: string;
  /** The device at the time of its login. */
  readonly device: Device;
  readonly madeWith: Credential;
}

/**
 * Credential of a login: the product's key, a key of its own, or a password whose key only the
 * cloud knows.
 */
export interface Credential {
  readonly kind: 'product' | 'own' | 'cloud';
  /** The key; for `cloud`, the password. */
  readonly secret: string;
}
