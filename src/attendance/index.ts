export type { RefusedCall } from './http/refused-calls.ts';
export type { MirrorStatus } from './mirror/mirror.ts';
export { type Attendance, type AttendanceOptions, type AttendanceStatus, openAttendance } from './open.ts';
