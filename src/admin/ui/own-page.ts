import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { OwnPagePerson, OwnPageStore } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { correctionShape, outcome, reason } from '../correction-shapes.ts';
import { type CorrectionParts, corrections } from '../corrections.ts';
import { type AdminEnvironment, type AdminIdentity, guard } from '../guard.ts';
import { type Call, operation, type Running } from '../operation.ts';
import { dayText, monthText } from '../people-shapes.ts';
import { refused } from '../problem.ts';
import { type ReceiptParts, receipt, receiptAdmin } from '../receipts.ts';
import { personResults } from '../result-shapes.ts';
import { refusing } from '../routes.ts';
import type { ResultParts } from '../schedule-results.ts';
import { serve } from '../serve.ts';
import { done, rowId } from '../shapes.ts';
import { confirmation, confirmedMonths } from './confirmed-month.ts';
import { type EmploymentParts, employments } from './employment.ts';
import { leaveBody, leaveRow } from './plan-shapes.ts';

/**
 * "My attendance": what an employee reads and asks for at the box. No call names a person: each is
 * about the one whose session it comes with.
 */

/** Corrections, and leaves, that one person may have waiting for a decision. */
const waitingMax = 20;

const tooMany = { 409: described('It was decided, or too many wait already', '已处理，或待审批的过多') };

