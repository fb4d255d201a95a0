import { cycleProblems, firstVersion, type PlanProblem, shiftProblems, versionsByCode } from '../platform/shifts.ts';
import { cycleOfSite, placeInFile, type SiteWho, shiftOfSite } from '../platform/site-plans.ts';
import { type SiteStints, siteStintsAfter, stintProblem, stintsOfSite } from '../platform/stints.ts';
import { planErrors } from '../words/plans.ts';
import type { SiteFile } from './site-schema.ts';

/** Plans of a site after a file is applied, as far as they are known. */
export interface PlansAfter {
  /** Shifts; null if unknown, since the file lists none and the box was not asked. */
  readonly shifts: NonNullable<SiteFile['shifts']> | null;
  /** Rosters that stay, and are not in the file. */
  readonly otherSchedules: NonNullable<SiteFile['schedules']>;
  readonly departments: ReadonlySet<string> | null;
  readonly people: ReadonlySet<string> | null;
  /** When people are employed now, by external id, as far as it is known. */
  readonly employed: ReadonlyMap<string, SiteStints>;
}

/**
 * Checks what the schema of shifts, schedules, calendar and employees cannot: times of a shift,
 * references, days that run into each other, stints that do.
 */
export function* planProblems(site: SiteFile, after: PlansAfter): Generator<PlanProblem> {
  yield* wrongStints(site, after);
  let isEveryShiftRight = true;
  for (const [index, item] of (site.shifts ?? []).entries())
    for (const { path, ...why } of shiftProblems(shiftOfSite(item)).map(placeInFile)) {
      isEveryShiftRight = false;
      yield { path: ['shifts', index, ...path], ...why, reason: `shift ${item.code}: ${why.reason}` };
    }
  yield* unknownTargets(site, after);
  if (after.shifts === null || !isEveryShiftRight) return;
  const versions = versionsByCode(after.shifts.map(shiftOfSite));
  for (const [index, { code, from }] of (site.shifts ?? []).entries())
    if (from !== undefined && versions.get(code)?.[0]?.validFrom !== firstVersion)
      yield { path: ['shifts', index, 'from'], ...planErrors.say('no_first_version', { shift: code }) };
  for (const [index, item] of (site.calendar ?? []).entries())
    if (typeof item.what === 'object' && 'shift' in item.what && !versions.has(item.what.shift))
      yield { path: ['calendar', index, 'what', 'shift'], ...planErrors.say('no_such_shift') };
  for (const [index, item] of (site.schedules ?? []).entries())
    for (const { path, ...why } of cycleProblems(cycleOfSite(item).cycle, span(item), versions))
      yield { path: ['schedules', index, ...inSchedule(item, Number(path.at(-1)))], ...why };
  for (const item of after.otherSchedules)
    for (const { path, ...why } of cycleProblems(cycleOfSite(item).cycle, span(item), versions)) {
      const code = cycleOfSite(item).cycle[Number(path.at(-1))];
      yield {
        path: ['shifts'],
        ...why,
        reason: `the assignment of ${words(item.who)} from ${item.from} uses ${code}: ${why.reason}`,
      };
    }
}

function* wrongStints({ employees = [] }: SiteFile, { employed }: PlansAfter): Generator<PlanProblem> {
  for (const [index, item] of employees.entries()) {
    const { ext_id: extId, from, to, earlier } = item;
    if (from && to && to < from) {
      yield {
        path: ['employees', index, 'to'],
        ...planErrors.say('last_before_from', { from }),
      };
      continue;
    }
    if (from === undefined && to === undefined && earlier === undefined) continue;
    const problem = stintProblem(siteStintsAfter(stintsOfSite(employed.get(extId) ?? {}), item));
    if (problem) yield { ...problem, path: ['employees', index, ...problem.path] };
  }
}

type Schedule = NonNullable<SiteFile['schedules']>[number];

const span = ({ from, to }: Schedule) => ({ from, to: to || null });

/** Where in the file a day of the cycle stands. */
const inSchedule = ({ week, cycle }: Schedule, day: number): (string | number)[] => {
  if (cycle) return ['cycle', day];
  return week ? ['week', day] : ['shift'];
};

const words = (who: SiteWho): string => {
  if (who === 'site') return 'the site';
  return 'department' in who ? `department ${who.department}` : `person ${who.person}`;
};

function* unknownTargets(site: SiteFile, { departments, people }: PlansAfter): Generator<PlanProblem> {
  for (const section of ['schedules', 'calendar'] as const)
    for (const [index, { who = 'site' }] of (site[section] ?? []).entries()) {
      if (who === 'site') continue;
      if ('department' in who && departments !== null && !departments.has(who.department))
        yield { path: [section, index, 'who', 'department'], ...planErrors.say('no_such_department') };
      if ('person' in who && people !== null && !people.has(who.person))
        yield { path: [section, index, 'who', 'person'], ...planErrors.say('nobody_has_ext_id') };
    }
}
