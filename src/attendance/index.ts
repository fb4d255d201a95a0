export type { RefusedCall } from './http/refused-calls.ts';
export { type ImportProblem, readDepartments, readEmployees } from './import/organization.ts';
export { csvBytesMax, decodeCsv, readCsv } from './import/read-csv.ts';
export type { MirrorStatus } from './mirror/mirror.ts';
export { type Attendance, type AttendanceOptions, type AttendanceStatus, openAttendance } from './open.ts';
export { columnsOf, reportLanguage } from './reports/columns.ts';
export { csvReport } from './reports/csv.ts';
export { localTimes } from './reports/local-time.ts';
export { xlsxReport } from './reports/xlsx.ts';
