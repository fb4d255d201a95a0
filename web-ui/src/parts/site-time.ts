import { session } from '../session.ts';

const formats = new Map<string, Intl.DateTimeFormat>();
const siteZone = (): string => session.value?.site.timezone ?? 'UTC';
/** The time that the clocks of the site show, wherever the reader is. */
export function shownAt(at: number): Record<string, string> {
  const zone = siteZone();
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(zone, format);
  }
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

const hourMs = 3_600_000;

/** How far the clocks of the site are ahead of UTC, in milliseconds. */
function offsetAt(at: number): number {
  const { year, month, day: of, hour, minute, second } = shownAt(at);
  return Date.UTC(+year!, +month! - 1, +of!, +hour!, +minute!, +second!) - Math.floor(at / 1000) * 1000;
}

function offsetText(offset: number): string {
  const minutes = Math.trunc(Math.abs(offset) / 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

/** Every offset with which the clocks of the site show `2026-10-25T02:30`: none, one or two. */
export function offsetsAt(wall: string): string[] {
  const shown = Date.parse(`${wall}Z`);
  if (Number.isNaN(shown)) return [];
  const near = [24, -24].map(hours => offsetAt(shown - hours * hourMs));
  return [...new Set(near)].filter(offset => offsetAt(shown - offset) === offset).map(offsetText);
}

/** ` +01:00` for a time that comes twice, else empty; kept by half hours, in which no clock changes. */
const twice = new Map<string, string>();
export function offsetIfTwice(at: number): string {
  const key = `${siteZone()} ${Math.floor(at / (hourMs / 2))}`;
  let found = twice.get(key);
  if (found === undefined) {
    const wall = new Date(at + offsetAt(at)).toISOString().slice(0, 16);
    found = offsetsAt(wall).length > 1 ? ` ${offsetText(offsetAt(at))}` : '';
    if (twice.size > 1000) twice.clear();
    twice.set(key, found);
  }
  return found;
}

/**
 * Milliseconds of `2026-11-20T08:00`, as an input field writes it, in the time zone of the site: of
 * a time that comes twice the first. Null: it is not a time.
 */
export function atSite(local: string): number | null {
  const shown = Date.parse(`${local}Z`);
  if (Number.isNaN(shown)) return null;
  const before = offsetAt(shown - 24 * hourMs);
  const after = offsetAt(shown + 24 * hourMs);
  return [before, after].map(offset => shown - offset).find(at => offsetAt(at) === shown - at) ?? shown - before;
}
