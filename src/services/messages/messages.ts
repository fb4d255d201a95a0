import { randomBytes } from 'node:crypto';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { MessageStore, Processes, StoredMessage } from '../../store/index.ts';
import { badRequest, ServiceRefused } from '../refusal.ts';
import type { ServiceCaller } from '../signing/callers.ts';
import type { CloudMessages } from './cloud-messages.ts';
import { appMessage, fillTemplate, readRequest, shortMessage } from './requests.ts';
import { isFor, type PushedMessage, type PushStreams, type PushTarget } from './streams.ts';

interface MessagesOptions {
  readonly store: MessageStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly streams: PushStreams;
  /** Messages of the cloud, for relays and look-ups; null without a cloud. */
  readonly cloudMessages: CloudMessages | null;
  /** Other processes, whose apps hold their streams there. */
  readonly processes: Processes;
  /** Called when a message waits for the cloud. */
  readonly poke: () => void;
}

/**
 * App pushes and short messages (SPEC 2.12, 4.7): accepted at once, delivered here if a stream is
 * open, relayed when the uplink is up.
 */
export class Messages {
  readonly #options: MessagesOptions;

  constructor(options: MessagesOptions) {
    this.#options = options;
    options.processes.onMessage('push', msgId => void this.#passOn(msgId));
  }

  /**
   * Returns the id. Apps that hold a stream have the push when this resolves; those that hold it at
   * another process of a region have it a moment later.
   */
  async pushToApps(body: unknown, { appId }: Pick<ServiceCaller, 'appId'>): Promise<string> {
    const { content, platforms, target } = readRequest(appMessage, body);
    const { title, body: text } = await this.#render(content);
    const msgId = newId();
    const { streams, processes, poke } = this.#options;
    const hasCloud = this.#options.cloudMessages !== null;
    await this.#put(msgId, 'app', appId, title, {
      body: text,
      payload: content.extra,
      mobiles: [],
      request: JSON.stringify(body),
    });
    const sent = streams.send(
      { msg_id: msgId, title, body: text, payload: content.extra },
      { appId, platforms, ...target },
    );
    if (sent.android + sent.ios > 0) await this.#options.store.write.countPush({ msgId, ...sent });
    void processes.tell('push', msgId);
    if (hasCloud) poke();
    return msgId;
  }

  /**
   * The event stream of an app on a device. Given the id of the last push that it had, it first
   * gets what it missed, at most the last fifty; those count as delivered.
   */
  async openStream(target: PushTarget, lastId: string | undefined): Promise<ReadableStream<Uint8Array>> {
    const { store, streams } = this.#options;
    const after = lastId ? await store.read.appMessagesAfter(target.appId, lastId, missedLookedAt) : [];
    // One that was sent at the cloud names no audience.
    const missed = after.filter(one => one.content.request !== '' && isFor(target, audienceOf(one))).slice(-missedMax);
    const stream = streams.open(target, missed.map(pushedOf));
    const counted = target.platform === 'android' ? { android: 1, ios: 0 } : { android: 0, ios: 1 };
    for (const { msgId } of missed) await store.write.countPush({ msgId, ...counted });
    return stream;
  }

  /** A push that another process has taken. */
  async #passOn(msgId: string): Promise<void> {
    const { store, streams, log } = this.#options;
    if (streams.isEmpty) return;
    try {
      const message = await store.read.message(msgId);
      if (message?.kind !== 'app') return;
      const sent = streams.send(pushedOf(message), audienceOf(message));
      if (sent.android + sent.ios > 0) await store.write.countPush({ msgId, ...sent });
    } catch (error) {
      log.warn({ msg_id: msgId, error: String(error) }, 'push_not_passed_on');
    }
  }

  /** Returns the id. While the uplink is down the message waits: SPEC 2.12, result 0. */
  async sendShort(body: unknown, { appId }: Pick<ServiceCaller, 'appId'>): Promise<string> {
    const { content, target } = readRequest(shortMessage, body);
    const { title, body: text } = await this.#render(content);
    const msgId = newId();
    const mobiles = target.map(({ mobile }) => mobile);
    await this.#put(msgId, 'sms', appId, title, { body: text, payload: {}, mobiles, request: JSON.stringify(body) });
    this.#options.poke();
    return msgId;
  }

  /**
   * Those of this app that are known, in the order asked for. Ids that the box does not know are
   * asked of the cloud; throws ServiceRefused (503) where it does not answer.
   */
  async find(kind: StoredMessage['kind'], ids: readonly string[], appId: string): Promise<StoredMessage[]> {
    const { store, cloudMessages } = this.#options;
    const stored = () => Promise.all(ids.map(id => store.read.message(id)));
    let found = await stored();
    const unknown = ids.filter((_id, index) => found[index] === null);
    if (cloudMessages && unknown.length > 0) {
      await cloudMessages.bring(kind, unknown, appId);
      found = await stored();
    }
    return found.filter((one): one is StoredMessage => one !== null && one.kind === kind && one.appId === appId);
  }

  async #put(
    msgId: string,
    kind: 'app' | 'sms',
    appId: string,
    title: string,
    content: StoredMessage['content'],
  ): Promise<void> {
    await this.#options.store.write.putMessage({
      msgId,
      kind,
      appId,
      acceptedAt: this.#options.clock.now(),
      title,
      content,
      androidSend: 0,
      iosSend: 0,
      result: 0,
      // A short message has nowhere else to go: it waits for a cloud that may be configured yet.
      relay: this.#options.cloudMessages || kind === 'sms' ? 'waits' : 'here',
    });
  }

  /**
   * The cloud may know a template that the site does not: it is relayed without words of the box's
   * own, and gets the cloud's with its results (relay.ts).
   */
  async #render({
    template,
    template_params: parameters,
  }: {
    template: string;
    template_params: Record<string, unknown>;
  }) {
    const found = await this.#options.store.read.messageTemplate(template);
    if (found) return { title: fillTemplate(found.title, parameters), body: fillTemplate(found.body, parameters) };
    if (!this.#options.cloudMessages)
      throw new ServiceRefused(
        404,
        `content.template "${template}": no such template: add it under message_templates in the site file`,
      );
    return { title: '', body: '' };
  }
}

