import { isIP, type LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { NodemailerError, SMTPTransportOptions } from 'nodemailer';
import type { ChannelMessage } from '../../platform/daily-report.ts';
import { networkReason } from '../../platform/network-reason.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import { channelFailures } from '../../words/channels.ts';
import type { Reason } from '../../words/sentences.ts';
import { networkReasons } from '../../words/uplink.ts';
import type { AlertSettings } from '../settings.ts';
import { type Channel, quoted, SendFailed } from './channel.ts';
import { linesOf, type Spoken } from './text.ts';

export type MailSettings = NonNullable<AlertSettings['mail']>;

interface MailConnection {
  /** Called when the server took the mail, but not for all recipients. */
  readonly warn?: (why: Reason) => void;
  readonly secureContext?: SecureContext | undefined;
  /** Judges the address before it is called. Absent: any address may be called. */
  readonly lookup?: LookupFunction | undefined;
  /** Milliseconds for connecting, and then for the greeting; 10 s unless given. */
  readonly greetingMs?: number;
}

const greetingMs = 10_000;
const idleMs = 30_000;

/**
 * Sends each message as one plain text mail, by SMTP with STARTTLS or TLS. A password is sent over
 * TLS only. If the server refuses some of the recipients, the others get it.
 */
export const mailChannel = (settings: MailSettings, connection: MailConnection, said: Spoken): Channel => ({
  perMinute: 30,
  async send(message, now, signal) {
    const { security, password } = settings;
    if (security === 'none' && password !== undefined)
      throw new SendFailed(channelFailures.say('password_without_tls'));
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(await transportOf(settings, connection));
    try {
      const { rejected } = await transport.sendMail({ ...mailOf(message, settings, now, said), signal });
      if (rejected.length > 0) {
        const refused = { host: settings.host, recipients: rejected.join(', '), answer: '' };
        connection.warn?.(channelFailures.say('mail_recipient_refused', refused));
      }
    } catch (error) {
      throw failureOf(error as NodemailerError, settings);
    } finally {
      transport.close();
    }
  },
});

async function transportOf(
  { host, port, security, user, password }: MailSettings,
  { secureContext, lookup, greetingMs: greeting = greetingMs }: MailConnection,
): Promise<SMTPTransportOptions> {
  return {
    // The address that was judged is the one that is called.
    host: lookup ? await judgedAddress(host, lookup) : host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    name: 'gatehouse',
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(user !== undefined && password !== undefined ? { auth: { user, pass: password } } : {}),
    tls: secureContext ? { secureContext } : {},
    ...{ connectionTimeout: greeting, greetingTimeout: greeting, dnsTimeout: greeting, socketTimeout: idleMs },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  };
}

const judgedAddress = (host: string, lookup: LookupFunction): Promise<string> =>
  new Promise((resolve, reject) =>
    lookup(host, {}, (error, address) => {
      if (error) reject(error);
      else resolve(typeof address === 'string' ? address : address[0]!.address);
    }),
  );

/** Plain text, dated when it was written. Sent again, it has the same id. */
const mailOf = ({ id, content }: ChannelMessage, { from, to }: MailSettings, now: UnixMs, said: Spoken) => ({
  from,
  to: [...to],
  subject: content.title,
  date: new Date(content.at),
  messageId: `<${id}@${from.split('@')[1] ?? 'gatehouse'}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
  text: `${linesOf(content, now, said).join('\r\n')}\r\n`,
  ...{ encoding: 'base64', textEncoding: 'base64' as const },
});

/** The error in words that name what to change. Nodemailer's text holds no password. */
function failureOf(error: NodemailerError, { host, port, user }: MailSettings): Error {
  const { code, command, response, rejected } = error;
  const answer = response ? quoted(response) : '';
  const at = `${host}:${port}`;
  if (code === 'EAUTH')
    return new SendFailed(channelFailures.say('mail_password_refused', { host, user: user ?? '', answer }));
  if (code === 'EENVELOPE' && rejected?.length)
    return new SendFailed(
      channelFailures.say('mail_recipient_refused', { host, recipients: rejected.join(', '), answer }),
    );
  if (code === 'ETLS' && command === 'STARTTLS' && response)
    return new SendFailed(channelFailures.say('mail_without_starttls', { host }));
  if (code === 'EPROTOCOL') return new SendFailed(channelFailures.say('no_mail_server', { at, answer }));
  if (code === 'ETIMEDOUT') return new SendFailed(networkReasons.say('no_answer', { at }));
  const why = networkReason(error);
  return new SendFailed(
    why.code === undefined ? channelFailures.say('mail_error', { at, error: quoted(why.reason) }) : why,
  );
}
