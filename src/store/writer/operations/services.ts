import type { OperationContext } from '../../domain.ts';
import type { StoreWrites } from '../../port/store.ts';
import { places } from '../../readers/rows.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];

export function putFile({ sql }: OperationContext, file: Input<'putFile'>): void {
  sql(
    `INSERT INTO file (file_id, app_id, client, name, content_type, bytes, sha256, is_public, over_https, stored_at, due_at, waits)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    file.fileId,
    file.appId,
    file.client,
    file.name,
    file.contentType,
    file.bytes,
    file.sha256,
    Number(file.isPublic),
    Number(file.overHttps),
    file.storedAt,
    file.dueAt,
    Number(file.waits),
  );
}

export function removeFiles({ sql }: OperationContext, { fileIds }: Input<'removeFiles'>): void {
  for (const id of fileIds) sql('DELETE FROM file WHERE file_id = ?').run(id);
}

export function settleFile({ sql }: OperationContext, { fileId, cloudFileId, refusal }: Input<'settleFile'>): void {
  sql('UPDATE file SET waits = 0, cloud_file_id = ?, refusal = ? WHERE file_id = ?').run(cloudFileId, refusal, fileId);
}

export function putSignedAnswer({ sql }: OperationContext, answer: Input<'putSignedAnswer'>): void {
  sql(
    `INSERT INTO signed_answer (app_id, timestamp, nonce, body_hash, answer, at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (app_id, timestamp, nonce) DO NOTHING`,
  ).run(answer.appId, answer.timestamp, answer.nonce, answer.bodyHash, answer.answer, answer.at);
}

export function remember({ sql }: OperationContext, { service, key, value, at }: Input<'remember'>): void {
  sql(
    `INSERT INTO remembered (service, key, value, at) VALUES (?, ?, ?, ?)
       ON CONFLICT (service, key) DO UPDATE SET value = excluded.value, at = excluded.at`,
  ).run(service, key, value, at);
}

export function putMessage({ sql, seal }: OperationContext, message: Input<'putMessage'>): void {
  sql(
    `INSERT INTO message (msg_id, kind, app_id, accepted_at, title, sealed_content, android_send, ios_send, result, relay, reason,
       cloud_android_send, cloud_ios_send) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0, 0)
       ON CONFLICT (msg_id) DO NOTHING`,
  ).run(
    message.msgId,
    message.kind,
    message.appId,
    message.acceptedAt,
    message.title,
    seal.sealText(JSON.stringify(message.content), places.message(message.msgId)),
    message.androidSend,
    message.iosSend,
    message.result,
    message.relay,
  );
}

export function wordMessage({ sql, seal }: OperationContext, { msgId, title, content }: Input<'wordMessage'>): void {
  sql('UPDATE message SET title = ?, sealed_content = ? WHERE msg_id = ?').run(
    title,
    seal.sealText(JSON.stringify(content), places.message(msgId)),
    msgId,
  );
}

export function settleMessage({ sql }: OperationContext, change: Input<'settleMessage'>): void {
  sql(
    `UPDATE message SET relay = ?, cloud_msg_id = coalesce(?, cloud_msg_id), result = coalesce(?, result), reason = coalesce(?, reason),
       cloud_android_send = coalesce(?, cloud_android_send),
       cloud_ios_send = coalesce(?, cloud_ios_send), attempted_at = coalesce(?, attempted_at) WHERE msg_id = ?`,
  ).run(
    change.relay,
    change.cloudMsgId ?? null,
    change.result ?? null,
    change.reason ?? null,
    change.cloudAndroidSend ?? null,
    change.cloudIosSend ?? null,
    change.attemptedAt ?? null,
    change.msgId,
  );
}

export function countPush({ sql }: OperationContext, { msgId, android, ios }: Input<'countPush'>): void {
  sql('UPDATE message SET android_send = android_send + ?, ios_send = ios_send + ? WHERE msg_id = ?').run(
    android,
    ios,
    msgId,
  );
}

export function retireServices(
  { sql }: OperationContext,
  { shortMessagesGivenUpBefore, answersBefore, messagesBefore, rememberedBefore }: Input<'retireServices'>,
): void {
  sql(
    "UPDATE message SET relay = 'refused', result = 2, reason = 'there was no line to the cloud' WHERE kind = 'sms' AND relay = 'waits' AND accepted_at < ?",
  ).run(shortMessagesGivenUpBefore);
  sql('DELETE FROM signed_answer WHERE at < ? AND timestamp < ?').run(answersBefore, String(answersBefore));
  sql("DELETE FROM message WHERE accepted_at < ? AND relay <> 'waits'").run(messagesBefore);
  sql("DELETE FROM remembered WHERE at < ? AND service IN ('weather', 'cloud file')").run(rememberedBefore);
}
