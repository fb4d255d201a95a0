import { type AlertLanguage, alertWords } from '../../platform/alert-words.ts';
import type { ChannelContent } from '../../platform/daily-report.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import { withoutEnd } from '../../runtime/without-end.ts';
import { inZone } from '../compose.ts';

export interface Spoken {
  readonly language: AlertLanguage;
  readonly timeZone: string;
}

/** A message that is older than this says when it was written. */
const lateMs = 5 * 60_000;

/** The lines under the title; the last is the link to the page. */
export function linesOf(content: ChannelContent, now: UnixMs, { language, timeZone }: Spoken): string[] {
  const { at, lines, link } = content;
  const written = Math.abs(now - at) > lateMs ? [alertWords[language].asOf(inZone(at, timeZone))] : [];
  return [...lines, ...written, ...(link === '' ? [] : [link])];
}

/** At most so many bytes of UTF-8, never half a character. */
export function cut(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const kept = withoutEnd(
    Buffer.from(text)
      .subarray(0, bytesMax - 3)
      .toString('utf8'),
    '\ufffd',
  );
  return `${kept}…`;
}
