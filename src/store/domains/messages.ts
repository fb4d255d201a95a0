import { and, asc, count, eq, gt, isNotNull, ne, or } from 'drizzle-orm';
import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { UnixMs } from '../../runtime/clock.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { file } from './files.ts';

/** `here`: there is no cloud to relay it to. */
type Relay = 'waits' | 'sent' | 'refused' | 'here';

/** App pushes and short messages (SPEC 2.12), in the order in which they were accepted. */
export const message = sqliteTable(
  'message',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    msgId: text('msg_id').notNull().unique(),
    kind: text().$type<'app' | 'sms'>().notNull(),
    appId: text('app_id').notNull(),
    acceptedAt: integer('accepted_at').notNull(),
    title: text().notNull(),
    /** Body, payload and recipients: people's numbers and texts. */
    sealedContent: blob('sealed_content', { mode: 'buffer' }).notNull(),
    /** Delivered by the box. */
    androidSend: integer('android_send').notNull(),
    iosSend: integer('ios_send').notNull(),
    /** SMS: 0 pending, 1 success, 2 failure. */
    result: integer().$type<0 | 1 | 2>().notNull(),
    relay: text().$type<Relay>().notNull(),
    /** The timestamp of the first try: sent again with the same, the cloud takes it once. */
    attemptedAt: integer('attempted_at'),
    cloudMsgId: text('cloud_msg_id'),
    /** As counted by the cloud. */
    cloudAndroidSend: integer('cloud_android_send').notNull(),
    cloudIosSend: integer('cloud_ios_send').notNull(),
    reason: text().notNull(),
  },
  table => [index('message_by_relay').on(table.relay, table.id), index('message_by_cloud_id').on(table.cloudMsgId)],
);

export const messageTemplate = sqliteTable('message_template', {
  template: text().primaryKey(),
  title: text().notNull(),
  body: text().notNull(),
});

/** A message that was accepted. */
export interface StoredMessage extends Readonly<Omit<typeof message.$inferSelect, 'sealedContent'>> {
  readonly content: MessageContent;
}

interface MessageContent {
  readonly body: string;
  /** Of an app message: `extra`. */
  readonly payload: object;
  readonly mobiles: readonly string[];
  /** As the caller sent it: passed on to the cloud. */
  readonly request: string;
}

export type MessageStore = PartOf<typeof messages>;

const placeOf = (msgId: string): string => `message.content:${msgId}`;

