import type { ComponentType } from 'preact';
import { useLocation } from 'preact-iso';
import { latePage } from '../parts/late-page.tsx';
import { words } from '../words/index.ts';
import About from './system/about.tsx';
import Alerts from './system/alerts.tsx';
import Backup from './system/backup.tsx';
import Certificates from './system/certificates.tsx';
import type { SystemTab } from './system/head.tsx';
import History from './system/history.tsx';
import Holidays from './system/holidays.tsx';
import Network from './system/network.tsx';
import Overview from './system/overview.tsx';
import Reset from './system/reset.tsx';
import Settings from './system/settings.tsx';
import Update from './system/update.tsx';
import Users from './system/users.tsx';
import './system.css';

/** Pages by tab. Two that few visits open have files of their own. */
const pages = {
  '': Overview,
  settings: Settings,
  history: History,
  alerts: Alerts,
  network: Network,
  drill: latePage(() => import('./system/drill.tsx')),
  certificates: Certificates,
  users: Users,
  audit: latePage(() => import('./system/audit.tsx')),
  backup: Backup,
  update: Update,
  reset: Reset,
  holidays: Holidays,
  about: About,
} as const satisfies Record<SystemTab, ComponentType>;

/** The box itself: its users and its state. The tab is the path's second part. */
export default function System() {
  const { path } = useLocation();
  const tab = path.split('/')[2] ?? '';
  const Page = pages[tab as keyof typeof pages];
  return Page ? <Page /> : <p class="sentence">{words.value.problem.notFound}</p>;
}
