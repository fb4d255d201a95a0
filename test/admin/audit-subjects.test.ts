import { expect, test } from 'vitest';
import { bulkSubject } from '../../src/admin/ui/bulk-shapes.ts';
import { ruleWords, shiftWords, targetWords, versionWords, whatWords } from '../../src/admin/ui/plan-words.ts';
import { subjectInChinese } from '../../web-ui/src/pages/system/audit-subjects.ts';
import { aDayShift } from '../support/plans.ts';

const person = { kind: 'person', extId: 'e1' } as const;
const rule = { cycle: ['day', null], from: '2026-11-02', to: null };
const later = { ...rule, to: '2026-11-30' };
const shift = aDayShift({ validFrom: '2026-11-02' });

test.each([
  [
    `roster of ${targetWords(person)}: ${ruleWords(rule)} → ${ruleWords(later)}`,
    '人员 e1 的排班：day 休，2026-11-02 起 → day 休，2026-11-02 起至 2026-11-30',
  ],
  [`roster of ${targetWords({ kind: 'site' })}: ${ruleWords(rule)}`, '全站点 的排班：day 休，2026-11-02 起'],
  [
    `2026-11-02 of ${targetWords({ kind: 'department', extId: 'd1' })}: ${whatWords({ what: { kind: 'makeup', weekday: 5 } })}`,
    '部门 d1 的 2026-11-02：按星期 5 上班',
  ],
  [
    `shift day${versionWords(shift)}: ${shiftWords(shift)}`,
    '班次 day，2026-11-02 起：Day 09:00-18:00 休息 12:00-13:00 宽限 5/5',
  ],
  ['shift day', '班次 day'],
  [bulkSubject('blocked', ['FACE-T1_A0001', 'FACE-T1_A0002']), '停用：FACE-T1_A0001、FACE-T1_A0002'],
  [bulkSubject('let in again', []), '恢复接入：无'],
  [
    bulkSubject(
      'moved to department d2',
      Array.from({ length: 21 }, () => 'e1'),
    ),
    /^移到部门 d2：e1、.*e1 等，另有 1 个$/,
  ],
  [bulkSubject('as before change 3 of many', ['e1']), '撤销批量更改 3：e1'],
  [
    'leave of e1: annual 2026-11-02T09:00 to 2026-11-02T18:00, asked → approved',
    'e1 的请假：annual 2026-11-02T09:00 至 2026-11-02T18:00，待审批 → 已批准',
  ],
  ['employment of e1: always → 2026-01-01 to …', 'e1 的在职日期：一直 → 2026-01-01 至 …'],
  [
    'employment of e1: … to 2025-06-30 → … to 2025-06-30, 2026-11-01 to …',
    'e1 的在职日期：至 2025-06-30 → 至 2025-06-30、2026-11-01 至 …',
  ],
  [
    'correction 12 approved: e1: none → 2026-11-20 08:00; forgot',
    '更正 12（已批准）：e1: 补录 2026-11-20 08:00; forgot',
  ],
  [
    'correction 13 asked: e1: 2026-11-20 00:05 → counts on 2026-11-19; the night before',
    '更正 13（待审批）：e1: 2026-11-20 00:05 → 计入 2026-11-19; the night before',
  ],
  ['correction 12: asked → refused (e1: 2026-11-20 08:00)', '更正 12：待审批 → 已驳回（e1: 2026-11-20 08:00）'],
  [
    'month 2026-10, the whole site, revision 1, 200 people, hash 0a1b',
    '2026-10，全部人员，第 1 版，200 人，校验值 0a1b',
  ],
  [
    'month 2026-10, Assembly, revision 2: closed → open; a gate was away',
    '2026-10，Assembly，第 2 版：已关账 → 已反关账; a gate was away',
  ],
  ['shifts: 3 of 4 entries changed', '班次：4 行中有 3 行更改'],
  ['employees: looked at only', '人员：仅检查'],
  ['logs, 30 days: 1200 kB', '日志，保存 30 天：腾出 1200 kB'],
  ['checkins with photos', '打卡记录，含照片'],
  ['name: Plant 4 → Plant 5; records kept: 30 → 60 days', '名称：Plant 4 → Plant 5；记录保存天数：30 → 60'],
  ['program 1.2.0, older than 1.3.0: allowed', '程序 1.2.0，早于 1.3.0：已允许'],
  ['no device id: not genuine', '不是设备 ID：不符'],
  ['may receive people’s data', 'may receive people’s data'],
])('the audit log says in Chinese what was changed: %s', (subject, chinese) => {
  expect(subjectInChinese(subject)).toEqual(typeof chinese === 'string' ? chinese : expect.stringMatching(chinese));
});
