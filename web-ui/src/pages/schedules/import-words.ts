import { area } from '../../words/index.ts';

/** The words of the import of plans. */
export const said = area(
  {
    title: 'Import shifts and assignments',
    back: 'Back to assignments',
    month: 'Monthly roster: a row per employee, a column per day',
    rosters: 'Assignments: a row each',
    shifts: 'Shifts',
    ofMonth: 'Month',
    monthColumns:
      'Columns: person (employee ID or number), then one per day, named 2026-11-20, or 20 with the month selected here. A cell has a shift code or name, or off; an empty cell leaves the day unchanged.',
    rosterColumns:
      'Columns: person or department, shift, and date or from (and to). A single shift repeats on the weekdays in “days” (1-5 if empty); seven codes are a week from Monday, any other number is a cycle. “off” is a rest day.',
    shiftColumns:
      'Columns: code, name, start, end; also start_2, end_2, breaks (12:00-13:00), late_grace, early_grace (minutes), kind (fixed, flexible, free), flex_late, flex_early, required_minutes, from (valid from).',
  },
  {
    title: '导入班次和排班',
    back: '返回排班规则',
    month: '月排班表（一人一行，一天一列）',
    rosters: '排班规则（一条一行）',
    shifts: '班次',
    ofMonth: '月份',
    monthColumns:
      '列名：人员编号（或工号），之后每天一列，列名写 2026-11-20；选定月份后也可只写 20。单元格填班次代码或名称，休息填“休”；留空则当天不变。',
    rosterColumns:
      '列名：人员编号或部门编号、班次；日期，或开始日期（及结束日期）。从某天起上一个班次时，“工作日”可填 1-5（留空即周一至周五）；填七个代码为周一起的一周，其他个数按周期循环。休息填“休”。',
    shiftColumns:
      '列名：班次代码、班次名称、上班、下班；可选：第二段上班、第二段下班、休息（12:00-13:00）、允许迟到（分钟）、允许早退（分钟）、类型（固定、弹性、自由）、可晚到（分钟）、可早到（分钟）、每天工时（分钟）、生效日期。',
  },
);
