import type { ActionTable } from '../platform/actions.ts';
import { readDeviceJson } from '../platform/device-json.ts';
import { isBiometric } from '../platform/reports.ts';

/**
 * Part of a device's message that may leave the site where features stay (`features.upstream:
 * off`); null if none may. A feature report stays whole, unless it is one of a card or an identity
 * number; an access report goes without its photos, which are faces.
 */
export type Leaving = (payload: Uint8Array, action: number | null | undefined) => Uint8Array | null;

export function leavingWithout(actions: ActionTable): Leaving {
  const reads = new Set([
    actions.codeOf('feature_report'),
    actions.codeOf('access_report'),
    actions.codeOf('person_sync'),
  ]);
  return (payload, action) => {
    // Undefined: written in an odd way, only parsing tells.
    if (action === null || (action !== undefined && !reads.has(action))) return payload;
    const read = readDeviceJson(payload);
    // Nobody can tell what is in it.
    if (!read.ok) return null;
    const message = read.value;
    switch (actions.nameOf(Number(message.action))) {
      case 'feature_report':
        return isBiometric((message.data as { feature_type?: unknown } | null)?.feature_type) ? null : payload;
      case 'person_sync':
        return null;
      case 'access_report':
        return withoutPhotos(payload, message);
      default:
        return payload;
    }
  };
}

function withoutPhotos(payload: Uint8Array, message: object): Uint8Array {
  let found = false;
  const text = JSON.stringify(message, (key, value) => {
    if (key !== 'capture_img') return value;
    found = true;
    return undefined;
  });
  return found ? Buffer.from(text) : payload;
}
