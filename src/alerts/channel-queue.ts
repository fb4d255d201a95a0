import type { AlertChannel, AlertMessage } from '../platform/alerts.ts';
import type { ChannelMessage } from '../platform/daily-report.ts';
import { networkReason } from '../platform/network-reason.ts';
import type { Clock, Random, UnixMs } from '../runtime/clock.ts';
import { RateWindow } from '../runtime/rate-window.ts';
import { waitOrWake } from '../runtime/wait-or-wake.ts';
import { channelFailures } from '../words/channels.ts';
import { type GivenReason, noWhy, type Why, whyOf } from '../words/sentences.ts';
import { type Channel, quoted, SendFailed } from './channels/channel.ts';

/** How a channel stands, for the pages; kept over restarts. */
export interface ChannelState extends Why {
  readonly lastOkAt: UnixMs | null;
  readonly failedAt: UnixMs | null;
  /** Tries in a row that failed. */
  readonly failures: number;
  /** Messages that were given up, or for which there was no room. */
  readonly dropped: number;
}

export const unusedChannel: ChannelState = { lastOkAt: null, failedAt: null, ...noWhy, failures: 0, dropped: 0 };

/** Why the last message did not get through. */
export const failureOf = ({ why, code, params }: ChannelState): GivenReason =>
  why === '' ? channelFailures.say('broken_off') : { reason: why, code, params };

interface QueueOptions {
  readonly name: AlertChannel;
  readonly channel: Channel;
  readonly state: ChannelState;
  /** Messages not sent before a restart, oldest first. */
  readonly messages: readonly AlertMessage[];
  readonly clock: Clock;
  readonly random: Random;
  /** A message was tried (`changed`), or is not to be sent any more (`removed`). */
  readonly onChange: (change: { changed?: AlertMessage; removed?: AlertMessage }, state: ChannelState) => void;
}

const queueMax = 100;
const sendMs = 120_000;
/**
 * As Standard Webhooks has it up to two hours. It goes no further: what is told a day late is told
 * by the pages. When the line is back, everything is tried at once.
 */
const retryMs = [5_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 3600_000];
const giveUpMs = 3 * 24 * 3600_000;

/** The messages of one channel, sent one after the other. A channel that hangs delays no other. */
export class ChannelQueue implements AsyncDisposable {
  readonly #options: QueueOptions;
  readonly #messages: AlertMessage[];
  readonly #rate: RateWindow;
  readonly #closing = new AbortController();
  #state: ChannelState;
  #wake = Promise.withResolvers<void>();
  readonly #ended: Promise<void>;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#messages = [...options.messages];
    this.#state = options.state;
    this.#rate = new RateWindow(options.channel.perMinute, 60_000);
    this.#ended = this.#run();
  }

  get state(): ChannelState {
    return this.#state;
  }

  get waiting(): number {
    return this.#messages.length;
  }

  add(message: AlertMessage): void {
    if (this.#messages.length >= queueMax) this.#drop(Math.max(0, this.#messages.findIndex(isDispensable)));
    this.#messages.push(message);
    this.#wake.resolve();
  }

  /** The line is back, or the settings changed: no message waits for its next try. */
  retryNow(): void {
    const now = this.#options.clock.now();
    this.#messages.forEach((message, index) => {
      this.#messages[index] = { ...message, nextAt: now };
    });
    this.#wake.resolve();
  }

  /** Sends one message at once, past the queue. Rejects with the reason. */
  async test(message: ChannelMessage, signal: AbortSignal): Promise<void> {
    await this.#send(message, AbortSignal.any([signal, this.#closing.signal]));
    this.retryNow();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#wake.resolve();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const [first] = this.#messages;
      const waitMs = first ? this.#waitMs(first) : Number.POSITIVE_INFINITY;
      if (waitMs > 0) await this.#rest(waitMs);
      else if (clock.now() - first!.content.at > giveUpMs) this.#drop(0);
      else await this.#try(first!);
    }
  }

  #waitMs({ nextAt }: AlertMessage): number {
    const { clock } = this.#options;
    // After the clock was set back, nothing waits for longer than the longest step.
    const due = Math.min(nextAt - clock.now(), retryMs.at(-1)! * 1.5);
    return Math.max(due, this.#rate.wait(clock.monotonic()));
  }

  async #rest(ms: number): Promise<void> {
    const { promise } = this.#wake;
    if (Number.isFinite(ms)) await waitOrWake(this.#options.clock, ms, promise, this.#closing.signal);
    else await promise;
    this.#wake = Promise.withResolvers();
  }

  async #try(message: AlertMessage): Promise<void> {
    const { clock, random, onChange } = this.#options;
    this.#rate.take(clock.monotonic());
    try {
      await this.#send(message, this.#closing.signal);
      this.#remove(message);
      onChange({ removed: message }, this.#state);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      const { waitMs, isFinal } = error instanceof SendFailed ? error : { waitMs: 0, isFinal: false };
      const stepMs = retryMs[Math.min(message.attempts, retryMs.length - 1)]!;
      const nextMs = Math.max(waitMs, isFinal ? retryMs.at(-1)! : stepMs * (0.8 + 0.4 * random()));
      const tried = { ...message, attempts: message.attempts + 1, nextAt: clock.now() + nextMs };
      const place = this.#messages.findIndex(one => one.id === message.id);
      if (place >= 0) this.#messages[place] = tried;
      onChange({ changed: tried }, this.#state);
    }
  }

  /** Sends and notes how it went. */
  async #send(message: ChannelMessage, signal: AbortSignal): Promise<void> {
    const { clock, channel } = this.#options;
    const late = new AbortController();
    const done = new AbortController();
    clock.sleep(sendMs, done.signal).then(
      () => late.abort(new SendFailed(channelFailures.say('not_sent_in', { seconds: sendMs / 1000 }))),
      () => {},
    );
    try {
      await channel.send(message, clock.now(), AbortSignal.any([signal, late.signal]));
      this.#state = { ...this.#state, lastOkAt: clock.now(), failures: 0, ...noWhy };
    } catch (error) {
      if (this.#closing.signal.aborted) throw error;
      const { failures } = this.#state;
      const reason = error instanceof Error ? networkReason(error) : { reason: 'failed' };
      const why = whyOf(reason.code === undefined ? { reason: quoted(reason.reason) } : reason);
      this.#state = { ...this.#state, failedAt: clock.now(), failures: failures + 1, ...why };
      throw error;
    } finally {
      done.abort();
    }
  }

  #drop(index: number): void {
    const message = this.#messages[index];
    if (!message) return;
    this.#remove(message);
    this.#state = { ...this.#state, dropped: this.#state.dropped + 1 };
    this.#options.onChange({ removed: message }, this.#state);
  }

  #remove(message: AlertMessage): void {
    const place = this.#messages.findIndex(one => one.id === message.id);
    if (place >= 0) this.#messages.splice(place, 1);
  }
}

/** Sends one message at once, in no queue. Resolves to null, or to why it did not get through. */
export async function sendOnce(
  options: Pick<QueueOptions, 'name' | 'channel' | 'clock' | 'random'>,
  message: ChannelMessage,
  signal: AbortSignal,
): Promise<GivenReason | null> {
  await using queue = new ChannelQueue({ ...options, state: unusedChannel, messages: [], onChange() {} });
  try {
    await queue.test(message, signal);
    return null;
  } catch {
    return failureOf(queue.state);
  }
}

const isDispensable = ({ content }: AlertMessage): boolean => content.severity !== 'critical';
