import type { ComponentType } from 'preact';
import { useLocation } from 'preact-iso';
import { nav } from '../nav.ts';
import { latePage } from '../parts/late-page.tsx';
import { Loading } from '../parts/notices.tsx';
import { words } from '../words/index.ts';
import { Head, type SystemTab } from './system/head.tsx';
import Overview from './system/overview.tsx';
import './system.css';

/** The way to the other tabs stays while the code of one is fetched. */
const tab = (load: Parameters<typeof latePage>[0]): ComponentType =>
  latePage(load, () => (
    <>
      <Head sentence={nav.value.system} />
      <Loading />
    </>
  ));

/** Pages by tab: a visit opens one or two, so each but the first is a file of its own. */
const pages = {
  '': Overview,
  settings: tab(() => import('./system/settings.tsx')),
  history: tab(() => import('./system/history.tsx')),
  alerts: tab(() => import('./system/alerts.tsx')),
  network: tab(() => import('./system/network.tsx')),
  drill: tab(() => import('./system/drill.tsx')),
  certificates: tab(() => import('./system/certificates.tsx')),
  users: tab(() => import('./system/users.tsx')),
  audit: tab(() => import('./system/audit.tsx')),
  backup: tab(() => import('./system/backup.tsx')),
  update: tab(() => import('./system/update.tsx')),
  reset: tab(() => import('./system/reset.tsx')),
  holidays: tab(() => import('./system/holidays.tsx')),
  about: tab(() => import('./system/about.tsx')),
} as const satisfies Record<SystemTab, ComponentType>;

/** The box itself: its users and its state. The tab is the path's second part. */
export default function System() {
  const { path } = useLocation();
  const Page = pages[(path.split('/')[2] ?? '') as SystemTab];
  return Page ? <Page /> : <p class="sentence">{words.value.problem.notFound}</p>;
}
