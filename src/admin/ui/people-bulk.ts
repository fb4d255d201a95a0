import { z } from '@hono/zod-openapi';
import {
  type Attendance,
  type AttendanceResults,
  type Move,
  planChange,
  withPeopleMoved,
} from '../../attendance/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import {
  type BulkChangeStore,
  bulkChangeKept,
  bulkGroupMax,
  type PeopleReads,
  type PersonBulk,
  type PersonPlace,
  type ReadPart,
} from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { byCommand, type Call, operation, type Running } from '../operation.ts';
import { dayText, extIdText, scopeOf, scopeQuery, throwIfLater } from '../people-shapes.ts';
import { refused } from '../problem.ts';
import { rowId } from '../shapes.ts';
import { bulkBodyBytesMax, bulkChanged, bulkIdsMax, bulkUndone, manyOf, Unchanged } from './bulk-shapes.ts';
import { pastChange } from './plan-previews.ts';

/** People are read in pages of this size. */
const pageRows = 500;
/** A preview says that it was cut where there are more. */
const peopleLookedAt = 1001;

const matchingShape = z
  .strictObject({
    ...scopeQuery,
    employed: z.enum(['now', 'no more']).optional(),
    except: z.array(extIdText).max(bulkIdsMax).default([]),
    up_to_key: z
      .number()
      .int()
      .describe(
        described(
          '`last_key` of the list that was looked at: people who were added later are left out',
          '所看列表的 `last_key`：之后添加的人员不包括在内',
        ),
      ),
  })
  .describe(described('In place of `ext_ids`', '代替 `ext_ids`'));

const chosenPeople = {
  ext_ids: z.array(extIdText).min(1).max(bulkIdsMax).optional(),
  matching: matchingShape.optional(),
};

export const peopleBulkOperations = {
  change: operation({
    method: 'post',
    path: '/people/bulk',
    role: 'staff',
    audited: described('changed many people', '批量修改人员'),
    summary: described(
      'Moves many people to a department, or says that they leave on a day: those named, or all that match a query but for some. It can be undone for a week.',
      '批量调整部门或登记离职；一周内可以撤销',
    ),
    body: z.strictObject({
      department: extIdText.optional().describe(described('Where to; their titles stay', '移到哪里；职务不变')),
      department_since: dayText
        .optional()
        .describe(
          described('Of a department: the first day in it; absent: today', '调整部门时，在新部门的第一天；缺省：今天'),
        ),
      last_day: dayText.nullable().optional().describe(described('Null: they have not left', 'null：未离职')),
      ...chosenPeople,
    }),
    bodyBytesMax: bulkBodyBytesMax,
    returns: described('How many changed, and who did not and why', '更改了多少，哪些人没有更改及原因'),
    answer: bulkChanged.extend({
      queued: z
        .boolean()
        .describe(described('The cloud is the authority: it has yet to hear of it', '以云平台为准：还须由云平台接收')),
    }),
    failures: { 404: described('There is no such department', '没有此部门') },
  }),
  preview: operation({
    method: 'post',
    path: '/people/bulk/preview',
    role: 'staff',
    audited: described('looked at what a move to a department would change', '预览人员调动的影响'),
    summary: described(
      'What moving people to a department would change in days that are over',
      '预览调整部门会改变哪些过去的日期',
    ),
    body: z.strictObject({ department: extIdText, department_since: dayText, ...chosenPeople }),
    bodyBytesMax: bulkBodyBytesMax,
    ...pastChange,
    failures: { 404: described('There is no such department', '没有此部门') },
  }),
  undo: operation({
    method: 'post',
    path: '/people/bulk/{id}/undo',
    role: 'staff',
    audited: described('undid a change of many people', '撤销人员的批量修改'),
    summary: described(
      'Undoes a change of many people, but for people whom somebody changed since',
      '撤销对多名人员的更改，此后又被更改的人员除外',
    ),
    params: z.object({ id: rowId }),
    returns: described('How many are as before, and who is not and why', '恢复了多少，哪些人没有恢复及原因'),
    answer: bulkUndone,
    failures: {
      404: described('There is none of this number, it was undone, or it is too old', '没有此编号，或已撤销，或已过期'),
    },
  }),
};

interface Chosen {
  readonly ext_ids?: readonly string[] | undefined;
  readonly matching?: z.output<typeof matchingShape> | undefined;
}

interface Parts {
  readonly store: ReadPart<PeopleReads> & BulkChangeStore;
  readonly attendance: Pick<Attendance, 'status' | 'queued'>;
  readonly results: Pick<AttendanceResults, 'of' | 'withPlans'>;
  readonly clock: Clock;
  readonly config: { readonly site: { readonly timezone: string } };
}

