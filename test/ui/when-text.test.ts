import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type WhenKind, whenForms, whenWritten } from '../../web-ui/src/parts/when-text.ts';

const day = fc
  .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2099-12-31T23:59:00Z'), noInvalidDate: true })
  .map(at => at.toISOString());

describe('a day, month or time that somebody types', () => {
  test.each<[WhenKind, string, string | null]>([
    ['date', '2026/11/6', '2026-11-06'],
    ['date', '20261106', '2026-11-06'],
    ['date', '2026年11月6日', '2026-11-06'],
    ['date', ' 2026.11.06 ', '2026-11-06'],
    ['date', '2026-02-29', null],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', '2026-11', null],
    ['date', '11/06/2026', null],
    ['date', 'today', null],
    ['month', '2026-11', '2026-11'],
    ['month', '202611', '2026-11'],
    ['month', '2026年11月', '2026-11'],
    ['month', '2026/3', '2026-03'],
    ['month', '2026-13', null],
    ['time', '830', '08:30'],
    ['time', '0830', '08:30'],
    ['time', '8:30', '08:30'],
    ['time', '8：30', '08:30'],
    ['time', '24:00', null],
    ['time', '17:60', null],
    ['time', '5 pm', null],
    ['datetime-local', '2026-11-06 8:30', '2026-11-06 08:30'],
    ['datetime-local', '2026-11-06T08:30', '2026-11-06 08:30'],
    ['datetime-local', '2026-11-06', null],
  ])('%s: %s', (kind, typed, written) => {
    expect(whenWritten(kind, typed)).toBe(written);
  });

  test('what is written already stays as it is', () => {
    fc.assert(
      fc.property(day, at => {
        const parts = {
          date: at.slice(0, 10),
          month: at.slice(0, 7),
          time: at.slice(11, 16),
          'datetime-local': at.slice(0, 16).replace('T', ' '),
        };
        for (const kind of Object.keys(whenForms) as WhenKind[])
          expect(whenWritten(kind, parts[kind])).toBe(parts[kind]);
      }),
    );
  });

  test('nothing that is typed breaks it, and what it writes it reads as the same', () => {
    const typed = fc.oneof(fc.string(), fc.stringMatching(/^[\d年月日:/. T-]{0,20}$/));
    fc.assert(
      fc.property(fc.constantFrom(...(Object.keys(whenForms) as WhenKind[])), typed, (kind, text) => {
        const written = whenWritten(kind, text);
        if (written !== null) expect(whenWritten(kind, written)).toBe(written);
      }),
      { numRuns: 2000 },
    );
  });
});
