import { and, eq } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { UnixMs } from '../../runtime/clock.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { type Params, query } from '../schema/query.ts';

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
