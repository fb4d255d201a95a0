import { asc } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { query } from '../schema/query.ts';

/** Of each webhook and kind of events, the `seq` of the last one that its receiver has taken. */
export const webhookPlace = sqliteTable(
  'webhook_place',
  {
    name: text().notNull(),
    kind: text().notNull(),
    seq: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.name, table.kind] })],
);

export type WebhookPlace = Readonly<typeof webhookPlace.$inferSelect>;

/** How far the webhooks of the config have come. */
export type WebhookStore = PartOf<typeof webhooks>;

export const webhooks = {
  reads({ connection: { orm } }: Reading) {
    const places = query(() => orm.select().from(webhookPlace).orderBy(asc(webhookPlace.name), asc(webhookPlace.kind)));
    return {
      /** By name and kind. Webhooks that the config no longer names stay: a few rows. */
      webhookPlaces: async (): Promise<WebhookPlace[]> => places.all(),
    };
  },

  writes: {
    putWebhookPlace({ sql }: OperationContext, { name, kind, seq }: WebhookPlace): void {
      sql(
        'INSERT INTO webhook_place (name, kind, seq) VALUES (?, ?, ?) ON CONFLICT (name, kind) DO UPDATE SET seq = excluded.seq',
      ).run(...([name, kind, seq] as const));
    },
  },
};

export type WebhookReads = ReadsOf<typeof webhooks>;
export type WebhookWrites = WritesOf<typeof webhooks>;
