import type { Command } from './command.ts';
import { findsBox, json } from './common-options.ts';

/** The commands of the attendance API, the public services and OAuth. */
export const integrationCommands: readonly Command[] = [
  {
    name: 'attendance status',
    does: 'the organization, unknown people, wrong clocks, what the cloud refused',
    options: { ...findsBox, json },
    load: async () => (await import('./attendance.ts')).attendanceStatus,
  },
  {
    name: 'attendance month',
    does: 'what people worked by their schedules: hours, late, early, missing, overtime, leave',
    arguments: [{ name: 'MONTH' }],
    options: {
      department: { type: 'string', value: 'ID', description: 'of this department and those below it' },
      person: { type: 'string', value: 'ID', description: 'of this person' },
      ...findsBox,
      json,
    },
    more: [
      'Without a month: this one. With --json each line is a person, with every day and what became of each punch.',
    ],
    examples: ['gatehouse attendance month 2026-11 --department assembly'],
    load: async () => (await import('./attendance-month.ts')).attendanceMonth,
  },
  {
    name: 'attendance close',
    does: 'close a month: its figures stay as they are now, whatever arrives or is changed later',
    arguments: [{ name: 'MONTH', required: true }],
    options: {
      department: { type: 'string', value: 'ID', description: 'this department and those below it' },
      force: { type: 'string', value: 'REASON', description: 'close it although something is in the way, and say why' },
      ...findsBox,
      json,
    },
    more: [
      'What is in the way (days to come, corrections and leave that wait for approval, unknown people) is counted; nothing is closed then. The page Attendance opens a month again.',
    ],
    examples: ['gatehouse attendance close 2026-10', 'gatehouse attendance close 2026-10 --department assembly'],
    load: async () => (await import('./attendance-close.ts')).attendanceClose,
  },
  {
    name: 'attendance sync',
    does: 'fetch the organization from the cloud now',
    options: { ...findsBox },
    load: async () => (await import('./attendance.ts')).attendanceSync,
  },
  {
    name: 'attendance refused',
    does: 'pass on a change again that the cloud refused, or remove it from the list',
    arguments: [
      { name: 'WHAT', required: true, choices: ['again', 'dismiss'] },
      { name: 'ID', required: true },
    ],
    options: { ...findsBox },
    load: async () => (await import('./attendance.ts')).attendanceRefused,
  },
  {
    name: 'attendance conflict',
    does: 'remove a conflict of the organization from the list',
    arguments: [
      { name: 'WHAT', required: true, choices: ['dismiss'] },
      { name: 'ID', required: true },
    ],
    options: { ...findsBox },
    load: async () => (await import('./attendance.ts')).attendanceConflict,
  },
  {
    name: 'services status',
    does: 'what of the public services waits for the cloud, and why calls were refused',
    options: { ...findsBox, json },
    load: async () => (await import('./services.ts')).servicesStatus,
  },
  {
    name: 'accounts grants',
    does: 'list the applications that people have allowed to identify them',
    arguments: [{ name: 'USER' }],
    options: { ...findsBox, json },
    load: async () => (await import('./accounts.ts')).accountGrants,
  },
  {
    name: 'accounts revoke',
    does: 'revoke what somebody has allowed an application, with its tokens',
    arguments: [{ name: 'ID', required: true }],
    options: { ...findsBox },
    load: async () => (await import('./accounts.ts')).accountRevoke,
  },
  {
    name: 'accounts sessions',
    does: 'list the browsers in which a person is logged in',
    arguments: [{ name: 'USER', required: true }],
    options: { ...findsBox, json },
    load: async () => (await import('./accounts.ts')).accountSessions,
  },
  {
    name: 'accounts end-sessions',
    does: 'log a person out everywhere',
    arguments: [{ name: 'USER', required: true }],
    options: { ...findsBox },
    load: async () => (await import('./accounts.ts')).accountEndSessions,
  },
];
