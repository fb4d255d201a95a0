import { asc, eq } from 'drizzle-orm';
import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { PartOf, Reading } from '../domain.ts';
import { type Params, query } from '../schema/query.ts';

/** Versions of the apps of devices, as the site file lists them. */
export const appUpgrade = sqliteTable(
  'app_upgrade',
  {
    appCode: text('app_code').notNull(),
    version: text().notNull(),
    /** As in the site file. */
    record: text({ mode: 'json' }).$type<object>().notNull(),
  },
  table => [primaryKey({ columns: [table.appCode, table.version] })],
);

export type UpgradeStore = PartOf<typeof upgrades>;

/** Upgrades of apps. */
export const upgrades = {
  reads({ connection: { orm } }: Reading) {
    const ofApp = query((value: Params<{ appCode: string }>) =>
      orm.select().from(appUpgrade).where(eq(appUpgrade.appCode, value.appCode)).orderBy(asc(appUpgrade.version)),
    );
    return {
      /** Records of one app, with the fields that SPEC 2.13 names. */
      appUpgrades: async (appCode: string): Promise<object[]> =>
        ofApp.all({ appCode }).map(({ appCode: app_code, version, record }) => ({ ...record, app_code, version })),
    };
  },

  writes: {},
};
