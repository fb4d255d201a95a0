import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { isYear, readDay } from './day.ts';
import { dayName, type HolidayDay, type HolidayTable, type HolidayYear, inOrder } from './table.ts';

const fileCharactersMax = 1 << 20;

type Path = readonly (string | number)[];

/** A site's table is refused: every problem, one line each, in the order of the file. */
export class HolidayTableRefused extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'HolidayTableRefused';
    this.problems = problems;
  }
}

const name = (what: string) =>
  z
    .string({ error: issue => (issue.input === undefined ? `missing: write ${what}` : `not ${what}: write text`) })
    .min(1, { error: `empty: write ${what}` })
    .max(100, { error: 'too long: at most 100 characters' });

const list = { error: 'not a list: write its entries under it, each after "- "' };

const day = z.strictObject({
  day: z.string({ error: 'not a day: write YYYY-MM-DD' }),
  name: name('the name of the day').optional(),
  type: z.enum(['BREAK', 'WORK'], { error: 'not a type: write BREAK for a rest day, WORK for a workday' }),
});

const holiday = z.strictObject({
  code: name('a code such as spring-festival').regex(/^[a-z0-9-]{1,64}$/, {
    error: 'not a code: small letters, digits and hyphens, at most 64',
  }),
  name: name('the name of the holiday'),
  days: z.array(day, list),
});

/** The file: years, each as SPEC 2.9 has it, without the number that its key already says. */
const table = z.record(z.string(), z.strictObject({ holidays: z.array(holiday, list) }));

/**
 * Reads a site's own holiday years from YAML or JSON, at most 1 Mi characters:
 *
 *     2027:
 *       holidays:
 *         - code: spring-festival
 *           name: 春节
 *           days:
 *             - { day: 2027-02-05, type: BREAK }
 *             - { day: 2027-02-20, type: WORK }
 *
 * `name` of a day may be left out. `file` is named in the errors, as the person wrote it. Throws
 * `HolidayTableRefused` with every error, each with its line, its place and the value:
 * `holidays.yaml:9:16 2027.holidays[0].days[3].day "2027-2-30": no such day`.
 */
export function readHolidayTable(file: string, text: string): HolidayTable {
  if (text.length > fileCharactersMax) throw new HolidayTableRefused([`${file}: larger than 1 MiB`]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0)
    throw new HolidayTableRefused(
      document.errors.map(error => `${at(error.pos[0])}: not YAML: ${error.message.split('\n')[0]}`),
    );
  if (document.contents === null) return new Map();
  if (!isMap(document.contents))
    throw new HolidayTableRefused([`${file}: no map of years: write \`2027:\` and its holidays under it`]);

  const found: { offset: number; text: string }[] = [];
  const refuse = (path: Path, reason: string): void => {
    const node = nodeAt(document, path);
    const offset = rangeOf(node) ?? rangeOf(nodeAt(document, path.slice(0, -1))) ?? 0;
    const written =
      isScalar(node) && node.value !== null
        ? ` ${JSON.stringify((node.source ?? String(node.value)).slice(0, 80))}`
        : '';
    found.push({ offset, text: `${at(offset)} ${pathText(path)}${written}: ${reason}` });
  };
  let values: unknown;
  try {
    values = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new HolidayTableRefused([`${file}: cannot be read: ${(error as Error).message}`]);
  }
  const parsed = table.safeParse(values);
  if (!parsed.success)
    for (const issue of parsed.error.issues) {
      const path = issue.path as Path;
      if (issue.code === 'unrecognized_keys')
        for (const key of issue.keys) refuse([...path, key], `unknown key: known here are ${knownKeys(path)}`);
      else if (issue.code === 'invalid_type' && issue.expected === 'object')
        refuse(path, `not a map: write its keys: ${knownKeys(path)}`);
      else refuse(path, issue.message);
    }
  else for (const [year, value] of Object.entries(parsed.data)) checkYear(year, value.holidays, refuse);
  if (found.length > 0 || !parsed.success)
    throw new HolidayTableRefused(found.sort((a, b) => a.offset - b.offset).map(one => one.text));
  return new Map(Object.entries(parsed.data).map(([year, value]) => [Number(year), asYear(Number(year), value)]));
}

type WrittenHoliday = z.infer<typeof holiday>;

/** Rules beyond a schema: each day exists, lies in its year, and is listed once. */
function checkYear(
  year: string,
  holidays: readonly WrittenHoliday[],
  refuse: (path: Path, reason: string) => void,
): void {
  if (!/^[1-9]\d*$/.test(year) || !isYear(Number(year))) {
    refuse([year], 'not a year: write 1 to 9999');
    return;
  }
  const places = new Map<string, Path>();
  const codes = new Map<string, number>();
  for (const [index, { code, days }] of holidays.entries()) {
    const other = codes.get(code);
    if (other !== undefined) refuse([year, 'holidays', index, 'code'], `already the code of holidays[${other}]`);
    else codes.set(code, index);
    for (const [dayIndex, one] of days.entries()) {
      const path = [year, 'holidays', index, 'days', dayIndex, 'day'];
      try {
        if (readDay(one.day).year !== Number(year)) refuse(path, `not in ${year}`);
      } catch (error) {
        refuse(path, (error as Error).message);
        continue;
      }
      const before = places.get(one.day);
      if (before) refuse(path, `already listed at ${pathText(before)}`);
      else places.set(one.day, path.slice(0, -1));
    }
  }
}

const asYear = (year: number, { holidays }: { holidays: readonly WrittenHoliday[] }): HolidayYear => ({
  year,
  holidays: holidays.map(one => ({
    code: one.code,
    name: one.name,
    days: inOrder(
      one.days.map(
        (each): HolidayDay => ({
          day: each.day,
          name: each.name ?? dayName(one.name, each.type),
          type: each.type,
        }),
      ),
    ),
  })),
});

const knownKeys = (path: Path): string =>
  path.length <= 1 ? 'holidays' : path.includes('days') ? 'day, name, type' : 'code, name, days';

const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${step}` : step),
    '',
  );

/** YAML has the year as a number, JSON as a text. */
const nodeAt = (document: Document, [year, ...rest]: Path): unknown =>
  year === undefined
    ? document.contents
    : (document.getIn([Number(year), ...rest], true) ?? document.getIn([year, ...rest], true));

const rangeOf = (node: unknown): number | undefined =>
  (node as { range?: readonly number[] | null } | undefined)?.range?.[0];
