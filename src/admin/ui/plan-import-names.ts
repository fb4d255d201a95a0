import { type ImportedItem, type ImportedList, type ImportProblem, isRest } from '../../attendance/index.ts';
import { minuteText } from '../../platform/shifts.ts';
import {
  cycleOfSite,
  type SiteDay,
  type SiteSchedule,
  type SiteShift,
  type SiteWho,
  shiftOfSite,
  sitePlanKeys,
} from '../../platform/site-plans.ts';
import type { SiteChange, SiteData } from '../../store/index.ts';
import { listErrors } from '../../words/lists.ts';
import { idsByNumber } from '../import-people.ts';

/** The names of a file of plans against those of the box, and what the box held before it. */
export interface HeldPlans {
  /** By section and key. */
  readonly plans: {
    readonly shifts: ReadonlyMap<string, SiteShift>;
    readonly schedules: ReadonlyMap<string, SiteSchedule>;
    readonly calendar: ReadonlyMap<string, SiteDay>;
  };
  /** External ids by number; null: several people have it. */
  readonly numbers: ReadonlyMap<string, string | null>;
  /** External ids by what a file may call departments. */
  readonly departments: ReadonlyMap<string, string>;
  /** By external id. */
  readonly peopleNames: ReadonlyMap<string, string>;
  readonly departmentNames: ReadonlyMap<string, string>;
  /** Codes by code and by name. */
  readonly codes: ReadonlyMap<string, string>;
}

const byKey = <Item>(items: readonly Item[] | undefined, keyOf: (item: Item) => string) =>
  new Map((items ?? []).map(item => [keyOf(item), item]));

export function heldPlans({ shifts = [], schedules, calendar, employees = [], departments = [] }: SiteData): HeldPlans {
  return {
    plans: {
      shifts: byKey(shifts, sitePlanKeys.shifts),
      schedules: byKey(schedules, sitePlanKeys.schedules),
      calendar: byKey(calendar, sitePlanKeys.calendar),
    },
    numbers: idsByNumber(employees),
    departments: called([
      ...departments.map(one => [one.name, one.ext_id] as const),
      ...departments.map(one => [one.ext_id, one.ext_id] as const),
    ]),
    peopleNames: new Map(employees.map(one => [one.ext_id, one.name])),
    departmentNames: new Map(departments.map(one => [one.ext_id, one.name])),
    codes: called([
      ...shifts.map(one => [one.name, one.code] as const),
      ...shifts.map(one => [one.code, one.code] as const),
    ]),
  };
}

/**
 * Names to ids. A name that two share means nothing, unless it is an id itself: that comes last.
 */
function called(pairs: readonly (readonly [name: string, id: string])[]): Map<string, string> {
  const ids = new Map<string, string>();
  const unclear = new Set<string>();
  for (const [name, id] of pairs) {
    if (name === '') continue;
    const known = ids.get(name);
    if (known !== undefined && known !== id) unclear.add(name);
    ids.set(name, id);
    if (name === id) unclear.delete(name);
  }
  for (const name of unclear) ids.delete(name);
  return ids;
}

/**
 * The same list with people by external id where the file has their numbers, and shifts by code
 * where it has their names. The header says which of the two a person is named by; the other one
 * counts where nobody has it, and a word that is the number of one and the id of another is named
 * in a warning. A shift that the box knows keeps what the file has no column for.
 */
export function resolvedPlans(list: ImportedList, held: HeldPlans): ImportedList {
  const { clear, several, warnings } = whoIsMeant(list.items, held);
  const items = clear.map((one): ImportedList['items'][number] => {
    if (one.section === 'calendar') return { ...one, item: resolvedDay(one.item as SiteDay, one.by, held) };
    if (one.section === 'schedules') return { ...one, item: resolvedSchedule(one.item as SiteSchedule, one.by, held) };
    return { ...one, item: mergedShift(one.item as SiteShift, held) };
  });
  const { right, twice } = withoutTwice(items);
  return {
    ...list,
    items: right,
    problems: [...list.problems, ...several, ...twice],
    warnings: [...list.warnings, ...warnings, ...otherNames(items, held)],
  };
}

