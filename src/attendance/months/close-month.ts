import { createHash } from 'node:crypto';
import type { Site } from '../../platform/site.ts';
import type { Clock } from '../../runtime/clock.ts';
import { monthBoundsOf } from '../../runtime/wall-time.ts';
import type {
  CorrectionReads,
  NewFrozenRow,
  PeopleReads,
  Period,
  PeriodChange,
  PeriodReads,
  PeriodWrites,
  ReadPart,
  ScheduleReads,
  WholeStore,
  WritePart,
} from '../../store/index.ts';
import type { AttendanceResults } from '../schedules/attendance-results.ts';
import { DepartmentsOfPeople, departmentsIn } from '../schedules/departments-by-date.ts';
import {
  canonicalLine,
  type FrozenMonth,
  monthDates,
  packLine,
  unpackLine,
  unpackMonth,
} from '../schedules/frozen-month.ts';
import type { PersonResults } from '../schedules/person-results.ts';
import type { ScheduleRules } from '../schedules/result.ts';
import { type ClosingFoot, type ClosingOutcome, countsOf, refusalText } from './closing-outcome.ts';
import { allDifferent, differences } from './day-differences.ts';
import { isToReview, Obstacles } from './in-the-way.ts';

export type ClosingWrites = Pick<
  PeriodWrites,
  'beginClosing' | 'freezeRows' | 'finishClosing' | 'refuseClosing' | 'notePeriodChanges' | 'notePeriodChecked'
>;

export interface ClosingParts {
  readonly store: ReadPart<
    PeriodReads &
      CorrectionReads &
      Pick<ScheduleReads, 'shifts' | 'leaves'> &
      Pick<PeopleReads, 'dayCounts' | 'person' | 'peopleCount' | 'departmentsByDate' | 'formerDepartments'>
  > &
    WritePart<ClosingWrites> &
    WholeStore;
  readonly results: Pick<AttendanceResults, 'of' | 'calendar' | 'inZone'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly site: Pick<Site, 'name' | 'timezone'>;
  /** With the version of the program that applies them. */
  readonly rules: Pick<ScheduleRules, 'clock' | 'nightOvertime'> & { readonly version: string };
}

export interface ClosingAsked {
  /** `2026-11`. */
  readonly month: string;
  /** External id of a department, and its name; null: the whole site. */
  readonly department: { readonly extId: string; readonly name: string } | null;
  readonly by: string;
  /** Why it is to be closed although something is in the way; null: it is not. */
  readonly force: string | null;
  /** Refuses the closing for missing check-ins and absences too: somebody has to see them. */
  readonly isReview?: boolean;
  /** Names of devices. */
  readonly wrongClocks: readonly string[];
  /** The draft that was cut, and is begun again; null: there was none. */
  readonly instead: number | null;
}

const rowsEach = 50;
/** Of one person in one month. */
const correctionsMax = 1000;

/**
 * Closes a month for a scope: every person's results are written as they are now, and hashed. In
 * memory are the rows of 50 people. People whose month is closed already keep what they have. A
 * draft that an error left is begun again by MonthClosings.
 */
export async function closeMonth(parts: ClosingParts, asked: ClosingAsked): Promise<ClosingOutcome> {
  const { store, clock, site } = parts;
  const { month, department, force, by, instead } = asked;
  const timeZone = site.timezone;
  await store.whole();
  const begun = await store.write.beginClosing({
    ...{ month, scopeId: department?.extId ?? '', scopeName: department?.name ?? '', instead },
    ...{ forced: force, timeZone, rules: parts.rules.version, by, at: clock.now() },
    people: await peopleOf(parts, asked),
  });
  if (!begun.ok) return begun;
  const { id, revision } = begun.value;
  const outcome = await new Closing(parts, asked, { id, revision, timeZone }).run();
  if ('draft' in outcome) await store.write.refuseClosing({ id, refusal: refusalText(outcome) });
  return outcome;
}

