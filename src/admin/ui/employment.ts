import { z } from '@hono/zod-openapi';
import type { Clock } from '../../runtime/clock.ts';
import type { PeopleReads, ScheduleStore } from '../../store/index.ts';
import { byCommand, type Call, operation, type Report, type Running } from '../operation.ts';
import { refused } from '../problem.ts';
import { done, rowId } from '../shapes.ts';
import { dayText, extIdText } from './people-shapes.ts';
import { leaveBody, leaveFacts, leaveRow, leaveStates, stored, throwIfEndsEarly } from './plan-shapes.ts';

const listedMax = 500;
const params = z.object({ ext_id: extIdText });
const failures = { 404: 'Nobody has this id', 422: 'It is refused; `problems` says where and why' } as const;
const employment = z.object({
  from: dayText.nullable().describe('First day; null: always'),
  to: dayText.nullable().describe('Last day, inclusive; null: has not left'),
});
type EmploymentFacts = Report<typeof employment>;

export const employmentOperations = {
  employment: operation({
    method: 'get',
    path: '/people/{ext_id}/employment',
    role: 'viewer',
    summary: 'Since when and until when a person is employed',
    params,
    returns: 'The first and the last day',
    answer: employment,
    failures: { 404: failures[404] },
  }),
  setEmployment: operation({
    method: 'put',
    path: '/people/{ext_id}/employment',
    role: 'staff',
    summary: 'Says that a person joins or has left on a day; after the last day the terminals forget the person',
    params,
    body: employment,
    returns: 'Done',
    answer: done,
    failures,
  }),
  leaves: operation({
    method: 'get',
    path: '/schedules/leaves',
    role: 'staff',
    summary: `Leave that touches a span of days, at most ${listedMax}`,
    query: z.object({
      person: z.string().max(64).optional(),
      from: dayText.optional(),
      to: dayText.optional(),
      state: z.enum(leaveStates).optional(),
    }),
    returns: 'The leave, by its start',
    answer: z.object({ rows: z.array(leaveRow), cut: z.boolean() }),
  }),
  addLeave: operation({
    method: 'post',
    path: '/schedules/leaves',
    role: 'staff',
    summary: 'Enters a leave of a person, approved or asked for',
    body: leaveBody,
    returns: 'Its id',
    answer: z.object({ id: z.number() }),
    failures: { 422: failures[422] },
  }),
  putLeave: operation({
    method: 'put',
    path: '/schedules/leaves/{id}',
    role: 'staff',
    summary: 'Changes a leave that is asked for or approved',
    params: z.object({ id: rowId }),
    body: leaveBody,
    returns: 'Its id',
    answer: z.object({ id: z.number() }),
    failures: { 422: failures[422] },
  }),
  decideLeave: operation({
    method: 'post',
    path: '/schedules/leaves/{id}/decision',
    role: 'staff',
    summary: 'Approves or refuses a leave that is asked for, or withdraws one',
    params: z.object({ id: rowId }),
    body: z.object({ state: z.enum(['approved', 'refused', 'withdrawn']) }),
    returns: 'Done',
    answer: done,
    failures: { 422: failures[422] },
  }),
};

/** Who is employed from when to when, and who is away. */
export function employments({
  store,
  clock,
}: {
  readonly store: ScheduleStore & { readonly read: Pick<PeopleReads, 'person'> };
  readonly clock: Clock;
}): Running<typeof employmentOperations> {
  const known = async (extId: string): Promise<EmploymentFacts> => {
    if (!(await store.read.person(extId))) throw refused(404, 'unknown', 'nobody has this id');
    const [found] = await store.read.employments({ people: [extId], limit: 1 });
    return { from: found?.from ?? null, to: found?.to ?? null };
  };
  const put = async (id: number | null, { ext_id: extId, ...leave }: z.output<typeof leaveBody>, call: Call) => {
    const before = id === null ? undefined : await store.read.leave(id);
    call.subject(`leave of ${extId}: ${before ? `${leaveWords(before)} → ` : ''}${leaveWords(leave)}`);
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

    async setEmployment({ ext_id: extId, from, to }, call = byCommand) {
      const before = await known(extId);
      call.subject(`employment of ${extId}: ${spanWords(before)} → ${spanWords({ from, to })}`);
      throwIfEndsEarly(`employment of ${extId}`, from, to);
      stored(`employment of ${extId}`, await store.write.setEmployment({ employment: { extId, from, to } }));
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
      call.subject(`${whose}: ${before ? `${leaveWords(before)} → ` : ''}${state}`);
      stored(whose, await store.write.decideLeave({ id, state, at: clock.now(), by: call.caller.actor }));
      return { done: true };
    },
  };
}

const leaveWords = ({ from, to, kind, state }: { from: string; to: string; kind: string; state: string }): string =>
  `${kind} ${from} to ${to}, ${state}`;

const spanWords = ({ from, to }: EmploymentFacts): string =>
  from === null && to === null ? 'always' : `${from ?? '…'} to ${to ?? '…'}`;
