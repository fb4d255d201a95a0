import type { MessageContent, ServiceReads, StoredFile, StoredMessage } from '../port/services.ts';
import type { Connection } from '../schema/database.ts';
import { places } from './rows.ts';

interface FileRow {
  readonly file_id: string;
  readonly app_id: string;
  readonly client: string;
  readonly name: string;
  readonly content_type: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly is_public: number;
  readonly over_https: number;
  readonly stored_at: number;
  readonly due_at: number | null;
  readonly cloud_file_id: string | null;
  readonly waits: number;
  readonly refusal: string | null;
}

const fileOf = (row: FileRow): StoredFile => ({
  fileId: row.file_id,
  appId: row.app_id,
  client: row.client,
  name: row.name,
  contentType: row.content_type,
  bytes: row.bytes,
  sha256: row.sha256,
  isPublic: row.is_public === 1,
  overHttps: row.over_https === 1,
  storedAt: row.stored_at,
  dueAt: row.due_at,
  cloudFileId: row.cloud_file_id,
  waits: row.waits === 1,
  refusal: row.refusal,
});

interface MessageRow {
  readonly id: number;
  readonly msg_id: string;
  readonly kind: string;
  readonly app_id: string;
  readonly accepted_at: number;
  readonly title: string;
  readonly sealed_content: Uint8Array;
  readonly android_send: number;
  readonly ios_send: number;
  readonly result: number;
  readonly relay: string;
  readonly attempted_at: number | null;
  readonly cloud_msg_id: string | null;
  readonly cloud_android_send: number;
  readonly cloud_ios_send: number;
  readonly reason: string;
}

/** What the public services have. */
export function serviceReads({ sql, seal }: Connection): ServiceReads {
  const messageOf = (row: MessageRow): StoredMessage => ({
    id: row.id,
    msgId: row.msg_id,
    kind: row.kind as StoredMessage['kind'],
    appId: row.app_id,
    acceptedAt: row.accepted_at,
    title: row.title,
    content: JSON.parse(seal.openText(row.sealed_content, places.message(row.msg_id))) as MessageContent,
    androidSend: row.android_send,
    iosSend: row.ios_send,
    result: row.result as StoredMessage['result'],
    relay: row.relay as StoredMessage['relay'],
    attemptedAt: row.attempted_at,
    cloudMsgId: row.cloud_msg_id,
    cloudAndroidSend: row.cloud_android_send,
    cloudIosSend: row.cloud_ios_send,
    reason: row.reason,
  });

  return {
    async app(appId) {
      const row = sql('SELECT sealed_key, name FROM app WHERE app_id = ?').get(appId) as
        | { sealed_key: Uint8Array; name: string }
        | undefined;
      return row ? { key: seal.openText(row.sealed_key, places.appKey(appId)), name: row.name } : null;
    },

    async signedAnswer({ appId, timestamp, nonce }) {
      const row = sql(
        'SELECT body_hash, answer FROM signed_answer WHERE app_id = ? AND timestamp = ? AND nonce = ?',
      ).get(appId, timestamp, nonce) as { body_hash: string; answer: string } | undefined;
      return row ? { bodyHash: row.body_hash, answer: row.answer } : null;
    },

    async file(fileId) {
      const row = sql('SELECT * FROM file WHERE file_id = ?').get(fileId) as unknown as FileRow | undefined;
      return row ? fileOf(row) : null;
    },

    async filesDue(before, limit) {
      const rows = sql('SELECT file_id FROM file WHERE due_at <= ? ORDER BY due_at LIMIT ?').all(before, limit);
      return (rows as unknown as FileRow[]).map(row => row.file_id);
    },

    async filesStoredBefore(before, limit) {
      const rows = sql('SELECT file_id FROM file WHERE waits = 0 AND stored_at < ? LIMIT ?').all(before, limit);
      return (rows as unknown as FileRow[]).map(row => row.file_id);
    },

    async nextWaitingFile() {
      const row = sql('SELECT * FROM file WHERE waits = 1 ORDER BY stored_at, file_id LIMIT 1').get();
      return row ? fileOf(row as unknown as FileRow) : null;
    },

    async remembered(service, key) {
      const row = sql('SELECT value, at FROM remembered WHERE service = ? AND key = ?').get(service, key);
      return (row as { value: string; at: number } | undefined) ?? null;
    },

    async message(msgId) {
      const row = sql('SELECT * FROM message WHERE msg_id = ?').get(msgId) as unknown as MessageRow | undefined;
      return row ? messageOf(row) : null;
    },

    async messagesToRelay(relay, limit) {
      const rows = sql(
        `SELECT * FROM message WHERE relay = ?1 AND (?1 = 'waits' OR kind = 'app' OR result = 0) ORDER BY id LIMIT ?2`,
      ).all(relay, limit);
      return (rows as unknown as MessageRow[]).map(messageOf);
    },

    async appMessagesAfter(appId, msgId, limit) {
      const rows = sql(
        `SELECT * FROM message WHERE kind = 'app' AND app_id = ?1 AND id > (SELECT id FROM message WHERE msg_id = ?2 AND app_id = ?1)
           ORDER BY id LIMIT ?3`,
      ).all(appId, msgId, limit);
      return (rows as unknown as MessageRow[]).map(messageOf);
    },

    async messageTemplate(template) {
      const row = sql('SELECT title, body FROM message_template WHERE template = ?').get(template);
      return (row as { title: string; body: string } | undefined) ?? null;
    },

    async appUpgrades(appCode) {
      const rows = sql('SELECT app_code, version, record FROM app_upgrade WHERE app_code = ?').all(appCode) as {
        app_code: string;
        version: string;
        record: string;
      }[];
      return rows.map(({ app_code, version, record }) => ({ ...JSON.parse(record), app_code, version }));
    },

    async servicesWaiting() {
      const row = sql(
        `SELECT (SELECT count(*) FROM file WHERE waits = 1) AS files, (SELECT count(*) FROM message WHERE relay = 'waits') AS messages,
           (SELECT count(*) FROM message WHERE relay = 'refused') + (SELECT count(*) FROM file WHERE refusal IS NOT NULL) AS refused`,
      ).get();
      return row as unknown as { files: number; messages: number; refused: number };
    },
  };
}
