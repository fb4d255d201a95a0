import { z } from '@hono/zod-openapi';
import type { Attendance } from '../../attendance/index.ts';
import { attendanceLimits } from '../../platform/attendance.ts';
import { foldedNumber } from '../../platform/folded-number.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { OrganizationStore, PeopleReads } from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import type { Reason } from '../../words/sentences.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { refused } from '../problem.ts';
import { done, rowId } from '../shapes.ts';

const listedMax = 200;

const saidId = {
  said_ext_id: z
    .string()
    .max(64)
    .describe(
      described('As the device reports it; empty: it reports the number alone', '设备所报的编号；空：只报了工号'),
    ),
  said_number: z.string().max(64),
};
const somebody = z.object({ ext_id: z.string(), name: z.string() });
const unknownPerson = z.object({
  ...saidId,
  checkins: z.number(),
  last_at: z
    .number()
    .describe(
      described('When the newest came in, milliseconds since 1970', '最新一条收到的时间，自 1970 年起的毫秒数'),
    ),
  ambiguous: z.boolean().describe(described('Several people have this number', '有多人使用此工号')),
  likely: somebody
    .nullable()
    .describe(
      described(
        'The only person whose id or number differs in case and leading zeros alone',
        '唯一一个编号或工号仅大小写和前导零不同的人员',
      ),
    ),
});
const joined = z.object({
  ...saidId,
  id: z.number(),
  person: somebody,
  at: z.number(),
  by: z.string(),
  checkins: z.number().describe(described('How many belong to the person by it', '因此归于此人的打卡数')),
});
const unknownPeople = z.object({
  checkins: z.number().describe(described('Of all unknown people together', '全部无归属的打卡合计')),
  rows: z.array(unknownPerson),
  joined: z
    .array(joined)
    .describe(described('Whose unknown ids are known now, newest first', '无归属编号现在所属的人员，最新的在前')),
});
export type UnknownPeopleReport = Report<typeof unknownPeople>;

export const unknownPeopleOperations = {
  list: operation({
    method: 'get',
    path: '/unknown-people',
    role: 'viewer',
    summary: described(
      `Ids in check-ins that nobody has, at most ${listedMax}, and those that were joined to a person`,
      `打卡中无人对应的编号，最多 ${listedMax} 个，以及已归属到人员的编号`,
    ),
    returns: described('The ids', '编号'),
    answer: unknownPeople,
  }),
  join: operation({
    method: 'post',
    path: '/unknown-people/joins',
    role: 'staff',
    audited: described('said whose an unknown id is', '将未知编号归属到人员'),
    summary: described(
      'An unknown id is this person’s from now on; its earlier check-ins and passages become the person’s',
      '把未知编号归属到人员，此前的打卡和通行也归到此人名下',
    ),
    body: z.object({ ...saidId, ext_id: z.string().min(1).max(64).describe(described('Of the person', '人员的')) }),
    returns: described(
      'The number of the join, and how many check-ins it resolved',
      '归并的编号，以及因此归属的打卡数',
    ),
    answer: z.object({ id: z.number(), checkins: z.number() }),
    failures: { 422: described('There is no such person, or the id is somebody’s', '没有此人员，或编号属于其他人') },
  }),
  add: operation({
    method: 'post',
    path: '/unknown-people/people',
    role: 'staff',
    audited: described('added people for unknown ids', '为未知编号添加人员'),
    summary: described(
      'Adds a person for each of these unknown ids, who is called by the id until somebody writes the name; the check-ins become the person’s',
      '为每个未知编号添加一名人员，姓名暂为编号；其打卡归到此人名下',
    ),
    body: z.object({
      people: z.array(z.object(saidId)).min(1).max(listedMax),
      department: z.string().min(1).max(64).describe(described('The id of a department', '部门编号')),
    }),
    returns: described('How many were added', '添加的人数'),
    answer: z.object({ added: z.number() }),
    failures: {
      422: described('An id is somebody’s, or the cloud is the authority', '编号已属于某人，或以云平台为准'),
    },
  }),
  separate: operation({
    method: 'delete',
    path: '/unknown-people/joins/{id}',
    role: 'staff',
    audited: described('took an id from a person again', '撤销未知编号的归属'),
    summary: described(
      'Undoes a join: the id is unknown again, with all check-ins that came under it',
      '撤销归属，编号及其打卡重新变为未知',
    ),
    params: z.object({ id: rowId }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: { 404: described('No such join', '没有此归并') },
  }),
};

/** People whom devices know and the organization does not. */
export const unknownPeopleOf = ({
  store,
  clock,
  admin,
  attendance,
}: {
  readonly admin: Pick<BoxAdmin, 'apply'>;
  readonly attendance: Pick<Attendance, 'status'>;
  readonly store: {
    readonly read: Pick<OrganizationStore['read'], 'unresolvedPeople'> &
      Pick<PeopleReads, 'aliases' | 'likelyPeople' | 'person'>;
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
    call.subject(joinSaid({ saidExtId, saidNumber, extId }));
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

  async add({ people, department }, call = byCommand) {
    if (attendance.status().authority === 'cloud')
      throw refused(422, 'cloud_is_authority', 'the organization is the cloud’s: add people there');
    const employees = people.map(({ said_ext_id, said_number }) => {
      const extId = foldedNumber(said_ext_id || said_number);
      return {
        ext_id: extId,
        name: [...extId].slice(0, attendanceLimits.nameCharactersMax).join(''),
        ...(said_number === '' ? {} : { employee_num: said_number }),
        department: { ext_id: department },
      };
    });
    for (const { ext_id: extId } of employees)
      if (await store.read.person(extId)) throw refused(422, 'ext_id_in_use', `somebody has the id ${extId}`);
    call.subject(auditSubjects.say('added_for_unknown', { people: employees.length, department }));
    const outcome = await admin.apply({ site: { employees }, prune: false, dryRun: false });
    if (!outcome.ok) throw refused(422, 'not_added', outcome.problems[0]!.reason);
    return { added: outcome.changes.length };
  },

  async separate({ id }, call = byCommand) {
    const alias = await store.write.separatePerson({ id });
    if (!alias) throw refused(404, 'unknown', 'there is no such join');
    call.subject(joinSaid(alias));
    return { done: true };
  },
});

function joinSaid({ saidExtId, saidNumber, extId }: { saidExtId: string; saidNumber: string; extId: string }): Reason {
  return auditSubjects.say('joined', { written: saidExtId || saidNumber, who: extId });
}
