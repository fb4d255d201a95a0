import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { pagePaths } from '../../../src/platform/page-paths.ts';
import type { PageName } from '../words/nav.ts';

export interface PageEntry {
  readonly path: string;
  readonly name: PageName;
  readonly page: ComponentType;
  /** A phone shows it without opening the menu. */
  readonly first: boolean;
}

/** What is left to do on a new box; not in the navigation. */
export const Welcome = lazy(() => import('./welcome.tsx'));

/**
 * The pages of the navigation, in its order. Each is loaded when it is opened, and handles the
 * paths below its own.
 */
export const pages: readonly PageEntry[] = [
  { path: pagePaths.today, name: 'today', page: lazy(() => import('./today.tsx')), first: true },
  { path: pagePaths.attendance, name: 'attendance', page: lazy(() => import('./attendance.tsx')), first: true },
  { path: pagePaths.schedules, name: 'schedules', page: lazy(() => import('./schedules.tsx')), first: false },
  { path: pagePaths.access, name: 'access', page: lazy(() => import('./access.tsx')), first: false },
  { path: pagePaths.devices, name: 'devices', page: lazy(() => import('./devices.tsx')), first: true },
  { path: pagePaths.commission, name: 'commission', page: lazy(() => import('./commission.tsx')), first: false },
  { path: pagePaths.sync, name: 'sync', page: lazy(() => import('./sync.tsx')), first: false },
  { path: pagePaths.people, name: 'people', page: lazy(() => import('./people.tsx')), first: true },
  { path: pagePaths.integrations, name: 'integrations', page: lazy(() => import('./integrations.tsx')), first: false },
  { path: pagePaths.logs, name: 'logs', page: lazy(() => import('./logs.tsx')), first: false },
  { path: pagePaths.system, name: 'system', page: lazy(() => import('./system.tsx')), first: true },
  { path: pagePaths.docs, name: 'docs', page: lazy(() => import('./docs.tsx')), first: false },
];
