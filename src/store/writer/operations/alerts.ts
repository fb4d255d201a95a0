import type { StoreWrites } from '../../port/store.ts';
import { places } from '../../readers/rows.ts';
import type { OperationContext } from '../operation-context.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];

export function saveAlerts(
  { sql }: OperationContext,
  { alerts, messages, removedMessages, forgetBefore }: Input<'saveAlerts'>,
): void {
  for (const one of alerts)
    sql(
      `INSERT INTO alert (id, kind, subject, severity, since, opened_at, announced_at, announced_as, over_at, is_done, details)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET severity = excluded.severity, announced_at = excluded.announced_at,
           announced_as = excluded.announced_as, over_at = excluded.over_at, is_done = excluded.is_done, details = excluded.details`,
    ).run(
      ...([one.id, one.kind, one.subject, one.severity, one.since, one.openedAt] as const),
      ...([one.announcedAt, one.announcedAs, one.overAt, Number(one.isDone)] as const),
      JSON.stringify(one.details),
    );
  for (const one of messages)
    sql(
      `INSERT INTO alert_message (id, channel, attempts, next_at, content) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET attempts = excluded.attempts, next_at = excluded.next_at`,
    ).run(one.id, one.channel, one.attempts, one.nextAt, JSON.stringify(one.content));
  for (const id of removedMessages) sql('DELETE FROM alert_message WHERE id = ?').run(id);
  sql('DELETE FROM alert WHERE is_done = 1 AND opened_at < ?').run(forgetBefore);
}

export function putAlertSetting({ sql, seal }: OperationContext, { key, value }: Input<'putAlertSetting'>): void {
  sql(
    'INSERT INTO alert_setting (key, sealed_value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET sealed_value = excluded.sealed_value',
  ).run(key, seal.sealText(value, places.alertSetting(key)));
}
