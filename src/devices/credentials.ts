import type { Directory } from '../store/index.ts';
import type { Session } from './session.ts';

/**
 * Why a session must end, by the current directory; null: it may go on. Checked whenever a device
 * or the site changes, so that no session outlives the key that it logged in with.
 */
export function whyOver({ deviceNo, gateway, device: before, madeWith }: Session, directory: Directory): string | null {
  const device = directory.deviceByNo(deviceNo);
  if (!device) return 'the device is no longer known here';
  if (device.blocked) return 'blocked by an administrator';
  const product = directory.product(device.productId);
  if (!product) return 'its product is no longer known here';
  if (product.access !== 'both' && product.access !== gateway) return 'its product no longer uses this way in';
  if (madeWith.kind === 'own')
    return device.accessKey === madeWith.secret || device.nextKeys.some(({ key }) => key === madeWith.secret)
      ? null
      : 'its key was replaced by another';
  if (madeWith.kind === 'product' && product.productKey !== madeWith.secret)
    return 'the key of its product was changed';
  // The first login with a device's own key voids the key that it replaces. Staff can accept the
  // product key again, for later logins.
  if (device.keyConfirmedAt !== null && device.keyConfirmedAt !== before.keyConfirmedAt)
    return 'it has a key of its own now';
  if (device.presentedPassword !== null && device.presentedPassword !== before.presentedPassword)
    return 'the cloud has taken another key of it';
  return null;
}
