import { z } from '@hono/zod-openapi';
import { type Stints, stintsAfter, stintsOf } from '../../platform/stints.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { PeopleReads, ScheduleStore } from '../../store/index.ts';
import { auditPlans } from '../../words/audit-plans.ts';
import { described } from '../../words/described.ts';
import { byCommand, type Call, operation, type Report, type Running } from '../operation.ts';
import { dayText, extIdText } from '../people-shapes.ts';
import { refused } from '../problem.ts';
import { done, rowId } from '../shapes.ts';
import { leaveBody, leaveFacts, leaveRow, leaveStates, stored } from './plan-shapes.ts';
import { was } from './plan-words.ts';

const listedMax = 500;
const params = z.object({ ext_id: extIdText });
const failures = {
  404: described('Nobody has this id', '没有人使用此编号'),
  422: described('It is refused; `problems` says where and why', '不接受；`problems` 说明何处及原因'),
} as const;
const stint = z.object({
  from: dayText.nullable().describe(described('First day; null: always', '入职日期；null：一直')),
  to: dayText
    .nullable()
    .describe(described('Last day, inclusive; null: has not left', '最后工作日，含当天；null：未离职')),
});
const stintsMax = 100;
const employment = stint.extend({
  earlier: z
    .array(stint)
    .max(stintsMax)
    .describe(described('The stints before, in order; they do not overlap', '此前各段在职，按时间先后，互不重叠')),
});
type EmploymentFacts = Report<typeof employment>;

