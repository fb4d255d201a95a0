import { expect } from 'vitest';
import type { Alert, AlertMessage } from '../../../src/platform/alerts.ts';
import type { AlertWrites } from '../../../src/store/index.ts';
import { at, type Cases, dayMs } from './case.ts';

const alert: Alert = {
  ...{ id: 'a1', kind: 'silent', subject: 'FACE-T1_A0001', severity: 'warn', since: at - 1000, openedAt: at },
  ...{ announcedAt: null, announcedAs: null, overAt: null, isDone: false, details: { name: 'North gate' } },
};
const message: AlertMessage = {
  ...{ id: 'm1', channel: 'mail', attempts: 0, nextAt: at },
  content: {
    ...{ type: 'opened', at, kind: 'silent', severity: 'warn', title: 'North gate is silent', lines: ['since 08:12'] },
    ...{ link: '', alerts: [] },
  },
};
const nothing = { alerts: [], messages: [], removedMessages: [], forgetBefore: 0 };

export const alertCases: Cases<AlertWrites> = {
  saveAlerts: async ({ store: { read, write } }) => {
    await write.saveAlerts({ ...nothing, alerts: [alert], messages: [message] });
    expect(await read.currentAlerts()).toEqual([alert]);
    expect(await read.alertMessages()).toEqual([message]);
    const announced: Alert = { ...alert, severity: 'critical', announcedAt: at + 1, announcedAs: 'critical' };
    const tried = { ...message, attempts: 1, nextAt: at + 5 };
    await write.saveAlerts({ ...nothing, alerts: [announced], messages: [tried, { ...message, id: 'm2' }] });
    expect(await read.currentAlerts()).toEqual([announced]);
    expect(await read.alertMessages()).toEqual([tried, { ...message, id: 'm2' }]);
    const over = { ...announced, overAt: at + 10, isDone: true };
    await write.saveAlerts({ ...nothing, alerts: [over], removedMessages: ['m1', 'm2'] });
    expect(await read.currentAlerts()).toEqual([]);
    expect(await read.alertMessages()).toEqual([]);
    expect(await read.pastAlerts({ limit: 10 })).toEqual([over]);
    expect(await read.pastAlerts({ limit: 10, before: at })).toEqual([]);
    // Only what is done is forgotten.
    await write.saveAlerts({ ...nothing, alerts: [{ ...alert, id: 'a2' }], forgetBefore: at + dayMs });
    expect(await read.pastAlerts({ limit: 10 })).toEqual([]);
    expect(await read.currentAlerts()).toMatchObject([{ id: 'a2' }]);
  },
  putAlertSetting: async ({ store: { read, write } }) => {
    expect(await read.alertSetting('settings')).toBeNull();
    for (const value of ['{"quiet_hours":"22:00-07:00"}', '{}'])
      await write.putAlertSetting({ key: 'settings', value });
    expect(await read.alertSetting('settings')).toBe('{}');
  },
};
