import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createSecureContext } from 'node:tls';
import { expect, test } from 'vitest';
import { type MailSettings, mailChannel } from '../../src/alerts/channels/mail.ts';
import { alertCalls } from '../../src/box/alert-calls.ts';
import type { AlertMessage } from '../../src/platform/alerts.ts';
import { trustOf } from '../../src/upstream/index.ts';
import type { Reason } from '../../src/words/sentences.ts';
import {
  aMailServer,
  type MailServer,
  mailPassword,
  mailUser,
  readMail,
  suiteWithMail,
} from '../support/mail-server.ts';
import { until } from '../support/until.ts';

const now = Date.UTC(2026, 10, 23, 0, 12);
const message: AlertMessage = {
  ...{ id: 'msg_1', channel: 'mail', attempts: 0, nextAt: now },
  content: {
    ...{
      type: 'opened',
      at: now,
      kind: 'disk',
      severity: 'warn',
      title: '[四号厂房] 磁盘已用 86%，请在“今天”页面清理空间',
    },
    ...{ lines: ['开始于 08:12。', '.', '请清理空间。'], link: 'https://box.local/', alerts: [] },
  },
};
const spoken = { language: 'zh', timeZone: 'Asia/Shanghai' } as const;

const settings = (server: Pick<MailServer, 'port'>, change: Partial<MailSettings> = {}): MailSettings => ({
  ...{ host: '127.0.0.1', port: server.port, security: 'starttls', user: mailUser, password: mailPassword },
  ...{ from: mailUser, to: ['mei@plant.example', 'li@plant.example'] },
  ...change,
});

const send = (of: MailSettings, ca: string, at = now) =>
  mailChannel(of, { secureContext: createSecureContext({ ca }) }, spoken).send(
    message,
    at,
    new AbortController().signal,
  );

suiteWithMail('mail by a real server', () => {
  test.each(['starttls', 'login', 'tls'] as const)(
    '%s: the password goes over TLS, and the text arrives whole',
    async mode => {
      await using server = await aMailServer(mode);
      await send(settings(server, { security: mode === 'tls' ? 'tls' : 'starttls' }), server.ca);
      const mail = await until('the mail is there', () => server.mails[0]);
      expect(mail).toMatchObject({
        ...{ tls: true, user: mailUser, from: mailUser, to: ['mei@plant.example', 'li@plant.example'] },
      });
      const { headers, body } = readMail(mail);
      expect(headers).toMatchObject({
        subject: '[四号厂房] 磁盘已用 86%，请在“今天”页面清理空间',
        date: 'Mon, 23 Nov 2026 00:12:00 +0000',
        'message-id': '<msg_1@plant.example>',
        to: 'mei@plant.example, li@plant.example',
      });
      expect(body).toBe('开始于 08:12。\r\n.\r\n请清理空间。\r\nhttps://box.local/\r\n');
      expect(mail.text.split('\r\n').every(line => line.length <= 78)).toBe(true);
    },
  );

  test('a mail that could not go for hours says when it was written', async () => {
    await using server = await aMailServer();
    await send(settings(server), server.ca, now + 3 * 3600_000);
    const mail = await until('the mail is there', () => server.mails[0]);
    expect(readMail(mail).body).toContain('生成于 2026-11-23 08:12。');
    expect(readMail(mail).headers.date).toBe('Mon, 23 Nov 2026 00:12:00 +0000');
  });

  test('a wrong password is said with what to do, and never shown', async () => {
    await using server = await aMailServer();
    const sent = send(settings(server, { password: 'wrong-password' }), server.ca);
    await expect(sent).rejects.toThrow(/refuses the password of box@plant.example .*app password.*: 535/);
    await expect(sent).rejects.not.toThrow(/wrong-password/);
    expect(server.mails).toEqual([]);
  });

  test('a server that the box does not trust gets nothing', async () => {
    await using server = await aMailServer();
    await using other = await aMailServer();
    await expect(send(settings(server), other.ca)).rejects.toThrow(/certificate|signature|issuer/i);
    expect(server.mails).toEqual([]);
  });

  test('no password goes to a server without TLS', async () => {
    await using server = await aMailServer('none');
    await expect(send(settings(server), server.ca)).rejects.toThrow(/does not offer STARTTLS/);
    await expect(send(settings(server, { security: 'none' }), server.ca)).rejects.toThrow(/over TLS only/);
    await send(settings(server, { security: 'none', user: undefined, password: undefined }), server.ca);
    expect(await until('the mail is there', () => server.mails[0])).toMatchObject({ tls: false, user: null });
  });

  test('a recipient that does not exist is named', async () => {
    await using server = await aMailServer();
    const sent = send(settings(server, { to: ['nobody@plant.example'] }), server.ca);
    await expect(sent).rejects.toThrow(/refuses the recipient nobody@plant.example: 550/);
  });

  test('one recipient that does not exist keeps the mail from nobody else', async () => {
    await using server = await aMailServer();
    const warned: string[] = [];
    const to = ['nobody@plant.example', 'mei@plant.example'];
    const connection = {
      secureContext: createSecureContext({ ca: server.ca }),
      warn: ({ reason }: Reason) => warned.push(reason),
    };
    await mailChannel(settings(server, { to }), connection, spoken).send(message, now, new AbortController().signal);
    expect(await until('the mail is there', () => server.mails[0])).toMatchObject({ to: ['mei@plant.example'] });
    expect(warned).toEqual(['127.0.0.1 refuses the recipient nobody@plant.example']);
  });
});

test('a server that never speaks is given up', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const sent = mailChannel(settings({ port }), { greetingMs: 50 }, spoken).send(
    message,
    now,
    new AbortController().signal,
  );
  await expect(sent).rejects.toThrow(/no answer in time/);
  silent.close();
});

test('what is no mail server is called so', async () => {
  const web = createServer(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
  await once(web, 'listening');
  const { port } = web.address() as AddressInfo;
  const sent = mailChannel(settings({ port }), {}, spoken).send(message, now, new AbortController().signal);
  await expect(sent).rejects.toThrow(/is no mail server: it says HTTP/);
  web.close();
});

test('a mail server of this machine that was chosen on the page is refused in environment production', async () => {
  const { mailLookup: lookup } = alertCalls({ environment: 'production' }, trustOf(undefined));
  for (const host of ['127.0.0.1', 'localhost']) {
    const sent = mailChannel(settings({ port: 9 }, { host }), { lookup }, spoken).send(
      message,
      now,
      new AbortController().signal,
    );
    await expect(sent).rejects.toThrow(/this machine/);
  }
});
