import { sentences } from './sentences.ts';

/** Whom a plan is for. */
interface Who {
  readonly kind: 'site' | 'department' | 'person';
  readonly id: string;
}
const who = ({ kind, id }: Who): string => (kind === 'site' ? 'the site' : `${kind} ${id}`);
const whoZh = ({ kind, id }: Who): string =>
  kind === 'site' ? '全体' : `${kind === 'person' ? '人员' : '部门'} ${id}`;

/** Errors of shifts, rosters, single days, leave and employment. */
export const planErrors = sentences({
  code_means_rest: {
    en: ({ shift }: { shift: string }) => `${shift} is reserved for rest days: choose another code`,
    zh: ({ shift }) => `代码 ${shift} 表示休息：请换一个代码`,
  },
  free_has_times: {
    en: 'an hours-only shift has no times: clear them, or choose another type',
    zh: '不限时间的班次没有上下班时间：请清空时间，或换一种类型',
  },
  free_needs_minutes: { en: 'an hours-only shift needs the minutes per day', zh: '请填写每天工时' },
  shift_is_empty: { en: 'a shift needs a start and an end', zh: '请填写上班和下班时间' },
  segment_ends_early: {
    en: ({ place, off, on }: { place: number; off: string; on: string }) =>
      `segments[${place}].off ${off} must be after its on ${on}`,
    zh: ({ off, on }) => `下班时间 ${off} 须晚于上班时间 ${on}`,
  },
  segments_overlap: {
    en: ({ place, on, before }: { place: number; on: string; before: string }) =>
      `segments[${place}].on ${on} is before the end of segments[${place - 1}] ${before}: segments must not overlap`,
    zh: ({ on, before }) => `第二段的上班时间 ${on} 早于上一段的下班时间 ${before}`,
  },
  begins_next_day: {
    en: 'a shift must begin before 24:00 of its day',
    zh: '班次须在当天 24:00 之前开始',
  },
  shift_too_long: {
    en: 'a shift lasts at most 24 hours',
    zh: '一个班次从上班到下班最多 24 小时',
  },
  break_ends_early: {
    en: ({ place, to }: { place: number; to: string }) => `breaks[${place}] must end after its start, not at ${to}`,
    zh: ({ to }) => `休息的结束时间 ${to} 须晚于开始时间`,
  },
  break_outside: {
    en: ({ place, from, to }: { place: number; from: string; to: string }) =>
      `breaks[${place}] ${from}–${to} is outside the shift`,
    zh: ({ from, to }) => `休息时间 ${from}–${to} 不在班次时间内`,
  },
  breaks_overlap: {
    en: ({ place }: { place: number }) =>
      `breaks[${place}] begins before breaks[${place - 1}] ends: breaks must not overlap`,
    zh: ({ place }) => `第 ${place + 1} 段休息早于上一段结束：休息时间不能重叠`,
  },
  too_many_shifts: {
    en: ({ max }: { max: number }) => `at most ${max} shift versions`,
    zh: ({ max }) => `最多保存 ${max} 个班次版本`,
  },
  no_such_shift: { en: 'no such shift', zh: '没有这个班次：请先添加，或修改代码' },
  runs_into: {
    en: ({ next, begins, shift, ends }: { next: string; begins: string; shift: string; ends: string }) =>
      `${next} begins at ${begins}, before ${shift} of the previous day ends at ${ends}: put a rest day between them, or edit one of the shifts`,
    zh: ({ next, begins, shift, ends }) =>
      `班次 ${next} 于 ${begins} 开始，而前一天的班次 ${shift} 到 ${ends} 才结束：请在中间安排休息，或修改班次`,
  },
  shift_in_roster: {
    en: (one: Who & { from: string }) =>
      `used by the assignment of ${who(one)} from ${one.from}: edit or delete the assignment first`,
    zh: one => `${one.from} 起的排班规则（${whoZh(one)}）仍在使用此班次：请先修改或删除`,
  },
  shift_in_calendar: {
    en: (one: Who & { date: string }) => `used in the calendar on ${one.date} for ${who(one)}: delete that entry first`,
    zh: one => `日历中 ${one.date}（${whoZh(one)}）使用了此班次：请先删除`,
  },
  has_roster: {
    en: (one: Who & { from: string }) =>
      `${who(one)} already has an assignment from ${one.from}: edit that one, or begin on another day`,
    zh: one => `${whoZh(one)}从 ${one.from} 起已有排班规则：请修改原有规则，或换一个开始日期`,
  },
  no_such_roster: { en: 'this assignment no longer exists', zh: '该排班规则已不存在' },
  no_such_target: {
    en: ({ kind, id }: { kind: 'department' | 'person'; id: string }) => `no ${kind} has the ID ${id}`,
    zh: ({ kind, id }) => `没有编号为 ${id} 的${kind === 'person' ? '人员' : '部门'}`,
  },
  nobody_has_id: {
    en: ({ id }: { id: string }) => `unknown employee ID ${id}`,
    zh: ({ id }) => `没有编号为 ${id} 的人员`,
  },
  first_version_dated: {
    en: 'the first version has no date: leave blank',
    zh: '首个版本没有生效日期：请留空',
  },
  no_first_version: {
    en: ({ shift }: { shift: string }) => `shift ${shift} has no first version: add a row without from`,
    zh: ({ shift }) => `班次 ${shift} 还没有首个版本：请先导入不带生效日期的一行`,
  },
  last_before_first: { en: 'the last day is before the first day', zh: '最后一天早于第一天：请修改其中一个' },
  last_before_from: {
    en: ({ from }: { from: string }) => `before the first day ${from}`,
    zh: ({ from }) => `早于第一天 ${from}：请修改其中一个`,
  },
  no_first_day: {
    en: 'only the first period of employment may have no first day',
    zh: '缺少入职日期，只有第一段在职可以不填：请填写',
  },
  no_last_day: {
    en: 'only the last period of employment may have no last day',
    zh: '缺少最后工作日，只有最后一段在职可以不填：请填写',
  },
  stints_overlap: {
    en: ({ from, before }: { from: string; before: string }) =>
      `begins on ${from}, before the previous employment ends on ${before}: enter a later day, or edit the previous employment`,
    zh: ({ from, before }) => `从 ${from} 开始，而上一段在职到 ${before} 才结束：请填写更晚的日期，或修改上一段`,
  },
  no_such_leave: { en: 'this leave no longer exists', zh: '该请假已不存在' },
  leave_ends_early: {
    en: ({ from, to }: { from: string; to: string }) => `${to} must be after the start ${from}`,
    zh: '结束时间须晚于开始时间',
  },
  leave_overlaps: {
    en: ({ from, to }: { from: string; to: string }) =>
      `overlaps the leave from ${from} to ${to}: edit or withdraw that one`,
    zh: ({ from, to }) => `与 ${from} 至 ${to} 的请假重叠：请修改或撤销原有请假`,
  },
  leave_is: {
    en: ({ state }: { state: string }) => `already ${state}: add a new one`,
    zh: '此请假已处理完毕：请重新登记',
  },
  leave_is_already: {
    en: ({ state }: { state: string }) => `already ${state}: add a new one`,
    zh: '此请假已处理完毕：请重新登记',
  },
  nobody_has_ext_id: { en: 'unknown employee ID', zh: '没有这个人员：请填写人员编号或工号' },
  no_such_department: { en: 'no such department', zh: '没有这个部门：请先添加，或修改编号' },
  department_under_itself: { en: 'a department cannot be its own parent', zh: '部门不能隶属于自身' },
  named_twice: {
    en: ({ section, place }: { section: string; place: number }) =>
      `duplicate of ${section}[${place}]: keep one of them`,
    zh: '重复：请保留其中一个',
  },
  move_to_come: {
    en: 'a transfer cannot be dated after today',
    zh: '调动日期不能晚于今天',
  },
});
