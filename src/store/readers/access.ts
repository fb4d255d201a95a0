import { and, desc, eq, gte, isNotNull, lt, lte } from 'drizzle-orm';
import type { AccessEvent, AccessPlace, PeopleReads } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';
import { places } from '../schema/devices.ts';
import { department, employee } from '../schema/people.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { accessRecord } from '../schema/records.ts';
import { BrokenSeal } from '../schema/sealing.ts';
import { before, after as behind, orEmpty, withClock } from './columns.ts';
import { deviceList, isOfDevices, looksAt as looksAtOfDevices, Slices } from './slices.ts';

interface StoredCapture {
  readonly extId: string;
  readonly checkTimeSeconds: number;
  readonly state: 'there' | 'none' | 'damaged';
  /** Base64; empty unless it is there. */
  readonly image: string;
}

/**
 * The picture of an access record, by the record's id; null: no such record. Pictures are read and
 * decrypted one at a time, since one may have hundreds of kilobytes.
 */
export function captures({ orm, seal }: Connection): (id: number) => StoredCapture | null {
  const byId = query((value: Params<{ id: number }>) =>
    orm
      .select({
        seq: accessRecord.seq,
        extId: accessRecord.extId,
        checkTimeSeconds: accessRecord.checkTimeSeconds,
        sealed: accessRecord.sealedCaptureImg,
      })
      .from(accessRecord)
      .where(eq(accessRecord.id, value.id)),
  );
  return id => {
    const row = byId.get({ id });
    if (!row) return null;
    const { seq, sealed, ...facts } = row;
    if (sealed === null) return { ...facts, state: 'none', image: '' };
    try {
      return { ...facts, state: 'there', image: seal.openText(sealed, places.captureImg(seq)) };
    } catch (error) {
      if (error instanceof BrokenSeal) return { ...facts, state: 'damaged', image: '' };
      throw error;
    }
  };
}

interface Values {
  readonly person: string;
  readonly from: number;
  readonly to: number;
  readonly lastAt: number;
  readonly lastId: number;
  readonly limit: number;
  /** Used only by queries for some devices: the place behind the records that one looks at. */
  readonly endAt: number;
  readonly endId: number;
  readonly devices: string;
}

type Place = Omit<Values, 'limit' | 'endAt' | 'endId' | 'devices'>;
type Variant = { readonly ofPerson: boolean; readonly ofDevices: boolean };

const most = Number.MAX_SAFE_INTEGER;
/** How many records a query with a filter looks at. */
const looksAt = 500;

/** Access records as the pages list them, and one photo at a time. */
export function accessReads(connection: Connection): Pick<PeopleReads, 'accessEvents' | 'accessPhoto'> {
  const { orm } = connection;
  const capture = captures(connection);

  const inSpan = (ofPerson: boolean, value: Params<Place>) =>
    and(
      ofPerson ? eq(accessRecord.extId, value.person) : undefined,
      gte(accessRecord.checkTimeSeconds, value.from),
      lt(accessRecord.checkTimeSeconds, value.to),
      lte(accessRecord.checkTimeSeconds, value.lastAt),
      before([accessRecord.checkTimeSeconds, accessRecord.id], [value.lastAt, value.lastId]),
    );

  // Each of the two walks an index from its end: nothing is sorted.
  const newestFirst = queryFor(({ ofPerson, ofDevices }: Variant, value: Params<Values>) =>
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
        photo: isNotNull(accessRecord.sealedCaptureImg).mapWith(Boolean),
        name: orEmpty(employee.name),
        employeeNum: orEmpty(employee.employeeNum),
        knownExtId: employee.extId,
        department: orEmpty(department.name),
        departmentId: employee.departmentId,
      })
      .from(accessRecord)
      .leftJoin(employee, eq(employee.id, accessRecord.employeeId))
      .leftJoin(department, eq(department.id, employee.departmentId))
      .where(
        and(
          inSpan(ofPerson, value),
          ofDevices ? behind([accessRecord.checkTimeSeconds, accessRecord.id], [value.endAt, value.endId]) : undefined,
          ofDevices ? isOfDevices(accessRecord.deviceNo, value.devices) : undefined,
        ),
      )
      .orderBy(desc(accessRecord.checkTimeSeconds), desc(accessRecord.id))
      .limit(value.limit),
  );
  /** The last record that one statement for some devices looks at; none: they are fewer. */
  const lastLookedAt = queryFor((ofPerson: boolean, value: Params<Place>) =>
    orm
      .select({ at: accessRecord.checkTimeSeconds, id: accessRecord.id })
      .from(accessRecord)
      .where(inSpan(ofPerson, value))
      .orderBy(desc(accessRecord.checkTimeSeconds), desc(accessRecord.id))
      .limit(1)
      .offset(looksAtOfDevices - 1),
  );

  return {
    async accessEvents({ from, to, person, personText, door, result, after, limit, lookMax, deviceNos: ofDevices }) {
      const deviceNos = new Set(door?.deviceNos);
      const isNamed = (...names: readonly string[]) =>
        personText === undefined || names.some(name => name.toLowerCase().includes(personText));
      const fits = (event: AccessEvent) =>
        (!door || deviceNos.has(event.deviceNo) || event.doorId.toLowerCase().includes(door.text)) &&
        isResult(event, result);
      const ofPerson = person !== undefined;
      const find = newestFirst({ ofPerson, ofDevices: ofDevices !== undefined });
      const devices = deviceList(ofDevices);
      const slices = new Slices();
      const span = { person: person ?? '', from: from ?? 0, to: to ?? most };
      const filtered = [door, result, personText].some(one => one !== undefined);
      const rows: AccessEvent[] = [];
      let last: AccessPlace | null = after ?? null;
      for (let looked = 0; looked < lookMax; ) {
        const wanted = Math.min(filtered ? looksAt : limit, lookMax - looked);
        // One bound alone on each side: SQLite would take the wider one, and look on to it.
        const to = Math.min(span.to, (last?.at ?? most) + 1);
        const place = { ...span, to, lastAt: last?.at ?? most, lastId: last?.id ?? most };
        const end = ofDevices ? lastLookedAt(ofPerson).get(place) : undefined;
        const through = { endAt: end?.at ?? 0, endId: (end?.id ?? 0) - 1, from: Math.max(span.from, end?.at ?? 0) };
        const found = find.all({ ...place, ...through, devices, limit: wanted });
        for (const { employeeId: id, departmentId, knownExtId, employeeNum, ...row } of found) {
          last = { at: row.at, id: row.id };
          const stands = id === null ? null : { id, department: departmentId! };
          const event = { ...withClock(row), extId: knownExtId ?? row.extId, stands };
          if (!fits(event) || !isNamed(event.name, employeeNum, event.extId)) continue;
          rows.push(event);
          if (rows.length === limit) return { rows, next: last };
        }
        if (found.length === wanted) looked += wanted;
        else if (!end) return { rows, next: null };
        else {
          last = end;
          looked += looksAtOfDevices;
        }
        if (slices.isOver) await slices.next();
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
  { result, stands }: AccessEvent,
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
      return result === 2 || stands === null;
    default:
      return result === wanted;
  }
}
