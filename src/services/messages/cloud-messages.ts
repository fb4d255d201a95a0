import { z } from 'zod';
import type { Clock } from '../../runtime/clock.ts';
import type { MessageStore, StoredMessage } from '../../store/index.ts';
import type { CloudServices } from '../cloud.ts';
import { notReached } from '../refusal.ts';

type Kind = StoredMessage['kind'];

export const messagePaths = {
  app: '/api/1.0.0/message/app',
  sms: '/api/1.0.0/message/short-message',
} as const satisfies Record<Kind, string>;

const askMs = 8000;
const text = z.string().catch('');
const number = z.number().int().min(0).catch(0);

const appMessages = z.array(
  z.object({
    msg_id: z.string(),
    title: text,
    body: text,
    payload: z.record(z.string(), z.unknown()).catch({}),
    android_send: number,
    ios_send: number,
  }),
);
const shortMessages = z.object({
  msg_detail_list: z.array(
    z.object({
      msg_id: z.string(),
      body: text,
      mobiles: z.array(z.string()).catch([]),
      result: z.union([z.literal(0), z.literal(1), z.literal(2)]).catch(0),
    }),
  ),
});

/** A message as the cloud tells of it (SPEC 2.12). */
interface CloudMessage {
  readonly msgId: string;
  readonly title: string;
  readonly body: string;
  readonly payload: object;
  readonly mobiles: readonly string[];
  readonly android: number;
  readonly ios: number;
  readonly result: StoredMessage['result'];
}

/** Asks the cloud for messages by its own ids, at most ten. */
export async function askMessages(
  cloud: CloudServices,
  kind: Kind,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<CloudMessage[]> {
  const data = await cloud.call(`${messagePaths[kind]}?msgIdList=${ids.map(encodeURIComponent).join(',')}`, { signal });
  if (kind === 'app')
    return appMessages.parse(data).map(({ msg_id, android_send, ios_send, ...one }) => ({
      ...one,
      msgId: msg_id,
      mobiles: [],
      android: android_send,
      ios: ios_send,
      result: 0,
    }));
  return shortMessages.parse(data).msg_detail_list.map(({ msg_id, ...one }) => ({
    ...one,
    msgId: msg_id,
    title: '',
    payload: {},
    android: 0,
    ios: 0,
  }));
}

/**
 * Messages that were sent at the cloud and not at the box. All apps of the site are the box's app
 * there: a message belongs here to the app that asks for it first, and is kept as one that was
 * relayed, so that its results follow.
 */
export class CloudMessages {
  readonly #options: { readonly store: MessageStore; readonly cloud: CloudServices; readonly clock: Clock };

  constructor(options: { readonly store: MessageStore; readonly cloud: CloudServices; readonly clock: Clock }) {
    this.#options = options;
  }

  /**
   * Keeps what the cloud has of these ids. Throws ServiceRefused (503) where it cannot be asked.
   */
  async bring(kind: Kind, ids: readonly string[], appId: string): Promise<void> {
    const { store, cloud, clock } = this.#options;
    // One that the box itself relayed, of whichever app, has its id of the box.
    const strange: string[] = [];
    for (const id of ids) if (!(await store.read.isMessageOfCloud(id))) strange.push(id);
    if (strange.length === 0) return;
    const found = await askMessages(cloud, kind, strange, AbortSignal.timeout(askMs)).catch(() => {
      throw notReached(`msgIdList ${strange.map(id => `"${id.slice(0, 64)}"`).join(', ')}`);
    });
    for (const { msgId, title, body, payload, mobiles, android, ios, result } of found) {
      if (!strange.includes(msgId)) continue;
      await store.write.putMessage({
        msgId,
        kind,
        appId,
        acceptedAt: clock.now(),
        title,
        content: { body, payload, mobiles, request: '' },
        androidSend: 0,
        iosSend: 0,
        result,
        relay: 'sent',
      });
      await store.write.settleMessage({
        msgId,
        relay: 'sent',
        cloudMsgId: msgId,
        cloudAndroidSend: android,
        cloudIosSend: ios,
      });
    }
  }
}
