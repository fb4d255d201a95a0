import { expect } from 'vitest';
import type { DailyReportDay, DailyReportWrites } from '../../../src/store/index.ts';
import { channelFailures } from '../../../src/words/channels.ts';
import { noWhy, whyOf } from '../../../src/words/sentences.ts';
import { at, type Cases } from './case.ts';

const offices = { name: 'Offices', settings: '{"channel":"dingtalk","url":"https://robot.example/send?token=hidden"}' };
const night = { name: '夜班', settings: '{"channel":"mail"}', since: at };
const of = (day: string, more: Partial<DailyReportDay> = {}): DailyReportDay => ({
  ...noWhy,
  ...{ name: 'Offices', day, state: 'sent', at, attempts: 1 },
  ...more,
});

export const dailyReportCases: Cases<DailyReportWrites> = {
  putDailyReport: async ({ store: { read, write } }) => {
    expect(await read.dailyReports()).toEqual([]);
    await write.putDailyReport(night);
    await write.putDailyReport({ ...offices, since: at });
    expect(await read.dailyReports()).toEqual([{ ...offices, since: at }, night]);
    await write.putDailyReport({ ...offices, settings: '{}', since: at + 1 });
    expect(await read.dailyReports()).toEqual([{ name: 'Offices', settings: '{}', since: at + 1 }, night]);
  },

  removeDailyReport: async ({ store: { read, write } }) => {
    await write.putDailyReport({ ...offices, since: at });
    await write.putDailyReport(night);
    await write.noteDailyReport(of('2026-11-30'));
    await write.removeDailyReport({ name: 'Offices' });
    await write.removeDailyReport({ name: 'nobody' });
    expect([await read.dailyReports(), await read.dailyReportDays('Offices')]).toEqual([[night], []]);
  },

  noteDailyReport: async ({ store: { read, write } }) => {
    const why = whyOf(channelFailures.say('not_sent_in', { seconds: 120 }));
    const failing = of('2026-12-01', { state: 'failing', attempts: 2, ...why });
    await write.noteDailyReport(of('2026-11-30'));
    await write.noteDailyReport(failing);
    await write.noteDailyReport(of('2026-12-01', { name: 'other' }));
    expect(await read.dailyReportDays('Offices')).toEqual([failing, of('2026-11-30')]);
    expect(await read.dailyReportsSince(at + 1)).toEqual([]);
    expect((await read.dailyReportsSince(at)).map(({ day }) => day)).toEqual([
      '2026-11-30',
      '2026-12-01',
      '2026-12-01',
    ]);
    await write.noteDailyReport(of('2026-12-01', { attempts: 3 }));
    expect(await read.dailyReportDays('Offices')).toEqual([of('2026-12-01', { attempts: 3 }), of('2026-11-30')]);
    // Days that are long over are forgotten.
    for (let day = 1; day <= 61; day++) await write.noteDailyReport(of(`2027-${String(day).padStart(3, '0')}`));
    const days = (await read.dailyReportDays('Offices')).map(({ day }) => day);
    expect([days.length, days.at(-1)]).toEqual([60, '2027-002']);
    expect(await read.dailyReportDays('other')).toHaveLength(1);
  },
};
