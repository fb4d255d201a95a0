import { z } from '@hono/zod-openapi';
import type { Attendance } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { DirectoryStore, PeopleReads, ReadPart, ScheduleReads } from '../../store/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import {
  cursorText,
  deviceWords,
  extIdText,
  pageQuery,
  person,
  personCursor,
  personFacts,
  personPlaceOf,
  scopeOf,
  scopeQuery,
} from '../people-shapes.ts';
import { refused } from '../problem.ts';

const department = z.object({
  id: z.number(),
  parent: z.number().nullable().describe(described('Null: the root', 'null：根部门')),
  ext_id: z.string().describe(described('Empty: has none yet', '空：尚无编号')),
  name: z.string(),
  people: z.number(),
  people_below: z.number().describe(described('With the departments below', '含下级部门')),
});
const organization = z.object({
  authority: z.enum(['cloud', 'box']).describe(described('Whose word on the organization counts', '组织以谁为准')),
  departments: z.array(department),
  cut: z.boolean().describe(described('There are more than are listed', '实际多于所列')),
});
const listedPerson = person.extend({
  features: z.array(z.string()),
  abnormal: z.boolean().describe(described('A terminal could not recognize one', '有终端无法识别其特征')),
  employed_from: z.string().nullable().describe(described('First day; null: always', '入职日期；null：一直')),
  employed_to: z.string().nullable().describe(described('Last day; null: has not left', '最后工作日；null：未离职')),
  missing_since: z
    .number()
    .nullable()
    .describe(
      described(
        'From when the cloud no longer lists the person; null: it does',
        '从何时起云平台不再列出此人；null：仍列出',
      ),
    ),
});
const personReport = person.extend({
  checkins: z
    .number()
    .describe(described('How many check-ins go when the person is deleted', '删除人员时一并删除的打卡数')),
  feature_kinds: z.number(),
});
const feature = z.object({
  type: z.string(),
  algorithm: z.string(),
  stored_at: z.number(),
  device: z
    .string()
    .describe(described('Empty: it came from a caller of the attendance API', '空：来自考勤接口的调用方')),
  values: z.array(z.object({ length: z.number(), abnormal: z.boolean() })),
  damaged: z.boolean(),
});
export type DepartmentFacts = Report<typeof department>;
export type OrganizationReport = Report<typeof organization>;
export type ListedPerson = Report<typeof listedPerson>;
export type PersonReport = Report<typeof personReport>;
export type FeatureReport = Report<typeof feature>;

const departmentsMax = 2000;
const failures = { 404: described('Nobody has this id', '没有人使用此编号') };

export const peopleOperations = {
  departments: operation({
    method: 'get',
    path: '/departments',
    role: 'viewer',
    summary: described(
      `The departments, at most ${departmentsMax}, and who is their authority`,
      `部门列表，最多 ${departmentsMax} 个，以及组织架构由谁维护`,
    ),
    returns: described('The organization', '组织'),
    answer: organization,
  }),
  people: operation({
    method: 'get',
    path: '/people',
    role: 'viewer',
    summary: described(
      'Employees by department, with the kinds of features that are stored of each',
      '按部门列出人员及已存特征的种类',
    ),
    query: z.object({
      ...scopeQuery,
      ...pageQuery(50),
      sort: z
        .enum(['department', 'name', '-name', 'number', '-number'])
        .default('department')
        .describe(
          described(
            'Names by their pinyin; with a minus sign from the last to the first',
            '姓名按拼音排序；前加减号为倒序',
          ),
        ),
      employed: z
        .enum(['now', 'no more'])
        .optional()
        .describe(
          described(
            'now: without those who have left; no more: only those. Absent: everybody',
            'now：不含已离职的；no more：只含已离职的。缺省为全部',
          ),
        ),
    }),
    returns: described('The page', '一页'),
    answer: z.object({
      rows: z.array(listedPerson),
      cursor: cursorText,
      total: z
        .number()
        .nullable()
        .describe(
          described('How many match; null on every page but the first', '符合的人数；只在第一页，其他页为 null'),
        ),
      last_key: z
        .number()
        .nullable()
        .describe(
          described(
            'A change of many takes it, to leave out who was added later; null on every page but the first',
            '批量更改时带上它，以排除之后添加的人员；只在第一页，其他页为 null',
          ),
        ),
    }),
  }),
  person: operation({
    method: 'get',
    path: '/people/{ext_id}',
    role: 'viewer',
    summary: described(
      'One employee, and what goes when the employee is deleted',
      '一名人员，以及删除时会一并删除的内容',
    ),
    params: z.object({ ext_id: extIdText }),
    returns: described('The employee', '人员'),
    answer: personReport,
    failures,
  }),
  features: operation({
    method: 'get',
    path: '/people/{ext_id}/features',
    role: 'viewer',
    audited: described('viewed what features are stored', '查看人员特征'),
    summary: described(
      'What is stored of a person’s features: kind, length, state; for the role staff, and every look is written down',
      '人员已存特征的种类、长度和状态；需要考勤员权限，每次查看都会记录',
    ),
    params: z.object({ ext_id: extIdText }),
    returns: described('The features; never their values', '特征；不含其值'),
    answer: z.object({
      rows: z.array(feature),
      cursor: z.null(),
      stay_here: z.boolean().describe(described('They are not passed on to the cloud', '不转发给云平台')),
    }),
    failures,
  }),
};

