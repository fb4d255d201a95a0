import type { SiteChoice } from '../../platform/site.ts';
import type { SettingReads } from '../port/settings.ts';
import type { Connection } from '../schema/database.ts';

export const siteChoiceKey = 'site_choice';

/** Chosen settings of the site; also read before the writer thread starts. */
export function siteChoice({ sql }: Pick<Connection, 'sql'>): SiteChoice {
  const row = sql('SELECT value FROM meta WHERE key = ?').get(siteChoiceKey) as { value: string } | undefined;
  return row ? (JSON.parse(row.value) as SiteChoice) : {};
}

export const settingReads = (connection: Connection): SettingReads => ({
  siteChoice: async () => siteChoice(connection),
});
