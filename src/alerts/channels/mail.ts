import type { AlertMessage } from '../../platform/alerts.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { Channel } from './channel.ts';
import { type Envelope, type MailConnection, type MailServer, sendBySmtp } from './smtp.ts';
import { linesOf, type Spoken } from './text.ts';

export interface MailSettings extends MailServer, Envelope {}

export const mailChannel = (settings: MailSettings, connection: MailConnection, said: Spoken): Channel => ({
  perMinute: 30,
  send: (message, now, signal) =>
    sendBySmtp(settings, settings, mailOf(message, settings, now, said), connection, signal),
});

/** The message as RFC 5322 wants it: plain text in UTF-8, dated when it was written. */
function mailOf({ id, content }: AlertMessage, { from, to }: Envelope, now: UnixMs, said: Spoken): string {
  const text = linesOf(content, now, said).join('\r\n');
  const body = Buffer.from(`${text}\r\n`).toString('base64').replace(/.{76}/g, '$&\r\n');
  return [
    `From: ${from}`,
    `To: ${to.join(', ')}`,
    `Subject: ${encodedWords(content.title)}`,
    `Date: ${new Date(content.at).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${from.split('@')[1] ?? 'gatehouse'}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    'Auto-Submitted: auto-generated',
    '',
    body,
  ].join('\r\n');
}

/** Bytes of an encoded word (RFC 2047) are at most 75 characters, with its frame. */
const wordBytesMax = 42;

/** A header: as it is where it is plain ASCII, else in encoded words of whole characters. */
function encodedWords(text: string): string {
  if (/^[\x20-\x7e]{0,60}$/.test(text) && !text.includes('=?')) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > wordBytesMax) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  words.push(word);
  return words.map(one => `=?utf-8?B?${Buffer.from(one).toString('base64')}?=`).join('\r\n ');
}