const missedMax = 50;
const missedLookedAt = 1000;

const audienceOf = ({ appId, content }: StoredMessage) => {
  const { platforms, target } = appMessage.parse(JSON.parse(content.request));
  return { appId, platforms, ...target };
};

const pushedOf = ({ msgId, title, content }: StoredMessage): PushedMessage => ({
  msg_id: msgId,
  title,
  body: content.body,
  payload: content.payload,
});

const newId = (): string => `gh${randomBytes(12).toString('hex')}`;

/** SPEC 2.12. */
export const appMessageData = (message: StoredMessage) => ({
  msg_id: message.msgId,
  title: message.title,
  body: message.content.body,
  payload: message.content.payload,
  android_send: message.androidSend + message.cloudAndroidSend,
  ios_send: message.iosSend + message.cloudIosSend,
});

export const shortMessageData = (message: StoredMessage) => ({
  msg_id: message.msgId,
  body: message.content.body,
  mobiles: message.content.mobiles,
  result: message.result,
});

/** Identity of an app that opens its event stream. Throws ServiceRefused (400). */
export function readTarget(query: URLSearchParams) {
  const identity = query.get('identity') ?? '';
  const platform = query.get('platform') ?? '';
  const tags = (query.get('tags') ?? '')
    .split(',')
    .map(tag => tag.trim())
    .filter(tag => tag !== '');
  if (identity === '' || identity.length > 128) throw badRequest('identity: needed, at most 128 characters');
  if (platform !== 'android' && platform !== 'ios') throw badRequest('platform: write android or ios');
  if (tags.length > 100 || tags.some(tag => tag.length > 128))
    throw badRequest('tags: at most 100, each at most 128 characters');
  return { identity, platform, tags } as const;
}
