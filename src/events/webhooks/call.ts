import { networkReason } from '../../platform/network-reason.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { WebhookDelivery } from '../../store/index.ts';
import { type GivenReason, noWhy, type Why, whyOf } from '../../words/sentences.ts';
import { webhookFailures } from '../../words/webhooks.ts';
import type { WebhookSettings } from './list.ts';

export interface CallOptions {
  readonly clock: Clock;
  readonly sign: (secret: string, id: string, seconds: number, body: string) => string;
  /** Follows no redirect. `named`: the config names the address. */
  readonly post: (
    url: string,
    call: {
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly named: boolean;
      readonly signal: AbortSignal;
    },
  ) => Promise<{ readonly status: number; readonly body: string; readonly retryAfterSeconds: number | null }>;
}

/** Outcome of one attempt. */
export interface Called extends Why {
  readonly state: WebhookDelivery['state'];
  /** Status of HTTP; null: there was no answer. */
  readonly status: number | null;
  readonly tookMs: number;
  /** Beginning of the answer, with blanks in place of line breaks. */
  readonly answer: string;
  /** The receiver asks for at least this pause. */
  readonly waitMs: number;
}

export const retryMsMax = 3600_000;
const answerCharactersMax = 200;

/** Calls the receiver once, signed as Standard Webhooks 1.0.0 has it. Never rejects. */
export async function callWebhook(
  { url, secret, isFixed }: Pick<WebhookSettings, 'url' | 'secret' | 'isFixed'>,
  { id, body }: { readonly id: string; readonly body: string },
  { clock, sign, post }: CallOptions,
  signal: AbortSignal,
): Promise<Called> {
  const seconds = Math.floor(clock.now() / 1000);
  const begun = clock.monotonic();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': sign(secret, id, seconds, body),
  };
  const tookMs = () => Math.round(clock.monotonic() - begun);
  try {
    const { status, body: answer, retryAfterSeconds } = await post(url, { headers, body, named: isFixed, signal });
    return {
      ...outcomeOf(status),
      ...{ status, tookMs: tookMs(), answer: withoutBreaks(answer) },
      waitMs: Math.min(retryMsMax, (retryAfterSeconds ?? 0) * 1000),
    };
  } catch (error) {
    const why = networkReason(error instanceof Error ? error : new Error(String(error)));
    return { state: 'failed', status: null, tookMs: tookMs(), answer: '', waitMs: 0, ...whyOf(why) };
  }
}

function outcomeOf(status: number): Pick<Called, 'state' | 'why' | 'code' | 'params'> {
  const failed = (state: Called['state'], why: GivenReason) => ({ state, ...whyOf(why) });
  if (status >= 200 && status < 300) return { state: 'taken', ...noWhy };
  if (status === 410) return failed('ended', webhookFailures.say('webhook_gone'));
  if (status >= 300 && status < 400) return failed('failed', webhookFailures.say('webhook_redirects', { status }));
  return failed('failed', webhookFailures.say('webhook_answers', { status }));
}

const withoutBreaks = (answer: string): string =>
  answer
    .replace(/[\x00-\x1f\x7f]+/g, ' ')
    .trim()
    .slice(0, answerCharactersMax);
