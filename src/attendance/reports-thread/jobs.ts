import { type DailyFacts, workdayBeforeDaysMax } from '../../platform/daily-report.ts';
import type { MonthFilter } from '../../platform/day-figures.ts';
import type { DateText } from '../../platform/shifts.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import { wallTime } from '../../runtime/wall-time.ts';
import type { OwnReader, Period } from '../../store/index.ts';
import { type ClosingAsked, closeMonth } from '../months/close-month.ts';
import { closedLines, hashOfClosed } from '../months/closed-lines.ts';
import type { ClosingOutcome } from '../months/closing-outcome.ts';
import { noteLateChanges } from '../months/late-changes.ts';
import { deviceName } from '../reports/device-name.ts';
import { type MonthAsked, monthCsv, monthReport, monthXlsx } from '../reports/month-report.ts';
import { type RecordsAsked, recordPages } from '../reports/record-rows.ts';
import { type RecordsFile, recordsFile } from '../reports/records-file.ts';
import { AttendanceResults } from '../schedules/attendance-results.ts';
import { dailyFacts, idOf, isScheduled, type PeopleOnDay } from '../schedules/daily-facts.ts';
import { type DayArrivals, dayArrivals } from '../schedules/day-arrivals.ts';
import { type DayList, type DayListAsked, dayList } from '../schedules/day-list.ts';
import { onDay, type PersonOnDay } from '../schedules/day-status.ts';
import { monthDates } from '../schedules/frozen-month.ts';
import { type MonthFigures, monthFigures } from '../schedules/month-figures.ts';
import { filtersOf } from '../schedules/month-filters.ts';
import type { PersonResults } from '../schedules/person-results.ts';
import { flagsToShow } from '../schedules/result.ts';
import type { ResultsQuery } from '../schedules/results-query.ts';
import type { KeptLists } from './kept-lists.ts';
import { type JobFacts, type MainCalls, type Piece, pieceSize } from './messages.ts';

/** People of one piece: some 300 days. */
const peopleEach = 10;
const undecidedMax = 10_000;

export interface PeopleAsked extends Omit<ResultsQuery, 'signal'> {
  /**
   * `sums` leaves the days out, `days` their punches, `marks` also the segment of a day that has
   * only one: its state is the day's.
   */
  readonly detail: 'sums' | 'marks' | 'days' | 'punches';
  /** Only people whom one of these finds; absent: everybody. */
  readonly show?: readonly MonthFilter[] | undefined;
}

/** Everybody of a scope in one month. */
export interface FiguresAsked extends Pick<ResultsQuery, 'departmentExtId' | 'text'> {
  readonly month: string;
}

/** Everybody of a scope on one day. */
interface DayOf extends Pick<ResultsQuery, 'departmentExtId' | 'text'> {
  readonly day: DateText;
}

export interface DayAsked extends DayOf {
  /** Number of the list that earlier pages are of; null: this is the first one. */
  readonly list: number | null;
  readonly asked: DayListAsked;
}

/** The daily report of some departments with those below them; none: of everybody. */
export interface DailyAsked {
  readonly day: DateText;
  readonly departments: readonly string[];
}

export interface DayPage extends DayList {
  readonly list: number;
  /** By the codes of all shifts. */
  readonly shiftNames: ReadonlyMap<string, string>;
}

export interface RecordsFileAsked {
  readonly asked: RecordsAsked;
  readonly file: RecordsFile;
}

export interface JobParts {
  readonly reader: Pick<OwnReader, 'read' | 'devices'>;
  readonly main: MainCalls;
  readonly facts: JobFacts;
  now(): UnixMs;
  readonly signal: AbortSignal;
  readonly lists: KeptLists;
}

type Job<Asked, Value = void> = (parts: JobParts, asked: Asked) => AsyncGenerator<Piece, Value>;

