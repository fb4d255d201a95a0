import { type Places, placeOn } from '../../platform/places.ts';
import type { DateText } from '../../platform/shifts.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import type { DepartmentsByDate, PeopleReads, PersonPlace, StoodIn } from '../../store/index.ts';

/** Some dates, both inclusive, in one department that stood under the same ones all the time. */
export interface Place {
  readonly from: DateText;
  readonly to: DateText;
  /** Its name and external id, each empty if it has none. */
  readonly department: string;
  readonly departmentExtId: string;
  /** External ids: the department, then those above it. */
  readonly chain: readonly string[];
}

type Where = Omit<Place, 'from' | 'to'>;
const isSame = (one: Where, other: Where): boolean =>
  one.department === other.department &&
  one.departmentExtId === other.departmentExtId &&
  one.chain.join('\n') === other.chain.join('\n');

/** External ids of all departments that places lie in, each once. */
export const departmentsIn = (places: readonly Place[]): string[] => [...new Set(places.flatMap(({ chain }) => chain))];

/** The parts of places that lie in some dates. */
export const placesIn = (places: readonly Place[], from: DateText, to: DateText): Place[] =>
  places
    .filter(place => place.from <= to && place.to >= from)
    .map(place => ({
      ...place,
      from: place.from < from ? from : place.from,
      to: place.to > to ? to : place.to,
    }));

type Node = DepartmentsByDate['nodes'][number];

/** The tree of departments as it was on each date. */
class Departments {
  readonly #nodes: ReadonlyMap<number, Node>;
  readonly #former = new Map<number, { until: DateText; departmentId: number }[]>();
  /** Last dates before a department moved, in order: between two of them the tree is one. */
  readonly #ends: readonly DateText[];
  readonly #chains = new Map<string, readonly string[]>();
  /** Of the dates that were asked for last, by department. */
  readonly #placesNow = new Map<number, readonly Place[]>();

  constructor({ nodes, former }: DepartmentsByDate) {
    this.#nodes = new Map(nodes.map(node => [node.id, node]));
    for (const { id, until, parentId } of former) {
      const places = this.#former.get(id);
      if (places) places.push({ until, departmentId: parentId });
      else this.#former.set(id, [{ until, departmentId: parentId }]);
    }
    this.#ends = [...new Set(former.map(({ until }) => until))].sort();
  }

  /** External ids: of the department, and of those above it on that date. */
  chainOn(id: number, date: DateText): readonly string[] {
    const until = this.#ends.find(end => date <= end) ?? '';
    const key = `${until} ${id}`;
    const known = this.#chains.get(key);
    if (known) return known;
    // Set before its parent is asked for, so that a circle ends.
    this.#chains.set(key, []);
    const node = this.#nodes.get(id);
    const parentId = node ? this.#parentOn(node, date) : null;
    const above = parentId === null ? [] : this.chainOn(parentId, date);
    const chain = node && node.extId !== '' ? [node.extId, ...above] : above;
    this.#chains.set(key, chain);
    return chain;
  }

  /** People who were in the department of this external id, or below it, on any date of these. */
  stoodIn(extId: string, from: DateText, to: DateText): StoodIn {
    const dates = [...this.#ends.filter(end => from <= end && end < to), to];
    const isIn = (id: number) => dates.some(date => this.chainOn(id, date).includes(extId));
    return { departmentIds: [...this.#nodes.keys()].filter(isIn), from, to };
  }

  /** The departments of somebody, date by date, in as few spans as there are. */
  spansOf(places: Pick<Places, 'former' | 'now'>, from: DateText, to: DateText): readonly Place[] {
    // Most people stay where they are.
    return places.former.length === 0 ? this.#spansNow(places.now, from, to) : this.#spans(places, from, to);
  }

  /** The same for all of a department. */
  #spansNow(id: number, from: DateText, to: DateText): readonly Place[] {
    const known = this.#placesNow.get(id);
    if (known && known[0]?.from === from && known.at(-1)!.to === to) return known;
    const found = this.#spans({ former: [], now: id }, from, to);
    this.#placesNow.set(id, found);
    return found;
  }

  #spans(places: Pick<Places, 'former' | 'now'>, from: DateText, to: DateText): Place[] {
    const ends = [...places.former.map(({ until }) => until), ...this.#ends].filter(end => from <= end && end < to);
    const spans: Place[] = [];
    for (const end of [...new Set(ends)].sort().concat(to)) {
      const id = placeOn(places, end);
      const { name: department = '', extId: departmentExtId = '' } = this.#nodes.get(id) ?? {};
      const last = spans.at(-1);
      const next = { department, departmentExtId, chain: this.chainOn(id, end) };
      if (last && isSame(last, next)) spans.splice(-1, 1, { ...last, to: end });
      else spans.push({ from: last ? addDays(last.to, 1) : from, to: end, ...next });
    }
    return spans;
  }

  #parentOn({ id, parentId }: Node, date: DateText): number | null {
    return parentId === null ? null : placeOn({ former: this.#former.get(id) ?? [], now: parentId }, date);
  }
}

/** The departments of people on dates from one on; read once, and once for each person. */
export class DepartmentsOfPeople {
  readonly #read: ReadsOfPlaces;
  readonly #since: DateText;
  readonly #departments: Departments;
  /** Former places by person; an empty list for most. */
  readonly #former = new Map<number, Places['former']>();

  private constructor(read: ReadsOfPlaces, since: DateText, departments: Departments) {
    this.#read = read;
    this.#since = since;
    this.#departments = departments;
  }

  static async since(date: DateText, read: ReadsOfPlaces): Promise<DepartmentsOfPeople> {
    return new DepartmentsOfPeople(read, date, new Departments(await read.departmentsByDate(date)));
  }

  /** The people of a department as it was on some dates, both inclusive; absent: everybody. */
  stoodIn(extId: string | undefined, from: DateText, to: DateText): StoodIn | undefined {
    return extId === undefined ? undefined : this.#departments.stoodIn(extId, from, to);
  }

  async of(people: Iterable<PersonPlace>): Promise<PlacesOf> {
    const unread = new Set<number>();
    for (const { id } of people) if (!this.#former.has(id)) unread.add(id);
    if (unread.size > 0) {
      const found = await this.#read.formerDepartments({ ids: [...unread], since: this.#since });
      for (const id of unread) this.#former.set(id, found.get(id) ?? []);
    }
    return ({ id, department: now }, from, to = from) =>
      this.#departments.spansOf({ former: this.#former.get(id) ?? [], now }, from, to);
  }
}

/** Where somebody stood on a date, or on dates, both inclusive. */
type PlacesOf = (person: PersonPlace, from: DateText, to?: DateText) => readonly Place[];
type ReadsOfPlaces = Pick<PeopleReads, 'departmentsByDate' | 'formerDepartments'>;
