import { area } from '../../words/index.ts';

/** The words of the import of plans. */
export const said = area(
  {
    title: 'Import shifts, or who works which.',
    back: 'Back to who works what',
    month: 'a month: people down, days across',
    rosters: 'rosters: one row each',
    shifts: 'shifts',
    ofMonth: 'Month of the file',
    monthColumns:
      'Columns: person (external id or number), then one for each day, called 2026-11-20, or 20 where the month is chosen here. A cell has the code or name of a shift, or off; an empty one leaves the day as it is.',
    rosterColumns:
      'Columns: person or department, shift; and date, or from (and to). One shift from a date on is worked on the days of “days” (1-5 if empty); seven codes are a week from Monday, other numbers of codes a cycle. “off” is a day off.',
    shiftColumns:
      'Columns: code, name, start, end; also start_2, end_2, breaks (12:00-13:00), late_grace, early_grace (minutes), kind (fixed, flexible, free), flex_late, flex_early, required_minutes, from (holds from this date on).',
  },
  {
    title: '导入班次或排班。',
    back: '返回排班',
    month: '月排班表：一人一行，一天一列',
    rosters: '排班清单：一条一行',
    shifts: '班次',
    ofMonth: '文件所属月份',
    monthColumns:
      '列名：人员编号（或工号），之后每天一列，列名写 2026-11-20；在此选定月份后，也可只写 20。单元格填班次代码或名称，休息填“休”；留空则当天不变。',
    rosterColumns:
      '列名：人员编号或部门编号、班次；日期，或开始日期（及结束日期）。从某天起上一个班次时，“工作日”可填 1-5（留空即周一至周五）；填七个代码为周一起的一周，其他个数按天循环。休息填“休”。',
    shiftColumns:
      '列名：班次代码、班次名称、上班、下班；可选：第二段上班、第二段下班、休息（12:00-13:00）、迟到不计（分钟）、早退不计（分钟）、类型（固定、弹性、自由）、可晚到（分钟）、可早到（分钟）、每天工时（分钟）、生效日期。',
  },
);
