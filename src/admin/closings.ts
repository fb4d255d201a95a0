import { z } from '@hono/zod-openapi';
import type { MonthClosings } from '../attendance/index.ts';
import type { Config } from '../config/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { PeriodReads, ReadPart, ScheduleReads } from '../store/index.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import {
  closeRefused,
  closing,
  closingReport,
  footOf,
  nameOf,
  unfinished,
  unfinishedReport,
} from './closing-shapes.ts';
import { byCommand, operation, type Running, resource } from './operation.ts';
import { extIdText, monthText } from './people-shapes.ts';
import { refused } from './problem.ts';

const closingsMax = 500;

const failures = {
  404: described('No such closing or department', '没有此封存或部门'),
  409: described('Not as it is now: the title says why', '当前状态下不允许；标题说明原因'),
};

const reason = z.string().trim().min(1, { error: 'say why' }).max(200);

const closingOperations = {
  list: operation({
    method: 'get',
    path: '/attendance/closings',
    role: 'viewer',
    summary: described(
      'Months that were closed, every revision, newest month first',
      '已封存的月份及其全部版本，最新的月份在前',
    ),
    query: z.object({ month: monthText.optional() }),
    returns: described(
      'The closings, and whether another person has to approve a reopening',
      '封存，以及解除封存是否须由另一人批准',
    ),
    answer: z.object({
      second_person: z.boolean(),
      rows: z.array(closing),
      unfinished: z
        .array(unfinished)
        .describe(
          described(
            'Closings that are under way, or were refused after whoever asked had gone',
            '正在进行的封存，以及申请人离开后未能完成的封存',
          ),
        ),
    }),
  }),
  close: operation({
    method: 'post',
    path: '/attendance/closings',
    role: 'staff',
    ofWholeTables: true,
    audited: described('closed a month of attendance', '封存'),
    summary: described(
      'Closes a month for the site or a department: its figures stay as they are now, whatever arrives or is changed later. Answers when it is closed; a connection that is cut, or a restart of the box, does not end it: `unfinished` of the list shows how far it is',
      '为全站点或一个部门封存：无论以后收到或更改什么，数字都保持不变。完成后才应答；连接中断或网关重启不会终止封存，进度见列表的 `unfinished`',
    ),
    body: z.strictObject({
      month: monthText,
      department: extIdText
        .optional()
        .describe(described('With those below it; absent: the whole site', '含下级部门；缺省为全站点')),
      force: reason
        .optional()
        .describe(
          described(
            'Why it is closed although something is in the way; printed with it',
            '存在阻碍时仍然封存的理由；会一并打印',
          ),
        ),
      review: z
        .boolean()
        .default(false)
        .describe(
          described(
            'Refuses with in_the_way also where check-ins are missing or people were absent, so that somebody sees the list first. Otherwise these are only noted with the closing',
            '有缺卡或旷工时也以 in_the_way 拒绝，以便先核对列表；否则只随封存记录',
          ),
        ),
    }),
    returns: described('The closing', '封存'),
    answer: closing,
    failures: {
      ...failures,
      409: described(
        'in_the_way: `problems` has what and how many; closed: it is closed; closing: somebody is closing a month; nobody: nobody is in the scope whose month is open',
        'in_the_way：`problems` 列出阻碍及数量；closed：已封存；closing：有人正在封存；nobody：范围内没有未封存的人员',
      ),
    },
  }),
};

/** Closes months, so that what was paid stays as it was. */
function closings({
  store,
  clock,
  config,
  closings: months,
}: {
  readonly store: ReadPart<PeriodReads & Pick<ScheduleReads, 'planNames'>>;
  readonly clock: Clock;
  readonly config: Pick<Config, 'attendance'>;
  readonly closings: Pick<MonthClosings, 'close' | 'poke'>;
}): Running<typeof closingOperations> {
  const { second_person: twoPersons } = config.attendance.corrections;
  const departmentOf = async (extId: string | undefined) => {
    if (extId === undefined) return null;
    const { departments } = await store.read.planNames({ departments: [extId], people: [] });
    const name = departments.get(extId);
    if (name === undefined) throw refused(404, 'unknown', `no department has the id ${extId}`);
    return { extId, name };
  };

  return {
    async list({ month } = {}) {
      const drafts = await store.read.closingDrafts({ now: clock.now() });
      // Pages ask each second while a month is closed.
      if (drafts.every(({ refusal }) => refusal !== null)) months.poke();
      const rows = await store.read.periods({ month, limit: closingsMax });
      return {
        second_person: twoPersons,
        rows: rows.map(closingReport),
        unfinished: drafts.filter(draft => month === undefined || draft.month === month).map(unfinishedReport),
      };
    },

    async close({ month, department: extId, force = null, review }, call = byCommand) {
      const department = await departmentOf(extId);
      const outcome = await months.close(
        { month, department, force, isReview: review, by: call.caller.account },
        call.signal,
      );
      if (!outcome.ok) throw closeRefused(outcome, month);
      const { period } = outcome;
      call.subject(
        auditSubjects.say('period_closed', {
          ...nameOf(period),
          ...{ people: footOf(period).people, hash: period.hash, why: force ?? '' },
        }),
      );
      return closingReport(period);
    },
  };
}

export const closingsResource = resource(closingOperations, closings);
