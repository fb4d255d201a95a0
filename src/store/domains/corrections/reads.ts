import { and, desc, eq, exists, gte, lt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { UnixSeconds } from '../../../runtime/clock.ts';
import type { Reading } from '../../domain.ts';
import { orEmpty } from '../../readers/columns.ts';
import type { Connection } from '../../schema/database.ts';
import { employee } from '../../schema/people.ts';
import { type Params, queryFor } from '../../schema/query.ts';
import { cloudDeviceNo } from '../mirror/tables.ts';
import {
  addedDeviceNo,
  type CheckInSource,
  type Correction,
  type CorrectionState,
  correction,
  correctionDecision,
  correctionItem,
  type PunchMark,
} from './tables.ts';

type Cut = { readonly byId: boolean; readonly ofPeople: boolean; readonly inState: boolean };

interface Values {
  readonly id: number;
  readonly people: string;
  readonly from: number;
  readonly to: number;
  readonly state: string;
  readonly before: number;
  readonly limit: number;
}

/** The check-in that an `add` made; null: it is not approved, or its person is unknown now. */
const addedCheckIn = sql<number | null>`(SELECT coalesce(k.shown_id, k.id) FROM employee e
  JOIN checkin k ON k.employee_id = e.id AND k.check_time_seconds = ${correctionItem.atSeconds}
  WHERE e.ext_id = ${correctionItem.extId} AND k.device_no = ${sql.raw(String(addedDeviceNo))}
    AND k.record_id = CAST(${correctionItem.id} AS TEXT))`;

/** Corrections as people see them. */
export function reads({ connection: { orm } }: Reading) {
  const undo = alias(correction, 'undo');
  const undoDecision = alias(correctionDecision, 'undo_decision');
  const isUndone: SQL = exists(
    orm
      .select({ one: sql`1` })
      .from(undo)
      .innerJoin(undoDecision, eq(undoDecision.correctionId, undo.id))
      .where(and(eq(undo.reverses, correction.id), eq(undoDecision.state, 'approved'))),
  );
  const state = sql<Correction['state']>`coalesce(${correctionDecision.state}, 'asked')`;
  const rows = queryFor((cut: Cut, value: Params<Values>) =>
    orm
      .select({
        id: correction.id,
        itemId: correctionItem.id,
        extId: correctionItem.extId,
        name: orEmpty(employee.name),
        kind: correction.kind,
        checkInId: sql<number | null>`coalesce(${correctionItem.checkinId}, ${addedCheckIn})`,
        at: correctionItem.atSeconds,
        workDate: correctionItem.workDate,
        reason: correction.reason,
        askedBy: correction.askedBy,
        askedAt: correction.askedAt,
        decidedBy: correctionDecision.decidedBy,
        decidedAt: correctionDecision.decidedAt,
        state,
        reverses: correction.reverses,
        undone: sql`${isUndone}`.mapWith(Boolean),
      })
      .from(correctionItem)
      .innerJoin(correction, eq(correction.id, correctionItem.correctionId))
      .leftJoin(correctionDecision, eq(correctionDecision.correctionId, correction.id))
      .leftJoin(employee, eq(employee.extId, correctionItem.extId))
      .where(
        and(
          cut.byId ? eq(correction.id, value.id) : undefined,
          cut.ofPeople ? sql`${correctionItem.extId} IN (SELECT value FROM json_each(${value.people}))` : undefined,
          cut.inState ? sql`${state} = ${value.state}` : undefined,
          gte(correctionItem.atSeconds, value.from),
          lt(correctionItem.atSeconds, value.to),
          lt(correctionItem.id, value.before),
        ),
      )
      .orderBy(desc(correctionItem.id))
      .limit(value.limit),
  );

  return {
    /** Newest first, a row for each check-in. */
    async corrections({
      id,
      extIds,
      from,
      to,
      state: wanted,
      before,
      limit,
    }: {
      readonly id?: number | undefined;
      /** Absent: of everybody. */
      readonly extIds?: readonly string[] | undefined;
      /** By the time of the check-in; inclusive. */
      readonly from?: UnixSeconds | undefined;
      /** Exclusive. */
      readonly to?: UnixSeconds | undefined;
      readonly state?: CorrectionState | undefined;
      /** An `itemId`, where the last page ended. */
      readonly before?: number | undefined;
      readonly limit: number;
    }): Promise<Correction[]> {
      const cut = { byId: id !== undefined, ofPeople: extIds !== undefined, inState: wanted !== undefined };
      return rows(cut).all({
        id: id ?? 0,
        people: JSON.stringify(extIds ?? []),
        from: from ?? Number.MIN_SAFE_INTEGER,
        to: to ?? Number.MAX_SAFE_INTEGER,
        state: wanted ?? '',
        before: before ?? Number.MAX_SAFE_INTEGER,
        limit,
      });
    },
  };
}

export const sourceOf = (deviceNo: number): CheckInSource =>
  deviceNo === addedDeviceNo ? 'added' : deviceNo === cloudDeviceNo ? 'imported' : 'device';

interface Marked {
  /** As callers see it. */
  readonly id: number;
  readonly deviceNo: number;
  readonly recordId: string;
}

const effective = `SELECT i.id AS item, i.checkin_id AS checkin, i.work_date AS workDate, c.id, c.reason,
    (SELECT u.reason FROM correction u JOIN correction_decision ud ON ud.correction_id = u.id
       WHERE u.reverses = c.id AND ud.state = 'approved') AS undone,
    (SELECT u.id FROM correction u JOIN correction_decision ud ON ud.correction_id = u.id
       WHERE u.reverses = c.id AND ud.state = 'approved') AS undo
  FROM correction_item i JOIN correction c ON c.id = i.correction_id
    JOIN correction_decision d ON d.correction_id = c.id AND d.state = 'approved'`;

interface EffectiveRow {
  item: number;
  checkin: number | null;
  workDate: string | null;
  id: number;
  reason: string;
  undone: string | null;
  undo: number | null;
}

/** Most boxes have none. */
export const hasCorrections = ({ sql: prepared }: Pick<Connection, 'sql'>): boolean =>
  prepared('SELECT 1 FROM correction LIMIT 1').get() !== undefined;

/**
 * Marks of corrections on the check-ins of a page, by the id that callers see. Hand-written: it
 * runs for each page of an export, of which most boxes have nothing to mark, so that nothing is
 * made of its rows before.
 */
export function punchMarks(connection: Connection): (of: () => readonly Marked[]) => ReadonlyMap<number, PunchMark> {
  const { sql: prepared } = connection;
  return of => {
    const marks = new Map<number, PunchMark>();
    if (!hasCorrections(connection)) return marks;
    const page = of();
    if (page.length === 0) return marks;
    const added = new Map(
      page.filter(({ deviceNo }) => deviceNo === addedDeviceNo).map(({ id, recordId }) => [Number(recordId), id]),
    );
    const adding = prepared(`${effective} WHERE i.id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))`);
    for (const row of adding.all(JSON.stringify([...added.keys()])) as unknown as EffectiveRow[])
      marks.set(added.get(row.item)!, {
        setAside: row.undo !== null,
        workDate: null,
        reason: row.undone ?? row.reason,
        correctionId: row.undo ?? row.id,
      });
    // In this order of kinds: what sets aside says more than what moves.
    const changing = prepared(
      `${effective} WHERE c.kind IN ('move_to', 'set_aside') AND i.checkin_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
       ORDER BY c.kind`,
    );
    for (const row of changing.all(JSON.stringify(page.map(({ id }) => id))) as unknown as EffectiveRow[]) {
      if (row.undo !== null) continue;
      const mark = marks.get(row.checkin!);
      const workDate = row.workDate ?? mark?.workDate ?? null;
      // An added one that was undone stays set aside, by that.
      const isGone = row.workDate !== null && mark?.setAside === true;
      const by = isGone ? mark : { setAside: row.workDate === null, reason: row.reason, correctionId: row.id };
      marks.set(row.checkin!, { ...by, workDate });
    }
    return marks;
  };
}
