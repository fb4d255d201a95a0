import { pagePaths } from '../../src/platform/page-paths.ts';

/** The paths of all pages and of the views in them, at a box with the terminal `A0001`. */
export const everyPage: readonly string[] = [
  ...Object.values(pagePaths),
  '/attendance/month',
  '/schedules/rosters',
  '/schedules/calendar',
  '/schedules/leave',
  '/devices/FACE-T1_A0001',
  '/devices/FACE-T1_A0001/statement',
  '/devices/FACE-T1_A0001/record/1',
  '/system/alerts',
  '/system/history',
  '/system/network',
  '/system/drill',
  '/system/certificates',
  '/system/users',
  '/system/audit',
  '/system/backup',
  '/system/update',
  '/system/reset',
  '/system/holidays',
  '/system/about',
];
