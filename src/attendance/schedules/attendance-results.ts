import { setImmediate } from 'node:timers/promises';
import type { DateText } from '../../platform/shifts.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import { type WallTime, wallTime } from '../../runtime/wall-time.ts';
import {
  emptyPunchTable,
  type FrozenRow,
  type PersonRow,
  type PunchFacts,
  type PunchTable,
  punchesIn,
  type Span,
  type StoodIn,
} from '../../store/index.ts';
import { isIn, listed } from './by-department.ts';
import { DepartmentsOfPeople, placesIn } from './departments-by-date.ts';
import { monthsOf, unpackMonth } from './frozen-month.ts';
import { inputOf, type KnownPerson, type PlansOfPeople } from './known-person.ts';
import type { FoundPerson } from './month-figures.ts';
import { filtersIn, filtersOf, isPlanned } from './month-filters.ts';
import type { PersonResults } from './person-results.ts';
import { type CalendarKind, Plans } from './plan.ts';
import { type PunchList, punchList } from './punch-list.ts';
import { readPlans } from './read-plans.ts';
import { type Terminals, terminalsOf } from './reported.ts';
import { datesAround, datesFrom, marginDays, resultsOf } from './results.ts';
import type { OtherPlans, ResultsOptions, ResultsQuery } from './results-query.ts';
import { punchOf, StoredPunches } from './stored-punches.ts';
import { withFrozen } from './with-frozen.ts';

const none: readonly never[] = [];

/** People who are read at once; of some days more of them, since each has less. */
const peopleEach = 100;
const peopleOfDaysEach = 500;
const fewDates = 16;

/** Days that are calculated at once: a few milliseconds. */
const daysAtOnce = 400;

/** Of one person: more than a terminal can take in a month. */
const punchesMax = 100_000;

const rowsMax = 10_000;

/**
 * Results of people from what the store has: plans, punches, leave. Nothing is kept between two
 * calls, so that what arrived or changed meanwhile is in the next one. The days of a month that was
 * closed are those that were closed.
 */
export class AttendanceResults {
  readonly #options: ResultsOptions;
  readonly #change: ((row: PunchFacts) => PunchFacts) | undefined;

  constructor(options: ResultsOptions, change?: (row: PunchFacts) => PunchFacts) {
    this.#options = options;
    this.#change = change;
  }

