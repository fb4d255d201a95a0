import type { Directory } from '../store/index.ts';
import { deviceEnds } from '../words/device-ends.ts';
import type { Reason } from '../words/sentences.ts';
import type { Session } from './session.ts';

/**
 * Why a session must end, by the current directory; null: it may go on. Checked whenever a device
 * or the site changes, so that no session outlives the key that it logged in with.
 */
export function whyOver({ deviceNo, gateway, device: before, madeWith }: Session, directory: Directory): Reason | null {
  const device = directory.deviceByNo(deviceNo);
  if (!device) return deviceEnds.say('device_unknown');
  if (device.blocked) return deviceEnds.say('device_blocked');
  const product = directory.product(device.productId);
  if (!product) return deviceEnds.say('product_unknown');
  if (product.access !== 'both' && product.access !== gateway) return deviceEnds.say('product_not_here');
  if (madeWith.kind === 'own')
    return device.accessKey === madeWith.secret || device.nextKeys.some(({ key }) => key === madeWith.secret)
      ? null
      : deviceEnds.say('key_replaced');
  if (madeWith.kind === 'product' && product.productKey !== madeWith.secret)
    return deviceEnds.say('product_key_changed');
  // The first login with a device's own key voids the key that it replaces. Staff can accept the
  // product key again, for later logins.
  if (device.keyConfirmedAt !== null && device.keyConfirmedAt !== before.keyConfirmedAt)
    return deviceEnds.say('has_own_key');
  if (device.presentedPassword !== null && device.presentedPassword !== before.presentedPassword)
    return deviceEnds.say('cloud_took_key');
  return null;
}
