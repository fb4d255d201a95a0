import type { pagePaths } from '../../../src/platform/page-paths.ts';
import { area } from './index.ts';

export type PageName = Exclude<keyof typeof pagePaths, 'welcome' | 'wall'>;
type Names = Readonly<Record<PageName | 'more', string>>;

/** What the pages are called in the navigation. */
export const nav = area(
  {
    today: 'Today',
    attendance: 'Attendance',
    schedules: 'Schedules',
    access: 'Access',
    devices: 'Devices',
    commission: 'Commission',
    sync: 'Sync',
    people: 'People',
    integrations: 'Integrations',
    logs: 'Logs',
    system: 'System',
    docs: 'API',
    more: 'More',
  } satisfies Names,
  {
    today: '今天',
    attendance: '考勤',
    schedules: '排班',
    access: '门禁',
    devices: '设备',
    commission: '开通',
    sync: '同步',
    people: '人员',
    integrations: '对接',
    logs: '日志',
    system: '系统',
    docs: '接口',
    more: '更多',
  } satisfies Names,
);
