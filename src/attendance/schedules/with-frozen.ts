import type { DateText } from '../../platform/shifts.ts';
import type { DeviceNo, FrozenRow, PersonRow } from '../../store/index.ts';
import { departmentsIn, type Place, placesIn } from './departments-by-date.ts';
import { datesOfFrozen, type FrozenMonth, monthDates, unpackMonth } from './frozen-month.ts';
import type { PersonResults } from './person-results.ts';
import type { DayResult } from './result.ts';
import { sumsOf } from './sums.ts';

/** The same person where nothing is to be changed: a copy would open the mobile number. */
const standingAt = (person: PersonRow, { department, departmentExtId }: Place): PersonRow =>
  person.department === department && person.departmentExtId === departmentExtId
    ? person
    : { ...person, department, departmentExtId };

function withDaysOf(months: readonly FrozenMonth[], days: readonly DayResult[]): readonly DayResult[] {
  const byDate = new Map(months.flatMap(month => month.days.map(day => [day.date, day])));
  return days.map(day => byDate.get(day.date) ?? day);
}

/** With the days that are closed; then name and department are those of the closing. */
export function withFrozen(
  {
    person,
    places: all,
    terminals,
    found,
    rows,
    isClosed,
  }: {
    readonly person: PersonRow;
    readonly places: readonly Place[];
    readonly terminals: readonly DeviceNo[];
    /** Computed days; null if everything is closed. */
    readonly found: readonly DayResult[] | null;
    readonly rows: readonly FrozenRow[];
    readonly isClosed: boolean;
  },
  { from, to }: { readonly from: DateText; readonly to: DateText },
): PersonResults {
  const last = rows.at(-1);
  const months = rows.map(row => ({ ...unpackMonth(row.packed), row }));
  if (!last || !isClosed) {
    const computed = found ?? [];
    const days = last ? withDaysOf(months, computed) : computed;
    const places = placesIn(all, from, to);
    return {
      person: standingAt(person, places.at(-1)!),
      places,
      terminals,
      days,
      sums: sumsOf(days),
      closed: null,
    };
  }
  const frozen = datesOfFrozen(months, from, to);
  const places = months.flatMap(({ person: { department, departmentExtId }, places: stood, row }) => {
    const now = JSON.parse(row.departments) as string[];
    if (!stood) return [{ ...monthDates(row.month), department, departmentExtId, chain: now }];
    // External ids of that day stand in the closed line, those of now in the row beside it.
    const then = departmentsIn(stood);
    return stood.map(place => ({ ...place, chain: place.chain.map(id => now[then.indexOf(id)] ?? id) }));
  });
  return {
    person: { ...person, ...months.at(-1)!.person, extId: person.extId },
    places: placesIn(places, from, to),
    terminals,
    ...frozen,
    closed: {
      periodId: last.periodId,
      revision: last.revision,
      corrections: months.flatMap(({ corrections }) => corrections),
    },
  };
}
