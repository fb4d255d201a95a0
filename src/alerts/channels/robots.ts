import type { AlertSeverity } from '../../platform/alerts.ts';
import type { ChannelContent } from '../../platform/daily-report.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import { channelFailures, type RobotMeaning } from '../../words/channels.ts';
import { type Channel, type Post, type PostAnswer, quoted, SendFailed } from './channel.ts';
import { dingtalkSignature, feishuSignature } from './signatures.ts';
import { cut, linesOf, type Spoken } from './text.ts';

/** How one maker's robots are called. */
interface Robot {
  request(content: ChannelContent, now: UnixMs): { readonly url: string; readonly body: object };
  /** The member of the answer that is 0 where the message was taken. */
  readonly codes: readonly string[];
  readonly messages: readonly string[];
  /** Codes that say that the robot is called too often, and for how long it is silent then. */
  readonly tooOften: Readonly<Record<number, number>>;
  /** Meanings of codes, for robots whose message does not explain them. */
  readonly meanings: Readonly<Record<number, RobotMeaning>>;
}

interface RobotSettings {
  /** With the token: the whole of it is secret. */
  readonly url: string;
  readonly secret?: string | undefined;
}

/** Each maker takes 20 a minute; two are left for others who use the same robot. */
const perMinute = 18;
const minuteMs = 60_000;
const markdownBytesMax = 4000;
const textBytesMax = 18_000;

/**
 * Names of people and devices make no link, tag or mention of everybody: no escape is common to the
 * makers.
 */
const plain = (line: string): string => line.replaceAll('](', '] (').replaceAll('<', '＜');

/** Secret and clock are in the signature: after an hour's difference it is refused. */
export const dingtalk = (settings: RobotSettings, said: Spoken): Robot => ({
  request(content, now) {
    const url = new URL(settings.url);
    if (settings.secret !== undefined) {
      url.searchParams.set('timestamp', String(now));
      url.searchParams.set('sign', dingtalkSignature(settings.secret, now));
    }
    const text = [`### ${content.title}`, ...linesOf(content, now, said)].map(plain).join('\n\n');
    const markdown = { title: cut(content.title, 200), text: cut(text, textBytesMax) };
    return { url: url.href, body: { msgtype: 'markdown', markdown } };
  },
  codes: ['errcode'],
  messages: ['errmsg'],
  tooOften: { 130101: 10 * minuteMs, 410100: 10 * minuteMs },
  meanings: { 300001: 'token', 310000: 'signature_or_keyword' },
});

export const feishu = (settings: RobotSettings, said: Spoken): Robot => ({
  request(content, now) {
    const seconds = Math.floor(now / 1000);
    const text = [content.title, ...linesOf(content, now, said)].map(plain).join('\n');
    const signed =
      settings.secret === undefined
        ? {}
        : { timestamp: String(seconds), sign: feishuSignature(settings.secret, seconds) };
    return {
      url: settings.url,
      body: { ...signed, msg_type: 'text', content: { text: cut(text, textBytesMax) } },
    };
  },
  codes: ['code', 'StatusCode'],
  messages: ['msg', 'StatusMessage'],
  tooOften: { 9499: minuteMs, 11232: minuteMs },
  meanings: {
    19001: 'address',
    19021: 'signature',
    19024: 'keyword',
  },
});

const colours: Readonly<Record<AlertSeverity, string>> = { note: 'comment', warn: 'warning', critical: 'warning' };

export const wecom = (settings: RobotSettings, said: Spoken): Robot => ({
  request(content, now) {
    const colour = content.type === 'over' ? 'info' : colours[content.severity];
    const title = `<font color="${colour}">${plain(content.title)}</font>`;
    const text = [title, ...linesOf(content, now, said).map(plain)].join('\n');
    return { url: settings.url, body: { msgtype: 'markdown', markdown: { content: cut(text, markdownBytesMax) } } };
  },
  codes: ['errcode'],
  messages: ['errmsg'],
  tooOften: { 45009: minuteMs },
  meanings: { 93000: 'key' },
});

export const robotChannel = (robot: Robot, post: Post, named: boolean): Channel => ({
  perMinute,
  async send({ content }, now, signal) {
    const { url, body } = robot.request(content, now);
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    judge(robot, await post(url, { headers, body: JSON.stringify(body), named, signal }));
  },
});

/** A robot answers 200 whatever it thinks of the message: only its code 0 is success. */
function judge({ codes, messages, tooOften, meanings }: Robot, { status, body }: PostAnswer): void {
  if (status < 200 || status > 299)
    throw new SendFailed(channelFailures.say('robot_answers', { status, answer: quoted(body) }));
  const answer = objectOf(body);
  const code = codes.map(name => answer[name]).find(value => typeof value === 'number');
  if (code === 0) return;
  if (typeof code !== 'number') throw new SendFailed(channelFailures.say('no_robot', { answer: quoted(body) }));
  const message = quoted(String(messages.map(name => answer[name]).find(value => typeof value === 'string') ?? ''));
  const why = channelFailures.say('robot_refuses', { answer: code, meaning: meanings[code] ?? '', message });
  throw new SendFailed(why, { waitMs: tooOften[code] ?? 0 });
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
