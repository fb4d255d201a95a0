import { CloudRefused } from '../../platform/cloud-refused.ts';
import { serviceLimits } from '../../platform/services.ts';
import { BackgroundJob } from '../../runtime/background-job.ts';
import type { Clock, Random } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { nextTry } from '../../runtime/retry.ts';
import type { MessageStore, StoredMessage } from '../../store/index.ts';
import type { CloudServices } from '../cloud.ts';
import { askMessages, messagePaths } from './cloud-messages.ts';

interface RelayOptions {
  readonly store: MessageStore;
  readonly cloud: CloudServices;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

const pollMs = 10_000;
const atOnce = 10;
/** After three days a message is of no use any more. */
export const givenUpMs = 72 * 3600_000;
/** For this long the results of an app push are asked for. */
const countedMs = 3600_000;

/**
 * Sends messages to the cloud in the order in which they were accepted, each once, and asks for
 * their results.
 */
export class MessageRelay implements AsyncDisposable {
  readonly #options: RelayOptions;
  readonly #job: BackgroundJob;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#job = new BackgroundJob({
      clock: options.clock,
      retryMs: () => nextTry(options.random),
      everyMs: pollMs,
      run: async signal => {
        await this.#sendAll(signal);
        await this.#askAfter(signal);
      },
      onFailed: error => options.log.debug({ error: String(error) }, 'messages_not_relayed'),
    });
  }

  /** A message waits. */
  poke(): void {
    this.#job.poke();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#job[Symbol.asyncDispose]();
  }

  /**
   * The first that the cloud does not answer holds up the rest, so that the order stays; one that
   * it refuses for good does not.
   */
  async #sendAll(signal: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#options;
    for (;;) {
      const waiting = await store.read.messagesToRelay('waits', atOnce);
      if (waiting.length === 0) return;
      for (const message of waiting) {
        const { msgId } = message;
        if (message.acceptedAt + givenUpMs < clock.now()) {
          await this.#refused(msgId, 'the line was down for 72 hours');
          continue;
        }
        try {
          const cloudMsgId = await this.#send(message, signal);
          await store.write.settleMessage({ msgId, relay: 'sent', cloudMsgId, reason: '' });
        } catch (error) {
          if (!(error instanceof CloudRefused && error.isFinal)) throw error;
          log.warn({ msg_id: msgId, error_code: error.code, reason: error.message }, 'cloud_refused_message');
          await this.#refused(msgId, `the cloud answered ${error.code}: ${error.message}`);
        }
      }
    }
  }

  async #send(message: StoredMessage, signal: AbortSignal): Promise<string> {
    const { store, cloud, clock } = this.#options;
    const { msgId } = message;
    let timestamp = message.attemptedAt;
    // Sent again with the stamp of the first try, as long as that is good: the answer may be all
    // that was lost.
    if (timestamp === null || Math.abs(clock.now() - timestamp) > serviceLimits.signedAgeMsMax - 60_000) {
      timestamp = clock.now();
      await store.write.settleMessage({ msgId, relay: 'waits', attemptedAt: timestamp });
    }
    const data = await cloud.call(messagePaths[message.kind], {
      json: message.content.request,
      stamp: { timestamp, about: msgId },
      signal,
    });
    if (typeof data !== 'string' && typeof data !== 'number')
      throw new Error('the cloud answered a message without an id');
    return String(data);
  }

  async #refused(msgId: string, reason: string): Promise<void> {
    await this.#options.store.write.settleMessage({ msgId, relay: 'refused', result: 2, reason });
  }

  async #askAfter(signal: AbortSignal): Promise<void> {
    const { store, cloud, clock } = this.#options;
    const sent = (await store.read.messagesToRelay('sent', 200)).filter(
      one => one.kind === 'sms' || one.acceptedAt + countedMs > clock.now(),
    );
    for (const kind of ['app', 'sms'] as const) {
      const mine = sent.filter(one => one.kind === kind);
      for (let from = 0; from < mine.length; from += atOnce) {
        const group = new Map(mine.slice(from, from + atOnce).map(one => [one.cloudMsgId!, one.msgId]));
        for (const one of await askMessages(cloud, kind, [...group.keys()], signal)) {
          const msgId = group.get(one.msgId);
          if (!msgId) continue;
          if (kind === 'app' || one.result !== 0)
            await store.write.settleMessage({
              msgId,
              relay: 'sent',
              ...(kind === 'app' ? { cloudAndroidSend: one.android, cloudIosSend: one.ios } : { result: one.result }),
            });
          const known = mine.find(sent => sent.msgId === msgId)!;
          // Its template is the cloud's alone: so are its words.
          if (known.content.body === '' && known.title === '' && (one.title || one.body) !== '')
            await store.write.wordMessage({ msgId, title: one.title, content: { ...known.content, body: one.body } });
        }
      }
    }
  }
}
