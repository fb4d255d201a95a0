import { rootsTrouble } from './certificate.ts';
import { brokenRules } from './config-rules.ts';
import { type Config, configSchema } from './schema.ts';
import type { Origin } from './site-in-force.ts';
import { put, take, type Values } from './values.ts';

/** The keys that a page can set where neither the config file nor the environment does. */
export const pageKeys = [
  'listen.events',
  'box.product_id',
  'box.device_sn',
  'box.access_key',
  'box.host_name',
  'box.time_servers',
  'upstream.mode',
  'upstream.device_mqtt',
  'upstream.device_http',
  'upstream.ca',
] as const;
export type PageKey = (typeof pageKeys)[number];

/** Values that pages set, by key. */
export type PageSettings = Readonly<Partial<Record<PageKey, string>>>;

interface Wrong {
  /** Path, such as `upstream.device_mqtt`. */
  readonly key: string;
  readonly why: string;
}

/** Config and the origin of its values, with those of pages under file and environment. */
interface WithPages {
  readonly config: Config;
  /** Also `page`. */
  readonly origin: Origin;
  /** Why the values of pages are not in force; null: they are. */
  readonly wrong: Wrong | null;
}

/**
 * Lays values of pages under the config file and the environment: a key that these say stays as it
 * is. Values that do not fit the rest leave the config as it was loaded.
 */
export function withPageSettings(config: Config, origin: Origin, set: PageSettings): WithPages {
  const free = pageKeys.filter(key => set[key] !== undefined && origin(key.split('.')) === 'default');
  const asLoaded = { config, origin };
  if (free.length === 0) return { ...asLoaded, wrong: null };
  const values = structuredClone(config) as Values;
  for (const key of free) put(values, key.split('.'), set[key]);
  const parsed = configSchema.safeParse(values);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { ...asLoaded, wrong: { key: issue!.path.join('.'), why: issue!.message } };
  }
  const [broken] = brokenRules(parsed.data);
  if (broken) return { ...asLoaded, wrong: { key: broken.path.join('.'), why: broken.reason } };
  const ca = free.includes('upstream.ca') ? take(parsed.data, ['upstream', 'ca']) : undefined;
  const trouble = typeof ca === 'string' ? rootsTrouble(ca, '') : null;
  if (trouble) return { ...asLoaded, wrong: { key: 'upstream.ca', why: trouble.reason } };
  const isSet = new Set<string>(free);
  return {
    config: parsed.data,
    origin: path => (isSet.has(path.join('.')) ? 'page' : origin(path)),
    wrong: null,
  };
}
