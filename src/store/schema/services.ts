import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { StoredMessage } from '../port/services.ts';

/** SPEC 2.8. The bytes are files of the data directory. */
export const file = sqliteTable(
  'file',
  {
    fileId: text('file_id').primaryKey(),
    appId: text('app_id').notNull(),
    client: text().notNull(),
    name: text().notNull(),
    contentType: text('content_type').notNull(),
    bytes: integer().notNull(),
    sha256: text().notNull(),
    isPublic: integer('is_public', { mode: 'boolean' }).notNull(),
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

/** The cloud's last answers, which a service remembers. */
export const remembered = sqliteTable(
  'remembered',
  {
    service: text().notNull(),
    key: text().notNull(),
    value: text().notNull(),
    at: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.service, table.key] })],
);

/** App pushes and short messages (SPEC 2.12), in the order in which they were accepted. */
export const message = sqliteTable(
  'message',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    msgId: text('msg_id').notNull().unique(),
    /** app · sms */
    kind: text().$type<StoredMessage['kind']>().notNull(),
    appId: text('app_id').notNull(),
    acceptedAt: integer('accepted_at').notNull(),
    title: text().notNull(),
    /** Body, payload and recipients: people's numbers and texts. */
    sealedContent: blob('sealed_content', { mode: 'buffer' }).notNull(),
    androidSend: integer('android_send').notNull(),
    iosSend: integer('ios_send').notNull(),
    /** SMS: 0 pending, 1 success, 2 failure. */
    result: integer().$type<StoredMessage['result']>().notNull(),
    /** waits · sent · refused · here (no cloud) */
    relay: text().$type<StoredMessage['relay']>().notNull(),
    /** The timestamp of the first try: sent again with the same, the cloud takes it once. */
    attemptedAt: integer('attempted_at'),
    cloudMsgId: text('cloud_msg_id'),
    cloudAndroidSend: integer('cloud_android_send').notNull(),
    cloudIosSend: integer('cloud_ios_send').notNull(),
    reason: text().notNull(),
  },
  table => [index('message_by_relay').on(table.relay, table.id), index('message_by_cloud_id').on(table.cloudMsgId)],
);

export const app = sqliteTable('app', {
  appId: text('app_id').primaryKey(),
  sealedKey: blob('sealed_key', { mode: 'buffer' }).notNull(),
  name: text().notNull(),
});

export const appUpgrade = sqliteTable(
  'app_upgrade',
  {
    appCode: text('app_code').notNull(),
    version: text().notNull(),
    record: text({ mode: 'json' }).$type<object>().notNull(),
  },
  table => [primaryKey({ columns: [table.appCode, table.version] })],
);

export const messageTemplate = sqliteTable('message_template', {
  template: text().primaryKey(),
  title: text().notNull(),
  body: text().notNull(),
});
