import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The years of the table: before 2019 the sources contradict each other, after 2026 nothing is
 * published yet.
 */
const years = [2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026];

/**
 * The seven holidays of the State Council's yearly notice: the source's English name, our permanent
 * code, the name in the notice.
 */
const holidays: Readonly<Record<string, readonly [code: string, name: string]>> = {
  "New Year's Day": ['new-year', '元旦'],
  'Spring Festival': ['spring-festival', '春节'],
  'Tomb-sweeping Day': ['tomb-sweeping-day', '清明节'],
  'Labour Day': ['labour-day', '劳动节'],
  'Dragon Boat Festival': ['dragon-boat-festival', '端午节'],
  'Mid-autumn Festival': ['mid-autumn-festival', '中秋节'],
  'National Day': ['national-day', '国庆节'],
};

export const builtInFile = fileURLToPath(new URL('../src/services/holidays/built-in.generated.json', import.meta.url));

interface Source {
  /** `2026-01-01`: `New Year's Day,元旦,1` */
  readonly holidays: Readonly<Record<string, string>>;
  readonly workdays: Readonly<Record<string, string>>;
}

/** The built-in years, a row for each holiday, made from the package `chinese-days`. */
export function builtInSource(): string {
  const package_ = dirname(createRequire(import.meta.url).resolve('chinese-days/package.json'));
  const source: Source = JSON.parse(readFileSync(`${package_}/dist/chinese-days.json`, 'utf8'));
  const lines = years.map(year => {
    const made = Object.entries(holidays)
      .map(([english, [code, name]]) => ({
        code,
        name,
        breaks: daysOf(source.holidays, year, english),
        works: daysOf(source.workdays, year, english),
      }))
      .filter(({ breaks }) => breaks.length > 0)
      .sort((a, b) => (a.breaks[0]! < b.breaks[0]! ? -1 : 1));
    const rows = made.map(
      ({ code, name, breaks, works }) => `  ${JSON.stringify([code, name, breaks.join(' '), works.join(' ')])}`,
    );
    return ` "${year}": [\n${rows.join(',\n')}\n ]`;
  });
  for (const [day, label] of [...Object.entries(source.holidays), ...Object.entries(source.workdays)])
    if (years.includes(Number(day.slice(0, 4))) && !(englishOf(label) in holidays))
      throw new Error(`${day} ${label}: a holiday without a code; add it to scripts/holidays.ts`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

const englishOf = (label: string): string => label.slice(0, label.indexOf(','));

const daysOf = (days: Readonly<Record<string, string>>, year: number, english: string): string[] =>
  Object.keys(days)
    .filter(day => day.startsWith(`${year}-`) && englishOf(days[day]!) === english)
    .map(day => day.slice('YYYY-'.length))
    .sort();

if (import.meta.main) writeFileSync(builtInFile, builtInSource());
