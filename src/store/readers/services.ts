import { and, asc, count, eq, gt, isNotNull, lt, lte, ne, or } from 'drizzle-orm';
import type { MessageContent, ServiceReads, StoredMessage } from '../port/services.ts';
import type { Connection } from '../schema/database.ts';
import { app, appUpgrade, file, message, messageTemplate, remembered, signedAnswer } from '../schema/index.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { places } from './rows.ts';

/** Reads of the public services. */
export function serviceReads({ sql, orm, seal }: Connection): ServiceReads {
  const messageOf = ({ sealedContent, ...row }: typeof message.$inferSelect): StoredMessage => ({
    ...row,
    content: JSON.parse(seal.openText(sealedContent, places.message(row.msgId))) as MessageContent,
  });

  const appById = query((value: Params<{ appId: string }>) => orm.select().from(app).where(eq(app.appId, value.appId)));
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
  const fileById = query((value: Params<{ fileId: string }>) =>
    orm.select().from(file).where(eq(file.fileId, value.fileId)),
  );
  const dueFiles = query((value: Params<{ before: number; limit: number }>) =>
    orm
      .select({ fileId: file.fileId })
      .from(file)
      .where(lte(file.dueAt, value.before))
      .orderBy(asc(file.dueAt))
      .limit(value.limit),
  );
  const oldFiles = query((value: Params<{ before: number; limit: number }>) =>
    orm
      .select({ fileId: file.fileId })
      .from(file)
      .where(and(eq(file.waits, false), lt(file.storedAt, value.before)))
      .limit(value.limit),
  );
  const waitingFile = query(() =>
    orm.select().from(file).where(eq(file.waits, true)).orderBy(asc(file.storedAt), asc(file.fileId)).limit(1),
  );
  const rememberedOf = query((value: Params<{ service: string; key: string }>) =>
    orm
      .select({ value: remembered.value, at: remembered.at })
      .from(remembered)
      .where(and(eq(remembered.service, value.service), eq(remembered.key, value.key))),
  );
  const messageById = query((value: Params<{ msgId: string }>) =>
    orm.select().from(message).where(eq(message.msgId, value.msgId)),
  );
  const toRelay = queryFor((relay: StoredMessage['relay'], value: Params<{ limit: number }>) => {
    const isDue = relay === 'waits' ? undefined : or(eq(message.kind, 'app'), eq(message.result, 0));
    return orm
      .select()
      .from(message)
      .where(and(eq(message.relay, relay), isDue))
      .orderBy(asc(message.id))
      .limit(value.limit);
  });
  const placeOf = query((value: Params<{ appId: string; msgId: string }>) =>
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
  const upgrades = query((value: Params<{ appCode: string }>) =>
    orm.select().from(appUpgrade).where(eq(appUpgrade.appCode, value.appCode)).orderBy(asc(appUpgrade.version)),
  );
  const fileCount = queryFor((which: 'waiting' | 'refused') =>
    orm
      .select({ count: count() })
      .from(file)
      .where(which === 'waiting' ? eq(file.waits, true) : isNotNull(file.refusal)),
  );
  const messageCount = queryFor((relay: StoredMessage['relay']) =>
    orm.select({ count: count() }).from(message).where(eq(message.relay, relay)),
  );

  const someApps = query((value: Params<{ limit: number }>) =>
    orm.select().from(app).orderBy(asc(app.appId)).limit(value.limit),
  );

  return {
    async apps(limit) {
      return someApps.all({ limit }).map(({ appId, sealedKey }) => ({
        appId,
        key: seal.openText(sealedKey, places.appKey(appId)),
      }));
    },

    async app(appId) {
      const row = appById.get({ appId });
      return row ? { key: seal.openText(row.sealedKey, places.appKey(appId)), name: row.name } : null;
    },

    /** Hand-written: runs for each signed call. */
    async signedAnswer({ appId, timestamp, nonce }) {
      const row = sql(
        'SELECT body_hash, answer FROM signed_answer WHERE app_id = ? AND timestamp = ? AND nonce = ?',
      ).get(appId, timestamp, nonce) as { body_hash: string; answer: string } | undefined;
      return row ? { bodyHash: row.body_hash, answer: row.answer } : null;
    },

    async hasSignedAnswersAfter({ appId, after, atLeast }) {
      return signedAfter.get({ appId, after: String(after), skipped: atLeast - 1 }) !== undefined;
    },

    async file(fileId) {
      return fileById.get({ fileId }) ?? null;
    },

    async filesDue(before, limit) {
      return dueFiles.all({ before, limit }).map(({ fileId }) => fileId);
    },

    async filesStoredBefore(before, limit) {
      return oldFiles.all({ before, limit }).map(({ fileId }) => fileId);
    },

    async nextWaitingFile() {
      return waitingFile.get() ?? null;
    },

    async remembered(service, key) {
      return rememberedOf.get({ service, key }) ?? null;
    },

    async message(msgId) {
      const row = messageById.get({ msgId });
      return row ? messageOf(row) : null;
    },

    async isMessageOfCloud(cloudMsgId) {
      const relayed = and(eq(message.cloudMsgId, cloudMsgId), ne(message.msgId, cloudMsgId));
      return orm.select({ id: message.id }).from(message).where(relayed).limit(1).get() !== undefined;
    },

    async messagesToRelay(relay, limit) {
      return toRelay(relay).all({ limit }).map(messageOf);
    },

    async appMessagesAfter(appId, msgId, limit) {
      const last = placeOf.get({ appId, msgId });
      return last ? ofAppAfter.all({ appId, id: last.id, limit }).map(messageOf) : [];
    },

    async messageTemplate(template) {
      return templateOf.get({ template }) ?? null;
    },

    async appUpgrades(appCode) {
      // SPEC 2.13 names these fields; a record is stored as in the site file.
      return upgrades
        .all({ appCode })
        .map(({ appCode: app_code, version, record }) => ({ ...record, app_code, version }));
    },

    async servicesWaiting() {
      return {
        files: fileCount('waiting').get()!.count,
        messages: messageCount('waits').get()!.count,
        refused: messageCount('refused').get()!.count + fileCount('refused').get()!.count,
      };
    },
  };
}
