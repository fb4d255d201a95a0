import { and, asc, count, desc, eq, exists, sql as expression, gte, lt, not, type SQL } from 'drizzle-orm';
import { aliasReads } from '../people/aliases.ts';
import { placeReads } from '../people/departments.ts';
import { featureReads } from '../people/features.ts';
import { withMobile } from '../people/mobile.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { PeopleReads, PeopleScope, PersonPlace } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';
import { department, employee, feature } from '../schema/people.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { checkin } from '../schema/records.ts';
import { peopleAtDevices, spansOfPeople, strangersIn } from './check-ins-of-span.ts';
import { after, orEmpty } from './columns.ts';
import { type Filters, filtersOf, inScope, type ScopeValues, scopeValues } from './people-scope.ts';
import { personColumns, personRow } from './person-rows.ts';
import { punchFactsReads, punchReads } from './punches.ts';
import { deviceList } from './slices.ts';
import type { KnownDevices } from './stored-devices.ts';

/** Only people who had come in by the end of the day. */
type ByThen = { readonly byThen: boolean };

/** Check-ins at some devices alone. */
type ByDevices = { readonly ofDevices: boolean };

interface SpanValues {
  readonly from: number;
  readonly to: number;
  /** Used only by queries for some devices: they, and who has check-ins there, as JSON lists. */
  readonly devices: string;
  readonly came: string;
}

interface PageValues {
  readonly afterDepartment: number;
  readonly afterId: number;
  readonly limit: number;
}

const pageValues = (place: PersonPlace | undefined, limit: number): PageValues => ({
  afterDepartment: place?.department ?? -1,
  afterId: place?.id ?? -1,
  limit,
});

const inPage = (value: Params<PageValues>): SQL =>
  after([employee.departmentId, employee.id], [value.afterDepartment, value.afterId]);

type Sorted = { readonly sort: '' | 'name' | 'number'; readonly down: boolean; readonly goesOn: boolean };

/** Sort keys of people; names by their pinyin, which stands behind the name in the keys. */
const sortKeys = {
  name: expression`substr(${employee.searchKeys}, length(${employee.name}) + 2)`,
  number: expression`${employee.employeeNum}`,
} as const;

/** After the person whose id is `afterId`. */
function inSortedPage({ sort, down, goesOn }: Sorted, value: Params<PageValues>): SQL | undefined {
  if (!goesOn) return undefined;
  if (sort === '') return inPage(value);
  const key = sortKeys[sort];
  const place = expression`(SELECT ${key}, ${employee.id} FROM ${employee} WHERE ${employee.id} = ${value.afterId})`;
  return down ? expression`(${key}, ${employee.id}) < ${place}` : expression`(${key}, ${employee.id}) > ${place}`;
}

/** With a plus sign, so that SQLite goes by the order of the page and not by the id. */
const notLaterThan = ({ upToId }: Params<{ upToId: number }>): SQL => expression`+${employee.id} <= ${upToId}`;

/** With a plus sign, so that SQLite looks up departments by people, in the order of the page. */
const ofPerson: SQL = expression`${department.id} = +${employee.departmentId}`;

function sortOrder({ sort, down }: Sorted): SQL[] {
  if (sort === '') return [asc(employee.departmentId), asc(employee.id)];
  return down ? [desc(sortKeys[sort]), desc(employee.id)] : [asc(sortKeys[sort]), asc(employee.id)];
}

const inSpan = (value: Params<SpanValues>): SQL | undefined =>
  and(gte(checkin.checkTimeSeconds, value.from), lt(checkin.checkTimeSeconds, value.to));

/** People as the pages list them: by department, in pages. */
export function peopleReads(
  connection: Connection,
  devices: KnownDevices,
): Omit<PeopleReads, 'accessEvents' | 'accessPhoto' | 'erasures'> {
  return {
    ...listReads(connection),
    ...aliasReads(connection),
    ...placeReads(connection),
    ...punchReads(connection, devices),
    ...punchFactsReads(connection),
    ...featureReads(connection),
  };
}

