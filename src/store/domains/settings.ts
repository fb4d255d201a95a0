import type { SiteChoice } from '../../platform/site.ts';
import type { OperationContext, Reading, ReadsOf, WritesOf } from '../domain.ts';
import type { Connection } from '../schema/database.ts';
import { keepValue, keptValue } from '../schema/meta.ts';

const key = 'site_choice';

/** Chosen settings of the site; also read before the writer thread starts. Empty: none. */
export const siteChoice = (connection: Pick<Connection, 'sql'>): SiteChoice => keptValue(connection, key) ?? {};

/** Choices of the page Settings. */
export const settings = {
  reads: ({ connection }: Reading) => ({
    /** Empty: nothing was chosen. */
    siteChoice: async (): Promise<SiteChoice> => siteChoice(connection),
  }),

  writes: {
    /**
     * Replaces what was chosen. `timeZone`: the one in force from now on; logs that the tables do
     * not hold yet are counted on its days.
     */
    keepSiteChoice(
      context: OperationContext,
      { chosen, timeZone }: { readonly chosen: SiteChoice; readonly timeZone: string },
    ): void {
      keepValue(context, key, chosen);
      context.projection.countIn(timeZone);
    },
  },
};

export type SettingReads = ReadsOf<typeof settings>;
export type SettingWrites = WritesOf<typeof settings>;
