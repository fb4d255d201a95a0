import type { SiteChoice } from '../platform/site.ts';
import type { Config } from './schema.ts';

/** Says where the value of a key comes from; see `LoadedConfig.origin`. */
export type Origin = (path: readonly string[]) => string;

/** Where the config says a key of the site itself; null: it does not, so the key can be chosen. */
export const fixedBy = (origin: Origin, key: keyof SiteChoice): string | null => {
  const where = origin(['site', key]);
  return where === 'default' ? null : where;
};

/** Value in the config, else the one chosen on the page Settings, else the config's default. */
export function siteInForce(configured: Config['site'], chosen: SiteChoice, origin: Origin): Config['site'] {
  const chosenOr = (key: keyof SiteChoice): string =>
    fixedBy(origin, key) === null ? (chosen[key] ?? configured[key]) : configured[key];
  return { ...configured, name: chosenOr('name'), timezone: chosenOr('timezone'), locale: chosenOr('locale') };
}
