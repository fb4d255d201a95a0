import type { Device, DeviceNo, GatewayName } from '../store/index.ts';

/** One admitted device at one gateway, from its login to its end. */
export interface Session {
  readonly deviceNo: DeviceNo;
  /** As the device wrote it: answers go to this spelling. */
  readonly clientId: string;
  readonly gateway: GatewayName;
  readonly address: string;
  /** As it stood at the login. */
  readonly device: Device;
  readonly madeWith: Credential;
}

/**
 * What a device showed at its login: a key of the product or of its own, or a password whose key
 * the cloud alone knows.
 */
export interface Credential {
  readonly kind: 'product' | 'own' | 'cloud';
  /** The key; for `cloud` the password. */
  readonly secret: string;
}
