import { asc, desc, eq } from 'drizzle-orm';
import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { type Params, query } from '../schema/query.ts';

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

/** An archive that the box wrote to a target. `sha256`: of the whole file, in hex. */
export type BackupCopy = Readonly<typeof backupCopy.$inferSelect>;

/** Notes that the box keeps about its backups. */
export type BackupNotesStore = PartOf<typeof backups>;

/** No target keeps more by any settings. */
const copiesMax = 5000;

const placeOf = (key: string): string => `backup_setting:${key}`;

export const backups = {
  reads({ connection: { orm, seal } }: Reading) {
    const copies = query(() =>
      orm.select().from(backupCopy).orderBy(desc(backupCopy.madeAt), asc(backupCopy.target)).limit(copiesMax),
    );
    const setting = query((value: Params<{ key: string }>) =>
      orm.select().from(backupSetting).where(eq(backupSetting.key, value.key)),
    );
    return {
      /** Newest first. Retention keeps them few. */
      backupCopies: async (): Promise<BackupCopy[]> => copies.all(),

      async backupSetting(key: string): Promise<string | null> {
        const row = setting.get({ key });
        return row ? seal.openText(row.sealedValue, placeOf(key)) : null;
      },
    };
  },

  writes: {
    /** Adds it, or replaces what is known of it. */
    putBackupCopy({ sql }: OperationContext, copy: BackupCopy): void {
      sql(
        `INSERT INTO backup_copy (target, name, made_at, bytes, sha256, verified_at, restore_tried_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (target, name) DO UPDATE SET made_at = excluded.made_at, bytes = excluded.bytes,
             sha256 = excluded.sha256, verified_at = excluded.verified_at, restore_tried_at = excluded.restore_tried_at`,
      ).run(
        ...([copy.target, copy.name, copy.madeAt, copy.bytes, copy.sha256] as const),
        ...([copy.verifiedAt, copy.restoreTriedAt] as const),
      );
    },

    removeBackupCopy({ sql }: OperationContext, { target, name }: Pick<BackupCopy, 'target' | 'name'>): void {
      sql('DELETE FROM backup_copy WHERE target = ? AND name = ?').run(target, name);
    },

    /** Stored sealed. */
    putBackupSetting({ sql, seal }: OperationContext, { key, value }: { key: string; value: string }): void {
      sql(
        'INSERT INTO backup_setting (key, sealed_value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET sealed_value = excluded.sealed_value',
      ).run(key, seal.sealText(value, placeOf(key)));
    },
  },
};

export type BackupReads = ReadsOf<typeof backups>;
export type BackupWrites = WritesOf<typeof backups>;
