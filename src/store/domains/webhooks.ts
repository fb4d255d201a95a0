import { asc, desc, eq } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { EventKind } from '../../platform/event-topics.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import { codedText, parseCoded, type Why } from '../../words/sentences.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { type Params, query } from '../schema/query.ts';

/** Webhooks that were added on the page; those of the config are in no table. */
export const webhook = sqliteTable('webhook', {
  name: text().primaryKey(),
  /** Address, secret and kinds, as JSON. */
  sealedSettings: blob('sealed_settings', { mode: 'buffer' }).notNull(),
  paused: integer({ mode: 'boolean' }).notNull(),
  madeAt: integer('made_at').notNull(),
});

/** Of each webhook and kind of events, the `seq` of the last one that its receiver has taken. */
export const webhookPlace = sqliteTable(
  'webhook_place',
  {
    name: text().notNull(),
    kind: text().$type<EventKind>().notNull(),
    seq: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.name, table.kind] })],
);

/** The last messages of each webhook, with the outcome of the last attempt. */
export const webhookDelivery = sqliteTable(
  'webhook_delivery',
  {
    name: text().notNull(),
    id: text().notNull(),
    kind: text().$type<EventKind>().notNull(),
    afterSeq: integer('after_seq').notNull(),
    throughSeq: integer('through_seq').notNull(),
    events: integer().notNull(),
    at: integer().notNull(),
    attempts: integer().notNull(),
    state: text().$type<WebhookDelivery['state']>().notNull(),
    /** HTTP status; null: no answer. */
    status: integer(),
    tookMs: integer('took_ms').notNull(),
    why: text().notNull(),
    said: text(),
    nextAt: integer('next_at'),
  },
  table => [
    primaryKey({ columns: [table.name, table.id] }),
    index('webhook_delivery_by_at').on(table.name, table.at, table.id),
  ],
);

export type WebhookPlace = Readonly<typeof webhookPlace.$inferSelect>;

/** A webhook that was added on the page. */
export interface KeptWebhook {
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  readonly kinds: readonly EventKind[];
  readonly paused: boolean;
  /** Tells it from an earlier one of the same name. */
  readonly madeAt: UnixMs;
}

/** Message of a webhook, with the outcome of its last attempt; `why` is empty if it was taken. */
export interface WebhookDelivery extends Why {
  readonly name: string;
  readonly id: string;
  readonly kind: EventKind;
  readonly afterSeq: number;
  readonly throughSeq: number;
  readonly events: number;
  readonly at: UnixMs;
  readonly attempts: number;
  readonly state: 'taken' | 'failed' | 'ended';
  readonly status: number | null;
  readonly tookMs: number;
  readonly nextAt: UnixMs | null;
}

/** Webhooks of the page, how far each webhook has come, and its last messages. */
export type WebhookStore = PartOf<typeof webhooks>;

/** Of each webhook. */
export const webhookDeliveriesMax = 50;

const placeOf = (name: string): string => `webhook.settings:${name}`;
const sealedIn = ({ url, secret, kinds }: KeptWebhook): string => JSON.stringify({ url, secret, kinds });

export const webhooks = {
  reads({ connection: { orm, seal } }: Reading) {
    const all = query(() => orm.select().from(webhook).orderBy(asc(webhook.name)));
    const places = query(() => orm.select().from(webhookPlace).orderBy(asc(webhookPlace.name), asc(webhookPlace.kind)));
    const deliveries = query((value: Params<{ name: string; limit: number }>) =>
      orm
        .select()
        .from(webhookDelivery)
        .where(eq(webhookDelivery.name, value.name))
        .orderBy(desc(webhookDelivery.at), desc(webhookDelivery.id))
        .limit(value.limit),
    );
    return {
      /** Those of the page, by name. */
      webhooks: async (): Promise<KeptWebhook[]> =>
        all.all().map(({ sealedSettings, ...row }) => ({
          ...row,
          ...(JSON.parse(seal.openText(sealedSettings, placeOf(row.name))) as Pick<
            KeptWebhook,
            'url' | 'secret' | 'kinds'
          >),
        })),

      /** By name and kind. Webhooks that are gone stay: a few rows. */
      webhookPlaces: async (): Promise<WebhookPlace[]> => places.all(),

      /** Newest attempt first. */
      webhookDeliveries: async (name: string, limit = webhookDeliveriesMax): Promise<WebhookDelivery[]> =>
        deliveries.all({ name, limit }).map(({ said, ...row }) => ({ ...row, ...parseCoded(said) })),
    };
  },

  writes: {
    /** Adds one, or replaces the settings of one that was made at the same time. */
    putWebhook({ sql, seal }: OperationContext, put: KeptWebhook): void {
      sql(
        `INSERT INTO webhook (name, sealed_settings, paused, made_at) VALUES (?, ?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET sealed_settings = excluded.sealed_settings, paused = excluded.paused, made_at = excluded.made_at`,
      ).run(put.name, seal.sealText(sealedIn(put), placeOf(put.name)), Number(put.paused), put.madeAt);
    },

    removeWebhook({ sql }: OperationContext, { name }: { name: string }): void {
      for (const table of ['webhook', 'webhook_place', 'webhook_delivery'])
        sql(`DELETE FROM ${table} WHERE name = ?`).run(name);
    },

    putWebhookPlace({ sql }: OperationContext, { name, kind, seq }: WebhookPlace): void {
      sql(
        'INSERT INTO webhook_place (name, kind, seq) VALUES (?, ?, ?) ON CONFLICT (name, kind) DO UPDATE SET seq = excluded.seq',
      ).run(...([name, kind, seq] as const));
    },

    /**
     * Notes an attempt of a message, and counts its attempts. Removes what the message replaces:
     * the same events in another page, and all but the newest messages.
     */
    noteWebhookDelivery({ sql }: OperationContext, one: Omit<WebhookDelivery, 'attempts'>): void {
      const { name, id, kind, afterSeq } = one;
      sql(
        `INSERT INTO webhook_delivery (name, id, kind, after_seq, through_seq, events, at, attempts, state, status, took_ms, why, said, next_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (name, id) DO UPDATE SET at = excluded.at, attempts = webhook_delivery.attempts + 1,
             state = excluded.state, status = excluded.status, took_ms = excluded.took_ms, why = excluded.why,
             said = excluded.said, next_at = excluded.next_at`,
      ).run(
        ...([name, id, kind, afterSeq, one.throughSeq, one.events, one.at] as const),
        ...([one.state, one.status, one.tookMs, one.why, codedText(one), one.nextAt] as const),
      );
      sql(
        "DELETE FROM webhook_delivery WHERE name = ? AND kind = ? AND after_seq = ? AND id <> ? AND state <> 'taken'",
      ).run(name, kind, afterSeq, id);
      sql(
        `DELETE FROM webhook_delivery WHERE name = ? AND id NOT IN (
           SELECT id FROM (SELECT id FROM webhook_delivery WHERE name = ? ORDER BY at DESC, id DESC LIMIT ?) AS newest)`,
      ).run(name, name, webhookDeliveriesMax);
    },

    /** Forgets the messages of a kind that wait for another attempt: no more of it is sent. */
    dropWebhookKind({ sql }: OperationContext, { name, kind }: Pick<WebhookPlace, 'name' | 'kind'>): void {
      sql("DELETE FROM webhook_delivery WHERE name = ? AND kind = ? AND state <> 'taken'").run(name, kind);
    },
  },
};

export type WebhookReads = ReadsOf<typeof webhooks>;
export type WebhookWrites = WritesOf<typeof webhooks>;
