import type { RefusalCode } from '../../platform/refusals.ts';

/**
 * CONNACK codes of MQTT 3.1.1: 2 identifier, 3 unavailable, 4 bad user name or password, 5 not
 * authorized.
 */
export function connackOf(code: RefusalCode): 2 | 3 | 4 | 5 {
  switch (code) {
    case 'bad_device_id':
      return 2;
    case 'store_unavailable':
    case 'cloud_unreachable':
    case 'too_many_failures':
    case 'too_many_new_devices':
      return 3;
    case 'blocked':
    case 'wrong_door':
      return 5;
    default:
      return 4;
  }
}
