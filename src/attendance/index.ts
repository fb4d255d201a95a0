export { documentAttendance } from './http/documents.ts';
export type { OrganizationChange } from './http/own-changes.ts';
export { type ImportProblem, readDepartments, readEmployees } from './import/organization.ts';
export { csvBytesMax, decodeCsv, readCsv } from './import/read-csv.ts';
export { type Attendance, type AttendanceStatus, openAttendance } from './open.ts';
export { columnsOf, reportLanguage } from './reports/columns.ts';
export { csvReport } from './reports/csv.ts';
export { localTimes } from './reports/local-time.ts';
export { xlsxReport } from './reports/xlsx.ts';
