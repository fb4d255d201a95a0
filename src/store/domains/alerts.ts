import { and, asc, desc, eq, lt } from 'drizzle-orm';
import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Alert, AlertChannel, AlertContent, AlertMessage } from '../../platform/alerts.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { type Params, query } from '../schema/query.ts';

/** Alerts of the box: open ones, and a history of those that are over. */
export const alert = sqliteTable(
  'alert',
  {
    id: text().primaryKey(),
    kind: text().$type<Alert['kind']>().notNull(),
    subject: text().notNull(),
    severity: text().$type<Alert['severity']>().notNull(),
    since: integer().notNull(),
    openedAt: integer('opened_at').notNull(),
    announcedAt: integer('announced_at'),
    announcedAs: text('announced_as').$type<Alert['severity']>(),
    /** End; null while it is open. */
    overAt: integer('over_at'),
    /** Nothing more is said about it. */
    isDone: integer('is_done', { mode: 'boolean' }).notNull(),
    details: text({ mode: 'json' }).$type<Alert['details']>().notNull(),
  },
  table => [index('alert_by_done').on(table.isDone, table.openedAt)],
);

/** Messages that wait for a channel. */
export const alertMessage = sqliteTable('alert_message', {
  id: text().primaryKey(),
  channel: text().$type<AlertChannel>().notNull(),
  attempts: integer().notNull(),
  nextAt: integer('next_at').notNull(),
  content: text({ mode: 'json' }).$type<AlertContent>().notNull(),
});

/** `settings`, and what is known of each channel: addresses and keys are among them. */
export const alertSetting = sqliteTable('alert_setting', {
  key: text().primaryKey(),
  sealedValue: blob('sealed_value', { mode: 'buffer' }).notNull(),
});

export type AlertStore = PartOf<typeof alerts>;

const placeOf = (key: string): string => `alert_setting:${key}`;

export const alerts = {
  reads({ connection: { orm, seal } }: Reading) {
    const current = query(() => orm.select().from(alert).where(eq(alert.isDone, false)).orderBy(asc(alert.openedAt)));
    const past = query((value: Params<{ before: number; limit: number }>) =>
      orm
        .select()
        .from(alert)
        .where(and(eq(alert.isDone, true), lt(alert.openedAt, value.before)))
        .orderBy(desc(alert.openedAt))
        .limit(value.limit),
    );
    const messages = query(() => orm.select().from(alertMessage).orderBy(asc(alertMessage.id)));
    const setting = query((value: Params<{ key: string }>) =>
      orm.select().from(alertSetting).where(eq(alertSetting.key, value.key)),
    );
    return {
      /** Open alerts, and those of which a message is to come. Oldest first. */
      currentAlerts: async (): Promise<Alert[]> => current.all(),

      /** Those that are done; newest first. `before`: when one was opened. */
      pastAlerts: async ({
        limit,
        before = Number.MAX_SAFE_INTEGER,
      }: {
        limit: number;
        before?: UnixMs;
      }): Promise<Alert[]> => past.all({ before, limit }),

      /** Oldest first. */
      alertMessages: async (): Promise<AlertMessage[]> => messages.all(),

      async alertSetting(key: string): Promise<string | null> {
        const row = setting.get({ key });
        return row ? seal.openText(row.sealedValue, placeOf(key)) : null;
      },
    };
  },

  writes: {
    /**
     * One step of the alerts in one commit: what it says of alerts and the messages about them, so
     * that no restart announces an alert twice or loses its message. Also deletes alerts that are
     * done and were opened before a moment.
     */
    saveAlerts(
      { sql }: OperationContext,
      step: {
        alerts: readonly Alert[];
        messages: readonly AlertMessage[];
        removedMessages: readonly string[];
        forgetBefore: UnixMs;
      },
    ): void {
      for (const one of step.alerts)
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
      for (const one of step.messages)
        sql(
          `INSERT INTO alert_message (id, channel, attempts, next_at, content) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (id) DO UPDATE SET attempts = excluded.attempts, next_at = excluded.next_at`,
        ).run(one.id, one.channel, one.attempts, one.nextAt, JSON.stringify(one.content));
      for (const id of step.removedMessages) sql('DELETE FROM alert_message WHERE id = ?').run(id);
      sql('DELETE FROM alert WHERE is_done = 1 AND opened_at < ?').run(step.forgetBefore);
    },

    /** Stored sealed. */
    putAlertSetting({ sql, seal }: OperationContext, { key, value }: { key: string; value: string }): void {
      sql(
        'INSERT INTO alert_setting (key, sealed_value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET sealed_value = excluded.sealed_value',
      ).run(key, seal.sealText(value, placeOf(key)));
    },
  },
};

export type AlertReads = ReadsOf<typeof alerts>;
export type AlertWrites = WritesOf<typeof alerts>;
