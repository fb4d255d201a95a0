import { expect, test } from 'vitest';
import { manyOf } from '../../src/admin/ui/bulk-shapes.ts';
import { daySaid, rosterSaid, shiftSaid } from '../../src/admin/ui/plan-words.ts';
import { auditSubjects } from '../../src/words/audit.ts';
import { auditPlans } from '../../src/words/audit-plans.ts';
import { inChinese, type Reason } from '../../src/words/sentences.ts';
import { aDayShift } from '../support/plans.ts';

const rule = { target: { kind: 'person', extId: 'e1' }, cycle: ['day', null], from: '2026-11-02', to: null } as const;
const { say } = auditSubjects;
const leave = { who: 'e1', kind: 'annual', from: '2026-11-02T09:00', to: '2026-11-02T18:00', state: 'asked' };
const period = { month: '2026-10', scope: '', revision: 1 };

test.each<readonly [Reason, string, string | RegExp]>([
  [
    rosterSaid({ ...rule, to: '2026-11-30' }, rule),
    'assignment of person e1: day off from 2026-11-02 → day off from 2026-11-02 to 2026-11-30',
    '人员 e1 的排班规则：day 休，2026-11-02 起 → day 休，2026-11-02 起至 2026-11-30',
  ],
  [
    rosterSaid({ ...rule, target: { kind: 'site' } }),
    'assignment of the site: day off from 2026-11-02',
    '全站点 的排班规则：day 休，2026-11-02 起',
  ],
  [
    daySaid({ date: '2026-11-02', target: { kind: 'department', extId: 'd1' }, what: { kind: 'makeup', weekday: 5 } }),
    '2026-11-02 of department d1: makeup for weekday 5',
    '部门 d1 的 2026-11-02：按星期 5 上班',
  ],
  [
    shiftSaid(aDayShift({ validFrom: '2026-11-02' })),
    'shift day from 2026-11-02: Day 09:00-18:00 break 12:00-13:00 grace 5/5',
    '班次 day，2026-11-02 起：Day 09:00-18:00 休息 12:00-13:00 宽限 5/5',
  ],
  [
    say('devices_blocked', manyOf(['FACE-T1_A0001', 'FACE-T1_A0002'])),
    'blocked: FACE-T1_A0001, FACE-T1_A0002',
    '停用：FACE-T1_A0001、FACE-T1_A0002',
  ],
  [say('let_in_again', manyOf([])), 'unblocked: none', '恢复接入：无'],
  [
    say('moved_to_department', { department: 'd2', ...manyOf(Array.from({ length: 21 }, () => 'e1')) }),
    `moved to department d2: ${Array.from({ length: 20 }, () => 'e1').join(', ')} and 1 more`,
    /^移到部门 d2：e1、.*e1 等，另有 1 个$/,
  ],
  [say('as_before', { change: 3, ...manyOf(['e1']) }), 'as before change 3 of many: e1', '撤销批量更改 3：e1'],
  [
    auditPlans.say('leave_decided', { ...leave, decided: 'approved' }),
    'leave of e1: annual 2026-11-02T09:00 to 2026-11-02T18:00, asked → approved',
    'e1 的请假：annual 2026-11-02T09:00 至 2026-11-02T18:00，待审批 → 已批准',
  ],
  [
    auditPlans.say('employment', { who: 'e1', was: '/', is: '2026-01-01/' }),
    'employment of e1: always → 2026-01-01 to …',
    'e1 的在职日期：一直 → 2026-01-01 至 …',
  ],
  [
    auditPlans.say('employment', { who: 'e1', was: '/2025-06-30', is: '/2025-06-30 2026-11-01/' }),
    'employment of e1: … to 2025-06-30 → … to 2025-06-30, 2026-11-01 to …',
    'e1 的在职日期：至 2025-06-30 → 至 2025-06-30、2026-11-01 至 …',
  ],
  [
    say('correction', {
      ...{ id: 12, state: 'approved', why: 'forgot' },
      ...{ items: 'e1\t2026-11-20 08:00\t', more: 0, how: 'add' },
    }),
    'correction 12 approved: e1: none → 2026-11-20 08:00; forgot',
    '考勤调整 12（已批准）：e1: 补卡 2026-11-20 08:00；forgot',
  ],
  [
    say('correction', {
      ...{ id: 13, state: 'asked', why: 'the night before' },
      ...{ items: 'e1\t2026-11-20 00:05\t2026-11-19\ne2\t2026-11-20 00:06\t2026-11-19', more: 2, how: 'move_to' },
    }),
    'correction 13 asked: e1: 2026-11-20 00:05 → counts on 2026-11-19; e2: 2026-11-20 00:06 → counts on 2026-11-19; and 2 more; the night before',
    '考勤调整 13（待审批）：e1: 2026-11-20 00:05 → 归属 2026-11-19; e2: 2026-11-20 00:06 → 归属 2026-11-19；另有 2 条；the night before',
  ],
  [
    say('correction_decided', {
      ...{ id: 12, state: 'refused' },
      ...{ items: 'e1\t2026-11-20 08:00\t', more: 0, how: 'move_to' },
    }),
    'correction 12: asked → refused (e1: 2026-11-20 08:00)',
    '考勤调整 12：待审批 → 已驳回（e1: 2026-11-20 08:00）',
  ],
  [
    say('period_closed', { ...period, people: 200, hash: '0a1b', why: '' }),
    'month 2026-10, the whole site, revision 1, 200 people, hash 0a1b',
    '2026-10，全部人员，第 1 版，200 人，校验值 0a1b',
  ],
  [
    say('period_reopened', { ...period, scope: 'Assembly', revision: 2, state: 'open', why: 'a gate was away' }),
    'month 2026-10, Assembly, revision 2: closed → open; a gate was away',
    '2026-10，Assembly，第 2 版：已封存 → 已解除封存；a gate was away',
  ],
  [
    say('entries_changed', { list: 'shifts', changed: 3, entries: 4 }),
    'shifts: 3 of 4 entries changed',
    '班次：4 项中有 3 项更改',
  ],
  [say('looked_at_only', { list: 'employees' }), 'previewed an import (employees)', '预览导入（人员）'],
  [
    say('freed_of_days', { what: 'logs', days: 30, kilobytes: 1200 }),
    'logs, 30 days: 1200 kB',
    '日志，保存 30 天：腾出 1200 kB',
  ],
  [say('exported_with_photos', { what: 'checkins' }), 'checkins with photos', '读取打卡记录，含照片'],
  [
    say('site_settings', { changes: 'name\tPlant 4\tPlant 5\nrecords\t30\t60' }),
    'name: Plant 4 → Plant 5; records kept: 30 → 60 days',
    '名称由 Plant 4 改为 Plant 5；记录保存天数由 30 改为 60',
  ],
  [
    say('update_to_older', { of: 'program', version: '1.2.0', than: '1.3.0' }),
    'program 1.2.0, older than 1.3.0: allowed',
    '程序 1.2.0，早于 1.3.0：已允许',
  ],
  [say('no_device_id'), 'no device ID: not genuine', '不是设备编号：不符'],
])('an entry of the audit log says in both languages what was changed: %s', (said, english, chinese) => {
  expect(said.reason).toBe(english);
  expect(inChinese(said, auditSubjects, auditPlans)).toEqual(
    typeof chinese === 'string' ? chinese : expect.stringMatching(chinese),
  );
});
