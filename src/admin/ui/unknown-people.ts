import { z } from '@hono/zod-openapi';
import type { Clock } from '../../runtime/clock.ts';
import type { OrganizationStore, PeopleReads } from '../../store/index.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import { refused } from '../problem.ts';
import { done, rowId } from '../shapes.ts';

const listedMax = 200;

const saidId = {
  said_ext_id: z.string().max(64).describe('As the device reports it; empty: it reports the number alone'),
  said_number: z.string().max(64),
};
const somebody = z.object({ ext_id: z.string(), name: z.string() });
const unknownPerson = z.object({
  ...saidId,
  checkins: z.number(),
  last_at: z.number().describe('When the newest came in, milliseconds since 1970'),
  ambiguous: z.boolean().describe('Several people have this number'),
  likely: somebody.nullable().describe('The only person whose id or number differs in case and leading zeros alone'),
});
const joined = z.object({
  ...saidId,
  id: z.number(),
  person: somebody,
  at: z.number(),
  by: z.string(),
  checkins: z.number().describe('How many belong to the person by it'),
});
const unknownPeople = z.object({
  checkins: z.number().describe('Of all unknown people together'),
  rows: z.array(unknownPerson),
  joined: z.array(joined).describe('Whose unknown ids are known now, newest first'),
});
export type UnknownPeopleReport = Report<typeof unknownPeople>;

export const unknownPeopleOperations = {
  list: operation({
    method: 'get',
    path: '/unknown-people',
    role: 'viewer',
    summary: `Ids in check-ins that nobody has, at most ${listedMax}, and those that were joined to a person`,
    returns: 'The ids',
    answer: unknownPeople,
  }),
  join: operation({
    method: 'post',
    path: '/unknown-people/joins',
    role: 'staff',
    summary: 'An unknown id is this person’s from now on; its earlier check-ins and passages become the person’s',
    body: z.object({ ...saidId, ext_id: z.string().min(1).max(64).describe('Of the person') }),
    returns: 'The number of the join, and how many check-ins it resolved',
    answer: z.object({ id: z.number(), checkins: z.number() }),
    failures: { 422: 'There is no such person, or the id is somebody’s' },
  }),
  separate: operation({
    method: 'delete',
    path: '/unknown-people/joins/{id}',
    role: 'staff',
    summary: 'Undoes a join: the id is unknown again, with all check-ins that came under it',
    params: z.object({ id: rowId }),
    returns: 'Done',
    answer: done,
    failures: { 404: 'No such join' },
  }),
};

/** People whom devices know and the organization does not. */
export const unknownPeopleOf = ({
  store,
  clock,
}: {
  readonly store: {
    readonly read: Pick<OrganizationStore['read'], 'unresolvedPeople'> & Pick<PeopleReads, 'aliases' | 'likelyPeople'>;
    readonly write: Pick<OrganizationStore['write'], 'joinPerson' | 'separatePerson'>;
  };
  readonly clock: Clock;
}): Running<typeof unknownPeopleOperations> => ({
  async list() {
    const [{ records, people }, aliases] = await Promise.all([
      store.read.unresolvedPeople(listedMax),
      store.read.aliases(listedMax),
    ]);
    const likely = await store.read.likelyPeople({
      said: people.map(({ extId, employeeNum }) => ({ saidExtId: extId, saidNumber: employeeNum })),
    });
    return {
      checkins: records,
      rows: people.map(({ extId, employeeNum, records: checkins, ambiguous, lastAt }, index) => {
        const found = likely[index];
        return {
          said_ext_id: extId,
          said_number: employeeNum,
          checkins,
          last_at: lastAt,
          ambiguous,
          likely: found ? { ext_id: found.extId, name: found.name } : null,
        };
      }),
      joined: aliases.map(({ id, saidExtId, saidNumber, extId, name, at, by, checkIns }) => ({
        id,
        said_ext_id: saidExtId,
        said_number: saidNumber,
        person: { ext_id: extId, name },
        at,
        by,
        checkins: checkIns,
      })),
    };
  },

  async join({ said_ext_id: saidExtId, said_number: saidNumber, ext_id: extId }, call = byCommand) {
    call.subject(`${saidExtId || saidNumber} → ${extId}`);
    const outcome = await store.write.joinPerson({
      saidExtId,
      saidNumber,
      extId,
      at: clock.now(),
      by: call.caller.actor,
    });
    if (!outcome.ok) throw refused(422, outcome.refusal.code, outcome.refusal.reason);
    return { id: outcome.value.id, checkins: outcome.value.checkIns };
  },

  async separate({ id }, call = byCommand) {
    const alias = await store.write.separatePerson({ id });
    if (!alias) throw refused(404, 'unknown', 'there is no such join');
    call.subject(`${alias.saidExtId || alias.saidNumber} → ${alias.extId}`);
    return { done: true };
  },
});
