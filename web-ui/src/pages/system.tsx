import type { ComponentType } from 'preact';
import { useLocation } from 'preact-iso';
import { latePage } from '../parts/late-page.tsx';
import { words } from '../words/index.ts';
import type { SystemTab } from './system/head.tsx';
import Overview from './system/overview.tsx';
import './system.css';

/** Pages by tab: a visit opens one or two, so each but the first is a file of its own. */
const pages = {
  '': Overview,
  settings: latePage(() => import('./system/settings.tsx')),
  history: latePage(() => import('./system/history.tsx')),
  alerts: latePage(() => import('./system/alerts.tsx')),
  network: latePage(() => import('./system/network.tsx')),
  drill: latePage(() => import('./system/drill.tsx')),
  certificates: latePage(() => import('./system/certificates.tsx')),
  users: latePage(() => import('./system/users.tsx')),
  audit: latePage(() => import('./system/audit.tsx')),
  backup: latePage(() => import('./system/backup.tsx')),
  update: latePage(() => import('./system/update.tsx')),
  reset: latePage(() => import('./system/reset.tsx')),
  holidays: latePage(() => import('./system/holidays.tsx')),
  about: latePage(() => import('./system/about.tsx')),
} as const satisfies Record<SystemTab, ComponentType>;

/** The box itself: its users and its state. The tab is the path's second part. */
export default function System() {
  const { path } = useLocation();
  const tab = path.split('/')[2] ?? '';
  const Page = pages[tab as keyof typeof pages];
  return Page ? <Page /> : <p class="sentence">{words.value.problem.notFound}</p>;
}
