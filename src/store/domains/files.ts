import { and, asc, eq, lt, lte } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { UnixMs } from '../../runtime/clock.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { type Params, query } from '../schema/query.ts';

/** Files of the public file service (SPEC 2.8). Their bytes are files of the data directory. */
export const file = sqliteTable(
  'file',
  {
    fileId: text('file_id').primaryKey(),
    appId: text('app_id').notNull(),
    /** The client as the uploader named it. */
    client: text().notNull(),
    name: text().notNull(),
    contentType: text('content_type').notNull(),
    bytes: integer().notNull(),
    sha256: text().notNull(),
    isPublic: integer('is_public', { mode: 'boolean' }).notNull(),
    /** Whether its public link is one with TLS. */
    overHttps: integer('over_https', { mode: 'boolean' }).notNull(),
    storedAt: integer('stored_at').notNull(),
    /** Time of deletion; null if the file is kept. */
    dueAt: integer('due_at'),
    /** Its id at the cloud; null: not there. */
    cloudFileId: text('cloud_file_id'),
    /** Waits to be uploaded to the cloud. */
    waits: integer({ mode: 'boolean' }).notNull(),
    /** Why the cloud refused it for good. */
    refusal: text(),
  },
  table => [index('file_by_due').on(table.dueAt), index('file_waiting').on(table.waits, table.storedAt)],
);

export type StoredFile = Readonly<typeof file.$inferSelect>;

export type FileStore = PartOf<typeof files>;

/** The public file service. */
export const files = {
  reads({ connection: { orm } }: Reading) {
    const byId = query((value: Params<{ fileId: string }>) =>
      orm.select().from(file).where(eq(file.fileId, value.fileId)),
    );
    const due = query((value: Params<{ before: number; limit: number }>) =>
      orm
        .select({ fileId: file.fileId })
        .from(file)
        .where(lte(file.dueAt, value.before))
        .orderBy(asc(file.dueAt))
        .limit(value.limit),
    );
    const old = query((value: Params<{ before: number; limit: number }>) =>
      orm
        .select({ fileId: file.fileId })
        .from(file)
        .where(and(eq(file.waits, false), lt(file.storedAt, value.before)))
        .limit(value.limit),
    );
    const waiting = query(() =>
      orm.select().from(file).where(eq(file.waits, true)).orderBy(asc(file.storedAt), asc(file.fileId)).limit(1),
    );
    return {
      file: async (fileId: string): Promise<StoredFile | null> => byId.get({ fileId }) ?? null,

      filesDue: async (before: UnixMs, limit: number): Promise<string[]> =>
        due.all({ before, limit }).map(({ fileId }) => fileId),

      /** Files that do not wait for the cloud. */
      filesStoredBefore: async (before: UnixMs, limit: number): Promise<string[]> =>
        old.all({ before, limit }).map(({ fileId }) => fileId),

      nextWaitingFile: async (): Promise<StoredFile | null> => waiting.get() ?? null,
    };
  },

  writes: {
    putFile({ sql }: OperationContext, put: Omit<StoredFile, 'cloudFileId' | 'refusal'>): void {
      sql(
        `INSERT INTO file (file_id, app_id, client, name, content_type, bytes, sha256, is_public, over_https, stored_at, due_at, waits)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        ...([put.fileId, put.appId, put.client, put.name, put.contentType, put.bytes, put.sha256] as const),
        ...([Number(put.isPublic), Number(put.overHttps), put.storedAt, put.dueAt, Number(put.waits)] as const),
      );
    },

    removeFiles({ sql }: OperationContext, { fileIds }: { fileIds: readonly string[] }): void {
      for (const id of fileIds) sql('DELETE FROM file WHERE file_id = ?').run(id);
    },

    /** The file waits no longer: the cloud has it, or refused it for good. */
    settleFile(
      { sql }: OperationContext,
      { fileId, cloudFileId, refusal }: Pick<StoredFile, 'fileId' | 'cloudFileId' | 'refusal'>,
    ): void {
      sql('UPDATE file SET waits = 0, cloud_file_id = ?, refusal = ? WHERE file_id = ?').run(
        cloudFileId,
        refusal,
        fileId,
      );
    },
  },
};

export type FileReads = ReadsOf<typeof files>;
export type FileWrites = WritesOf<typeof files>;
