/**
 * Writes moments as `YYYY-MM-DD HH:mm:ss` of a time zone. The offset is looked up once for each
 * quarter of an hour: no zone changes at a finer step.
 */
export function localTimes(timeZone: string): {
  text(seconds: number): string;
  offsetSeconds(seconds: number): number;
} {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const quarter = 15 * 60;
  const known = new Map<number, number>();
  const offsetSeconds = (seconds: number): number => {
    const slot = Math.floor(seconds / quarter);
    let offset = known.get(slot);
    if (offset === undefined) {
      offset = readOffset(format.formatToParts(slot * quarter * 1000));
      if (known.size > 10_000) known.clear();
      known.set(slot, offset);
    }
    return offset;
  };
  return {
    offsetSeconds,
    text: seconds => new Date((seconds + offsetSeconds(seconds)) * 1000).toISOString().slice(0, 19).replace('T', ' '),
  };
}

/** `GMT+08:00`, `GMT-03:30`, `GMT`. */
function readOffset(parts: readonly Intl.DateTimeFormatPart[]): number {
  const name = parts.find(part => part.type === 'timeZoneName')?.value ?? '';
  const found = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name);
  if (!found) return 0;
  const seconds = Number(found[2]) * 3600 + Number(found[3]) * 60 + Number(found[4] ?? 0);
  return found[1] === '-' ? -seconds : seconds;
}