/** Work of the reports thread by name: pieces of an answer, and a value at the end. */
export const jobs = {
  async *people(parts, { detail, show, ...query }) {
    let people: PersonResults[] = [];
    for await (const one of peopleFound(parts, query, show)) {
      people.push({ ...one, days: daysOf(one, detail) });
      if (people.length < peopleEach) continue;
      yield people;
      people = [];
    }
    yield people;
  },

  async *day(parts, { list: before, asked, ...of }) {
    const { lists, facts, reader } = parts;
    const kept = before === null ? null : lists.of(before);
    const people = kept ?? (await everybodyOn(parts, of));
    const list = kept ? before! : lists.keep(people, facts.now);
    const shifts = await reader.read.shifts();
    return { list, shiftNames: new Map(shifts.map(({ code, name }) => [code, name])), ...dayList(people, asked) };
  },

  // biome-ignore lint/correctness/useYield: it has no pieces
  async *arrivals(parts, { day }) {
    const { now, site } = parts.facts;
    return dayArrivals(await everybodyOn(parts, { day }), wallTime(site.timezone).dayBounds(day), now);
  },

  // biome-ignore lint/correctness/useYield: it has no pieces
  async *daily(parts, { day, departments }) {
    const today = await peopleOn(parts, day, departments);
    const before = isScheduled(today) ? await workdayBefore(parts, day, departments) : null;
    return { ...dailyFacts(today, before, parts.facts), ...(await undecidedOf(parts, today)) };
  },

  // biome-ignore lint/correctness/useYield: it has no pieces
  async *figures(parts, { month, ...query }) {
    const { signal } = parts;
    return monthFigures(
      resultsOf(parts).foundInGroups({ ...query, ...monthDates(month), byDepartment: true, isBrief: true, signal }),
    );
  },

  async *month(parts, asked) {
    const { reader, signal } = parts;
    const report = monthReport(asked, {
      read: reader.read,
      people: resultsOf(parts).of({ ...asked.query, byDepartment: true, signal }),
      deviceName: deviceNo => deviceName(reader.devices, deviceNo),
    });
    yield* inPieces(asked.separator === null ? monthXlsx(report) : monthCsv(report, asked.separator));
  },

  async *records({ reader, signal }, { asked, file }) {
    const { timeZone } = file;
    yield* inPieces(recordsFile(recordPages(reader.read, asked, { timeZone, signal }), file));
  },

  // biome-ignore lint/correctness/useYield: it has no pieces
  async *close(parts, asked) {
    return closeMonth(closingParts(parts), asked);
  },

  // biome-ignore lint/correctness/useYield: it has no pieces
  async *noteLate(parts, period) {
    await noteLateChanges(closingParts(parts), period, parts.signal);
  },

  async *lines({ reader }, period) {
    yield* inPieces(closedLines(reader, period));
  },

  // biome-ignore lint/correctness/useYield: it has no pieces
  async *hash({ reader }, period) {
    return hashOfClosed(reader, period);
  },
} satisfies {
  people: Job<PeopleAsked>;
  day: Job<DayAsked, DayPage>;
  arrivals: Job<Pick<DayOf, 'day'>, DayArrivals | null>;
  daily: Job<DailyAsked, DailyFacts>;
  figures: Job<FiguresAsked, MonthFigures>;
  month: Job<MonthAsked>;
  records: Job<RecordsFileAsked>;
  close: Job<ClosingAsked, ClosingOutcome>;
  noteLate: Job<Period>;
  lines: Job<Period>;
  hash: Job<Period, string>;
};

export type Jobs = typeof jobs;

/** People who are employed on a day, by department. */
async function everybodyOn(parts: JobParts, { day, ...query }: DayOf): Promise<PersonOnDay[]> {
  const people: PersonOnDay[] = [];
  const asked = { ...query, from: day, to: day, isBrief: true, signal: parts.signal };
  for await (const group of resultsOf(parts).inGroups(asked))
    for (const one of group) {
      const found = onDay(one, parts.facts.now);
      if (found) people.push(found);
    }
  return people;
}

