import { en } from './alert-words/en.ts';
import { type Said, spanIn } from './alert-words/said.ts';
import { zh } from './alert-words/zh.ts';
import type { Alert, AlertKind } from './alerts.ts';

/** An entry of the list of what wants a person. */
type Standing = Pick<Alert, 'kind' | 'subject' | 'details'> & { readonly count: number };

/**
 * Texts of alerts, in messages and on the pages: the fact, its meaning, the remedy, and the place.
 */

export type AlertLanguage = 'en' | 'zh';

/** `locale`: of the site, such as zh-CN. */
export const alertLanguage = (locale: string): AlertLanguage =>
  locale.split('-')[0]!.toLowerCase() === 'zh' ? 'zh' : 'en';

export const alertWords: Readonly<Record<AlertLanguage, Said>> = { en, zh };

/** The page that says more. */
export const alertPaths: Readonly<Record<AlertKind, string>> = {
  disk: '/system',
  wear: '/system',
  line: '/system/network',
  backlog: '/sync',
  silent: '/devices',
  logins: '/devices',
  backup: '/system/backup',
  box_clock: '/system',
  device_clock: '/devices',
  unreadable: '/devices',
  used_twice: '/devices',
  certificate: '/system/certificates',
  update: '/system/update',
  refused_records: '/sync',
  missing_at_cloud: '/sync',
  rejected: '/devices',
  approval: '/devices',
  never: '/devices',
  no_device: '/commission',
  zone: '/system/settings',
  recovery_key: '/system/backup',
  no_backup: '/system/backup',
  month: '/attendance/month',
  daily_report: '/attendance/reports',
  rebooted: '/system',
  channel: '/system/alerts',
};

const hasDevicePage: ReadonlySet<AlertKind> = new Set([
  'silent',
  'approval',
  'never',
  'device_clock',
  'unreadable',
  'used_twice',
]);

/** A device has a page of its own. */
export const alertPath = ({ kind, subject }: Pick<Alert, 'kind' | 'subject'>): string =>
  subject !== '' && hasDevicePage.has(kind) ? `${alertPaths[kind]}/${encodeURIComponent(subject)}` : alertPaths[kind];

/** The state of devices that the page shows, where an entry is about several. */
const stateOfMany: { readonly [Kind in AlertKind]?: string } = { silent: '?state=silent', never: '?state=never' };

/** Place where an entry of the list is mended. */
export const standingPath = ({ kind, subject, count, details }: Standing): string => {
  if (kind === 'month') return `${alertPaths.month}?month=${String(details.month)}`;
  return count === 1 ? alertPath({ kind, subject }) : `${alertPaths[kind]}${stateOfMany[kind] ?? ''}`;
};

/** One sentence for the entry, such as `56 devices are offline`. */
export const standingTitle = ({ kind, subject, count, details }: Standing, language: AlertLanguage): string =>
  count === 1
    ? alertTitle({ kind, subject, details }, language)
    : alertWords[language].kinds[kind].many(count, details);

export const alertTitle = (
  { kind, details, subject }: Pick<Alert, 'kind' | 'details' | 'subject'>,
  language: AlertLanguage,
): string => alertWords[language].kinds[kind].title(details, subject);

/** A span of time in at most two units, such as `1 h 12 min`. */
export const span = (ms: number, language: AlertLanguage): string => spanIn(alertWords[language].units, ms);
