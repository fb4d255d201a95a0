import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertChannelsBy } from '../../src/alerts/channels/open.ts';
import { dingtalkSignature, feishuSignature, webhookSignature } from '../../src/alerts/channels/signatures.ts';
import { cut } from '../../src/alerts/channels/text.ts';
import type { AlertSettings } from '../../src/alerts/settings.ts';
import { alertCalls } from '../../src/box/alert-calls.ts';
import type { AlertChannel, AlertMessage } from '../../src/platform/alerts.ts';
import { trustOf } from '../../src/upstream/index.ts';
import { whyInChinese } from '../../src/words/reasons.ts';
import { type SaidError, whyOf } from '../../src/words/sentences.ts';
import { aCertificate } from '../support/certificate.ts';

const now = 1_763_600_000_000;
const dingtalkSecret = `SEC${'0'.repeat(60)}abcd`;

describe('signatures are those of the makers', () => {
  test('DingTalk', () => {
    expect(dingtalkSignature(dingtalkSecret, now)).toBe('iz/c9LDjeLblBtns3j1RslSjI3iCbpq4z9SFcj4XhWw=');
  });
  test('Feishu', () => {
    expect(feishuSignature('feishu-secret-1', now / 1000)).toBe('bKrrQ+tneNbDWTOVM3yyT3eihv5YHiRPflIlbp97kjQ=');
  });
  test('Standard Webhooks', () => {
    const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = '{"test": 2432232314}';
    const expected = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    expect(webhookSignature(key, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body)).toBe(expected);
  });
});

test('text is cut by bytes, never within a character', () => {
  expect(cut('磁盘已满', 100)).toBe('磁盘已满');
  expect(cut('磁盘已满', 11)).toBe('磁盘…');
  expect(Buffer.byteLength(cut('满'.repeat(5000), 4000))).toBeLessThanOrEqual(4000);
});

const message: AlertMessage = {
  ...{ id: 'msg_1', channel: 'webhook', attempts: 0, nextAt: now },
  content: {
    ...{ type: 'opened', at: now, kind: 'silent', severity: 'warn', title: '[Plant 4] North gate is silent' },
    ...{ lines: ['Since 08:12.', 'Look at its power.'], link: 'https://box.local/devices/D1' },
    alerts: [
      {
        kind: 'silent',
        subject: 'D1',
        severity: 'warn',
        since: now - 1000,
        overAt: null,
        details: { name: 'North gate' },
      },
    ],
  },
};

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server over TLS that answers as it is told, and keeps what it was sent. */
async function aReceiver() {
  const { cert, key, ca } = await aCertificate();
  const received: Received[] = [];
  let answer: { status: number; body: string; headers?: Record<string, string> } = { status: 200, body: '' };
  const server = createServer({ cert, key }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ca,
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers(status: number, body: unknown = '', headers: Record<string, string> = {}) {
      answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body), headers };
    },
    close: () => server.close(),
  };
}

let receiver: Awaited<ReturnType<typeof aReceiver>>;
beforeAll(async () => {
  receiver = await aReceiver();
});
afterAll(() => receiver.close());

async function send(
  name: AlertChannel,
  settings: AlertSettings,
  environment: 'test' | 'production' = 'test',
  what = message,
) {
  const trust = trustOf(receiver.ca);
  const channel = alertChannelsBy({
    warn: () => {},
    spoken: { language: 'en', timeZone: 'Asia/Shanghai' },
    ...alertCalls({ environment }, trust),
    secureContext: () => trust.context,
    push: async () => {},
    sendShort: async () => {},
  })(name, settings, false);
  receiver.received.length = 0;
  await channel.send(what, now, new AbortController().signal);
  return receiver.received[0]!;
}