  /** The same from other plans or places than those that are stored: what they would change. */
  withPlans(plans: OtherPlans): AttendanceResults {
    const { store, ...options } = this.#options;
    return new AttendanceResults({ ...options, store: { read: { ...store.read, ...plans } } }, this.#change);
  }

  /** The same from other check-ins than those that are stored. */
  withPunches(change: (row: PunchFacts) => PunchFacts): AttendanceResults {
    return new AttendanceResults(this.#options, change);
  }

  /** The same in another time zone. */
  inZone(timeZone: string): AttendanceResults {
    return new AttendanceResults({ ...this.#options, site: { timezone: timeZone } }, this.#change);
  }

  /** Calendar of the dates from `from` to `to`, both inclusive. */
  calendar(from: DateText, to: DateText): Promise<ReadonlyMap<DateText, CalendarKind>> {
    return this.#options.calendar(datesFrom(from, to));
  }

  /**
   * Person by person, by department, then those who were in a scope when its month was closed and
   * are not now. In memory are the plans of 100 people, or of 500 for a few days, and their
   * check-ins or everybody's.
   */
  async *of(query: ResultsQuery): AsyncGenerator<PersonResults> {
    for await (const people of this.inGroups(query)) for (const one of people) yield one;
  }

  /**
   * The same, a few people at a time: each is calculated when the group is iterated, and others
   * have their turn between two groups.
   */
  inGroups(query: ResultsQuery): AsyncGenerator<Iterable<PersonResults>> {
    return this.#inGroups(
      query,
      known => this.#partsOf(known, query),
      one => one,
    );
  }

  /** Filters of a month that find people in the results of `inGroups`. */
  foundInGroups(query: ResultsQuery): AsyncGenerator<Iterable<FoundPerson>> {
    const foundIn = (one: PersonResults): FoundPerson => ({
      ...{ person: one.person, closed: one.closed },
      ...{ filters: filtersOf(one), isPlanned: one.days.some(isPlanned) },
    });
    return this.#inGroups(
      query,
      known =>
        // A few have closed days, or moved.
        known.rows.length > 0 || known.places.length > 1
          ? this.#partsOf(known, query).map(foundIn)
          : [{ person: known.person, closed: null, ...filtersIn(inputOf(known, query, this.#options.rules)) }],
      foundIn,
    );
  }

  /** `ofOther`: of the closed results of somebody who is not in the scope now. */
  async *#inGroups<Part>(
    query: ResultsQuery,
    partsOf: (known: KnownPerson) => readonly Part[],
    ofOther: (one: PersonResults) => Part,
  ): AsyncGenerator<Iterable<Part>> {
    const { site, store } = this.#options;
    const { read } = store;
    // One for the whole call: the zone may be changed meanwhile.
    const wall = wallTime(site.timezone);
    const [first, last] = [addDays(query.from, -marginDays), addDays(query.to, marginDays)];
    const [terminals, departments, calendar] = await Promise.all([
      this.#terminals(),
      DepartmentsOfPeople.since(first, read),
      this.#options.calendar(datesAround(query.from, query.to)),
    ]);
    const months = query.isLive ? [] : monthsOf(query.from, query.to);
    const { departmentExtId: scope, from, to } = query;
    const stoodIn = departments.stoodIn(scope, from, to);
    const punchesOf = this.#punches(query, secondsOf(wall, { from: first, to: last }));
    const groupOf = Math.ceil(daysAtOnce / datesFrom(first, last).length);
    const wanted = { left: query.extId === undefined ? (query.limit ?? Number.POSITIVE_INFINITY) : 1 };
    for await (const people of this.#pages(query, stoodIn, wanted)) {
      const plans = await this.#plansOf(people, query, calendar, wall);
      const frozen = await this.#frozenOf(people, months);
      const placesOf = await departments.of(people.map(({ place }) => place));
      const isClosed = ({ extId }: PersonRow) =>
        months.length > 0 && (frozen.get(extId)?.length ?? 0) === months.length;
      const punches = await punchesOf(people.filter(person => !isClosed(person)));
      const partsFor = (person: PersonRow): readonly Part[] => {
        const places = placesOf(person.place, first, last);
        const rows = frozen.get(person.extId) ?? none;
        const isFrozen = isClosed(person);
        if (!isFrozen && !placesIn(places, from, to).some(place => isIn(place, scope))) return [];
        const own = this.#punchesIn(punches, person);
        const parts = partsOf({ person, places, rows, isClosed: isFrozen, punches: own, plans, terminals, wall });
        if (parts.length > 0) wanted.left--;
        return parts;
      };
      for (let begin = 0; begin < people.length; begin += groupOf) {
        await setImmediate();
        if (query.signal?.aborted) return;
        yield eachOf(people.slice(begin, begin + groupOf), partsFor);
      }
    }
    if (wanted.left > 0 && months.length === 1)
      for await (const one of this.#others(months[0]!, query, stoodIn)) yield [ofOther(one)];
  }

  #partsOf(known: KnownPerson, query: ResultsQuery): readonly PersonResults[] {
    const { person, places, rows, isClosed, punches, terminals } = known;
    const used = terminalsOf(punches, terminals);
    const found = isClosed ? null : resultsOf(inputOf(known, query, this.#options.rules));
    const one = withFrozen({ person, places, terminals: used, found, rows, isClosed }, query);
    return listed(one, query.departmentExtId, query.byDepartment);
  }

  /** Closed rows of people, by external id; one for each month. */
  async #frozenOf(people: readonly PersonRow[], months: readonly string[]): Promise<Map<string, FrozenRow[]>> {
    const extIds = people.map(({ extId }) => extId).filter(extId => extId !== '');
    const rows = months.length === 0 ? [] : await this.#options.store.read.frozenRows({ months, extIds });
    const byPerson = new Map<string, FrozenRow[]>();
    for (const row of rows) {
      const kept = byPerson.get(row.extId);
      if (!kept) byPerson.set(row.extId, [row]);
      else if (!kept.some(({ month }) => month === row.month)) kept.push(row);
    }
    for (const kept of byPerson.values()) kept.sort((one, other) => (one.month < other.month ? -1 : 1));
    return byPerson;
  }

  /** Those whose closed month belongs to the scope, and who have moved or were deleted since. */
  async *#others(month: string, query: ResultsQuery, stoodIn: StoodIn | undefined): AsyncGenerator<PersonResults> {
    const { read } = this.#options.store;
    const { extId, departmentExtId, text } = query;
    for (let after: number | undefined; ; ) {
      const rows =
        extId === undefined
          ? await read.frozenOfOthers({ month, departmentExtId, stoodIn, text, after, limit: peopleEach })
          : await read.frozenRows({ months: [month], extIds: [extId] });
      for (const row of rows) {
        if (query.signal?.aborted) return;
        const place = { department: 0, id: -row.id };
        const person = { ...unpackMonth(row.packed).person, place, mobile: '', missingSince: null };
        const one = withFrozen({ person, places: [], terminals: [], found: null, rows: [row], isClosed: true }, query);
        yield* listed(one, departmentExtId, query.byDepartment);
      }
      if (rows.length < peopleEach || extId !== undefined) return;
      after = rows.at(-1)!.id;
    }
  }

  /** Until no more are wanted. */
  async *#pages(
    { extId, after, text, signal, from, to }: ResultsQuery,
    stoodIn: StoodIn | undefined,
    wanted: { readonly left: number },
  ): AsyncGenerator<PersonRow[]> {
    const { read } = this.#options.store;
    if (extId !== undefined) {
      const person = await read.person(extId);
      if (person) yield [person];
      return;
    }
    let place = after;
    const each = datesAround(from, to).length <= fewDates ? peopleOfDaysEach : peopleEach;
    while (wanted.left > 0 && !signal?.aborted) {
      const asked = Math.min(each, wanted.left);
      const people = await read.people({ stoodIn, text, after: place, limit: asked });
      if (people.length > 0) yield people;
      if (people.length < asked) return;
      place = people.at(-1)!.place;
    }
  }

  async #plansOf(
    people: readonly PersonRow[],
    { from, to }: ResultsQuery,
    calendar: ReadonlyMap<DateText, CalendarKind>,
    wall: WallTime,
  ): Promise<PlansOfPeople> {
    const { read } = this.#options.store;
    const ids = people.map(({ extId }) => extId).filter(extId => extId !== '');
    const around = { from: addDays(from, -marginDays), to: addDays(to, marginDays) };
    const [planned, asked] = await Promise.all([
      readPlans(read, ids, around),
      read.corrections({ extIds: ids, ...secondsOf(wall, around), state: 'asked', limit: rowsMax }),
    ]);
    return {
      plans: new Plans({ ...planned, calendar: date => calendar.get(date) ?? null }),
      employments: planned.employments,
      leaves: planned.leaves,
      asked: Map.groupBy(asked, ({ extId }) => extId),
    };
  }

  #punchesIn(table: PunchTable, { place }: PersonRow): PunchList {
    const change = this.#change;
    if (!change) return new StoredPunches(table, place.id);
    return punchList(punchesIn(table, place.id).map(row => punchOf(change(row))));
  }

  /** Reads the check-ins of people: where everybody is asked for, with the first of them. */
  #punches(
    { extId, departmentExtId, text, after, limit, isBrief }: ResultsQuery,
    span: Span,
  ): (people: readonly PersonRow[]) => Promise<PunchTable> {
    const { rules, store } = this.#options;
    const { read } = store;
    // Corrected clocks move check-ins.
    const brief = isBrief && rules.clock === 'as_said';
    const isOfAll = [extId, departmentExtId, text, after, limit].every(cut => cut === undefined);
    let ofAll: Promise<PunchTable | null> | undefined;
    return async people => {
      // Check-ins name a person by external id.
      const ids = people.filter(person => person.extId !== '').map(({ place }) => place.id);
      if (ids.length === 0) return emptyPunchTable();
      if (isOfAll) ofAll ??= read.punchFactsOfAll({ ...span, brief });
      return (await ofAll) ?? read.punchFacts({ ids, ...span, limit: punchesMax });
    };
  }

  async #terminals(): Promise<Terminals> {
    const { store, clock, isOnline } = this.#options;
    return { now: clock.now(), seen: await store.read.lastSeen(), isOnline: deviceNo => isOnline(deviceNo) };
  }
}

function* eachOf<Person, Part>(
  people: readonly Person[],
  partsOf: (person: Person) => Iterable<Part>,
): Generator<Part> {
  for (const person of people) yield* partsOf(person);
}

const secondsOf = (wall: WallTime, { from, to }: { readonly from: DateText; readonly to: DateText }) => ({
  from: wall.dayBounds(from).from,
  to: wall.dayBounds(to).to,
});
