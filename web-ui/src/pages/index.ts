import type { ComponentType } from 'preact';
import { pagePaths } from '../../../src/platform/page-paths.ts';
import { navigation, type PageName } from '../navigation.ts';
import { latePage } from '../parts/late-page.tsx';

/** Steps that are left to do on a new box; not in the navigation. */
export const Welcome = latePage(() => import('./welcome.tsx'));
/** An employee's own days; not in the navigation. */
export const MyPage = latePage(() => import('./me.tsx'));
/** For a tablet that hangs at the gate; not in the navigation. */
export const Wall = latePage(() => import('./wall.tsx'));

/**
 * The pages of the navigation. Each is loaded when it is opened, and handles the paths below its
 * own. The shell fetches the files of the page named `today` early: `today.tsx`.
 */
const components: Readonly<Record<PageName, ComponentType>> = {
  today: latePage(() => import('./today.tsx')),
  attendance: latePage(() => import('./attendance.tsx')),
  schedules: latePage(() => import('./schedules.tsx')),
  people: latePage(() => import('./people.tsx')),
  access: latePage(() => import('./access.tsx')),
  devices: latePage(() => import('./devices.tsx')),
  fleet: latePage(() => import('./fleet.tsx')),
  commission: latePage(() => import('./commission.tsx')),
  sync: latePage(() => import('./sync.tsx')),
  integrations: latePage(() => import('./integrations.tsx')),
  logs: latePage(() => import('./logs.tsx')),
  system: latePage(() => import('./system.tsx')),
  docs: latePage(() => import('./docs.tsx')),
};

export const pages = navigation.map(place => ({
  ...place,
  path: pagePaths[place.name],
  page: components[place.name],
}));
