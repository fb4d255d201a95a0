import type { DailyReports, DailyReportsOptions } from './daily-report/reports.ts';

export { absenceOn } from './absence.ts';
export type { DailyReportEntry, DailyReportState, DailyReports } from './daily-report/reports.ts';
export { documentAttendance } from './http/documents.ts';
export type { OrganizationChange } from './http/own-changes.ts';
export { columnChoiceIn, columnChoicePattern } from './import/columns.ts';
export { isRest } from './import/day-item.ts';
export type { ImportedList, ListKind } from './import/lists.ts';
export type { ListedEmployee } from './import/organization.ts';
export type { ImportedItem } from './import/read-fields.ts';
export { readListInThread } from './import/read-in-thread.ts';
export type { ImportChoices } from './import/read-list.ts';
export { type FileReading, type ImportProblem, importBytesMax, importRowsMax } from './import/table.ts';
export { listTemplate } from './import/template.ts';
export { takeOffTerminals } from './leaving.ts';
export type { ClosingFoot, ClosingOutcome, KeptRefusal } from './months/closing-outcome.ts';
export type { DayInShort } from './months/day-differences.ts';
export { type InTheWay, inTheWayNames } from './months/in-the-way.ts';
export { MonthClosings } from './months/month-closings.ts';
export { type Attendance, type AttendanceStatus, openAttendance } from './open.ts';
export { reportLanguage } from './reports/columns.ts';
export { deviceName } from './reports/device-name.ts';
export { monthColumns, monthHeaders, usualMonthColumns } from './reports/month-report-words.ts';
export { recordPages } from './reports/record-rows.ts';
export { recordsFile } from './reports/records-file.ts';
export { ReportsThread } from './reports-thread/reports-thread.ts';
export { AttendanceResults } from './schedules/attendance-results.ts';
export { isIn } from './schedules/by-department.ts';
export { arrivalPartSeconds } from './schedules/day-arrivals.ts';
export { type PersonOnDay, statusNames } from './schedules/day-status.ts';
export { DepartmentsOfPeople } from './schedules/departments-by-date.ts';
export { monthDates } from './schedules/frozen-month.ts';
export { movedDaysMax } from './schedules/moved.ts';
export type { PersonResults } from './schedules/person-results.ts';
export type { CalendarKind } from './schedules/plan.ts';
export {
  type Move,
  planChange,
  withDepartmentsMoved,
  withPeopleMoved,
  withRule,
  withShift,
} from './schedules/plan-change.ts';
export { plannedDays } from './schedules/planned-days.ts';
export {
  type DayResult,
  flagNames,
  type Minutes,
  type PunchUse,
  punchRoles,
  type SegmentResult,
  unplacedReasons,
} from './schedules/result.ts';
export { keptHeads } from './statements/kept-heads.ts';
export type { DayStatement, DeviceStatement } from './statements/statement.ts';
export { StatementLog, statementsHold } from './statements/statement-log.ts';
export { StatementMaker } from './statements/statement-maker.ts';

/** Daily attendance reports, of which a box without one loads nothing. */
export const openDailyReports = async (options: DailyReportsOptions): Promise<DailyReports> =>
  (await import('./daily-report/reports.ts')).openDailyReports(options);
