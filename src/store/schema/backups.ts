import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Archives that the box wrote to its targets. Retention deletes there only what stands here. */
export const backupCopy = sqliteTable(
  'backup_copy',
  {
    target: text().notNull(),
    name: text().notNull(),
    madeAt: integer('made_at').notNull(),
    bytes: integer().notNull(),
    sha256: text().notNull(),
    /** Time of verification; null if it was not read back yet, or was not whole. */
    verifiedAt: integer('verified_at'),
    /** When a restore of it was last tried; null: never. */
    restoreTriedAt: integer('restore_tried_at'),
  },
  table => [primaryKey({ columns: [table.target, table.name] })],
);

/**
 * Settings, and what is known of each target. A password of a target may be among them, and never a
 * key that opens an archive.
 */
export const backupSetting = sqliteTable('backup_setting', {
  key: text().primaryKey(),
  sealedValue: blob('sealed_value', { mode: 'buffer' }).notNull(),
});
