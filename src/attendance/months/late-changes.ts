import { addDays } from '../../runtime/calendar-date.ts';
import { dayOf, wallTime } from '../../runtime/wall-time.ts';
import type { Period, PeriodChange } from '../../store/index.ts';
import { type FrozenMonth, monthDates, unpackMonth } from '../schedules/frozen-month.ts';
import { marginDays } from '../schedules/results.ts';
import type { ClosingParts } from './close-month.ts';
import { allDifferent, differences } from './day-differences.ts';

const peopleEach = 50;

type LateParts = Pick<ClosingParts, 'store' | 'results' | 'clock'>;
type Change = Omit<PeriodChange, 'kind' | 'noticedAt'>;

/**
 * Notes which days of a closed month would come out otherwise now, because something arrived or was
 * changed after the closing. What is closed stays. Looks at nobody while nothing came, and once a
 * day all the same: time alone makes an absence of what was not known yet.
 */
export async function noteLateChanges(parts: LateParts, period: Period, signal?: AbortSignal): Promise<void> {
  const { store, clock } = parts;
  if (period.state === 'reopened') return;
  await store.whole();
  const of = await inputsOf(parts, period);
  if (of === period.checkedOf) return;
  for await (const batch of inBatches(parts, period, signal)) {
    const note = { id: period.id, kind: 'late', at: clock.now() } as const;
    await store.write.notePeriodChanges({ ...note, ...batch });
  }
  if (!signal?.aborted) await store.write.notePeriodChecked({ id: period.id, of, at: clock.now() });
}

async function inputsOf({ store, clock }: LateParts, { month, timeZone }: Period): Promise<string> {
  const dates = monthDates(month);
  const [fromDate, toDate] = [addDays(dates.from, -marginDays), addDays(dates.to, marginDays)];
  const { from } = wallTime(timeZone).dayBounds(fromDate);
  const { to } = wallTime(timeZone).dayBounds(toDate);
  const inputs = await store.read.periodInputs({ from, to, fromDate, toDate });
  return `${dayOf(clock.now(), timeZone).day} ${inputs}`;
}

interface Batch {
  readonly lookedAt: readonly string[];
  readonly changes: readonly Change[];
}

async function* inBatches(
  { store, results }: LateParts,
  period: Period,
  signal: AbortSignal | undefined,
): AsyncGenerator<Batch> {
  const { id, month, timeZone, scopeId } = period;
  const live = results.inZone(timeZone);
  const query = { ...monthDates(month), isLive: true, signal };
  const seen = new Set<string>();
  let people: FrozenMonth[] = [];
  for await (const one of live.of({ ...query, departmentExtId: scopeId === '' ? undefined : scopeId })) {
    if (one.person.extId === '') continue;
    seen.add(one.person.extId);
    people.push({ ...one, corrections: [] });
    if (people.length < peopleEach) continue;
    yield compared(people);
    people = [];
  }
  yield await compared(people);
  // People who have moved to another department since. A deleted person has nothing to compare
  // with.
  for (let after: number | undefined; !signal?.aborted; ) {
    const rows = await store.read.rowsOfPeriod({ id, after, limit: peopleEach });
    for (const { extId, packed } of rows.filter(row => !seen.has(row.extId)))
      for await (const one of live.of({ ...query, extId }))
        yield { lookedAt: [extId], changes: differences(unpackMonth(packed), { ...one, person: one.person }) };
    if (rows.length < peopleEach) return;
    after = rows.at(-1)!.id;
  }

  async function compared(now: readonly FrozenMonth[]): Promise<Batch> {
    const extIds = now.map(({ person }) => person.extId);
    const rows = await store.read.frozenRows({ months: [month], extIds });
    const lookedAt: string[] = [];
    const changes: Change[] = [];
    for (const one of now) {
      const { extId } = one.person;
      const row = rows.find(other => other.extId === extId);
      // Closed with another department: its late changes are noted there.
      if (row && row.periodId !== id) continue;
      lookedAt.push(extId);
      changes.push(...(row ? differences(unpackMonth(row.packed), one) : allDifferent(one, 'now')));
    }
    return { lookedAt, changes };
  }
}
