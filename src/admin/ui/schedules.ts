import { z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import { firstVersion, shiftProblems } from '../../platform/shifts.ts';
import { dateOfDay, dayNumber } from '../../runtime/calendar-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { Services } from '../../services/index.ts';
import type { PeopleReads, PlanTarget, ScheduleReads, ScheduleStore } from '../../store/index.ts';
import { auditPlans } from '../../words/audit-plans.ts';
import { described } from '../../words/described.ts';
import { planErrors } from '../../words/plans.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import { monthText } from '../people-shapes.ts';
import { refused } from '../problem.ts';
import { done, rowId } from '../shapes.ts';
import {
  overrideBody,
  overrideFacts,
  refusedPlan,
  rosterBody,
  rosterFacts,
  shift,
  shiftFacts,
  shiftOf,
  stored,
  targetOf,
  throwIfEndsEarly,
} from './plan-shapes.ts';
import { daySaid, rosterSaid, shiftSaid, targetWords } from './plan-words.ts';
import { calendarReport, planReport, stray } from './schedule-shapes.ts';

const listedMax = 2000;

export type PlanReport = Report<typeof planReport>;
export type CalendarReport = Report<typeof calendarReport>;

export const scheduleOperations = {
  plans: operation({
    method: 'get',
    path: '/schedules',
    role: 'viewer',
    summary: described('The shifts, and who works which from when', '班次，以及谁从何时起上哪个班'),
    query: z.object({
      past: z
        .enum(['true', 'false'])
        .default('false')
        .describe(described('With rosters that have ended', '包括已结束的排班')),
    }),
    returns: described('The plans', '班次和排班'),
    answer: planReport,
  }),
  putShift: operation({
    method: 'put',
    path: '/schedules/shifts/{code}',
    role: 'staff',
    audited: described('added or changed a shift', '添加或修改班次'),
    summary: described(
      'Adds a shift, or a version of it that holds from a date on; the versions before it stay',
      '添加班次，或添加从某日起生效的版本；以前的版本保留',
    ),
    params: z.object({ code: shift.shape.code }),
    body: shift.omit({ code: true }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: { 422: stray[422] },
  }),
  removeShift: operation({
    method: 'delete',
    path: '/schedules/shifts/{code}',
    role: 'staff',
    audited: described('removed a shift', '删除班次'),
    summary: described(
      'Removes a shift with all its versions; not while a roster or the calendar names it',
      '删除班次及其全部版本；排班或日历仍在使用时不能删除',
    ),
    params: z.object({ code: shift.shape.code }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: stray,
  }),
  addRoster: operation({
    method: 'post',
    path: '/schedules/rosters',
    role: 'staff',
    audited: described('added a roster', '添加排班'),
    summary: described('Says who works which shifts from a date on', '指定从某日起谁上哪些班次'),
    body: rosterBody,
    returns: described('Its id', '其编号'),
    answer: z.object({ id: z.number() }),
    failures: { 422: stray[422] },
  }),
  putRoster: operation({
    method: 'put',
    path: '/schedules/rosters/{id}',
    role: 'staff',
    audited: described('changed a roster', '修改排班'),
    summary: described('Changes who works which shifts', '修改排班'),
    params: z.object({ id: rowId }),
    body: rosterBody,
    returns: described('Its id', '其编号'),
    answer: z.object({ id: z.number() }),
    failures: stray,
  }),
  removeRoster: operation({
    method: 'delete',
    path: '/schedules/rosters/{id}',
    role: 'staff',
    audited: described('removed a roster', '删除排班'),
    summary: described(
      'Removes a roster: what holds before and after it holds in its time too',
      '删除排班，其日期改按其他排班计算',
    ),
    params: z.object({ id: rowId }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: { 404: stray[404] },
  }),
  calendar: operation({
    method: 'get',
    path: '/schedules/calendar',
    role: 'viewer',
    summary: described(
      'The days of a month: what the national calendar says of them, and what the site does',
      '某月的日期：法定节假日安排和站点自己的安排',
    ),
    query: z.object({ month: monthText.optional() }),
    returns: described('The days', '日期'),
    answer: calendarReport,
  }),
  putDay: operation({
    method: 'post',
    path: '/schedules/calendar',
    role: 'staff',
    audited: described('added a day of the site', '添加特殊日期'),
    summary: described(
      'Says what a day is for the site, a department or a person, in place of what it was',
      '为站点、部门或人员指定某天的性质，替换原有安排',
    ),
    body: overrideBody,
    returns: described('Its id', '其编号'),
    answer: z.object({ id: z.number() }),
    failures: { 422: stray[422] },
  }),
  removeDay: operation({
    method: 'delete',
    path: '/schedules/calendar/{id}',
    role: 'staff',
    audited: described('removed a day of the site', '删除特殊日期'),
    summary: described('Removes what was said of a day', '删除对某天的安排'),
    params: z.object({ id: rowId }),
    returns: described('Done', '已完成'),
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
    const plan = `assignment of ${targetWords(rule.target)}`;
    const before = id === null ? null : await store.read.rosterRule(id);
    if (id !== null && !before) throw refused(404, 'unknown', 'no roster has this id');
    call.subject(rosterSaid(rule, before));
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
      call.subject(shiftSaid(next, before));
      const plan = `shift ${next.code}`;
      const problems = shiftProblems(next);
      if (known.length === 0 && next.validFrom !== firstVersion)
        problems.push({ path: ['valid_from'], ...planErrors.say('first_version_dated') });
      if (problems.length > 0) throw refusedPlan(plan, problems);
      stored(plan, await store.write.putShift({ shift: next, at: clock.now(), by: call.caller.actor }));
      return { done: true };
    },

    async removeShift({ code }, call = byCommand) {
      call.subject(auditPlans.say('shift_code', { code }));
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
      call.subject(rosterSaid(before));
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
      call.subject(daySaid(override, before));
      const outcome = await store.write.putDayOverride({ override, at: clock.now(), by: call.caller.actor });
      return { id: stored(plan, outcome) };
    },

    async removeDay({ id }, call = byCommand) {
      const before = await store.read.dayOverride(id);
      if (!before) throw refused(404, 'unknown', 'the calendar has no such day');
      call.subject(daySaid(before));
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