/** Changes of many people at once, in groups, so that what devices send is written in between. */
export function peopleBulk({ store, attendance, results, clock, config }: Parts): Running<typeof peopleBulkOperations> {
  /** For departments alone: the cloud knows nothing of last days. */
  const queueFor = (what: 'department' | 'left', call: Call) =>
    what === 'department' && attendance.status().authority === 'cloud'
      ? { at: clock.now(), caller: call.caller.actor }
      : null;

  const today = () => dayOf(clock.now(), config.site.timezone).day;

  const chosenOf = ({ ext_ids: named, matching }: Chosen, call: Call) => {
    if ((named === undefined) === (matching === undefined))
      throw refused(400, 'selection', 'name either `ext_ids` or `matching`');
    return named ? [...new Set(named)] : matched(matching!, call);
  };

  /** The external ids of those who match. Who has none yet cannot be changed. */
  async function matched(
    { except, up_to_key: upToId, employed, ...query }: z.output<typeof matchingShape>,
    call: Call,
  ) {
    const left = new Set(except);
    const scope = {
      ...scopeOf(query),
      byMobile: call.caller.role !== 'viewer',
      ...(employed ? { employed: { which: employed, today: today() } } : {}),
    };
    const found: string[] = [];
    for (let after: PersonPlace | undefined, more = true; more; ) {
      const rows = await store.read.people({ ...scope, after, upToId, limit: pageRows });
      for (const { extId } of rows) if (extId !== '' && !left.has(extId)) found.push(extId);
      after = rows.at(-1)?.place;
      more = rows.length === pageRows;
    }
    return found;
  }

  return {
    async change({ department, department_since: since, last_day: lastDay, ...selection } = {}, call = byCommand) {
      const chosen = await chosenOf(selection, call);
      if ((department === undefined) === (lastDay === undefined))
        throw refused(400, 'change', 'name either `department` or `last_day`');
      const change: PersonBulk =
        department === undefined ? { what: 'left', to: lastDay! } : { what: 'department', to: department, since };
      throwIfLater(since, today());
      if (department !== undefined && !(await knowsDepartment(store, department)))
        throw refused(404, 'unknown', 'no department has this id');
      const who = manyOf(chosen);
      call.subject(
        change.what === 'department'
          ? auditSubjects.say('moved_to_department', { ...who, department: change.to })
          : change.to === null
            ? auditSubjects.say('employed_again', who)
            : auditSubjects.say('last_day', { ...who, day: change.to }),
      );
      const queue = queueFor(change.what, call);
      const unchanged = new Unchanged();
      let id: number | null = null;
      let changed = 0;
      for (let at = 0; at < chosen.length; at += bulkGroupMax) {
        const extIds = chosen.slice(at, at + bulkGroupMax);
        const recorded = { id, at: clock.now(), by: call.caller.actor };
        const done = await store.write.changeManyPeople({ ...recorded, extIds, change, queue });
        if (id !== null && done.id === null) break;
        id = done.id;
        changed += done.changed;
        for (const { subject, why } of done.left) unchanged.add(why === 'gone' ? 'unknown' : why, subject);
      }
      if (queue) attendance.queued();
      return { id, changed, unchanged: unchanged.rows(), queued: queue !== null && changed > 0 };
    },

    async preview({ department, department_since: since, ...selection }, call = byCommand) {
      const tree = await store.read.departmentTree(Number.MAX_SAFE_INTEGER);
      const to = tree.find(node => node.extId === department);
      if (!to) throw refused(404, 'unknown', 'no department has this id');
      const people = await chosenOf(selection, call);
      const moves = new Map<number, Move>();
      for (const extId of people.slice(0, peopleLookedAt)) {
        const person = await store.read.person(extId);
        if (person) moves.set(person.place.id, { now: person.place.department, to: to.id, since });
      }
      const plans = withPeopleMoved(store.read, moves);
      return planChange(results, plans, { from: since, today: today(), people, signal: call.signal });
    },

    async undo({ id }, call = byCommand) {
      const [found] = await store.read.bulkChanges({ id, since: clock.now() - bulkChangeKept.ms });
      if (found?.what !== 'department' && found?.what !== 'left')
        throw refused(404, 'unknown', 'there is no such change of people that can be undone');
      const queue = queueFor(found.what, call);
      const unchanged = new Unchanged();
      const all: string[] = [];
      for (let more = true; more; ) {
        const done = await store.write.undoManyPeople({ id, at: clock.now(), limit: bulkGroupMax, queue });
        for (const { subject, why } of done.left) unchanged.add(why, subject);
        all.push(...done.changed);
        more = done.more;
      }
      if (queue) attendance.queued();
      call.subject(auditSubjects.say('as_before', { change: id, ...manyOf(all) }));
      return { changed: all.length, unchanged: unchanged.rows() };
    },
  };
}

const knowsDepartment = async (store: ReadPart<PeopleReads>, extId: string): Promise<boolean> =>
  (await store.read.departmentTree(Number.MAX_SAFE_INTEGER)).some(one => one.extId === extId);
