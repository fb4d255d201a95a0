/** Days and times as the pages write them, by the names that HTML has for their fields. */
export const whenForms = {
  date: '2026-11-26',
  month: '2026-11',
  time: '08:30',
  'datetime-local': '2026-11-26 08:30',
} as const;
export type WhenKind = keyof typeof whenForms;

export const isWhenKind = (type: unknown): type is WhenKind =>
  typeof type === 'string' && Object.hasOwn(whenForms, type);

/**
 * Typed text in the one form of the pages: `2026/11/6`, `20261106` and `2026年11月6日` are
 * `2026-11-06`, and `830` is `08:30`. Null: there is no such day or time.
 */
export function whenWritten(kind: WhenKind, typed: string): string | null {
  const text = typed.trim();
  switch (kind) {
    case 'date':
      return dateWritten(text);
    case 'month':
      return dateWritten(/^\d{6}$/.test(text) ? `${text}01` : `${text.replace(/月$/, '')}-1`)?.slice(0, 7) ?? null;
    case 'time':
      return timeWritten(text);
    case 'datetime-local': {
      const [day = '', time = ''] = text.split(/[\sT]/);
      const written = [dateWritten(day), timeWritten(time)];
      return written.includes(null) ? null : written.join(' ');
    }
  }
}

function dateWritten(text: string): string | null {
  const [, year, month, day] =
    /^(\d{4})\D*(\d{1,2})\D+(\d{1,2})\D?$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return null;
  const written = [year, month!.padStart(2, '0'), day!.padStart(2, '0')].join('-');
  const at = Date.parse(`${written}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === written ? written : null;
}

function timeWritten(text: string): string | null {
  const [, hour, minute] = /^(\d{1,2})\D(\d{1,2})$/.exec(text) ?? /^(\d{1,2})(\d\d)$/.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return null;
  return `${hour.padStart(2, '0')}:${minute!.padStart(2, '0')}`;
}
