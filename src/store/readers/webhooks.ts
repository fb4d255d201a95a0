import { asc } from 'drizzle-orm';
import type { WebhookReads } from '../port/webhooks.ts';
import type { Connection } from '../schema/database.ts';
import { webhookPlace } from '../schema/index.ts';
import { query } from '../schema/query.ts';

export function webhookReads({ orm }: Connection): WebhookReads {
  // Those of webhooks that the config no longer names stay: a few rows.
  const places = query(() => orm.select().from(webhookPlace).orderBy(asc(webhookPlace.name), asc(webhookPlace.kind)));
  return { webhookPlaces: async () => places.all() };
}
