import { mqttPassword } from '../platform/signature.ts';
import type { Device, DeviceNo, Directory } from '../store/index.ts';
import type { Credentials } from './transport.ts';

/** Under this number stands the session of the box itself, and what it sends of its own. */
export const boxNo = 0 as DeviceNo;

/** The box as a device of the platform (CONTRACT 2, `box`). */
export interface BoxIdentity {
  readonly productId: string;
  readonly deviceSn: string;
  readonly accessKey: string;
}

export function boxCredentials({ productId, deviceSn, accessKey }: BoxIdentity): Credentials {
  const clientId = `${productId}_${deviceSn}`.toUpperCase();
  return {
    clientId,
    userName: productId.toUpperCase(),
    password: mqttPassword({ deviceId: clientId, productId: productId.toUpperCase(), accessKey }),
  };
}

/**
 * Credentials of a device at the cloud, the likeliest first: the key it uses here, then the other
 * one. A device whose key only the cloud knows has the password that it presented.
 */
export function deviceCredentials(device: Device, directory: Directory): Credentials[] {
  const product = directory.product(device.productId);
  const own = [device.accessKey, ...device.nextKeys.map(({ key }) => key)].filter(key => key !== null);
  const productKey = product?.productKey ? [product.productKey] : [];
  // A device key that was handed over and not used yet may be unknown to the device: the cloud
  // takes either.
  const keys = device.accessKey && device.keyConfirmedAt === null ? [...productKey, ...own] : [...own, ...productKey];
  const { deviceId: clientId, productId: userName } = device;
  const signed = keys.map(accessKey => ({
    clientId,
    userName,
    password: mqttPassword({ deviceId: clientId, productId: userName, accessKey }),
  }));
  return device.presentedPassword ? [{ clientId, userName, password: device.presentedPassword }, ...signed] : signed;
}