/** Everybody of some departments and those below; who stands in two of these is there once. */
async function peopleOn(parts: JobParts, day: DateText, departments: readonly string[]): Promise<PeopleOnDay> {
  const people = new Map<number, PersonOnDay>();
  for (const departmentExtId of departments.length === 0 ? [undefined] : departments)
    for (const one of await everybodyOn(parts, { day, departmentExtId })) people.set(idOf(one), one);
  return { day, people: [...people.values()] };
}

/** The last day on which anybody had to work: after a holiday the day before it. */
async function workdayBefore(parts: JobParts, day: DateText, departments: readonly string[]) {
  for (let back = 1; back <= workdayBeforeDaysMax && !parts.signal.aborted; back++) {
    const found = await peopleOn(parts, addDays(day, -back), departments);
    if (isScheduled(found)) return found;
  }
  return null;
}

/** Requests of these people that nobody has decided. */
async function undecidedOf({ reader }: JobParts, { people }: PeopleOnDay) {
  const here = new Set(people.map(({ person }) => person.extId).filter(extId => extId !== ''));
  const [corrections, leaves] = await Promise.all([
    reader.read.corrections({ state: 'asked', limit: undecidedMax }),
    reader.read.leaves({ state: 'asked', limit: undecidedMax }),
  ]);
  return {
    corrections: new Set(corrections.filter(({ extId }) => here.has(extId)).map(({ id }) => id)).size,
    leaves: leaves.filter(({ extId }) => here.has(extId)).length,
  };
}

/** Of people whom a filter finds, as many as are asked for; without one everybody. */
async function* peopleFound(
  parts: JobParts,
  query: Omit<ResultsQuery, 'signal'>,
  show: PeopleAsked['show'],
): AsyncGenerator<PersonResults> {
  const { signal } = parts;
  if (show === undefined) return yield* resultsOf(parts).of({ ...query, signal });
  const { limit = Number.POSITIVE_INFINITY } = query;
  let [count, last] = [0, 0];
  // With any limit check-ins are read by person: a page seldom needs those of the whole site.
  for await (const one of resultsOf(parts).of({ ...query, limit: Number.MAX_SAFE_INTEGER, signal })) {
    if (!filtersOf(one).some(filter => show.includes(filter))) continue;
    const { id } = one.person.place;
    if (id > 0 && id !== last) {
      if (count === limit) return;
      count++;
      last = id;
    }
    yield one;
  }
}

function daysOf({ days }: PersonResults, detail: PeopleAsked['detail']): PersonResults['days'] {
  if (detail === 'punches') return days;
  if (detail === 'sums') return [];
  const isMark = detail === 'marks';
  return days.map(day => ({
    ...day,
    ...(isMark && { flags: flagsToShow(day), segments: day.segments.length === 1 ? [] : day.segments }),
    punches: [],
  }));
}

const resultsOf = ({ reader, facts, now }: JobParts): AttendanceResults =>
  new AttendanceResults({
    ...{ store: reader, clock: { now }, site: facts.site, rules: facts.rules },
    isOnline: deviceNo => facts.online.has(deviceNo),
    calendar: async dates =>
      new Map(
        dates.flatMap(date => {
          const kind = facts.calendar.get(date);
          return kind === undefined ? [] : [[date, kind]];
        }),
      ),
  });

const closingParts = (parts: JobParts) => {
  const { reader, main, facts, now } = parts;
  return {
    store: { read: reader.read, write: main, whole: main.whole },
    ...{ results: resultsOf(parts), clock: { now }, site: facts.site, rules: facts.rules },
  };
};

/** Bytes that own their buffers, which cross threads without a copy. */
async function* inPieces(texts: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  const joined = () => {
    const piece = new Uint8Array(size);
    let at = 0;
    for (const bytes of waiting) {
      piece.set(bytes, at);
      at += bytes.length;
    }
    [waiting, size] = [[], 0];
    return piece;
  };
  for await (const text of texts) {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    waiting.push(bytes);
    size += bytes.length;
    if (size >= pieceSize) yield joined();
  }
  yield joined();
}
