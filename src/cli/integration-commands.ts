import type { Command } from './command.ts';
import { findsBox, json } from './common-options.ts';

/** The attendance API, the public services, and who was let in through OAuth. */
export const integrationCommands: readonly Command[] = [
  {
    name: 'attendance status',
    does: 'the organization, unknown people, wrong clocks, what the cloud refused',
    options: { ...findsBox, json },
    load: async () => (await import('./attendance.ts')).attendanceStatus,
  },
  {
    name: 'attendance sync',
    does: 'fetch the organization from the cloud now',
    options: { ...findsBox },
    load: async () => (await import('./attendance.ts')).attendanceSync,
  },
  {
    name: 'attendance refused',
    does: 'pass a change that the cloud refused on once more, or take it off the list',
    arguments: [
      { name: 'WHAT', required: true, choices: ['again', 'dismiss'] },
      { name: 'ID', required: true },
    ],
    options: { ...findsBox },
    load: async () => (await import('./attendance.ts')).attendanceRefused,
  },
  {
    name: 'attendance conflict',
    does: 'take a conflict of the organization off the list',
    arguments: [
      { name: 'WHAT', required: true, choices: ['dismiss'] },
      { name: 'ID', required: true },
    ],
    options: { ...findsBox },
    load: async () => (await import('./attendance.ts')).attendanceConflict,
  },
  {
    name: 'services status',
    does: 'what the public services have for the cloud, and why calls were refused',
    options: { ...findsBox, json },
    load: async () => (await import('./services.ts')).servicesStatus,
  },
  {
    name: 'accounts grants',
    does: 'which applications people have allowed to know who they are',
    arguments: [{ name: 'USER' }],
    options: { ...findsBox, json },
    load: async () => (await import('./accounts.ts')).accountGrants,
  },
  {
    name: 'accounts revoke',
    does: 'end what somebody has allowed an application, with its tokens',
    arguments: [{ name: 'ID', required: true }],
    options: { ...findsBox },
    load: async () => (await import('./accounts.ts')).accountRevoke,
  },
  {
    name: 'accounts sessions',
    does: 'at which browsers a person is logged in',
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
