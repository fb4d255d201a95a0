import { setImmediate } from 'node:timers/promises';
import type { DateText, Shift } from '../../platform/shifts.ts';
import type { DayOverride, Employment, Leave, RosterRule, ScheduleReads } from '../../store/index.ts';

/** Plans of some people, with their employment and leave. */
interface PlansRead {
  readonly shifts: readonly Shift[];
  readonly rules: readonly RosterRule[];
  readonly overrides: readonly DayOverride[];
  readonly employments: ReadonlyMap<string, Employment>;
  /** Approved ones, by person. */
  readonly leaves: ReadonlyMap<string, readonly Leave[]>;
}

/** Rows read at once; devices are served in between. */
const rowsEach = 5000;

/** Reads the plans of at most 1000 people in a span of dates, both inclusive: all of them. */
export async function readPlans(
  read: Pick<ScheduleReads, 'shifts' | 'rosterRules' | 'dayOverrides' | 'employments' | 'leaves'>,
  people: readonly string[],
  { from, to }: { readonly from: DateText; readonly to: DateText },
): Promise<PlansRead> {
  const span = { from, to, people };
  const [shifts, rules, overrides, employments, leaves] = await Promise.all([
    read.shifts(),
    everyRow(page => read.rosterRules({ ...span, ...page })),
    everyRow(page => read.dayOverrides({ ...span, ...page })),
    read.employments({ people, limit: Math.max(1, people.length) }),
    everyRow(page => read.leaves({ ...span, state: 'approved', ...page })),
  ]);
  return {
    shifts,
    rules,
    overrides,
    employments: new Map(employments.map(one => [one.extId, one])),
    leaves: Map.groupBy(leaves, ({ extId }) => extId),
  };
}

async function everyRow<Row extends { readonly id: number }>(
  read: (page: { readonly after: number; readonly limit: number }) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let after = 0; ; ) {
    const rows = await read({ after, limit: rowsEach });
    for (const row of rows) all.push(row);
    if (rows.length < rowsEach) return all;
    after = rows.at(-1)!.id;
    await setImmediate();
  }
}
