import { and, asc, count, eq, gt, isNotNull, lt, lte, ne, or } from 'drizzle-orm';
import type { MessageContent, ServiceReads, StoredMessage } from '../port/services.ts';
import type { Connection } from '../schema/database.ts';
import { app, appUpgrade, file, message, messageTemplate, remembered, signedAnswer } from '../schema/index.ts';
import { places } from './rows.ts';

/** What the public services have. */
export function serviceReads({ sql, orm, seal }: Connection): ServiceReads {
  const messageOf = ({ sealedContent, ...row }: typeof message.$inferSelect): StoredMessage => ({
    ...row,
    content: JSON.parse(seal.openText(sealedContent, places.message(row.msgId))) as MessageContent,
  });

  return {
    async app(appId) {
      const row = orm.select().from(app).where(eq(app.appId, appId)).get();
      return row ? { key: seal.openText(row.sealedKey, places.appKey(appId)), name: row.name } : null;
    },

    /** By hand: asked for each signed call. */
    async signedAnswer({ appId, timestamp, nonce }) {
      const row = sql(
        'SELECT body_hash, answer FROM signed_answer WHERE app_id = ? AND timestamp = ? AND nonce = ?',
      ).get(appId, timestamp, nonce) as { body_hash: string; answer: string } | undefined;
      return row ? { bodyHash: row.body_hash, answer: row.answer } : null;
    },

    async hasSignedAnswersAfter({ appId, after, atLeast }) {
      // As text: 10 digits and 13 of one moment begin alike.
      const own = and(eq(signedAnswer.appId, appId), gt(signedAnswer.timestamp, String(after)));
      const one = orm.select({ nonce: signedAnswer.nonce }).from(signedAnswer).where(own);
      return (
        one
          .limit(1)
          .offset(atLeast - 1)
          .get() !== undefined
      );
    },

    async file(fileId) {
      return orm.select().from(file).where(eq(file.fileId, fileId)).get() ?? null;
    },

    async filesDue(before, limit) {
      const rows = orm
        .select({ fileId: file.fileId })
        .from(file)
        .where(lte(file.dueAt, before))
        .orderBy(asc(file.dueAt))
        .limit(limit)
        .all();
      return rows.map(({ fileId }) => fileId);
    },

    async filesStoredBefore(before, limit) {
      const rows = orm
        .select({ fileId: file.fileId })
        .from(file)
        .where(and(eq(file.waits, false), lt(file.storedAt, before)))
        .limit(limit)
        .all();
      return rows.map(({ fileId }) => fileId);
    },

    async nextWaitingFile() {
      const first = [asc(file.storedAt), asc(file.fileId)];
      return (
        orm
          .select()
          .from(file)
          .where(eq(file.waits, true))
          .orderBy(...first)
          .limit(1)
          .get() ?? null
      );
    },

    async remembered(service, key) {
      const { value, at } = remembered;
      const own = and(eq(remembered.service, service), eq(remembered.key, key));
      return orm.select({ value, at }).from(remembered).where(own).get() ?? null;
    },

    async message(msgId) {
      const row = orm.select().from(message).where(eq(message.msgId, msgId)).get();
      return row ? messageOf(row) : null;
    },

    async isMessageOfCloud(cloudMsgId) {
      const relayed = and(eq(message.cloudMsgId, cloudMsgId), ne(message.msgId, cloudMsgId));
      return orm.select({ id: message.id }).from(message).where(relayed).limit(1).get() !== undefined;
    },

    async messagesToRelay(relay, limit) {
      const isDue = relay === 'waits' ? undefined : or(eq(message.kind, 'app'), eq(message.result, 0));
      const due = and(eq(message.relay, relay), isDue);
      return orm.select().from(message).where(due).orderBy(asc(message.id)).limit(limit).all().map(messageOf);
    },

    async appMessagesAfter(appId, msgId, limit) {
      const ofApp = and(eq(message.kind, 'app'), eq(message.appId, appId));
      const before = and(eq(message.msgId, msgId), eq(message.appId, appId));
      const last = orm.select({ id: message.id }).from(message).where(before).get();
      if (!last) return [];
      const behind = and(ofApp, gt(message.id, last.id));
      return orm.select().from(message).where(behind).orderBy(asc(message.id)).limit(limit).all().map(messageOf);
    },

    async messageTemplate(template) {
      const { title, body } = messageTemplate;
      const named = eq(messageTemplate.template, template);
      return orm.select({ title, body }).from(messageTemplate).where(named).get() ?? null;
    },

    async appUpgrades(appCode) {
      const rows = orm.select().from(appUpgrade).where(eq(appUpgrade.appCode, appCode)).all();
      // SPEC 2.9 names these fields; a record stands in the table as the site file has it.
      return rows.map(({ appCode: app_code, version, record }) => ({ ...record, app_code, version }));
    },

    async servicesWaiting() {
      const filesOf = (which: Parameters<ReturnType<typeof files>['where']>[0]) => files().where(which).get()!.count;
      const files = () => orm.select({ count: count() }).from(file);
      const messages = (relay: StoredMessage['relay']) =>
        orm.select({ count: count() }).from(message).where(eq(message.relay, relay)).get()!.count;
      return {
        files: filesOf(eq(file.waits, true)),
        messages: messages('waits'),
        refused: messages('refused') + filesOf(isNotNull(file.refusal)),
      };
    },
  };
}
