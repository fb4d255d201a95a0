import type { ComponentType } from 'preact';
import { pagePaths } from '../../../src/platform/page-paths.ts';
import { latePage } from '../parts/late-page.tsx';
import type { PageName } from '../words/nav.ts';

export interface PageEntry {
  readonly path: string;
  readonly name: PageName;
  readonly page: ComponentType;
  /** A phone shows it without opening the menu. */
  readonly first: boolean;
}

/** What is left to do on a new box; not in the navigation. */
export const Welcome = latePage(() => import('./welcome.tsx'));
/** For a tablet that hangs at the gate; not in the navigation. */
export const Wall = latePage(() => import('./wall.tsx'));

/**
 * The pages of the navigation, in its order. Each is loaded when it is opened, and handles the
 * paths below its own.
 */
export const pages: readonly PageEntry[] = [
  { path: pagePaths.today, name: 'today', page: latePage(() => import('./today.tsx')), first: true },
  { path: pagePaths.attendance, name: 'attendance', page: latePage(() => import('./attendance.tsx')), first: true },
  { path: pagePaths.schedules, name: 'schedules', page: latePage(() => import('./schedules.tsx')), first: false },
  { path: pagePaths.people, name: 'people', page: latePage(() => import('./people.tsx')), first: true },
  { path: pagePaths.access, name: 'access', page: latePage(() => import('./access.tsx')), first: false },
  { path: pagePaths.devices, name: 'devices', page: latePage(() => import('./devices.tsx')), first: true },
  { path: pagePaths.commission, name: 'commission', page: latePage(() => import('./commission.tsx')), first: false },
  { path: pagePaths.sync, name: 'sync', page: latePage(() => import('./sync.tsx')), first: false },
  {
    path: pagePaths.integrations,
    name: 'integrations',
    page: latePage(() => import('./integrations.tsx')),
    first: false,
  },
  { path: pagePaths.logs, name: 'logs', page: latePage(() => import('./logs.tsx')), first: false },
  { path: pagePaths.system, name: 'system', page: latePage(() => import('./system.tsx')), first: true },
  { path: pagePaths.docs, name: 'docs', page: latePage(() => import('./docs.tsx')), first: false },
];
