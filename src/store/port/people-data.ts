import type { Device, Product } from './directory.ts';

/** How the `mid` of the box's own messages about people begins. */
export const personSyncMid = 'person-sync-';

/**
 * Whether a device is confirmed, and so receives people's data (CONTRACT 7, `person_sync`): it is
 * listed in the site file, staff approved it, or it logged in with a key of its own. A product key
 * alone is not enough, since every device of the product has it. After staff have allowed the
 * product key again, the device has to log in with its own key first.
 */
export function isConfirmed({ peopleData, listed, keyConfirmedAt, productKeyUntil }: ConfirmationFacts): boolean {
  if (peopleData === 'yes') return true;
  if (peopleData === 'no') return false;
  if (peopleData === null && listed) return true;
  return keyConfirmedAt !== null && productKeyUntil === null;
}

type ConfirmationFacts = Pick<Device, 'peopleData' | 'listed' | 'keyConfirmedAt' | 'productKeyUntil'>;

/** `none`: devices of its product receive no data of people. */
export type PeopleDataState = 'allowed' | 'waits' | 'refused' | 'none';

export function peopleDataState(device: Device, product: Product | undefined): PeopleDataState {
  if (!product?.faceFeatures) return 'none';
  if (isConfirmed(device)) return 'allowed';
  return device.peopleData === 'no' ? 'refused' : 'waits';
}
