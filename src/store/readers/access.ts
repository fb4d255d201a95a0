import { and, desc, eq, gte, isNotNull, lt, lte } from 'drizzle-orm';
import type { AccessEvent, AccessPlace, PeopleReads } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';
import { accessRecord, department, employee } from '../schema/index.ts';
import { type Params, queryFor } from '../schema/query.ts';
import { captures } from './captures.ts';
import { before, orEmpty } from './columns.ts';
import { withClock } from './device-clock.ts';

interface Values {
  readonly person: string;
  readonly from: number;
  readonly to: number;
  readonly lastAt: number;
  readonly lastId: number;
  readonly limit: number;
}

const most = Number.MAX_SAFE_INTEGER;
/** How many records a query with a filter looks at. */
const looksAt = 500;

/** Access records as the pages list them, and one photo at a time. */
export function accessReads(connection: Connection): Pick<PeopleReads, 'accessEvents' | 'accessPhoto'> {
  const { orm } = connection;
  const capture = captures(connection);

  // Each of the two walks an index from its end: nothing is sorted.
  const newestFirst = queryFor((of: 'everybody' | 'person', value: Params<Values>) =>
    orm
      .select({
        id: accessRecord.id,
        at: accessRecord.checkTimeSeconds,
        receivedAt: accessRecord.receivedAt,
        deviceNo: accessRecord.deviceNo,
        doorId: accessRecord.doorId,
        extId: accessRecord.extId,
        employeeId: accessRecord.employeeId,
        checkType: accessRecord.checkType,
        result: accessRecord.checkResult,
        clockLowMs: accessRecord.clockLowMs,
        clockHighMs: accessRecord.clockHighMs,
        clockSkewSeconds: accessRecord.clockSkewSeconds,
        photo: isNotNull(accessRecord.sealedCaptureImg).mapWith(Boolean),
        name: orEmpty(employee.name),
        knownExtId: employee.extId,
        department: orEmpty(department.name),
      })
      .from(accessRecord)
      .leftJoin(employee, eq(employee.id, accessRecord.employeeId))
      .leftJoin(department, eq(department.id, employee.departmentId))
      .where(
        and(
          of === 'person' ? eq(accessRecord.extId, value.person) : undefined,
          gte(accessRecord.checkTimeSeconds, value.from),
          lt(accessRecord.checkTimeSeconds, value.to),
          lte(accessRecord.checkTimeSeconds, value.lastAt),
          before([accessRecord.checkTimeSeconds, accessRecord.id], [value.lastAt, value.lastId]),
        ),
      )
      .orderBy(desc(accessRecord.checkTimeSeconds), desc(accessRecord.id))
      .limit(value.limit),
  );

  return {
    async accessEvents({ from, to, person, door, result, after, limit, lookMax }) {
      const deviceNos = new Set(door?.deviceNos);
      const fits = (event: AccessEvent) =>
        (!door || deviceNos.has(event.deviceNo) || event.doorId.toLowerCase().includes(door.text)) &&
        isResult(event, result);
      const find = newestFirst(person === undefined ? 'everybody' : 'person');
      const span = { person: person ?? '', from: from ?? 0, to: to ?? most };
      const filtered = door !== undefined || result !== undefined;
      const rows: AccessEvent[] = [];
      let last: AccessPlace | null = after ?? null;
      for (let looked = 0; looked < lookMax; ) {
        const wanted = Math.min(filtered ? looksAt : limit, lookMax - looked);
        const found = find.all({ ...span, lastAt: last?.at ?? most, lastId: last?.id ?? most, limit: wanted });
        for (const { employeeId, knownExtId, ...row } of found) {
          last = { at: row.at, id: row.id };
          const event = { ...withClock(row), extId: knownExtId ?? row.extId, known: employeeId !== null };
          if (!fits(event)) continue;
          rows.push(event);
          if (rows.length === limit) return { rows, next: last };
        }
        if (found.length < wanted) return { rows, next: null };
        looked += wanted;
      }
      return { rows, next: last };
    },

    async accessPhoto(id) {
      const found = capture(id);
      if (!found) return null;
      const { checkTimeSeconds: at, ...photo } = found;
      return { ...photo, at };
    },
  };
}

function isResult(
  { result, known }: AccessEvent,
  wanted: Parameters<PeopleReads['accessEvents']>[0]['result'],
): boolean {
  switch (wanted) {
    case undefined:
      return true;
    case 'passed':
      return result === 0;
    case 'refused':
      return result !== 0;
    case 'stranger':
      return result === 2 || !known;
    default:
      return result === wanted;
  }
}