export const ownPageOperations = {
  person: operation({
    method: 'get',
    path: '/own-page/person',
    role: 'viewer',
    summary: described('Whose page it is', '此页面属于谁'),
    returns: described('The person', '人员'),
    answer: z.object({ name: z.string(), employee_num: z.string(), department: z.string() }),
  }),
  month: operation({
    method: 'get',
    path: '/own-page/month',
    role: 'viewer',
    ofWholeTables: true,
    summary: described('The own month by the schedule, with every check-in', '本人某月的考勤，含每次打卡'),
    query: z.object({ month: monthText }),
    returns: described('Sums and days', '合计及各天'),
    answer: z.object({
      from: z.string(),
      to: z.string(),
      ...personResults.pick({ closed: true, sums: true, days: true }).shape,
      digest: z.string().describe(described('Of what is shown, to confirm it', '所示内容的摘要，用于确认')),
      confirmed: confirmation,
    }),
  }),
  confirm: operation({
    method: 'post',
    path: '/own-page/months/{month}/confirm',
    role: 'viewer',
    ofWholeTables: true,
    audited: described('confirmed a month', '确认月考勤'),
    summary: described('Confirms a month that is over, as it was shown', '按所示内容确认已结束的月份'),
    params: z.object({ month: monthText }),
    body: z.strictObject({ digest: z.string().max(64) }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: { 409: described('It has changed since it was shown, or is not over', '显示之后有变化，或尚未结束') },
  }),
  receipt: operation({
    method: 'get',
    path: '/own-page/receipts/{checkin}',
    role: 'viewer',
    summary: described('The way of one own check-in', '本人一次打卡的去向'),
    params: z.object({ checkin: rowId }),
    returns: described('The receipt', '回执'),
    answer: receipt,
    failures: { 404: described('It is none of this person', '不是本人的打卡') },
  }),
  requests: operation({
    method: 'get',
    path: '/own-page/requests',
    role: 'viewer',
    summary: described('Corrections and leave of a month, with what was decided', '某月的补卡和请假，以及审批结果'),
    query: z.object({ from: dayText, to: dayText }),
    returns: described('Both, newest first', '两者，最新的在前'),
    answer: z.object({ corrections: z.array(correctionShape), leaves: z.array(leaveRow.omit({ name: true })) }),
  }),
  askCheckIn: operation({
    method: 'post',
    path: '/own-page/corrections',
    role: 'viewer',
    audited: described('asked for a missing check-in', '申请补卡'),
    summary: described('Asks staff to add a missing check-in', '申请补卡'),
    body: z.strictObject({ time: z.string().max(40), reason }),
    returns: described('Its number', '其编号'),
    answer: outcome,
    failures: { ...tooMany, 422: described('The time does not exist, or is in the future', '时间不存在或在未来') },
  }),
  askLeave: operation({
    method: 'post',
    path: '/own-page/leaves',
    role: 'viewer',
    audited: described('asked for leave', '申请请假'),
    summary: described('Asks staff for leave', '申请请假'),
    body: leaveBody.pick({ from: true, to: true, kind: true, reason: true }),
    returns: described('Its id', '其编号'),
    answer: z.object({ id: z.number() }),
    failures: {
      ...tooMany,
      422: described('It overlaps another one, or ends before it begins', '与其他请假重叠，或结束早于开始'),
    },
  }),
  withdrawCheckIn: operation({
    method: 'post',
    path: '/own-page/corrections/{id}/withdraw',
    role: 'viewer',
    audited: described('withdrew a correction', '撤回补卡申请'),
    summary: described('Withdraws what was asked for and is not decided', '撤回尚未审批的补卡申请'),
    params: z.object({ id: rowId }),
    returns: described('What became of it', '结果'),
    answer: outcome,
    failures: tooMany,
  }),
  withdrawLeave: operation({
    method: 'post',
    path: '/own-page/leaves/{id}/withdraw',
    role: 'viewer',
    audited: described('withdrew a leave', '撤回请假申请'),
    summary: described('Withdraws leave that was asked for and is not decided', '撤回尚未审批的请假申请'),
    params: z.object({ id: rowId }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: tooMany,
  }),
};

interface OwnPageParts extends ResultParts, CorrectionParts, EmploymentParts {
  readonly store: ResultParts['store'] &
    CorrectionParts['store'] &
    EmploymentParts['store'] &
    ReceiptParts &
    OwnPageStore;
  readonly clock: Clock;
}

/** The person of the session; every operation here begins with it. */
const ownOf = ({ employee }: Call): OwnPagePerson => {
  if (!employee) throw new Error('a call of "My attendance" without its person');
  return employee;
};

/** Refuses who has filled the queue of those who decide. */
function throwIfFull(waiting: readonly unknown[]): void {
  if (waiting.length >= waitingMax)
    throw refused(409, 'too_many', `${waitingMax} requests wait for a decision: ask again when one is decided`);
}

/** The same for what is decided, of somebody else, or nothing: a number tells nothing of others. */
const notWaiting = () => refused(409, 'not_waiting', 'none of your requests with this number waits for a decision');

function ownPage(parts: OwnPageParts): Running<typeof ownPageOperations> {
  const { store, clock, site } = parts;
  const monthOf = confirmedMonths(parts);
  const receipts = receiptAdmin(store);
  const corrected = corrections(parts);
  const leaves = employments(parts);
  const theirs = (call: Call | undefined) => {
    if (!call) throw new Error('"My attendance" is called by its page alone');
    return { call, extId: ownOf(call).extId };
  };
  return {
    async person(_asked, given) {
      const { name, employeeNum, department } = ownOf(theirs(given).call);
      return { name, employee_num: employeeNum, department };
    },

    async month({ month }, given) {
      const { call, extId } = theirs(given);
      return monthOf(extId, month, call);
    },

    async confirm({ month, digest }, given) {
      const { call, extId } = theirs(given);
      if (month >= dayOf(clock.now(), site.timezone).day.slice(0, 7))
        throw refused(409, 'not_over', 'a month is confirmed when it is over');
      if ((await monthOf(extId, month, call)).digest !== digest)
        throw refused(409, 'changed', 'the month has changed since it was shown: load it again');
      await store.write.confirmMonth({ extId, month, digest, at: clock.now() });
      call.subject(month);
      return { done: true };
    },

    async receipt({ checkin }, given) {
      const { call, extId } = theirs(given);
      if (!(await store.read.isOwnCheckIn({ extId, checkIn: checkin })))
        throw refused(404, 'unknown', 'none of your check-ins has this number');
      return receipts.receipt({ checkin }, call);
    },

    async requests({ from, to }, given) {
      const { call, extId } = theirs(given);
      const asked = await corrected.list({ person: extId, from, to }, call);
      const { rows } = await leaves.leaves({ person: extId, from, to }, call);
      return { corrections: asked.rows, leaves: rows.map(({ name: _, ...row }) => row).reverse() };
    },

    async askCheckIn({ time, reason: why }, given) {
      const { call, extId } = theirs(given);
      throwIfFull((await corrected.list({ person: extId, state: 'asked' }, call)).rows);
      return corrected.ask({ kind: 'add', items: [{ ext_id: extId, time }], reason: why }, call);
    },

    async askLeave(asked, given) {
      const { call, extId } = theirs(given);
      throwIfFull((await leaves.leaves({ person: extId, state: 'asked' }, call)).rows);
      return leaves.addLeave({ ...asked, ext_id: extId, paid: true, state: 'asked' }, call);
    },

    async withdrawCheckIn({ id }, given) {
      const { call, extId } = theirs(given);
      const { rows } = await corrected.list({ person: extId, state: 'asked' }, call);
      if (!rows.some(row => row.id === id && row.asked_by === call.caller.account)) throw notWaiting();
      return corrected.decide({ id, decision: 'withdraw' }, call);
    },

    async withdrawLeave({ id }, given) {
      const { call, extId } = theirs(given);
      const found = await store.read.leave(id);
      if (found?.extId !== extId || found.state !== 'asked' || found.recordedBy !== call.caller.account)
        throw notWaiting();
      return leaves.decideLeave({ id, state: 'withdrawn' }, call);
    },
  };
}

/** The routes of the page; `identity` says whose it is. To be mounted before those of staff. */
export function ownPageRoutes(parts: OwnPageParts, identity: AdminIdentity): OpenAPIHono<AdminEnvironment> {
  const app = refusing(identity);
  app.use('/own-page/*', guard(identity, '/admin/v1'));
  serve(app, ownPageOperations, ownPage(parts));
  return app;
}
