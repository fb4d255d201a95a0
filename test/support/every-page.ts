import { pagePaths } from '../../src/platform/page-paths.ts';

/**
 * The paths of all pages of staff and of the views in them, at a box with the terminal `A0001`. The
 * page of employees has its own test (`ui/my-page`).
 */
export const everyPage: readonly string[] = [
  ...Object.values(pagePaths).filter(path => path !== pagePaths.me),
  '/attendance/month',
  '/attendance/reports',
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