/** Of the people who are come past; some of them may be closed already. */
async function peopleOf({ store: { read } }: ClosingParts, { month, department }: ClosingAsked): Promise<number> {
  const { from, to } = monthDates(month);
  const stoodIn = department
    ? (await DepartmentsOfPeople.since(from, read)).stoodIn(department.extId, from, to)
    : undefined;
  return (await read.peopleCount({ stoodIn })).count;
}

/** One closing under way. */
class Closing {
  readonly #parts: ClosingParts;
  readonly #asked: ClosingAsked;
  /** One for the whole closing: the site's may be changed meanwhile. */
  readonly #timeZone: string;
  readonly #id: number;
  readonly #revision: number;
  readonly #hash = createHash('sha256');
  readonly #obstacles = new Obstacles();
  /** People who have a row; of the revision before all others are looked for at the end. */
  readonly #people = new Set<string>();
  readonly #corrections = new Set<number>();
  #previous: Period | null = null;
  /** People come past, also those without a row. */
  #done = 0;
  /** Rows on their way: the next ones are calculated meanwhile. */
  #writing: Promise<void> = Promise.resolve();

  constructor(
    parts: ClosingParts,
    asked: ClosingAsked,
    { id, revision, timeZone }: { readonly id: number; readonly revision: number; readonly timeZone: string },
  ) {
    this.#parts = parts;
    this.#asked = asked;
    this.#id = id;
    this.#revision = revision;
    this.#timeZone = timeZone;
  }

