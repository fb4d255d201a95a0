import { language, words } from '../words/index.ts';
import { offsetIfTwice, shownAt } from './site-time.ts';

/** `12 min`, in the reader's language: only the largest unit. */
export function span(ms: number): string {
  const said = words.value.ago;
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return said.seconds(seconds);
  if (seconds < 3600) return said.minutes(Math.round(seconds / 60));
  if (seconds < 48 * 3600) return said.hours(Math.round(seconds / 3600));
  return said.days(Math.round(seconds / 86_400));
}

export const ago = (at: number, now: number): string =>
  now - at < 1500 ? words.value.ago.now : words.value.ago.ago(span(now - at));

export const count = (value: number): string => value.toLocaleString(language.value);

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let rest = value;
  let unit = 0;
  for (; rest >= 1000 && unit < units.length - 1; unit++) rest /= 1000;
  return `${unit === 0 ? rest : rest.toFixed(rest < 10 ? 1 : 0)} ${units[unit]}`;
}

/** `2026-11-20 08:01:30` in both languages; of a time that comes twice, with its offset. */
export const moment = (at: number): string => `${day(at)} ${clock(at)}`;

export function day(at: number): string {
  const { year, month, day: of } = shownAt(at);
  return `${year}-${month}-${of}`;
}

export function clock(at: number): string {
  const { hour, minute, second } = shownAt(at);
  return `${hour}:${minute}:${second}${offsetIfTwice(at)}`;
}

/** `08:01`, and of a time that comes twice its offset. */
export function hourMinute(at: number): string {
  const { hour, minute } = shownAt(at);
  return `${hour}:${minute}${offsetIfTwice(at)}`;
}
