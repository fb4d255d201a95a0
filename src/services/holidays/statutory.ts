/**
 * The legal holidays of China among the days off of a year: the State Council's table lists whole
 * weeks, of which only these count as holidays when work is paid (Regulation on Public Holidays,
 * since 2025 with 除夕 and 2 May).
 */

const lunar = new Intl.DateTimeFormat('en-u-ca-chinese', { timeZone: 'UTC', month: 'numeric', day: 'numeric' });

/** Month and day of the Chinese calendar; `6bis` is a leap month, which has no holidays. */
const lunarDay = (date: string): string => lunar.format(Date.parse(`${date}T12:00:00Z`));

const nextDay = (date: string): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** The day of 清明: 4, 5 or 6 April. Holds for the years 2000 to 2099. */
const qingming = (year: number): string => {
  const ofCentury = year % 100;
  const day = Math.floor(ofCentury * 0.2422 + 4.81) - Math.floor(ofCentury / 4);
  return `04-${String(day).padStart(2, '0')}`;
};

const solar = new Set(['01-01', '05-01', '10-01', '10-02', '10-03']);
const lunarHolidays = new Set(['1/1', '1/2', '1/3', '5/5', '8/15']);

/** Of a date `YYYY-MM-DD`. */
export function isLegalHoliday(date: string): boolean {
  const year = Number(date.slice(0, 4));
  const day = date.slice(5);
  if (solar.has(day) || day === qingming(year) || lunarHolidays.has(lunarDay(date))) return true;
  return year >= 2025 && (day === '05-02' || lunarDay(nextDay(date)) === '1/1');
}
