import type { Language } from '../../platform/clock-text.ts';
import type { DayKind, DayState } from '../schedules/result.ts';

/** The words of the month for payroll, in the site's language. */

type Labels<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, string>>>>;

/** The columns of the summary, in their order. Minutes are numbers. */
export const monthColumns = [
  'employee_num',
  'name',
  'department',
  'ext_id',
  'days_planned',
  'days_worked',
  'days_absent',
  'days_leave',
  'days_not_known',
  'planned',
  'worked',
  'late_count',
  'late',
  'early_count',
  'early',
  'missing_in',
  'missing_out',
  'overtime_workday',
  'overtime_rest',
  'overtime_holiday',
  'leave',
  'corrected',
  'unplaced',
  'revision',
] as const;
export type MonthColumn = (typeof monthColumns)[number];

/** Columns of a site that has chosen none. */
export const usualMonthColumns: readonly MonthColumn[] = monthColumns.filter(
  name => name !== 'ext_id' && name !== 'unplaced',
);

export const monthHeaders: Labels<MonthColumn> = {
  'zh-CN': {
    employee_num: '工号',
    name: '姓名',
    department: '部门',
    ext_id: '人员编号',
    days_planned: '应出勤天数',
    days_worked: '实出勤天数',
    days_absent: '旷工天数',
    days_leave: '请假天数',
    days_not_known: '待定天数',
    planned: '应出勤（分钟）',
    worked: '实出勤（分钟）',
    late_count: '迟到次数',
    late: '迟到（分钟）',
    early_count: '早退次数',
    early: '早退（分钟）',
    missing_in: '上班缺卡次数',
    missing_out: '下班缺卡次数',
    overtime_workday: '工作日加班（分钟）',
    overtime_rest: '休息日加班（分钟）',
    overtime_holiday: '节假日加班（分钟）',
    leave: '请假（分钟）',
    corrected: '考勤调整次数',
    unplaced: '未计入打卡次数',
    revision: '封存版本',
  },
  en: {
    employee_num: 'Employee number',
    name: 'Name',
    department: 'Department',
    ext_id: 'Employee ID',
    days_planned: 'Days scheduled',
    days_worked: 'Days worked',
    days_absent: 'Days absent',
    days_leave: 'Days on leave',
    days_not_known: 'Days pending',
    planned: 'Scheduled (min)',
    worked: 'Worked (min)',
    late_count: 'Late (times)',
    late: 'Late (min)',
    early_count: 'Left early (times)',
    early: 'Left early (min)',
    missing_in: 'Missing in',
    missing_out: 'Missing out',
    overtime_workday: 'Overtime, workdays (min)',
    overtime_rest: 'Overtime, rest days (min)',
    overtime_holiday: 'Overtime, holidays (min)',
    leave: 'Leave (min)',
    corrected: 'Corrections',
    unplaced: 'Check-ins not counted',
    revision: 'Closed (revision)',
  },
};

export type PunchHeader =
  | 'work_date'
  | 'day'
  | 'result'
  | 'shift'
  | 'time_text'
  | 'time'
  | 'role'
  | 'why'
  | 'type'
  | 'device'
  | 'source'
  | 'set_aside'
  | 'moved'
  | 'reason'
  | 'late'
  | 'clock'
  | 'id';

export const punchHeaders: Labels<PunchHeader> = {
  'zh-CN': {
    work_date: '考勤日期',
    day: '日期类型',
    result: '当日结果',
    shift: '班次',
    time_text: '打卡时间（文本）',
    time: '打卡时间',
    role: '计为',
    why: '说明',
    type: '打卡方式',
    device: '设备名称',
    source: '来源',
    set_aside: '作废',
    moved: '归属日期调整',
    reason: '考勤调整原因',
    late: '延迟到达',
    clock: '设备时钟',
    id: '记录编号',
  },
  en: {
    work_date: 'Work date',
    day: 'Day type',
    result: 'Result',
    shift: 'Shift',
    time_text: 'Check time (text)',
    time: 'Check time',
    role: 'Counts as',
    why: 'Note',
    type: 'Check type',
    device: 'Device',
    source: 'Source',
    set_aside: 'Ignored',
    moved: 'Moved to this date',
    reason: 'Reason for the correction',
    late: 'Arrived late',
    clock: 'Device clock',
    id: 'Record ID',
  },
};

export const sheetNames: Labels<'summary' | 'punches' | 'about'> = {
  'zh-CN': { summary: '汇总', punches: '打卡明细', about: '说明' },
  en: { summary: 'Summary', punches: 'Check-ins', about: 'About' },
};

export const aboutLabels: Labels<
  | 'site'
  | 'scope'
  | 'month'
  | 'state'
  | 'made_at'
  | 'made_by'
  | 'up_to'
  | 'zone'
  | 'rules'
  | 'corrections'
  | 'clocks'
  | 'units'
> = {
  'zh-CN': {
    site: '站点',
    scope: '范围',
    month: '月份',
    state: '状态',
    made_at: '生成时间',
    made_by: '生成人',
    up_to: '包含到第几条记录',
    zone: '时区',
    rules: '规则版本',
    corrections: '生效的考勤调整',
    clocks: '时钟不准的设备',
    units: '时间单位',
  },
  en: {
    site: 'Site',
    scope: 'Scope',
    month: 'Month',
    state: 'State',
    made_at: 'Made at',
    made_by: 'Created by',
    up_to: 'Includes records up to number',
    zone: 'Time zone',
    rules: 'Rules version',
    corrections: 'Corrections in effect',
    clocks: 'Devices with a wrong clock',
    units: 'Time unit',
  },
};

export const aboutWords: Labels<'all' | 'none' | 'minutes'> = {
  'zh-CN': { all: '全部人员', none: '无', minutes: '分钟' },
  en: { all: 'All employees', none: 'none', minutes: 'minutes' },
};

export const dayKinds: Labels<DayKind> = {
  'zh-CN': { workday: '工作日', rest: '休息日', legal_holiday: '节假日', none: '无排班', not_employed: '不在职' },
  en: {
    workday: 'Workday',
    rest: 'Rest day',
    legal_holiday: 'Holiday',
    none: 'No schedule',
    not_employed: 'Not employed',
  },
};

export const dayStates: Labels<DayState> = {
  'zh-CN': {
    to_come: '未到',
    running: '当日',
    not_known_yet: '待定',
    ok: '正常',
    missing_in: '上班缺卡',
    missing_out: '下班缺卡',
    absent: '旷工',
    leave: '请假',
    not_worked: '节假日排班未上班',
    off: '休息',
    extra: '休息日上班',
    none: '无排班',
    not_employed: '不在职',
  },
  en: {
    to_come: 'upcoming',
    running: 'in progress',
    not_known_yet: 'pending',
    ok: 'on time',
    missing_in: 'missing in',
    missing_out: 'missing out',
    absent: 'absent',
    leave: 'on leave',
    not_worked: 'holiday shift not worked',
    off: 'rest day',
    extra: 'worked on a rest day',
    none: 'no schedule',
    not_employed: 'not employed',
  },
};

export const punchRoleWords: Labels<'in' | 'out' | 'between' | 'repeat' | 'set_aside' | 'unplaced'> = {
  'zh-CN': { in: '上班', out: '下班', between: '中途', repeat: '重复打卡', set_aside: '已作废', unplaced: '不计入' },
  en: {
    in: 'in',
    out: 'out',
    between: 'between',
    repeat: 'duplicate',
    set_aside: 'ignored',
    unplaced: 'not counted',
  },
};
