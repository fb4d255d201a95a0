import { z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import { firstVersion, shiftProblems } from '../../platform/shifts.ts';
import { dateOfDay, dayNumber } from '../../runtime/calendar-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { Services } from '../../services/index.ts';
import type { PeopleReads, PlanTarget, ScheduleReads, ScheduleStore } from '../../store/index.ts';
import { planErrors } from '../../words/plans.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import { monthText } from '../people-shapes.ts';
import { refused } from '../problem.ts';
import { done, rowId } from '../shapes.ts';
import {
  overrideBody,
  overrideFacts,
  overrideRow,
  refusedPlan,
  rosterBody,
  rosterFacts,
  rosterRow,
  shift,
  shiftFacts,
  shiftOf,
  stored,
  targetOf,
  throwIfEndsEarly,
} from './plan-shapes.ts';
import { ruleWords, shiftWords, targetWords, versionWords, whatWords } from './plan-words.ts';

const listedMax = 2000;
const stray = { 404: 'There is none of this id', 422: 'The plan is refused; `problems` says where and why' } as const;

const planReport = z.object({
  today: z.string().describe('Of the site'),
  shifts: z.array(shift).describe('Every version, by code and date'),
  rosters: z.array(rosterRow).describe('Those that hold today or later, in the order in which they were entered'),
  cut: z.boolean().describe('There are more than are listed'),
});
const calendarReport = z.object({
  month: z.string(),
  days: z.array(
    z.object({
      date: z.string(),
      break: z.boolean().describe('Nobody works by the national calendar, or it is a weekend'),
      holiday: z.string().describe('Of the national calendar; empty: none'),
      published: z.boolean().describe('The national calendar of the year is known'),
      own: z.array(overrideRow).describe('What the site has said of the day'),
    }),
  ),
  cut: z.boolean().describe('Days of single people are not listed: there are too many'),
});
export type PlanReport = Report<typeof planReport>;
export type CalendarReport = Report<typeof calendarReport>;

export const scheduleOperations = {
  plans: operation({
    method: 'get',
    path: '/schedules',
    role: 'viewer',
    summary: 'The shifts, and who works which from when',
    query: z.object({ past: z.enum(['true', 'false']).default('false').describe('With rosters that have ended') }),
    returns: 'The plans',
    answer: planReport,
  }),
  putShift: operation({
    method: 'put',
    path: '/schedules/shifts/{code}',
    role: 'staff',
    summary: 'Adds a shift, or a version of it that holds from a date on; the versions before it stay',
    params: z.object({ code: shift.shape.code }),
    body: shift.omit({ code: true }),
    returns: 'Done',
    answer: done,
    failures: { 422: stray[422] },
  }),
  removeShift: operation({
    method: 'delete',
    path: '/schedules/shifts/{code}',
    role: 'staff',
    summary: 'Removes a shift with all its versions; not while a roster or the calendar names it',
    params: z.object({ code: shift.shape.code }),
    returns: 'Done',
    answer: done,
    failures: stray,
  }),
  addRoster: operation({
    method: 'post',
    path: '/schedules/rosters',
    role: 'staff',
    summary: 'Says who works which shifts from a date on',
    body: rosterBody,
    returns: 'Its id',
    answer: z.object({ id: z.number() }),
    failures: { 422: stray[422] },
  }),
  putRoster: operation({
    method: 'put',
    path: '/schedules/rosters/{id}',
    role: 'staff',
    summary: 'Changes who works which shifts',
    params: z.object({ id: rowId }),
    body: rosterBody,
    returns: 'Its id',
    answer: z.object({ id: z.number() }),
    failures: stray,
  }),
  removeRoster: operation({
    method: 'delete',
    path: '/schedules/rosters/{id}',
    role: 'staff',
    summary: 'Removes a roster: what holds before and after it holds in its time too',
    params: z.object({ id: rowId }),
    returns: 'Done',
    answer: done,
    failures: { 404: stray[404] },
  }),
  calendar: operation({
    method: 'get',
    path: '/schedules/calendar',
    role: 'viewer',
    summary: 'The days of a month: what the national calendar says of them, and what the site does',
    query: z.object({ month: monthText.optional() }),
    returns: 'The days',
    answer: calendarReport,
  }),
  putDay: operation({
    method: 'post',
    path: '/schedules/calendar',
    role: 'staff',
    summary: 'Says what a day is for the site, a department or a person, in place of what it was',
    body: overrideBody,
    returns: 'Its id',
    answer: z.object({ id: z.number() }),
    failures: { 422: stray[422] },
  }),
  removeDay: operation({
    method: 'delete',
    path: '/schedules/calendar/{id}',
    role: 'staff',
    summary: 'Removes what was said of a day',
    params: z.object({ id: rowId }),
    returns: 'Done',
    answer: done,
    failures: { 404: stray[404] },
  }),
};

/** Shifts, rosters and the site's calendar, as people at the box keep them. */
export function schedules({
  store,
  clock,
  config,
  services,
}: {
  readonly store: ScheduleStore & { readonly read: Pick<PeopleReads, 'departmentTree'> };
  readonly clock: Clock;
  readonly config: Pick<Config, 'site'>;
  readonly services: Pick<Services, 'days'>;
}): Running<typeof scheduleOperations> {
  const today = () => dayOf(clock.now(), config.site.timezone).day;
  const named = namesOf(store.read);

  const put = async (id: number | null, body: z.output<typeof rosterBody>, call: typeof byCommand) => {
    const { target, ...rest } = body;
    const rule = { ...rest, target: targetOf(target) };
    const plan = `roster of ${targetWords(rule.target)}`;
    const before = id === null ? null : await store.read.rosterRule(id);
    if (id !== null && !before) throw refused(404, 'unknown', 'no roster has this id');
    call.subject(`${plan}: ${before ? `${ruleWords(before)} → ` : ''}${ruleWords(rule)}`);
    throwIfEndsEarly(plan, rule.from, rule.to);
    const outcome = await store.write.putRosterRule({ id, rule, at: clock.now(), by: call.caller.actor });
    return { id: stored(plan, outcome) };
  };

  return {
    async plans({ past } = { past: 'false' }) {
      const day = today();
      const [shifts, found] = await Promise.all([
        store.read.shifts(),
        store.read.rosterRules({ ...(past === 'true' ? {} : { from: day }), limit: listedMax + 1 }),
      ]);
      const rules = found.slice(0, listedMax);
      const names = await named(rules.map(({ target }) => target));
      return {
        today: day,
        shifts: shifts.map(shiftFacts),
        rosters: rules.map(rule => ({ ...rosterFacts(rule), name: names(rule.target) })),
        cut: found.length > listedMax,
      };
    },

    async putShift(body, call = byCommand) {
      const next = shiftOf(body);
      const known = (await store.read.shifts()).filter(({ code }) => code === next.code);
      const before = known.findLast(({ validFrom }) => validFrom <= next.validFrom);
      call.subject(
        `shift ${next.code}${versionWords(next)}: ${before ? `${shiftWords(before)} → ` : ''}${shiftWords(next)}`,
      );
      const plan = `shift ${next.code}`;
      const problems = shiftProblems(next);
      if (known.length === 0 && next.validFrom !== firstVersion)
        problems.push({ path: ['valid_from'], ...planErrors.say('first_version_dated') });
      if (problems.length > 0) throw refusedPlan(plan, problems);
      stored(plan, await store.write.putShift({ shift: next, at: clock.now(), by: call.caller.actor }));
      return { done: true };
    },

    async removeShift({ code }, call = byCommand) {
      call.subject(`shift ${code}`);
      if (!(await store.read.shifts()).some(one => one.code === code))
        throw refused(404, 'unknown', 'no shift has this code');
      stored(`shift ${code}`, await store.write.removeShift({ code }));
      return { done: true };
    },

    addRoster: (body, call = byCommand) => put(null, body, call),
    putRoster: ({ id, ...body }, call = byCommand) => put(id, body, call),

    async removeRoster({ id }, call = byCommand) {
      const before = await store.read.rosterRule(id);
      if (!before) throw refused(404, 'unknown', 'no roster has this id');
      call.subject(`roster of ${targetWords(before.target)}: ${ruleWords(before)}`);
      await store.write.removeRosterRule({ id });
      return { done: true };
    },

    async calendar({ month = today().slice(0, 7) } = {}) {
      const days = daysOf(month);
      const span = { from: days[0]!, to: days.at(-1)! };
      const [national, all] = await Promise.all([
        services.days(days),
        store.read.dayOverrides({ ...span, limit: listedMax + 1 }),
      ]);
      const cut = all.length > listedMax;
      const own = cut ? await store.read.dayOverrides({ ...span, people: [], limit: listedMax }) : all;
      const names = await named(own.map(({ target }) => target));
      return {
        month,
        cut,
        days: national.map(({ day: date, type, name, source }) => ({
          date,
          break: type === 'BREAK',
          holiday: name,
          published: source !== 'unpublished',
          own: own.filter(one => one.date === date).map(one => ({ ...overrideFacts(one), name: names(one.target) })),
        })),
      };
    },

    async putDay({ target, ...day }, call = byCommand) {
      const override = { ...day, target: targetOf(target) };
      const plan = `${day.date} of ${targetWords(override.target)}`;
      const people = override.target.kind === 'person' ? [override.target.extId] : [];
      const [before] = (
        await store.read.dayOverrides({ from: day.date, to: day.date, people, limit: listedMax })
      ).filter(one => targetWords(one.target) === targetWords(override.target));
      call.subject(`${plan}: ${before ? `${whatWords(before)} → ` : ''}${whatWords(override)}`);
      const outcome = await store.write.putDayOverride({ override, at: clock.now(), by: call.caller.actor });
      return { id: stored(plan, outcome) };
    },

    async removeDay({ id }, call = byCommand) {
      const before = await store.read.dayOverride(id);
      if (!before) throw refused(404, 'unknown', 'the calendar has no such day');
      call.subject(`${before.date} of ${targetWords(before.target)}: ${whatWords(before)}`);
      await store.write.removeDayOverride({ id });
      return { done: true };
    },
  };
}

/** The names of departments and people that plans are for. */
const namesOf =
  (read: Pick<ScheduleReads, 'planNames'>) =>
  async (targets: readonly PlanTarget[]): Promise<(target: PlanTarget) => string> => {
    const ids = (kind: PlanTarget['kind']) => [
      ...new Set(targets.flatMap(one => (one.kind === kind && one.kind !== 'site' ? [one.extId] : []))),
    ];
    const { departments, people } = await read.planNames({ departments: ids('department'), people: ids('person') });
    return one => {
      if (one.kind === 'site') return '';
      return (one.kind === 'person' ? people : departments).get(one.extId) ?? '';
    };
  };

/** The dates of a month `2026-11`. */
function daysOf(month: string): string[] {
  const first = dayNumber(`${month}-01`);
  const days = Array.from({ length: 31 }, (_, index) => dateOfDay(first + index));
  return days.filter(day => day.startsWith(month));
}
