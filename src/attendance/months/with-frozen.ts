import type { DateText } from '../../platform/shifts.ts';
import type { FrozenRow, PersonRow } from '../../store/index.ts';
import type { PersonResults } from '../schedules/person-results.ts';
import type { DayResult } from '../schedules/result.ts';
import { sumsOf } from '../schedules/sums.ts';
import { datesOfFrozen, type FrozenMonth, unpackMonth } from './frozen-month.ts';

/** Who has moved since a month was closed is listed where it was closed. */
export const wasIn = ({ departments }: FrozenRow, extId: string | undefined): boolean =>
  extId === undefined || (JSON.parse(departments) as string[]).includes(extId);

/** With the days that are closed; then name and department are those of the closing. */
export function withFrozen(
  {
    person,
    departments,
    found,
    rows,
    isClosed,
  }: {
    readonly person: PersonRow;
    readonly departments: readonly string[];
    /** Null: everything is closed. */
    readonly found: readonly DayResult[] | null;
    readonly rows: readonly FrozenRow[];
    readonly isClosed: boolean;
  },
  { from, to }: { readonly from: DateText; readonly to: DateText },
): PersonResults {
  const last = rows.at(-1);
  if (!last) return { person, departments, days: found ?? [], sums: sumsOf(found ?? []), closed: null };
  const months: readonly FrozenMonth[] = rows.map(({ packed }) => unpackMonth(packed));
  const frozen = datesOfFrozen(months, from, to);
  if (!isClosed) {
    const byDate = new Map(frozen.days.map(day => [day.date, day]));
    const days = (found ?? []).map(day => byDate.get(day.date) ?? day);
    return { person, departments, days, sums: sumsOf(days), closed: null };
  }
  return {
    person: { ...person, ...months.at(-1)!.person, extId: person.extId },
    departments,
    ...frozen,
    closed: {
      periodId: last.periodId,
      revision: last.revision,
      corrections: months.flatMap(({ corrections }) => corrections),
    },
  };
}