describe('a webhook', () => {
  const webhook = () => ({
    webhook: { url: `${receiver.url}/hook`, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  });

  test('is called as Standard Webhooks has it, and signed', async () => {
    receiver.answers(204);
    const { path, headers, body } = await send('webhook', webhook());
    expect(path).toBe('/hook');
    expect(headers).toMatchObject({ 'webhook-id': 'msg_1', 'webhook-timestamp': String(now / 1000) });
    expect(headers['webhook-signature']).toBe(
      webhookSignature('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'msg_1', now / 1000, body),
    );
    expect(JSON.parse(body)).toMatchObject({
      type: 'alert.opened',
      timestamp: '2025-11-20T00:53:20.000Z',
      data: { kind: 'silent', severity: 'warn', count: 1, alerts: [{ subject: 'D1' }] },
    });
  });
  test.each([
    [500, {}, 'HTTP 500', { waitMs: 0, isFinal: false }],
    [429, { 'retry-after': '120' }, 'HTTP 429', { waitMs: 120_000 }],
    [503, { 'retry-after': 'soon' }, 'HTTP 503', { waitMs: 0 }],
    [410, {}, '410', { isFinal: true }],
    [302, { location: 'https://elsewhere.example/' }, 'redirects are not followed', {}],
  ])('an answer of %d is a failure', async (status, headers, text, more) => {
    receiver.answers(status, 'no', headers);
    const failure = await send('webhook', webhook()).catch((error: Error) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining(text), ...more });
    expect(whyInChinese(whyOf((failure as SaidError).said))).toMatch(/^接收方返回/);
    expect(receiver.received).toHaveLength(1);
  });
  test('to this machine is refused in environment production, and nothing is sent', async () => {
    await expect(send('webhook', webhook(), 'production')).rejects.toThrow(/127\.0\.0\.1, this machine/);
    expect(receiver.received).toEqual([]);
  });
});

describe('robots', () => {
  test('DingTalk: markdown, with time and signature in the address', async () => {
    receiver.answers(200, { errcode: 0, errmsg: 'ok' });
    const url = `${receiver.url}/robot/send?access_token=t1`;
    const { path, body } = await send('dingtalk', { dingtalk: { url, secret: dingtalkSecret } });
    const query = new URL(path, url).searchParams;
    expect(Object.fromEntries(query)).toEqual({
      access_token: 't1',
      timestamp: String(now),
      sign: 'iz/c9LDjeLblBtns3j1RslSjI3iCbpq4z9SFcj4XhWw=',
    });
    expect(JSON.parse(body)).toEqual({
      msgtype: 'markdown',
      markdown: {
        title: '[Plant 4] North gate is silent',
        text: '### [Plant 4] North gate is silent\n\nSince 08:12.\n\nLook at its power.\n\nhttps://box.local/devices/D1',
      },
    });
  });
  test('Feishu: text, with time and signature in the body', async () => {
    receiver.answers(200, { StatusCode: 0, StatusMessage: 'success', code: 0, msg: 'success', data: {} });
    const { body } = await send('feishu', { feishu: { url: `${receiver.url}/hook/t`, secret: 'feishu-secret-1' } });
    expect(JSON.parse(body)).toMatchObject({
      timestamp: '1763600000',
      sign: 'bKrrQ+tneNbDWTOVM3yyT3eihv5YHiRPflIlbp97kjQ=',
      msg_type: 'text',
      content: { text: expect.stringContaining('North gate is silent\nSince 08:12.') },
    });
  });
  test('WeCom: markdown', async () => {
    receiver.answers(200, { errcode: 0, errmsg: 'ok' });
    const { body } = await send('wecom', { wecom: { url: `${receiver.url}/cgi-bin/webhook/send?key=k` } });
    expect(JSON.parse(body)).toMatchObject({
      msgtype: 'markdown',
      markdown: { content: expect.stringContaining('<font color="warning">[Plant 4] North gate is silent</font>') },
    });
  });
  const dingtalk = () => ({ dingtalk: { url: `${receiver.url}/robot/send?access_token=t1` } });
  const feishu = () => ({ feishu: { url: `${receiver.url}/hook/t` } });
  const wecom = () => ({ wecom: { url: `${receiver.url}/cgi-bin/webhook/send?key=k` } });
  test.each([
    ['dingtalk', dingtalk],
    ['feishu', feishu],
    ['wecom', wecom],
  ] as const)('%s: a name is no link and calls nobody', async (name, settings) => {
    receiver.answers(200, { errcode: 0, code: 0 });
    const named = '[Wang](https://elsewhere.example) <@all> <at user_id="all">all</at> </font>';
    const content = { ...message.content, title: `${named} is silent`, lines: [`Absent: ${named}`] };
    const { body } = await send(name, settings(), 'test', { ...message, content });
    const text = JSON.stringify(
      JSON.parse(body).markdown?.text ?? JSON.parse(body).markdown ?? JSON.parse(body).content,
    );
    expect(text).toContain('Absent: [Wang] (https://elsewhere.example) ＜@all> ＜at user_id');
    expect(text.replace(/<font color=.{1,20}?>|<\/font>/g, '')).not.toMatch(/<|\]\(/);
  });
  test.each([
    ['dingtalk', dingtalk, { errcode: 310000, errmsg: 'sign not match' }, 'compare the secret, and the clock', 0],
    ['dingtalk', dingtalk, { errcode: 130101, errmsg: 'send too fast' }, 'code 130101', 600_000],
    ['feishu', feishu, { code: 19021, msg: 'sign match fail or timestamp is not within one hour' }, 'the clock', 0],
    ['feishu', feishu, { code: 11232, msg: 'frequency limited' }, 'code 11232', 60_000],
    ['wecom', wecom, { errcode: 93000, errmsg: 'invalid webhook url' }, 'the key of the robot is wrong', 0],
    ['wecom', wecom, { errcode: 45009, errmsg: 'api freq out of limit' }, 'code 45009', 60_000],
    ['wecom', wecom, '<html>login</html>', 'no answer of a robot', 0],
  ] as const)('%s: 200 with a code is a failure, and says why', async (name, settings, answer, text, waitMs) => {
    receiver.answers(200, answer);
    const failure = await send(name, settings()).catch((error: Error) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining(text), waitMs });
    expect(whyInChinese(whyOf((failure as SaidError).said))).toMatch(/^(机器人拒绝了消息|返回的不是机器人的应答)/);
  });
  test('a reason never holds the token', async () => {
    receiver.answers(200, { errcode: 300001, errmsg: 'token is not exist' });
    const { message: why } = await send('dingtalk', dingtalk()).then(
      () => new Error('sent'),
      (error: Error) => error,
    );
    expect(why).not.toContain('t1');
  });
});
