import { didYouMean } from '../runtime/did-you-mean.ts';
import type { PathStep } from './complaint.ts';
import { configKey } from './keys.ts';

/**
 * The identity file beside the config of a flashed box: what its label says, which survives a
 * change of settings. The config file overrides it.
 */
export const identityFileName = 'identity.yaml';

/** The config keys that an identity file may hold. */
export const identityKeys: readonly (readonly string[])[] = [
  ['data_dir'],
  ['box', 'product_id'],
  ['box', 'device_sn'],
  ['box', 'access_key'],
  ['box', 'product_key'],
  ['box', 'setup_code'],
  ['provisioning', 'hotspot_key'],
];

/** Keys that an identity file may not hold, each with the reason. */
export function* disallowedKeys(
  values: Readonly<Record<string, unknown>>,
  above: readonly string[] = [],
): Generator<{ path: PathStep[]; reason: string }> {
  for (const [name, value] of Object.entries(values)) {
    const path = [...above, name];
    const text = path.join('.');
    if (identityKeys.some(key => key.join('.') === text)) continue;
    const inside = identityKeys.some(key => key.length > path.length && path.every((step, at) => key[at] === step));
    if (inside && typeof value === 'object' && value !== null && !Array.isArray(value))
      yield* disallowedKeys(value as Record<string, unknown>, path);
    else if (!(inside && value === null)) {
      const known = identityKeys.map(key => key.join('.'));
      const where = configKey(path) ? 'belongs into gatehouse.yaml, not into the identity' : 'unknown key';
      yield { path, reason: `${where}${didYouMean(text, known)}; an identity holds ${known.join(', ')}` };
    }
  }
}
