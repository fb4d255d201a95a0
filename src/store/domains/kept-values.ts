import { and, eq } from 'drizzle-orm';
import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { DrillResult } from '../../platform/drill.ts';
import type { SiteChoice } from '../../platform/site.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import type { Connection } from '../schema/database.ts';
import { type Params, query } from '../schema/query.ts';

/** Single values of the store by name, such as its epoch, and what was chosen on pages. */
export const meta = sqliteTable('meta', { key: text().primaryKey(), value: text().notNull() });

/** A value that was kept as JSON; undefined: none was. */
function keptValue<Value>({ sql }: Pick<Connection, 'sql'>, key: string): Value | undefined {
  const row = sql('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
  return row && (JSON.parse(row.value) as Value);
}

/** Keeps a value as JSON, in place of the one before. */
function keepValue({ sql }: Pick<Connection, 'sql'>, key: string, value: unknown): void {
  sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
    key,
    JSON.stringify(value),
  );
}

const drillKey = 'drill_results';
const drillsMax = 20;

const resultsIn = (connection: Pick<Connection, 'sql'>): DrillResult[] => keptValue(connection, drillKey) ?? [];

/** Results of drills (docs/drill.md): one value, since they are few and small. */
export const drills = {
  reads: ({ connection }: Reading) => ({
    /** Newest first. */
    drillResults: async (): Promise<DrillResult[]> => resultsIn(connection),
  }),

  writes: {
    /** Adds it, or replaces the one with the same id. The oldest go: twenty are kept. */
    putDrillResult(context: OperationContext, result: DrillResult): void {
      const others = resultsIn(context).filter(({ id }) => id !== result.id);
      keepValue(context, drillKey, [result, ...others].slice(0, drillsMax));
    },
  },
};

export type DrillWrites = WritesOf<typeof drills>;

const columnsKey = 'month_columns';

/** The month that is handed to payroll. */
export const payroll = {
  reads: ({ connection }: Reading) => ({
    /** Chosen columns; null if nobody has chosen. */
    monthColumns: async (): Promise<readonly string[] | null> => keptValue<string[]>(connection, columnsKey) ?? null,
  }),

  writes: {
    /** Which columns the site has chosen; of names that a later version lacks nothing comes. */
    keepMonthColumns: (context: OperationContext, { columns }: { readonly columns: readonly string[] }): void =>
      keepValue(context, columnsKey, columns),
  },
};

export type PayrollReads = ReadsOf<typeof payroll>;
export type PayrollWrites = WritesOf<typeof payroll>;

const choiceKey = 'site_choice';

/** Chosen settings of the site; also read before the writer thread starts. Empty: none. */
export const siteChoice = (connection: Pick<Connection, 'sql'>): SiteChoice => keptValue(connection, choiceKey) ?? {};

/**
 * Values of keys of the config that were set on pages. They count where neither the config file nor
 * the environment says the key (docs/decisions/settings.md); keys of the cloud are among them.
 */
export const pageSetting = sqliteTable('page_setting', {
  /** Path, such as `upstream.device_mqtt`. */
  key: text().primaryKey(),
  sealedValue: blob('sealed_value', { mode: 'buffer' }).notNull(),
});

const placeOf = (key: string): string => `page_setting:${key}`;

/** Values by key; also read before the writer thread starts. */
export function pageSettings({ sql, seal }: Pick<Connection, 'sql' | 'seal'>): Record<string, string> {
  const rows = sql('SELECT key, sealed_value AS value FROM page_setting').all() as { key: string; value: Uint8Array }[];
  return Object.fromEntries(rows.map(({ key, value }) => [key, seal.openText(value, placeOf(key))]));
}

/** Choices of the page Settings, and the keys of the config that pages set. */
export const settings = {
  reads: ({ connection }: Reading) => ({
    /** Empty: nothing was chosen. */
    siteChoice: async (): Promise<SiteChoice> => siteChoice(connection),

    pageSettings: async (): Promise<Record<string, string>> => pageSettings(connection),
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
      keepValue(context, choiceKey, chosen);
      context.projection.countIn(timeZone);
    },

    /** Sets keys of the config, stored sealed; null: no longer set here. */
    setOnPage({ sql, seal }: OperationContext, values: Readonly<Record<string, string | null>>): void {
      for (const [key, value] of Object.entries(values))
        if (value === null) sql('DELETE FROM page_setting WHERE key = ?').run(key);
        else
          sql(
            'INSERT INTO page_setting (key, sealed_value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET sealed_value = excluded.sealed_value',
          ).run(key, seal.sealText(value, placeOf(key)));
    },
  },
};

export type SettingReads = ReadsOf<typeof settings>;
export type SettingWrites = WritesOf<typeof settings>;

/** Values that a part of the box keeps under names of its own, such as the cloud's last answers. */
export const remembered = sqliteTable(
  'remembered',
  {
    service: text().notNull(),
    key: text().notNull(),
    value: text().notNull(),
    at: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.service, table.key] })],
);

export type RememberedStore = PartOf<typeof rememberedValues>;

export const rememberedValues = {
  reads({ connection: { orm } }: Reading) {
    const found = query((value: Params<{ service: string; key: string }>) =>
      orm
        .select({ value: remembered.value, at: remembered.at })
        .from(remembered)
        .where(and(eq(remembered.service, value.service), eq(remembered.key, value.key))),
    );
    return {
      remembered: async (service: string, key: string): Promise<{ value: string; at: UnixMs } | null> =>
        found.get({ service, key }) ?? null,
    };
  },

  writes: {
    remember({ sql }: OperationContext, { service, key, value, at }: Readonly<typeof remembered.$inferSelect>): void {
      sql(
        `INSERT INTO remembered (service, key, value, at) VALUES (?, ?, ?, ?)
           ON CONFLICT (service, key) DO UPDATE SET value = excluded.value, at = excluded.at`,
      ).run(service, key, value, at);
    },

    /** Deletes old values of the services that keep one for each thing they were asked about. */
    retireRemembered({ sql }: OperationContext, { before }: { before: UnixMs }): void {
      sql("DELETE FROM remembered WHERE at < ? AND service IN ('weather', 'cloud file')").run(before);
    },
  },
};

export type RememberedReads = ReadsOf<typeof rememberedValues>;
export type RememberedWrites = WritesOf<typeof rememberedValues>;
