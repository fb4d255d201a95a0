import { configKeys } from './keys.ts';
import type { LoadedConfig } from './load.ts';

export interface EffectiveKey {
  readonly path: string;
  /** The value in force: a secret as `(set)`, an absent key as null. */
  readonly value: unknown;
  /** `default`, `page`, `gatehouse.yaml:3:11`, `GATEHOUSE_LISTEN__MQTTS`, `--data-dir`. */
  readonly from: string;
}

/**
 * Every key with the value in force and its source (`check-config --effective`); secrets masked.
 */
export function effectiveKeys({ config, origin }: Pick<LoadedConfig, 'config' | 'origin'>): EffectiveKey[] {
  const rows: EffectiveKey[] = [];
  for (const { path, section, meta } of configKeys) {
    const value = path.reduce<unknown>((map, step) => (map as Record<string, unknown> | undefined)?.[step], config);
    if (section) continue;
    const above = path
      .slice(0, -1)
      .reduce<unknown>((map, step) => (map as Record<string, unknown> | undefined)?.[step], config);
    if (above === undefined) continue;
    const hidden = meta.secret || meta.file === 'content';
    const shown =
      value === undefined ? null : hidden ? '(set)' : path.at(-1) === 'simulated_networks' ? masked(value) : value;
    rows.push({ path: path.join('.'), value: shown, from: value === undefined ? 'not set' : origin(path) });
  }
  return rows;
}

const masked = (networks: unknown): unknown =>
  (networks as { key: string }[]).map(network => ({ ...network, key: network.key === '' ? '' : '(set)' }));
