import type { Directory } from '../store/index.ts';
import type { Session } from './session.ts';

/**
 * Why a session may not go on, by what the directory says now: null while it may. Asked when a
 * device or the site has changed, so that nobody goes on with a key that would not let him in any
 * more.
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
  // What a key of its own replaces opens nothing from the first login with that key on; staff may
  // open the product key again, which a later login may use.
  if (device.keyConfirmedAt !== null && device.keyConfirmedAt !== before.keyConfirmedAt)
    return 'it has a key of its own now';
  if (device.presentedPassword !== null && device.presentedPassword !== before.presentedPassword)
    return 'the cloud has taken another key of it';
  return null;
}