  async run(): Promise<ClosingOutcome> {
    const { store, results, clock } = this.#parts;
    const { month, department, force, isReview = false, wrongClocks } = this.#asked;
    const dates = monthDates(month);
    this.#previous = await this.#revisionBefore();
    const head = await this.#head();
    this.#line(head);
    let batch: PersonResults[] = [];
    for await (const one of results.inZone(this.#timeZone).of({ ...dates, departmentExtId: department?.extId })) {
      this.#done++;
      if (one.closed !== null || one.person.extId === '') continue;
      this.#obstacles.take(one);
      batch.push(one);
      if (batch.length < rowsEach) continue;
      await this.#freeze(await Promise.all(batch.map(each => this.#monthOf(each))));
      batch = [];
    }
    await this.#freeze(await Promise.all(batch.map(each => this.#monthOf(each))));
    await this.#keepOthers();
    await this.#writing;
    if (this.#people.size === 0) return { ok: false, draft: this.#id, why: 'nobody' };
    const inTheWay = await this.#obstacles.all(store.read, dates, monthBoundsOf(month, this.#timeZone)!);
    const isRefused = inTheWay.some(({ what }) => isReview || !isToReview(what));
    if (isRefused && force === null) return { ok: false, draft: this.#id, why: 'in_the_way', inTheWay };
    const foot: ClosingFoot = {
      people: this.#people.size,
      corrections: this.#corrections.size,
      wrong_clocks: wrongClocks,
      in_the_way: countsOf(inTheWay),
    };
    const footLine = canonicalLine(foot);
    this.#line(footLine);
    const hash = this.#hash.digest('hex');
    const done = await store.write.finishClosing({ id: this.#id, head, foot: footLine, hash, at: clock.now() });
    if (!done.ok) return done;
    return { ok: true, period: (await store.read.period(this.#id))! };
  }

  #line(line: string): void {
    this.#hash.update(`${line}\n`);
  }

  async #revisionBefore(): Promise<Period | null> {
    const { month, department } = this.#asked;
    const all = await this.#parts.store.read.periods({ month, limit: 1000 });
    const ours = all.filter(({ scopeId }) => scopeId === (department?.extId ?? ''));
    return ours.find(({ revision }) => revision === this.#revision - 1) ?? null;
  }

  async #head(): Promise<string> {
    const { store, results, clock, site, rules } = this.#parts;
    const { month, department, by, force } = this.#asked;
    const { from, to } = monthDates(month);
    const [calendar, shifts] = await Promise.all([results.calendar(from, to), store.read.shifts()]);
    return canonicalLine({
      format: 'gatehouse closed month 1',
      site: site.name,
      month,
      scope: department && { ext_id: department.extId, name: department.name },
      revision: this.#revision,
      /** So that a revision cannot be left out. */
      previous: this.#previous?.hash ?? null,
      ...{ by, at: clock.now(), forced: force, time_zone: this.#timeZone, rules },
      calendar: Object.fromEntries(calendar),
      shifts: shifts.filter(({ validFrom }) => validFrom <= to),
    });
  }

  async #monthOf({ person, days, sums, places }: PersonResults): Promise<FrozenMonth & { departments: string[] }> {
    const { extId, name, employeeNum, title, department, departmentExtId } = person;
    const ids = new Set(days.flatMap(day => day.punches.flatMap(({ punch }) => punch.correctionId ?? [])));
    const rows =
      ids.size === 0 ? [] : await this.#parts.store.read.corrections({ extIds: [extId], limit: correctionsMax });
    const corrections = rows.filter(({ id }) => ids.has(id)).map(({ id, kind, reason }) => ({ id, kind, reason }));
    return {
      person: { extId, name, employeeNum, title, department, departmentExtId },
      ...(places.length > 1 ? { places } : {}),
      ...{ days, sums, corrections, departments: departmentsIn(places) },
    };
  }

  async #freeze(months: readonly (FrozenMonth & { departments: string[] })[]): Promise<void> {
    const rows: NewFrozenRow[] = [];
    for (const { departments, ...month } of months) {
      const line = canonicalLine(month);
      this.#line(line);
      const { extId, name, employeeNum } = month.person;
      this.#people.add(extId);
      for (const { id } of month.corrections) this.#corrections.add(id);
      // A copy of its own size: that of zstd is a view of 64 KiB, and threads copy all of it.
      rows.push({ extId, name, employeeNum, departments, packed: new Uint8Array(packLine(line)) });
    }
    await this.#write(rows);
    await this.#compare(months);
  }

  /** Resolves when the rows before are written. */
  async #write(rows: readonly NewFrozenRow[]): Promise<void> {
    const { store, clock } = this.#parts;
    await this.#writing;
    this.#writing = store.write.freezeRows({ id: this.#id, rows, done: this.#done, at: clock.now() });
    // Its error is thrown where it is awaited next.
    this.#writing.catch(() => {});
  }

  /** With the revision before. */
  async #compare(months: readonly FrozenMonth[]): Promise<void> {
    if (!this.#previous || months.length === 0) return;
    const extIds = months.map(({ person }) => person.extId);
    const rows = await this.#parts.store.read.rowsOfPeriod({ id: this.#previous.id, extIds, limit: extIds.length });
    const before = new Map(rows.map(({ extId, packed }) => [extId, unpackMonth(packed)]));
    await this.#note(
      extIds,
      months.flatMap(month => {
        const was = before.get(month.person.extId);
        return was ? differences(was, month) : allDifferent(month, 'now');
      }),
    );
  }

  #note(lookedAt: readonly string[], changes: readonly Omit<PeriodChange, 'kind' | 'noticedAt'>[]): Promise<void> {
    const { store, clock } = this.#parts;
    return store.write.notePeriodChanges({ id: this.#id, kind: 'revision', lookedAt, changes, at: clock.now() });
  }

  /**
   * Those of the revision before who have no row yet. Who was deleted keeps the figures: the
   * check-ins are gone. Who has moved to another department is not in this closing any more.
   */
  async #keepOthers(): Promise<void> {
    if (!this.#previous) return;
    const { store } = this.#parts;
    for (let after: number | undefined; ; ) {
      const rows = await store.read.rowsOfPeriod({ id: this.#previous.id, after, limit: rowsEach });
      for (const { extId, packed } of rows) {
        if (this.#people.has(extId)) continue;
        const month = unpackMonth(packed);
        if (await store.read.person(extId)) {
          await this.#note([extId], allDifferent(month, 'was'));
          continue;
        }
        this.#line(unpackLine(packed));
        this.#people.add(extId);
        const { name, employeeNum, departmentExtId } = month.person;
        const row = { extId, name, employeeNum, departments: [departmentExtId], packed };
        await this.#write([row]);
      }
      if (rows.length < rowsEach) return;
      after = rows.at(-1)!.id;
    }
  }
}