export const employmentOperations = {
  employment: operation({
    method: 'get',
    path: '/people/{ext_id}/employment',
    role: 'viewer',
    summary: described(
      'When a person is employed: the last stint, and those before it',
      '人员的在职时间：最后一段及此前各段',
    ),
    params,
    returns: described(
      'The first and the last day of the last stint, and the earlier ones',
      '最后一段在职的入职日期和最后工作日，及此前各段',
    ),
    answer: employment,
    failures: { 404: failures[404] },
  }),
  setEmployment: operation({
    method: 'put',
    path: '/people/{ext_id}/employment',
    role: 'staff',
    audited: described('changed from when to when a person is employed', '修改在职日期'),
    summary: described(
      'Says that a person joins, has left on a day or is back from a day; after the last day the terminals forget the person',
      '登记入职、离职或再次入职日期；最后工作日之后，终端删除该人员',
    ),
    params,
    body: stint.extend({
      earlier: employment.shape.earlier
        .optional()
        .describe(
          described(
            'The stints before, in place of those that are known; absent: they stay, and a first day after the last day that is known begins a new stint',
            '此前各段在职，取代已登记的各段；不传：保留已登记的各段，入职日期晚于已登记的最后工作日时新增一段',
          ),
        ),
    }),
    returns: described('Done', '已完成'),
    answer: done,
    failures,
  }),
  leaves: operation({
    method: 'get',
    path: '/schedules/leaves',
    role: 'staff',
    summary: described(
      `Leave that touches a span of days, at most ${listedMax}`,
      `某段日期内的请假，最多 ${listedMax} 条`,
    ),
    query: z.object({
      person: z.string().max(64).optional(),
      from: dayText.optional(),
      to: dayText.optional(),
      state: z.enum(leaveStates).optional(),
    }),
    returns: described('The leave, by its start', '请假，按开始时间'),
    answer: z.object({ rows: z.array(leaveRow), cut: z.boolean() }),
  }),
  addLeave: operation({
    method: 'post',
    path: '/schedules/leaves',
    role: 'staff',
    audited: described('added a leave', '添加请假'),
    summary: described('Enters a leave of a person, approved or asked for', '登记一名人员的请假，已批准或待审批'),
    body: leaveBody,
    returns: described('Its id', '其编号'),
    answer: z.object({ id: z.number() }),
    failures: { 422: failures[422] },
  }),
  putLeave: operation({
    method: 'put',
    path: '/schedules/leaves/{id}',
    role: 'staff',
    audited: described('changed a leave', '修改请假'),
    summary: described('Changes a leave that is asked for or approved', '修改待审批或已批准的请假'),
    params: z.object({ id: rowId }),
    body: leaveBody,
    returns: described('Its id', '其编号'),
    answer: z.object({ id: z.number() }),
    failures: { 422: failures[422] },
  }),
  decideLeave: operation({
    method: 'post',
    path: '/schedules/leaves/{id}/decision',
    role: 'staff',
    audited: described('decided on a leave', '审批请假'),
    summary: described(
      'Approves or refuses a leave that is asked for, or withdraws one',
      '批准或驳回待审批的请假，或撤回请假',
    ),
    params: z.object({ id: rowId }),
    body: z.object({ state: z.enum(['approved', 'refused', 'withdrawn']) }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: { 422: failures[422] },
  }),
};

export interface EmploymentParts {
  readonly store: ScheduleStore & { readonly read: Pick<PeopleReads, 'person'> };
  readonly clock: Clock;
}

/** Periods of employment and absence. */
export function employments({ store, clock }: EmploymentParts): Running<typeof employmentOperations> {
  const known = async (extId: string): Promise<EmploymentFacts> => {
    if (!(await store.read.person(extId))) throw refused(404, 'unknown', 'nobody has this id');
    const [found] = await store.read.employments({ people: [extId], limit: 1 });
    return { from: found?.from ?? null, to: found?.to ?? null, earlier: [...(found?.earlier ?? [])] };
  };
  const put = async (id: number | null, { ext_id: extId, ...leave }: z.output<typeof leaveBody>, call: Call) => {
    const before = id === null ? undefined : await store.read.leave(id);
    const after = { who: extId, ...leaveOf(leave) };
    call.subject(
      before ? auditPlans.say('leave_changed', { ...after, ...was(leaveOf(before)) }) : auditPlans.say('leave', after),
    );
    const outcome = await store.write.putLeave({
      id,
      leave: { ...leave, extId },
      at: clock.now(),
      by: call.caller.actor,
    });
    return { id: stored(`leave of ${extId}`, outcome) };
  };

  return {
    employment: ({ ext_id: extId }) => known(extId),

    async setEmployment({ ext_id: extId, from, to, earlier }, call = byCommand) {
      const before = await known(extId);
      const after = earlier ? { from, to, earlier } : stintsAfter(before, { from, to });
      call.subject(auditPlans.say('employment', { who: extId, was: stintText(before), is: stintText(after) }));
      stored(`employment of ${extId}`, await store.write.setEmployment({ employment: { extId, from, to, earlier } }));
      return { done: true };
    },

    async leaves({ person, from, to, state } = {}) {
      const found = await store.read.leaves({
        ...(person ? { people: [person] } : {}),
        ...(from ? { from } : {}),
        ...(to ? { to } : {}),
        ...(state ? { state } : {}),
        limit: listedMax + 1,
      });
      const rows = found.slice(0, listedMax);
      const { people } = await store.read.planNames({
        departments: [],
        people: [...new Set(rows.map(({ extId }) => extId))],
      });
      return {
        rows: rows.map(row => ({ ...leaveFacts(row), name: people.get(row.extId) ?? row.extId })),
        cut: found.length > listedMax,
      };
    },

    addLeave: (body, call = byCommand) => put(null, body, call),
    putLeave: ({ id, ...body }, call = byCommand) => put(id, body, call),

    async decideLeave({ id, state }, call = byCommand) {
      const before = await store.read.leave(id);
      const whose = before ? `leave of ${before.extId}` : `leave ${id}`;
      call.subject(
        before
          ? auditPlans.say('leave_decided', { who: before.extId, decided: state, ...leaveOf(before) })
          : auditPlans.say('leave_unknown', { leave: id, decided: state }),
      );
      stored(whose, await store.write.decideLeave({ id, state, at: clock.now(), by: call.caller.actor }));
      return { done: true };
    },
  };
}

const leaveOf = ({ from, to, kind, state }: { from: string; to: string; kind: string; state: string }) => ({
  ...{ from, to, kind, state },
});

/** `from/to` of each, for the audit log. */
const stintText = (stints: Stints): string =>
  stintsOf(stints)
    .map(({ from, to }) => `${from ?? ''}/${to ?? ''}`)
    .join(' ');
