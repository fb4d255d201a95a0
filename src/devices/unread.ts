import type { ActionTable } from '../platform/actions.ts';
import type { DeviceId } from '../platform/device-id.ts';
import type { Envelope } from '../platform/envelope.ts';

/** Rules on whether an unreadable message may leave the site. */
export interface UnreadRules {
  readonly actions: ActionTable;
  readonly featuresStay: boolean;
  /** Messages go up in the session of the box, where `from` alone says who sent them. */
  readonly unnamedStay: boolean;
}

/**
 * Whether a message that nobody can read stays here: it may be an activation, or hold a face that
 * is to stay, or would go up in another's name, as far as anybody can tell. `envelope` is what
 * could be made out of it.
 */
export function unreadStays(rules: UnreadRules, deviceId: DeviceId, { from, action }: Envelope): boolean {
  const isOwn = from === '' ? !rules.unnamedStay : from.toUpperCase() === deviceId;
  return rules.featuresStay || !isOwn || rules.actions.nameOf(action) === 'activate';
}