/** Pushes to apps, and short messages. */
export const messages = {
  reads({ connection: { orm, seal } }: Reading) {
    const messageOf = ({ sealedContent, ...row }: typeof message.$inferSelect): StoredMessage => ({
      ...row,
      content: JSON.parse(seal.openText(sealedContent, placeOf(row.msgId))) as MessageContent,
    });
    const byId = query((value: Params<{ msgId: string }>) =>
      orm.select().from(message).where(eq(message.msgId, value.msgId)),
    );
    const toRelay = queryFor((relay: Relay, value: Params<{ limit: number }>) => {
      const isDue = relay === 'waits' ? undefined : or(eq(message.kind, 'app'), eq(message.result, 0));
      return orm
        .select()
        .from(message)
        .where(and(eq(message.relay, relay), isDue))
        .orderBy(asc(message.id))
        .limit(value.limit);
    });
    const numberOf = query((value: Params<{ appId: string; msgId: string }>) =>
      orm
        .select({ id: message.id })
        .from(message)
        .where(and(eq(message.msgId, value.msgId), eq(message.appId, value.appId))),
    );
    const ofAppAfter = query((value: Params<{ appId: string; id: number; limit: number }>) =>
      orm
        .select()
        .from(message)
        .where(and(eq(message.kind, 'app'), eq(message.appId, value.appId), gt(message.id, value.id)))
        .orderBy(asc(message.id))
        .limit(value.limit),
    );
    const templateOf = query((value: Params<{ template: string }>) =>
      orm
        .select({ title: messageTemplate.title, body: messageTemplate.body })
        .from(messageTemplate)
        .where(eq(messageTemplate.template, value.template)),
    );
    const fileCount = queryFor((which: 'waiting' | 'refused') =>
      orm
        .select({ count: count() })
        .from(file)
        .where(which === 'waiting' ? eq(file.waits, true) : isNotNull(file.refusal)),
    );
    const messageCount = queryFor((relay: Relay) =>
      orm.select({ count: count() }).from(message).where(eq(message.relay, relay)),
    );
    return {
      async message(msgId: string): Promise<StoredMessage | null> {
        const row = byId.get({ msgId });
        return row ? messageOf(row) : null;
      },

      /** Whether this is the cloud's id of a message that is known here under another. */
      async isMessageOfCloud(cloudMsgId: string): Promise<boolean> {
        const relayed = and(eq(message.cloudMsgId, cloudMsgId), ne(message.msgId, cloudMsgId));
        return orm.select({ id: message.id }).from(message).where(relayed).limit(1).get() !== undefined;
      },

      /** Oldest first. The cloud is asked about `sent` ones until their result is known. */
      messagesToRelay: async (relay: 'waits' | 'sent', limit: number): Promise<StoredMessage[]> =>
        toRelay(relay).all({ limit }).map(messageOf),

      /** An app's messages after one of them, oldest first; none after one that is not known. */
      async appMessagesAfter(appId: string, msgId: string, limit: number): Promise<StoredMessage[]> {
        const last = numberOf.get({ appId, msgId });
        return last ? ofAppAfter.all({ appId, id: last.id, limit }).map(messageOf) : [];
      },

      messageTemplate: async (template: string): Promise<{ title: string; body: string } | null> =>
        templateOf.get({ template }) ?? null,

      /** How much waits for the cloud, for people; files among it. */
      servicesWaiting: async (): Promise<{ files: number; messages: number; refused: number }> => ({
        files: fileCount('waiting').get()!.count,
        messages: messageCount('waits').get()!.count,
        refused: messageCount('refused').get()!.count + fileCount('refused').get()!.count,
      }),
    };
  },

  writes: {
    putMessage(
      { sql, seal }: OperationContext,
      put: Omit<StoredMessage, 'id' | 'attemptedAt' | 'cloudMsgId' | 'cloudAndroidSend' | 'cloudIosSend' | 'reason'>,
    ): void {
      sql(
        `INSERT INTO message (msg_id, kind, app_id, accepted_at, title, sealed_content, android_send, ios_send, result, relay, reason,
           cloud_android_send, cloud_ios_send) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0, 0)
           ON CONFLICT (msg_id) DO NOTHING`,
      ).run(
        ...([put.msgId, put.kind, put.appId, put.acceptedAt, put.title] as const),
        seal.sealText(JSON.stringify(put.content), placeOf(put.msgId)),
        ...([put.androidSend, put.iosSend, put.result, put.relay] as const),
      );
    },

    /** Stores the text of a message whose template only the cloud has. */
    wordMessage(
      { sql, seal }: OperationContext,
      { msgId, title, content }: Pick<StoredMessage, 'msgId' | 'title' | 'content'>,
    ): void {
      sql('UPDATE message SET title = ?, sealed_content = ? WHERE msg_id = ?').run(
        title,
        seal.sealText(JSON.stringify(content), placeOf(msgId)),
        msgId,
      );
    },

    /** Absent fields stay as they are. */
    settleMessage(
      { sql }: OperationContext,
      change: Pick<StoredMessage, 'msgId' | 'relay'> & {
        attemptedAt?: UnixMs;
        cloudMsgId?: string;
        result?: StoredMessage['result'];
        reason?: string;
        cloudAndroidSend?: number;
        cloudIosSend?: number;
      },
    ): void {
      sql(
        `UPDATE message SET relay = ?, cloud_msg_id = coalesce(?, cloud_msg_id), result = coalesce(?, result), reason = coalesce(?, reason),
           cloud_android_send = coalesce(?, cloud_android_send),
           cloud_ios_send = coalesce(?, cloud_ios_send), attempted_at = coalesce(?, attempted_at) WHERE msg_id = ?`,
      ).run(
        change.relay,
        ...([change.cloudMsgId ?? null, change.result ?? null, change.reason ?? null] as const),
        ...([change.cloudAndroidSend ?? null, change.cloudIosSend ?? null, change.attemptedAt ?? null] as const),
        change.msgId,
      );
    },

    /** A push went to so many streams more, of whichever process. */
    countPush(
      { sql }: OperationContext,
      { msgId, android, ios }: { msgId: string; android: number; ios: number },
    ): void {
      sql('UPDATE message SET android_send = android_send + ?, ios_send = ios_send + ? WHERE msg_id = ?').run(
        android,
        ios,
        msgId,
      );
    },

    /**
     * Gives up short messages that were accepted before `givenUpBefore` and still wait, and deletes
     * messages from before `before` that do not.
     */
    retireMessages(
      { sql }: OperationContext,
      { givenUpBefore, before }: { givenUpBefore: UnixMs; before: UnixMs },
    ): void {
      sql(
        "UPDATE message SET relay = 'refused', result = 2, reason = 'there was no line to the cloud' WHERE kind = 'sms' AND relay = 'waits' AND accepted_at < ?",
      ).run(givenUpBefore);
      sql("DELETE FROM message WHERE accepted_at < ? AND relay <> 'waits'").run(before);
    },
  },
};

export type MessageReads = ReadsOf<typeof messages>;
export type MessageWrites = WritesOf<typeof messages>;
