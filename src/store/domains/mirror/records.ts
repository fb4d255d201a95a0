import type { UnixMs } from '../../../runtime/clock.ts';
import type { OperationContext } from '../../domain.ts';
import { findMatch, matchedForSure, noteUncertain } from '../../people/cloud-records.ts';
import { People } from '../../people/people.ts';
import { places } from '../../schema/devices.ts';
import {
  type CloudAccessRecord,
  type CloudCheckIn,
  cloudDeviceNo,
  type MirroredCloud,
  type MirroredList,
  type Page,
  type PageReport,
} from './tables.ts';

/** With each page, so many rows whose person was unknown are looked up again. */
const waitingAtOnce = 500;

const cloudKey = 'mirrored_cloud';

/**
 * The cloud whose lists are copied from now on. It is another one when both the address and the
 * App-Key differ from the last: then true, and the lists are read from their beginning; the
 * cursors, the ids of the earlier cloud and the uncertain matches are forgotten. Rows that
 * callers have got stay.
 */
export function mirrorFrom({ sql }: OperationContext, now: MirroredCloud): boolean {
  const row = sql('SELECT value FROM meta WHERE key = ?').get(cloudKey) as { value: string } | undefined;
  const before = row ? (JSON.parse(row.value) as MirroredCloud) : null;
  sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
    cloudKey,
    JSON.stringify(now),
  );
  if (before === null || before.address === now.address || before.appKeyHash === now.appKeyHash) return false;
  sql("DELETE FROM mirror_cursor WHERE list IN ('checkins', 'access')").run();
  sql('DELETE FROM cloud_checkin').run();
  sql('DELETE FROM cloud_access').run();
  sql('DELETE FROM uncertain_match').run();
  return true;
}

/**
 * Stores a page and moves the cursor in one transaction. A page from another place than the
 * cursor's changes nothing: it was stored before.
 */
export function mirrorCheckIns(context: OperationContext, page: Page<CloudCheckIn>): PageReport {
  const pages = new Pages(context, page.at);
  if (!pages.isNext('checkins', page.from)) return pages.report;
  pages.takeWaiting();
  for (const one of page.records) pages.takeCheckIn(one);
  pages.move('checkins', page.next);
  return pages.report;
}

export function mirrorAccess(context: OperationContext, page: Page<CloudAccessRecord>): PageReport {
  const pages = new Pages(context, page.at);
  if (!pages.isNext('access', page.from)) return pages.report;
  for (const one of page.records) pages.takeAccess(one);
  pages.move('access', page.next);
  return pages.report;
}

/** The end of a list was reached, or a list without `next_id` was fetched completely. */
export function noteMirrored({ sql }: OperationContext, { list, at }: { list: MirroredList; at: UnixMs }): void {
  sql(
    `INSERT INTO mirror_cursor (list, next_id, whole_at) VALUES (?, 0, ?)
       ON CONFLICT (list) DO UPDATE SET whole_at = excluded.whole_at`,
  ).run(list, at);
}

/** Removes an uncertain match from the list, after a person has looked at it. */
export function dismissUncertainMatch({ sql }: OperationContext, { id }: { id: number }): boolean {
  return sql('DELETE FROM uncertain_match WHERE id = ?').run(id).changes > 0;
}

/** Takes rows of the cloud in the caller's transaction, each once by the cloud's id. */
class Pages {
  readonly #context: OperationContext;
  readonly #people: People;
  readonly #at: number;
  readonly report = { added: 0, matched: 0, uncertain: 0 };

  constructor(context: OperationContext, at: number) {
    this.#context = context;
    this.#people = new People(context);
    this.#at = at;
  }

  isNext(list: MirroredList, from: number): boolean {
    const row = this.#context.sql('SELECT next_id FROM mirror_cursor WHERE list = ?').get(list) as
      | { next_id: number }
      | undefined;
    return (row?.next_id ?? 0) === from;
  }

  move(list: MirroredList, next: number): void {
    this.#context
      .sql(
        'INSERT INTO mirror_cursor (list, next_id) VALUES (?, ?) ON CONFLICT (list) DO UPDATE SET next_id = excluded.next_id',
      )
      .run(list, next);
  }

