import type { ChannelMessage } from '../../platform/daily-report.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import { type GivenReason, SaidError } from '../../words/sentences.ts';

/** Sends messages one by one. Rejects with SendFailed, or with the error of the connection. */
export interface Channel {
  send(message: ChannelMessage, now: UnixMs, signal: AbortSignal): Promise<void>;
  /** How many messages it takes in a minute. */
  readonly perMinute: number;
}

/** A message did not get through. The reason is shown to people and holds no secret. */
export class SendFailed extends SaidError {
  /** Wait at least so long before the next try. */
  readonly waitMs: number;
  /** No further message will get through before the settings change. */
  readonly isFinal: boolean;

  constructor(why: GivenReason, { waitMs = 0, isFinal = false }: { waitMs?: number; isFinal?: boolean } = {}) {
    super(why);
    this.name = 'SendFailed';
    this.waitMs = waitMs;
    this.isFinal = isFinal;
  }
}

export interface PostAnswer {
  readonly status: number;
  readonly body: string;
  /** From the header Retry-After; null: there was none. */
  readonly retryAfterSeconds: number | null;
}

/** An HTTP POST that follows no redirect. `named`: the config names the address. */
export type Post = (
  url: string,
  call: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly named: boolean;
    readonly signal: AbortSignal;
  },
) => Promise<PostAnswer>;

/** Answer of a server, cut and on one line, for people. */
export const quoted = (said: string): string =>
  said
    .replace(/[\x00-\x1f\x7f]+/g, ' ')
    .trim()
    .slice(0, 200);
