import { pagePaths } from '../../src/platform/page-paths.ts';
import type { Language } from './words/asked-language.ts';

export type PageName = Exclude<keyof typeof pagePaths, 'welcome' | 'wall' | 'me'>;

interface Place {
  readonly name: PageName;
  /** Name of the page. */
  readonly called: Readonly<Record<Language, string>>;
  /** A phone shows it without opening the menu. */
  readonly first?: true;
  /** Where a group of the rail begins: people, devices, the box. */
  readonly begins?: true;
  /** Whether it is shown only where boxes below are listed. */
  readonly ofBoxes?: true;
}

/** The pages of the navigation, in its order. The shell draws it before the code of a page is there. */
export const navigation: readonly Place[] = [
  { name: 'today', called: { en: 'Today', 'zh-CN': '首页' }, first: true },
  { name: 'attendance', called: { en: 'Attendance', 'zh-CN': '考勤' }, first: true },
  { name: 'schedules', called: { en: 'Schedules', 'zh-CN': '排班' } },
  { name: 'people', called: { en: 'People', 'zh-CN': '人员' }, first: true },
  { name: 'access', called: { en: 'Access', 'zh-CN': '门禁' } },
  { name: 'devices', called: { en: 'Devices', 'zh-CN': '设备' }, first: true, begins: true },
  { name: 'fleet', called: { en: 'Fleet', 'zh-CN': '下级网关' }, ofBoxes: true },
  { name: 'commission', called: { en: 'Set up devices', 'zh-CN': '添加设备' } },
  { name: 'sync', called: { en: 'Sync', 'zh-CN': '同步' } },
  { name: 'integrations', called: { en: 'Integrations', 'zh-CN': '系统对接' }, begins: true },
  { name: 'logs', called: { en: 'Logs', 'zh-CN': '日志' } },
  { name: 'system', called: { en: 'System', 'zh-CN': '系统' }, first: true },
  { name: 'docs', called: { en: 'API reference', 'zh-CN': '接口文档' } },
];

export const classesOf = ({ first, begins }: Place): string | undefined =>
  [first ? '' : 'second', begins ? 'begins' : ''].filter(Boolean).join(' ') || undefined;

/** Whether a page of the navigation is the one at `path`, or has it below itself. */
export function isOn(name: PageName, path: string): boolean {
  const page = pagePaths[name];
  return path === page || (page !== '/' && path.startsWith(`${page}/`));
}