function listReads(connection: Connection) {
  const { orm, seal, sql } = connection;
  const personOf = personRow(seal);
  /**
   * Uses the index of a person's check-ins, so that the cost of a day does not grow with the years
   * that are stored.
   */
  const isHere = (ofDevices: boolean, value: Params<SpanValues>): SQL =>
    ofDevices
      ? expression`${employee.id} IN (SELECT CAST(value AS INTEGER) FROM json_each(${value.came}))`
      : exists(
          orm
            .select({ one: expression`1` })
            .from(checkin)
            .where(and(eq(checkin.employeeId, employee.id), inSpan(value))),
        );
  /** Before the end of the span. Nobody is missed on a day before their first. */
  const cameByThen = (value: Params<SpanValues>): SQL =>
    expression`(SELECT min(${checkin.checkTimeSeconds}) FROM ${checkin} WHERE ${checkin.employeeId} = ${employee.id}) < ${value.to}`;
  /** Mobile numbers are encrypted, so those that have the text are looked for first. */
  const searched = (scope: PeopleScope) => {
    const mobiles = scope.byMobile ? withMobile(connection, scope.text ?? '') : [];
    return {
      filters: { ...filtersOf(scope), byMobile: mobiles.length > 0 },
      values: { ...scopeValues(scope), mobiles: JSON.stringify(mobiles) },
    };
  };

  const atDevices = peopleAtDevices(connection);
  const strangers = strangersIn(connection);
  const spanValues = async (
    span: Pick<SpanValues, 'from' | 'to'>,
    deviceNos: ReadonlySet<DeviceNo> | undefined,
  ): Promise<SpanValues> => ({
    ...span,
    devices: deviceList(deviceNos),
    came: JSON.stringify(deviceNos ? [...(await atDevices(span, deviceNos))] : []),
  });

  const dayCounts = queryFor((filters: Filters & ByThen & ByDevices, value: Params<ScopeValues & SpanValues>) =>
    orm
      .select({
        people: count(),
        here: expression`coalesce(sum(CASE WHEN ${isHere(filters.ofDevices, value)} THEN 1 ELSE 0 END), 0)`.mapWith(
          Number,
        ),
      })
      .from(employee)
      .where(and(inScope(filters, value), filters.byThen ? cameByThen(value) : undefined)),
  );
  const people = queryFor((filters: Filters & Sorted, value: Params<ScopeValues & PageValues & { upToId: number }>) =>
    orm
      .select(personColumns)
      .from(employee)
      .innerJoin(department, ofPerson)
      .where(and(notLaterThan(value), inSortedPage(filters, value), inScope(filters, value)))
      .orderBy(...sortOrder(filters))
      .limit(value.limit),
  );
  const peopleCount = queryFor((filters: Filters, value: Params<ScopeValues>) =>
    orm.select({ count: count() }).from(employee).where(inScope(filters, value)),
  );
  const lastId = 'SELECT coalesce(max(id), 0) AS lastId FROM employee';
  const dayPeople = queryFor(
    (
      filters: Filters & ByThen & ByDevices & { readonly here: boolean },
      value: Params<ScopeValues & SpanValues & PageValues>,
    ) =>
      orm
        .select(personColumns)
        .from(employee)
        .innerJoin(department, eq(department.id, employee.departmentId))
        .where(
          and(
            inPage(value),
            inScope(filters, value),
            filters.here ? isHere(filters.ofDevices, value) : not(isHere(filters.ofDevices, value)),
            filters.byThen ? cameByThen(value) : undefined,
          ),
        )
        .orderBy(asc(employee.departmentId), asc(employee.id))
        .limit(value.limit),
  );
  const byExtId = query((value: Params<{ extId: string }>) =>
    orm
      .select(personColumns)
      .from(employee)
      .innerJoin(department, eq(department.id, employee.departmentId))
      .where(eq(employee.extId, value.extId)),
  );

  const spans = spansOfPeople(connection);
  const checkinCount = query((value: Params<{ id: number }>) =>
    orm.select({ count: count() }).from(checkin).where(eq(checkin.employeeId, value.id)),
  );
  const featureCount = query((value: Params<{ extId: string }>) =>
    orm.select({ count: count() }).from(feature).where(eq(feature.extId, value.extId)),
  );
  const tree = query((value: Params<{ limit: number }>) =>
    orm
      .select({
        id: department.id,
        parentId: department.parentId,
        extId: orEmpty(department.extId),
        name: department.name,
        people:
          expression`(SELECT count(*) FROM ${employee} WHERE ${employee.departmentId} = ${department.id})`.mapWith(
            Number,
          ),
      })
      .from(department)
      .orderBy(asc(department.id))
      .limit(value.limit),
  );

  return {
    async dayCounts({ from, to, cameByThen: byThen = false, deviceNos, ...scope }) {
      const ofDevices = deviceNos !== undefined;
      const values = await spanValues({ from, to }, deviceNos);
      const counted = dayCounts({ ...filtersOf(scope), byThen, ofDevices }).get({ ...values, ...scopeValues(scope) })!;
      return { ...counted, unknown: await strangers({ from, to }, deviceNos) };
    },

    async dayPeople({ from, to, here, cameByThen: byThen = false, after: place, limit, deviceNos, ...scope }) {
      const ofDevices = deviceNos !== undefined;
      const span = await spanValues({ from, to }, deviceNos);
      const values = { ...span, ...scopeValues(scope), ...pageValues(place, limit) };
      const rows = dayPeople({ ...filtersOf(scope), byThen, ofDevices, here }).all(values);
      const ids = here ? rows.map(({ id }) => id) : [];
      const ends = await spans.ends(ids, { from, to }, deviceNos);
      return rows.map(row => ({ ...personOf(row), ...(ends.get(row.id) ?? { first: null, last: null, count: 0 }) }));
    },

    async people({ after: place, limit, sort, upToId = Number.MAX_SAFE_INTEGER, ...scope }) {
      const { filters, values } = searched(scope);
      const sorted = { sort: sort?.by ?? '', down: sort?.down ?? false, goesOn: place !== undefined } as const;
      const rows = people({ ...filters, ...sorted }).all({ ...values, ...pageValues(place, limit), upToId });
      return rows.map(personOf);
    },

    async peopleCount(scope) {
      const { filters, values } = searched(scope);
      const last = sql(lastId).get() as { lastId: number };
      return { ...peopleCount(filters).get(values)!, lastId: last.lastId };
    },

    checkTimes: ({ ids, from, to, limit, deviceNos }) => spans.times(ids, { from, to, limit }, deviceNos),

    async person(extId) {
      const row = byExtId.get({ extId });
      if (!row) return null;
      return {
        ...personOf(row),
        checkins: checkinCount.get({ id: row.id })!.count,
        featureKinds: featureCount.get({ extId })!.count,
      };
    },

    async departmentTree(limit) {
      return tree.all({ limit });
    },
  } satisfies Partial<PeopleReads>;
}
