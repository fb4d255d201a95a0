import { en } from './alert-words/en.ts';
import { type Said, spanIn } from './alert-words/said.ts';
import { zh } from './alert-words/zh.ts';
import type { Alert, AlertKind } from './alerts.ts';

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
  disk: '/',
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
  rebooted: '/system',
  channel: '/system/alerts',
};

const hasDevicePage: ReadonlySet<AlertKind> = new Set(['silent', 'device_clock', 'unreadable', 'used_twice']);

/** A device has a page of its own. */
export const alertPath = ({ kind, subject }: Pick<Alert, 'kind' | 'subject'>): string =>
  subject !== '' && hasDevicePage.has(kind) ? `${alertPaths[kind]}/${encodeURIComponent(subject)}` : alertPaths[kind];

export const alertTitle = (
  { kind, details, subject }: Pick<Alert, 'kind' | 'details' | 'subject'>,
  language: AlertLanguage,
): string => alertWords[language].kinds[kind].title(details, subject);

/** A span of time in at most two units, such as `1 h 12 min`. */
export const span = (ms: number, language: AlertLanguage): string => spanIn(alertWords[language].units, ms);
