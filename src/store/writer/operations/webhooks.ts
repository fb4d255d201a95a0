import type { WebhookPlace } from '../../port/webhooks.ts';
import type { OperationContext } from '../operation-context.ts';

export function putWebhookPlace({ sql }: OperationContext, { name, kind, seq }: WebhookPlace): void {
  sql(
    'INSERT INTO webhook_place (name, kind, seq) VALUES (?, ?, ?) ON CONFLICT (name, kind) DO UPDATE SET seq = excluded.seq',
  ).run(...([name, kind, seq] as const));
}
