import { and, asc, eq, gt, isNotNull } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { StoredUse } from '../../platform/caller-uses.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { attendanceCaller, lastUse } from '../schema/people.ts';
import { type Params, query } from '../schema/query.ts';

/** Applications that may call the public services: they sign with their key. */
export const app = sqliteTable('app', {
  appId: text('app_id').primaryKey(),
  sealedKey: blob('sealed_key', { mode: 'buffer' }).notNull(),
  name: text().notNull(),
  ...lastUse(),
});

/** Answers to signed POSTs: a repeated call gets the stored answer and changes nothing. */
export const signedAnswer = sqliteTable(
  'signed_answer',
  {
    appId: text('app_id').notNull(),
    timestamp: text().notNull(),
    nonce: text().notNull(),
    bodyHash: text('body_hash').notNull(),
    answer: text().notNull(),
    at: integer().notNull(),
  },
  table => [
    primaryKey({ columns: [table.appId, table.timestamp, table.nonce] }),
    index('signed_answer_by_at').on(table.at),
  ],
);

type SignedAnswer = Readonly<typeof signedAnswer.$inferSelect>;

export type SignedCallStore = PartOf<typeof signedCalls>;

/** The place of an application's key (Seal.open). */
export const appKeyPlace = (appId: string): string => `app.key:${appId}`;

/** The API keys of both signed APIs with their last use, and the signed calls of applications. */
export const signedCalls = {
  reads({ connection: { sql, orm, seal } }: Reading) {
    const byId = query((value: Params<{ appId: string }>) => orm.select().from(app).where(eq(app.appId, value.appId)));
    const some = query((value: Params<{ limit: number }>) =>
      orm.select().from(app).orderBy(asc(app.appId)).limit(value.limit),
    );
    // As text: 10 and 13 digits of the same time begin alike.
    const signedAfter = query((value: Params<{ appId: string; after: string; skipped: number }>) =>
      orm
        .select({ nonce: signedAnswer.nonce })
        .from(signedAnswer)
        .where(and(eq(signedAnswer.appId, value.appId), gt(signedAnswer.timestamp, value.after)))
        .orderBy(asc(signedAnswer.timestamp), asc(signedAnswer.nonce))
        .limit(1)
        .offset(value.skipped),
    );
    const appUses = query(() =>
      orm
        .select({ id: app.appId, at: app.usedAt, address: app.usedFrom, call: app.usedFor })
        .from(app)
        .where(isNotNull(app.usedAt)),
    );
    const callerUses = query(() =>
      orm
        .select({
          id: attendanceCaller.appKey,
          at: attendanceCaller.usedAt,
          address: attendanceCaller.usedFrom,
          call: attendanceCaller.usedFor,
        })
        .from(attendanceCaller)
        .where(isNotNull(attendanceCaller.usedAt)),
    );
    return {
      /** The last use of each key that was ever used; up to ten minutes old. */
      callerUses: async (): Promise<{ attendance: StoredUse[]; services: StoredUse[] }> => ({
        attendance: callerUses.all() as StoredUse[],
        services: appUses.all() as StoredUse[],
      }),

      async app(appId: string): Promise<{ key: string; name: string } | null> {
        const row = byId.get({ appId });
        return row ? { key: seal.openText(row.sealedKey, appKeyPlace(appId)), name: row.name } : null;
      },

      /** With their keys: to tell whose a signature is. */
      apps: async (limit: number): Promise<{ appId: string; key: string }[]> =>
        some
          .all({ limit })
          .map(({ appId, sealedKey }) => ({ appId, key: seal.openText(sealedKey, appKeyPlace(appId)) })),

      /** Hand-written: runs for each signed call. */
      async signedAnswer({
        appId,
        timestamp,
        nonce,
      }: Pick<SignedAnswer, 'appId' | 'timestamp' | 'nonce'>): Promise<{ bodyHash: string; answer: string } | null> {
        const row = sql(
          'SELECT body_hash, answer FROM signed_answer WHERE app_id = ? AND timestamp = ? AND nonce = ?',
        ).get(appId, timestamp, nonce) as { body_hash: string; answer: string } | undefined;
        return row ? { bodyHash: row.body_hash, answer: row.answer } : null;
      },

      /** Whether `atLeast` answers of an app are to calls with a timestamp after a moment. */
      hasSignedAnswersAfter: async ({
        appId,
        after,
        atLeast,
      }: {
        appId: string;
        after: UnixMs;
        atLeast: number;
      }): Promise<boolean> => signedAfter.get({ appId, after: String(after), skipped: atLeast - 1 }) !== undefined,
    };
  },

  writes: {
    seeApp({ sql }: OperationContext, { id, at, address, call }: StoredUse): void {
      sql('UPDATE app SET used_at = ?, used_from = ?, used_for = ? WHERE app_id = ?').run(at, address, call, id);
    },

    seeAttendanceCaller({ sql }: OperationContext, { id, at, address, call }: StoredUse): void {
      sql('UPDATE attendance_caller SET used_at = ?, used_from = ?, used_for = ? WHERE app_key = ?').run(
        ...[at, address, call, id],
      );
    },

    putSignedAnswer({ sql }: OperationContext, put: SignedAnswer): void {
      sql(
        `INSERT INTO signed_answer (app_id, timestamp, nonce, body_hash, answer, at) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (app_id, timestamp, nonce) DO NOTHING`,
      ).run(put.appId, put.timestamp, put.nonce, put.bodyHash, put.answer, put.at);
    },

    /** Deletes answers. One is kept as long as its timestamp makes the signature valid. */
    retireSignedAnswers({ sql }: OperationContext, { before }: { before: UnixMs }): void {
      sql('DELETE FROM signed_answer WHERE at < ? AND timestamp < ?').run(before, String(before));
    },
  },
};

export type SignedCallReads = ReadsOf<typeof signedCalls>;
export type SignedCallWrites = WritesOf<typeof signedCalls>;