/** The external id of whom a file names; null: several people have this number. */
function personOf(word: string, by: ImportedItem['by'], { numbers, peopleNames }: HeldPlans): string | null {
  const byNumber = numbers.get(word);
  const byId = peopleNames.has(word) ? word : undefined;
  const found = by === 'number' ? (byNumber === undefined ? byId : byNumber) : (byId ?? byNumber);
  return found === undefined ? word : found;
}

function whoIsMeant(items: ImportedList['items'], held: HeldPlans) {
  const several = new Map<number, ImportProblem>();
  const warnings = new Map<string, ImportProblem>();
  const named = (id: string) => `${id} (${held.peopleNames.get(id)})`;
  const clear = items.filter(({ line, item, by }) => {
    const who = (item as SiteDay).who;
    if (typeof who !== 'object' || !('person' in who)) return true;
    const word = who.person;
    const about = { line, column: 'person', value: word };
    const meant = personOf(word, by, held);
    if (meant === null) several.set(line, { ...about, ...listErrors.say('several_have_number') });
    const number = held.numbers.get(word);
    if (meant !== null && number && number !== word && held.peopleNames.has(word))
      warnings.set(word, {
        ...about,
        ...listErrors.say('number_and_id', { byNumber: named(number), byId: named(word), meant }),
      });
    return meant !== null;
  });
  return { clear, several: [...several.values()], warnings: [...warnings.values()] };
}

/** Of each person of whom the file has another name than the box: the number may be wrong. */
function otherNames(items: ImportedList['items'], { peopleNames }: HeldPlans): ImportProblem[] {
  const warnings = new Map<number, ImportProblem>();
  for (const { line, item, name = '' } of items) {
    const who = (item as SiteDay).who;
    const known = typeof who === 'object' && 'person' in who ? peopleNames.get(who.person) : undefined;
    if (name !== '' && known !== undefined && known !== name)
      warnings.set(line, {
        ...{ line, column: 'name', value: name },
        ...listErrors.say('other_name', { name: known }),
      });
  }
  return [...warnings.values()];
}

/** One person may be named by number in one row and by id in another. */
function withoutTwice(items: ImportedList['items']): { right: ImportedList['items']; twice: ImportProblem[] } {
  const seen = new Map<string, number>();
  const twice: ImportProblem[] = [];
  const right = items.filter(one => {
    if (one.section === undefined) return true;
    const key = sitePlanKeys[one.section](one.item as never);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, one.line);
    else
      twice.push({
        ...{ line: one.line, column: one.cell ?? 'person', value: whoId((one.item as SiteDay).who) },
        ...listErrors.say('row_twice', { line: first }),
      });
    return first === undefined;
  });
  return { right, twice };
}

const whoId = (who: SiteWho = 'site'): string => (who === 'site' ? '' : 'person' in who ? who.person : who.department);

const resolvedWho = (who: SiteWho, by: ImportedItem['by'], held: HeldPlans): SiteWho => {
  if (who === 'site') return who;
  return 'person' in who
    ? { person: personOf(who.person, by, held) ?? who.person }
    : { department: held.departments.get(who.department) ?? who.department };
};

const resolvedDay = (item: SiteDay, by: ImportedItem['by'], held: HeldPlans): SiteDay => ({
  ...item,
  who: resolvedWho(item.who ?? 'site', by, held),
  what:
    typeof item.what === 'object' && 'shift' in item.what
      ? { shift: held.codes.get(item.what.shift) ?? item.what.shift }
      : item.what,
});

const resolvedSchedule = (item: SiteSchedule, by: ImportedItem['by'], held: HeldPlans): SiteSchedule => {
  const codes = (words: readonly (string | null)[]) =>
    words.map(word => (word === null || isRest(word) ? 'off' : (held.codes.get(word) ?? word)));
  return {
    ...item,
    who: resolvedWho(item.who, by, held),
    ...(item.week ? { week: codes(item.week) } : {}),
    ...(item.cycle ? { cycle: codes(item.cycle) } : {}),
  };
};