  /** Takes waiting rows whose person is known by now. */
  takeWaiting(): void {
    const { sql } = this.#context;
    const rows = sql(
      `SELECT k.cloud_id, k.waiting FROM cloud_checkin k WHERE k.checkin_id IS NULL AND EXISTS
         (SELECT 1 FROM employee e WHERE (k.ext_id <> '' AND e.ext_id = k.ext_id) OR e.cloud_id = k.user_id)
         ORDER BY k.rowid LIMIT ?`,
    ).all(waitingAtOnce) as { cloud_id: string; waiting: string }[];
    for (const { cloud_id, waiting } of rows) {
      sql('DELETE FROM cloud_checkin WHERE cloud_id = ?').run(cloud_id);
      this.takeCheckIn(JSON.parse(waiting) as CloudCheckIn);
    }
  }

  takeCheckIn(one: CloudCheckIn): void {
    const { sql } = this.#context;
    if (sql('SELECT 1 FROM cloud_checkin WHERE cloud_id = ?').get(one.id)) return;
    const remember = (checkinId: number): void =>
      void sql('INSERT INTO cloud_checkin (cloud_id, checkin_id) VALUES (?, ?)').run(one.id, checkinId);
    const employeeId = this.#employee(one);
    if (employeeId === null) {
      sql('INSERT INTO cloud_checkin (cloud_id, user_id, ext_id, waiting) VALUES (?, ?, ?, ?)').run(
        one.id,
        one.userId,
        one.extId,
        JSON.stringify(one),
      );
      return;
    }
    const { checkTime: time, terminalId, checkType } = one;
    const { same, perhaps } = findMatch(this.#context, 'checkin', 'site', {
      person: employeeId,
      time,
      place: terminalId,
      checkType,
    });
    if (same !== null) {
      remember(same);
      matchedForSure(this.#context, 'checkin', same);
      this.report.matched++;
      return;
    }
    const id = this.#people.nextCheckInId();
    sql(
      `INSERT INTO checkin (id, seq, device_no, received_at, record_id, employee_id, terminal_id, check_type,
         check_time_seconds, check_data) VALUES (?, 0, ?, ?, '', ?, ?, ?, ?, ?)`,
    ).run(id, cloudDeviceNo, this.#at, employeeId, terminalId, checkType, time, JSON.stringify(one.checkData));
    remember(id);
    this.#added('checkin', perhaps, id);
  }

  takeAccess(one: CloudAccessRecord): void {
    const { sql, seal } = this.#context;
    if (sql('SELECT 1 FROM cloud_access WHERE cloud_id = ?').get(one.id)) return;
    const remember = (accessId: number): void =>
      void sql('INSERT INTO cloud_access (cloud_id, access_id) VALUES (?, ?)').run(one.id, accessId);
    const { checkTime: time, doorId, checkType, extId } = one;
    const match = { person: extId, time, place: doorId, checkType };
    const { same, perhaps } = findMatch(this.#context, 'access', 'site', match);
    if (same !== null) {
      remember(same);
      matchedForSure(this.#context, 'access', same);
      this.report.matched++;
      return;
    }
    // A picture is sealed to the number of its record; the journal's are above 0.
    const seq = -one.id;
    const { id } = sql(
      `INSERT INTO access_record (seq, device_no, received_at, record_id, door_id, ext_id, employee_id, check_type,
         check_time_seconds, check_data, check_result, sealed_capture_img) VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?, ?)
       RETURNING id`,
    ).get(
      seq,
      cloudDeviceNo,
      this.#at,
      doorId,
      extId,
      this.#employee(one),
      checkType,
      time,
      JSON.stringify(one.checkData),
      one.checkResult,
      one.captureImg === null ? null : seal.sealText(one.captureImg, places.captureImg(seq)),
    ) as { id: number };
    remember(id);
    this.#added('access', perhaps, id);
  }

  #added(kind: 'checkin' | 'access', siteId: number | null, cloudId: number): void {
    this.report.added++;
    if (siteId === null) return;
    noteUncertain(this.#context, { at: this.#at, kind, siteId, cloudId });
    this.report.uncertain++;
  }

  /** By the cloud's own id, else by the external id. */
  #employee({ userId, extId }: { userId: string; extId: string }): number | null {
    const { sql } = this.#context;
    const row = (sql('SELECT id FROM employee WHERE cloud_id = ?').get(userId) ??
      (extId === '' ? undefined : sql('SELECT id FROM employee WHERE ext_id = ?').get(extId))) as
      | { id: number }
      | undefined;
    return row?.id ?? null;
  }
}
