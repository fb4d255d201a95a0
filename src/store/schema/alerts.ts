import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Alert, AlertChannel, AlertContent } from '../../platform/alerts.ts';

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