/** The organization as the pages list it. */
export function people({
  store,
  clock,
  config,
  attendance,
  upstream,
}: {
  readonly store: ReadPart<PeopleReads & Pick<ScheduleReads, 'employments'>> & DirectoryStore;
  readonly clock: Clock;
  readonly config: Pick<Config, 'site' | 'features'>;
  readonly attendance: Pick<Attendance, 'status'>;
  readonly upstream: Pick<Upstream, 'standsAlone'>;
}): Running<typeof peopleOperations> {
  const { site } = config;

  return {
    async departments() {
      const rows = await store.read.departmentTree(departmentsMax + 1);
      const listed = rows.slice(0, departmentsMax);
      const parents = new Map(listed.map(({ id, parentId }) => [id, parentId]));
      const below = new Map<number, number>();
      for (const { id, people: count } of listed)
        for (
          let at: number | null | undefined = id, steps = 0;
          at != null && steps < 100;
          at = parents.get(at), steps++
        )
          below.set(at, (below.get(at) ?? 0) + count);
      const departments = listed.map(({ id, parentId, extId, name, people: count }) => ({
        id,
        parent: parentId,
        ext_id: extId,
        name: name || site.name,
        people: count,
        people_below: below.get(id) ?? 0,
      }));
      return { authority: attendance.status().authority, departments, cut: rows.length > departmentsMax };
    },

    async people({ cursor, limit, employed, sort, ...query }, call = byCommand) {
      const { day: today } = dayOf(clock.now(), site.timezone);
      const scope = {
        ...scopeOf(query),
        // A person who sees only masked numbers must not find them out digit by digit.
        byMobile: call.caller.role !== 'viewer',
        ...(employed ? { employed: { which: employed, today } } : {}),
      };
      const by = sort.replace('-', '');
      const counted = cursor === undefined ? await store.read.peopleCount(scope) : null;
      const found = await store.read.people({
        ...scope,
        ...(by === 'name' || by === 'number' ? { sort: { by, down: sort.startsWith('-') } } : {}),
        after: personPlaceOf(cursor),
        limit,
      });
      const extIds = found.flatMap(({ extId }) => (extId === '' ? [] : [extId]));
      const [marks, employments] = await Promise.all([
        store.read.featureMarks(extIds),
        store.read.employments({ people: extIds, limit }),
      ]);
      const spans = new Map(employments.map(one => [one.extId, one]));
      const rows = found.map(row => {
        const { types, abnormal } = marks.get(row.extId) ?? { types: [], abnormal: false };
        const span = spans.get(row.extId);
        return {
          ...personFacts(row, site.name, call.caller.role),
          features: types,
          abnormal,
          employed_from: span?.from ?? null,
          employed_to: span?.to ?? null,
          missing_since: row.missingSince,
        };
      });
      return {
        rows,
        cursor: personCursor(found, limit),
        total: counted?.count ?? null,
        last_key: counted?.lastId ?? null,
      };
    },

    async person({ ext_id: extId }, call = byCommand) {
      const found = await store.read.person(extId);
      if (!found) throw refused(404, 'unknown', 'nobody has this id');
      const { checkins, featureKinds } = found;
      return { ...personFacts(found, site.name, call.caller.role), checkins, feature_kinds: featureKinds };
    },

    async features({ ext_id: extId }, call = byCommand) {
      if (call.caller.role === 'viewer') {
        call.subject(auditSubjects.say('features', { who: extId }));
        throw refused(403, 'Not allowed', 'this needs the role staff');
      }
      if (!(await store.read.person(extId))) throw refused(404, 'unknown', 'nobody has this id');
      call.subject(auditSubjects.say('features', { who: extId }));
      const rows = (await store.read.featureFacts(extId)).map(
        ({ featureType, featureAlg, storedAt, deviceNo, values, damaged }) => ({
          type: featureType,
          algorithm: featureAlg,
          stored_at: storedAt,
          device: deviceNo === null ? '' : deviceWords(store.directory, deviceNo).device,
          values: values.map(({ length, isAbnormal }) => ({ length, abnormal: isAbnormal })),
          damaged,
        }),
      );
      return { rows, cursor: null, stay_here: upstream.standsAlone || config.features.upstream === 'off' };
    },
  };
}
