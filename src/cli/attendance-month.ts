import type { PersonResultsReport } from '../admin/index.ts';
import { type Call, flag, type Run, textOption } from './command.ts';
import { findBox } from './find-box.ts';
import { table } from './wording.ts';

const pageSize = 100;

/** `attendance month`: what people worked in a month, by their schedules. */
export const attendanceMonth: Run = async call => {
  const isJson = flag(call, 'json');
  const rows: PersonResultsReport[] = [];
  for await (const row of resultsOf(call, isJson ? 'punches' : 'sums')) {
    if (isJson) await call.print(`${JSON.stringify(row)}\n`);
    else rows.push(row);
  }
  if (!isJson) await call.print(rows.length === 0 ? 'nobody\n' : table(headings, rows.map(cellsOf)));
};

async function* resultsOf(call: Call, detail: 'sums' | 'punches'): AsyncGenerator<PersonResultsReport> {
  await using box = await findBox(call);
  const person = textOption(call, 'person');
  const department = textOption(call, 'department');
  for (let cursor: string | undefined; ; ) {
    const asked = { month: call.arguments[0], person, department, cursor, with: detail, limit: pageSize };
    const page = await box.get('/attendance/results', asked);
    yield* page.rows;
    if (page.cursor === null) return;
    cursor = page.cursor;
  }
}

const headings = [
  'NUMBER',
  'NAME',
  'DAYS',
  'ABSENT',
  'WORKED',
  'PLANNED',
  'LATE',
  'EARLY',
  'NO IN',
  'NO OUT',
  'LEAVE',
  'OVERTIME',
  'REST DAYS',
  'HOLIDAYS',
];

const cellsOf = ({ employee_num: number, name, sums: { days, counts, minutes } }: PersonResultsReport): string[] => [
  number,
  name,
  `${days.worked}/${days.planned}`,
  days.not_known > 0 ? `${days.absent} (${days.not_known} not known yet)` : String(days.absent),
  hours(minutes.worked),
  hours(minutes.planned),
  `${counts.late} (${minutes.late} min)`,
  `${counts.early} (${minutes.early} min)`,
  String(counts.missing_in),
  String(counts.missing_out),
  hours(minutes.leave),
  hours(minutes.overtime_workday),
  hours(minutes.overtime_rest),
  hours(minutes.overtime_holiday),
];

/** `160:30` */
const hours = (minutes: number): string => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