/** Times that are as they were keep their windows of check-ins. */
function mergedShift(item: SiteShift, { plans }: HeldPlans): SiteShift {
  const before = plans.shifts.get(sitePlanKeys.shifts(item)) ?? plans.shifts.get(item.code);
  if (!before) return item;
  const times = item.times?.map(time => before.times?.find(one => spanOf(one) === spanOf(time)) ?? time);
  return { ...before, ...item, ...(times ? { times } : {}) };
}

const spanOf = (time: NonNullable<SiteShift['times']>[number]): string => {
  const [segment] = shiftOfSite({ code: 'x', name: 'x', times: [time] }).segments;
  return segment ? `${segment.on} ${segment.off}` : '';
};

interface PlanValues {
  readonly name: string;
  readonly values: { field: string; before: string; after: string }[];
}

/** Whom a change is for by name, and what it was and becomes, in words of the file. */
export function planValues(
  { section, key }: SiteChange,
  after: ImportedItem['item'] | undefined,
  held: HeldPlans,
): PlanValues {
  if (section === 'shifts') return shiftValues(held.plans.shifts.get(key), after as SiteShift | undefined);
  if (section === 'schedules') {
    const [before, next] = [held.plans.schedules.get(key), after as SiteSchedule | undefined];
    const words = (one: SiteSchedule | undefined) =>
      one ? `${cycleWords(cycleOfSite(one).cycle)}${one.to ? ` → ${one.to}` : ''}` : '';
    return {
      name: nameOf(next?.who, held),
      values: [{ field: `${next?.from ?? ''} →`, before: words(before), after: words(next) }],
    };
  }
  const [before, next] = [held.plans.calendar.get(key), after as SiteDay | undefined];
  return {
    name: nameOf(next?.who, held),
    values: [{ field: next?.date ?? '', before: dayWords(before), after: dayWords(next) }],
  };
}

const nameOf = (who: SiteWho | undefined, { peopleNames, departmentNames }: HeldPlans): string => {
  if (who === undefined || who === 'site') return '';
  return ('person' in who ? peopleNames.get(who.person) : departmentNames.get(who.department)) ?? '';
};

const dayWords = (day: SiteDay | undefined): string => {
  if (!day) return '';
  if (typeof day.what === 'string') return day.what;
  return 'shift' in day.what ? day.what.shift : day.what.makeup;
};

/** The same code on several days is written once. */
function cycleWords(cycle: readonly (string | null)[]): string {
  const words: string[] = [];
  for (let at = 0; at < cycle.length; ) {
    let end = at;
    while (end < cycle.length && cycle[end] === cycle[at]) end++;
    words.push(`${cycle[at] ?? 'off'}${end - at > 1 ? ` ×${end - at}` : ''}`);
    at = end;
  }
  return words.join(' ');
}

function shiftValues(before: SiteShift | undefined, after: SiteShift | undefined): PlanValues {
  const old = before ? shiftWords(before) : {};
  const next = after ? shiftWords(after) : {};
  return {
    name: after?.name ?? '',
    values: Object.entries(next)
      .map(([field, text]) => ({ field, before: old[field] ?? '', after: text }))
      .filter(one => one.before !== one.after),
  };
}

function shiftWords(written: SiteShift): Record<string, string> {
  const shift = shiftOfSite(written);
  const span = (from: number, to: number) => `${minuteText(from)}-${minuteText(to)}`;
  return {
    name: shift.name,
    kind: shift.kind,
    times: shift.segments.map(({ on, off }) => span(on, off)).join(', '),
    breaks: shift.breaks.map(({ from, to }) => span(from, to)).join(', '),
    late_grace: String(shift.lateGrace),
    early_grace: String(shift.earlyGrace),
    flex_late: String(shift.flexLate),
    flex_early: String(shift.flexEarly),
    required_minutes: String(shift.requiredMinutes),
  };
}
