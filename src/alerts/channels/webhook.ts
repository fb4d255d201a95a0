import type { ChannelContent } from '../../platform/daily-report.ts';
import { channelFailures } from '../../words/channels.ts';
import { type Channel, type Post, quoted, SendFailed } from './channel.ts';
import { webhookSignature } from './signatures.ts';

interface WebhookSettings {
  readonly url: string;
  /** `whsec_…`; absent: the calls are not signed. */
  readonly secret?: string | undefined;
}

/** Bodies stay under the 20 kB that Standard Webhooks asks for. */
const alertsMax = 50;
const slowDownMs = 60_000;
const retryAfterMaxMs = 3600_000;

/** Standard Webhooks 1.0.0. */
export const webhookChannel = ({ url, secret }: WebhookSettings, post: Post, named: boolean): Channel => ({
  perMinute: 60,
  async send({ id, content }, now, signal) {
    const seconds = Math.floor(now / 1000);
    const { type, data } = bodyOf(content);
    const body = JSON.stringify({ type, timestamp: new Date(content.at).toISOString(), data });
    const signature: Record<string, string> =
      secret === undefined ? {} : { 'webhook-signature': webhookSignature(secret, id, seconds, body) };
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      ...signature,
    };
    const { status, body: said, retryAfterSeconds } = await post(url, { headers, body, named, signal });
    if (status >= 200 && status < 300) return;
    if (status === 410) throw new SendFailed(channelFailures.say('receiver_gone'), { isFinal: true });
    if (status >= 300 && status < 400) throw new SendFailed(channelFailures.say('receiver_redirects', { status }));
    const waitMs = Math.min(retryAfterMaxMs, (retryAfterSeconds ?? 0) * 1000);
    throw new SendFailed(channelFailures.say('receiver_answers', { status, answer: quoted(said) }), {
      waitMs: [429, 502, 504].includes(status) ? Math.max(slowDownMs, waitMs) : waitMs,
    });
  },
});

function bodyOf(content: ChannelContent): { readonly type: string; readonly data: object } {
  const { title, lines, link } = content;
  const text = lines.join('\n');
  if (content.type === 'daily_report')
    return { type: 'attendance.daily_report', data: { title, text, link, ...content.figures } };
  const { type, kind, severity, alerts } = content;
  const [count, listed] = [alerts.length, alerts.slice(0, alertsMax)];
  return { type: `alert.${type}`, data: { kind, severity, title, text, link, count, alerts: listed } };
}
