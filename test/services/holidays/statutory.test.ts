import { expect, test } from 'vitest';
import { isLegalHoliday } from '../../../src/services/holidays/statutory.ts';

const daysOf = (year: number): string[] =>
  Array.from({ length: 366 }, (_, day) => new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10)).filter(
    day => day.startsWith(String(year)) && isLegalHoliday(day),
  );

// The days that the State Council's notices of these years call 法定节假日.
test.each([
  [
    2024,
    '2024-01-01 2024-02-10 2024-02-11 2024-02-12 2024-04-04 2024-05-01 2024-06-10 2024-09-17 2024-10-01 2024-10-02 2024-10-03',
  ],
  [
    2025,
    '2025-01-01 2025-01-28 2025-01-29 2025-01-30 2025-01-31 2025-04-04 2025-05-01 2025-05-02 2025-05-31 2025-10-01 2025-10-02 2025-10-03 2025-10-06',
  ],
  [
    2026,
    '2026-01-01 2026-02-16 2026-02-17 2026-02-18 2026-02-19 2026-04-05 2026-05-01 2026-05-02 2026-06-19 2026-09-25 2026-10-01 2026-10-02 2026-10-03',
  ],
])('the legal holidays of %i are those of the law', (year, days) => {
  expect(daysOf(year).join(' ')).toBe(days);
});
