import { type EffectiveKey, effectiveKeys } from './effective.ts';
import { type ConfigKey, configKey } from './keys.ts';
import type { LoadedConfig } from './load.ts';

/**
 * Every key as `check-config --effective` shows it, for somebody who helps. A value is shown only
 * if its schema leaves no room for a secret, a name or a mail address: a number, a choice, a
 * listener, a default, the host of an address. Any other text is `(set)`, so a key that is added to
 * the schema shows nothing by itself.
 */
export const shareableKeys = (shown: Pick<LoadedConfig, 'config' | 'origin'>): EffectiveKey[] =>
  effectiveKeys(shown).map(row => ({ ...row, value: shareable(configKey(row.path.split('.'))!, row.value) }));

function shareable({ kind, byDefault, meta }: ConfigKey, value: unknown): unknown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (!meta.secret && JSON.stringify(value) === JSON.stringify(byDefault)) return value;
  if (typeof value !== 'string' || meta.secret) return '(set)';
  if (kind.split(' | ').includes(value) || closedKinds.includes(kind)) return value;
  return /^(https|mqtts):/.test(kind) ? placeOf(value) : '(set)';
}

/** Checked by their schemas: a word of a list, or an address of this machine. */
const closedKinds = ['host:port or off', 'time zone', 'language'];

/** Without path and query, where some services have their tokens. */
function placeOf(address: string): string {
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}
