import { expect, test } from 'vitest';
import { asTest, compose } from '../../../src/attendance/daily-report/compose.ts';
import type { DailyFacts, ReportedPerson } from '../../../src/platform/daily-report.ts';

const secondsOf = (moment: string): number => Date.parse(`${moment}+08:00`) / 1000;
const person = (name: string, more: Partial<ReportedPerson> = {}): ReportedPerson => ({
  ...{ name, lateMinutes: 0, plannedOn: secondsOf('2026-12-01T08:00'), missingAt: [] },
  ...more,
});
const facts: DailyFacts = {
  ...{ day: '2026-12-01', now: secondsOf('2026-12-01T08:45') * 1000, isScheduled: true },
  ...{ due: 41, came: 39, expectedLater: 6, leave: 2, offline: [7] },
  absent: [person('Li Lei'), person('Han Mei', { plannedOn: secondsOf('2026-12-01T08:30') })],
  before: {
    day: '2026-11-30',
    late: [person('Wang Fang', { lateMinutes: 12, missingAt: [secondsOf('2026-11-30T17:30')] })],
    absent: [person('Zhao Gang')],
    missing: [person('Sun Li', { missingAt: [secondsOf('2026-11-30T17:30')] })],
  },
  ...{ corrections: 2, leaves: 1 },
};
const english: Parameters<typeof compose>[1] = {
  ...{ name: 'halls', language: 'en', site: 'Plant 4', timeZone: 'Asia/Shanghai', pages: 'https://box.local' },
  ...{ departments: ['Assembly', 'Paint shop'], terminals: ['North gate'] },
};
const chinese: typeof english = {
  ...english,
  ...{ language: 'zh', site: '四号厂房', departments: ['装配车间'], terminals: ['北门'] },
};

test('the message of a morning, in English', () => {
  const { title, lines, link } = compose(facts, english);
  expect([title, ...lines, link]).toEqual([
    '[Plant 4] Attendance, Tue 1 Dec: 2 of 41 absent',
    'Assembly, Paint shop',
    'At 08:45: 39 of 41 scheduled present · 6 expected later · 2 on leave',
    'Absent: Li Lei (08:00), Han Mei (08:30)',
    'Offline terminals (check-ins made there are not counted yet): North gate',
    'Mon 30 Nov: 1 late · 1 absent · 1 missing check-in',
    'Late: Wang Fang (12 min, none at 17:30)',
    'Absent: Zhao Gang',
    'Missing check-in: Sun Li (none at 17:30)',
    'Pending approval: 2 corrections, 1 leave request',
    'https://box.local/attendance?day=2026-12-01',
  ]);
});

test('the message of a morning, in Chinese', () => {
  const { title, lines } = compose(facts, chinese);
  expect([title, ...lines]).toEqual([
    '【四号厂房】考勤日报 12月1日周二：应到 41 人，缺勤 2 人',
    '装配车间',
    '截至 08:45：应到 41 人，实到 39 人，待上班 6 人，请假 2 人',
    '缺勤：Li Lei（08:00）、Han Mei（08:30）',
    '离线终端（其打卡尚未计入）：北门',
    '11月30日周一：迟到 1 人，缺勤 1 人，缺卡 1 人',
    '迟到：Wang Fang（12 分钟，17:30 未打卡）',
    '缺勤：Zhao Gang',
    '缺卡：Sun Li（17:30 未打卡）',
    '待审批：考勤调整 2 项，请假 1 项',
  ]);
});

test('on a morning without trouble it is three lines', () => {
  const well: DailyFacts = {
    ...facts,
    ...{ came: 41, absent: [], expectedLater: 0, leave: 0, offline: [], corrections: 0, leaves: 0 },
    before: { day: '2026-11-30', late: [], absent: [], missing: [] },
  };
  const to = { ...english, departments: [], terminals: [], pages: '' };
  const { title, lines, link } = compose(well, to);
  expect([title, ...lines, link]).toEqual([
    '[Plant 4] Attendance, Tue 1 Dec: all 41 present',
    'At 08:45: 41 of 41 scheduled present',
    'Mon 30 Nov: nobody late or absent',
    '',
  ]);
  const zh = compose(well, { ...chinese, departments: [], terminals: [] });
  expect([zh.title, ...zh.lines]).toEqual([
    '【四号厂房】考勤日报 12月1日周二：应到 41 人，全部到齐',
    '截至 08:45：应到 41 人，实到 41 人',
    '11月30日周一：无人迟到、缺勤',
  ]);
});

test('a long list ends with how many more there are', () => {
  const absent = Array.from({ length: 23 }, (_, no) => person(`P${no}`, { plannedOn: null }));
  const line = compose({ ...facts, absent }, english).lines.find(one => one.startsWith('Absent: P0'))!;
  expect(line).toMatch(/^Absent: P0, P1, .*, P19 and 3 more$/);
  expect(compose({ ...facts, absent }, chinese).lines.find(one => one.startsWith('缺勤：P0'))).toMatch(/P19等 23 人$/);
});

test('before the first shift it says that nobody is due yet, and a test is marked as one', () => {
  const early = { ...facts, due: 0, came: 0, absent: [] };
  expect(compose(early, english).title).toBe('[Plant 4] Attendance, Tue 1 Dec: nobody due yet');
  expect(asTest(compose(early, chinese), 'zh').title).toBe('测试：【四号厂房】考勤日报 12月1日周二：暂无应到人员');
});
