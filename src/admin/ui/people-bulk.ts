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
import { byCommand, type Call, operation, type Running } from '../operation.ts';
import { dayText, extIdText, scopeOf, scopeQuery, throwIfLater } from '../people-shapes.ts';
import { refused } from '../problem.ts';
import { rowId } from '../shapes.ts';
import { bulkBodyBytesMax, bulkChanged, bulkIdsMax, bulkSubject, bulkUndone, Unchanged } from './bulk-shapes.ts';
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
      .describe('`last_key` of the list that was looked at: people who were added later are left out'),
  })
  .describe('In place of `ext_ids`');

const chosenPeople = {
  ext_ids: z.array(extIdText).min(1).max(bulkIdsMax).optional(),
  matching: matchingShape.optional(),
};

export const peopleBulkOperations = {
  change: operation({
    method: 'post',
    path: '/people/bulk',
    role: 'staff',
    summary:
      'Moves many people to a department, or says that they leave on a day: those named, or all that match a query but for some. It can be undone for a week.',
    body: z.strictObject({
      department: extIdText.optional().describe('Where to; their titles stay'),
      department_since: dayText.optional().describe('Of a department: the first day in it; absent: today'),
      last_day: dayText.nullable().optional().describe('Null: they have not left'),
      ...chosenPeople,
    }),
    bodyBytesMax: bulkBodyBytesMax,
    returns: 'How many changed, and who did not and why',
    answer: bulkChanged.extend({
      queued: z.boolean().describe('The cloud is the authority: it has yet to hear of it'),
    }),
    failures: { 404: 'There is no such department' },
  }),
  preview: operation({
    method: 'post',
    path: '/people/bulk/preview',
    role: 'staff',
    summary: 'What moving people to a department would change in days that are over',
    body: z.strictObject({ department: extIdText, department_since: dayText, ...chosenPeople }),
    bodyBytesMax: bulkBodyBytesMax,
    ...pastChange,
    failures: { 404: 'There is no such department' },
  }),
  undo: operation({
    method: 'post',
    path: '/people/bulk/{id}/undo',
    role: 'staff',
    summary: 'Undoes a change of many people, but for people whom somebody changed since',
    params: z.object({ id: rowId }),
    returns: 'How many are as before, and who is not and why',
    answer: bulkUndone,
    failures: { 404: 'There is none of this number, it was undone, or it is too old' },
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
      const what =
        change.what === 'department'
          ? `moved to department ${change.to}`
          : change.to === null
            ? 'employed again'
            : `last day ${change.to}`;
      call.subject(bulkSubject(what, chosen));
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
      call.subject(bulkSubject(`as before change ${id} of many`, all));
      return { changed: all.length, unchanged: unchanged.rows() };
    },
  };
}

const knowsDepartment = async (store: ReadPart<PeopleReads>, extId: string): Promise<boolean> =>
  (await store.read.departmentTree(Number.MAX_SAFE_INTEGER)).some(one => one.extId === extId);
