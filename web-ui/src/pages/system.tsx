import { useLocation } from 'preact-iso';
import { words } from '../words/index.ts';
import About from './system/about.tsx';
import Alerts from './system/alerts.tsx';
import Audit from './system/audit.tsx';
import Backup from './system/backup.tsx';
import Certificates from './system/certificates.tsx';
import Drill from './system/drill.tsx';
import type { tabs } from './system/head.tsx';
import History from './system/history.tsx';
import Holidays from './system/holidays.tsx';
import Network from './system/network.tsx';
import Overview from './system/overview.tsx';
import Reset from './system/reset.tsx';
import Settings from './system/settings.tsx';
import Update from './system/update.tsx';
import Users from './system/users.tsx';
import './system.css';

const pages = {
  '': Overview,
  settings: Settings,
  history: History,
  alerts: Alerts,
  network: Network,
  drill: Drill,
  certificates: Certificates,
  users: Users,
  audit: Audit,
  backup: Backup,
  update: Update,
  reset: Reset,
  holidays: Holidays,
  about: About,
} as const satisfies Record<(typeof tabs)[number], () => unknown>;

/** The box itself: its users and its state. The tab is the path's second part. */
export default function System() {
  const { path } = useLocation();
  const tab = path.split('/')[2] ?? '';
  const Page = pages[tab as keyof typeof pages];
  return Page ? <Page /> : <h1 class="sentence">{words.value.problem.notFound}</h1>;
}
