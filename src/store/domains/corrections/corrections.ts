import { namesNobody } from '../../../platform/reserved-names.ts';
import type { DateText } from '../../../platform/shifts.ts';
import type { UnixMs, UnixSeconds } from '../../../runtime/clock.ts';
import type { OperationContext, PartOf, ReadsOf, WritesOf } from '../../domain.ts';
import { People } from '../../people/people.ts';
import { reads } from './reads.ts';
import {
  type Asked,
  addedDeviceNo,
  type CorrectedItem,
  type CorrectionKind,
  type CorrectionOutcome,
  type CorrectionRefusal,
  type CorrectionState,
  correctionItemsMax,
} from './tables.ts';

interface CorrectionRow {
  id: number;
  kind: CorrectionKind;
  asked_by: string;
  state: CorrectionState;
}

interface ItemRow {
  id: number;
  ext_id: string;
  at_seconds: number;
  checkin_id: number | null;
  work_date: string | null;
}

interface ReportedItem {
  readonly extId: string;
  readonly checkInId: number;
  readonly workDate?: string;
}

/** Subject of a correction. */
interface NewItem extends CorrectedItem {
  readonly checkInId: number | null;
}

type AskedCorrection = Asked &
  (
    | { readonly kind: 'add'; readonly items: readonly { readonly extId: string; readonly at: UnixSeconds }[] }
    | {
        readonly kind: 'set_aside';
        /** `checkInId`: as callers of the attendance API see it. */
        readonly items: readonly { readonly extId: string; readonly checkInId: number }[];
      }
    | {
        readonly kind: 'move_to';
        readonly items: readonly {
          readonly extId: string;
          readonly checkInId: number;
          readonly workDate: DateText;
        }[];
      }
  );

const no = (why: CorrectionRefusal, extId = ''): CorrectionOutcome => ({ ok: false, why, extId });

/**
 * Adds missing check-ins, sets wrong ones aside, or moves them to another date; at most
 * `correctionItemsMax` of them. All or none: the refusal names the first person whose check-in
 * cannot be corrected so.
 */
function askCorrection(context: OperationContext, input: AskedCorrection): CorrectionOutcome {
  const items = input.kind === 'add' ? missingItems(context, input.items) : reportedItems(context, input);
  return Array.isArray(items) ? put(context, input.kind, items, input, null) : items;
}

/** Reverses an approved correction with everything that it is about. */
function undoCorrection(context: OperationContext, input: Asked & { readonly id: number }): CorrectionOutcome {
  const { sql } = context;
  const row = correctionOf(context, input.id);
  if (!row) return no('unknown_correction');
  if (row.state !== 'approved' || row.kind === 'undo') return no('not_approved');
  const isAsked = sql(
    `SELECT 1 FROM correction u LEFT JOIN correction_decision d ON d.correction_id = u.id
     WHERE u.reverses = ? AND coalesce(d.state, 'approved') = 'approved'`,
  ).get(row.id);
  if (isAsked) return no('already');
  const items = itemsOf(context, row.id).map(item => ({
    extId: item.ext_id,
    at: item.at_seconds,
    checkInId: item.checkin_id ?? addedCheckIn(context, item),
    workDate: null,
  }));
  return put(context, 'undo', items, input, row.id);
}

/** `twoPersons`: who asked may not approve. */
function decideCorrection(
  context: OperationContext,
  {
    id,
    state,
    by,
    at,
    twoPersons,
  }: {
    readonly id: number;
    readonly state: Exclude<CorrectionState, 'asked'>;
    readonly by: string;
    readonly at: UnixMs;
    readonly twoPersons: boolean;
  },
): CorrectionOutcome {
  const row = correctionOf(context, id);
  if (!row) return no('unknown_correction');
  if (row.state !== 'asked') return no('decided');
  if (state === 'approved' && twoPersons && (row.asked_by === by || namesNobody(row.asked_by)))
    return no('same_person');
  if (state === 'withdrawn' && row.asked_by !== by) return no('not_asker');
  return decide(context, { id, kind: row.kind, state, by, at });
}

function missingItems(
  { sql }: OperationContext,
  asked: readonly Pick<CorrectedItem, 'extId' | 'at'>[],
): NewItem[] | CorrectionOutcome {
  const items: NewItem[] = [];
  for (const { extId, at } of asked.slice(0, correctionItemsMax)) {
    if (!sql('SELECT 1 FROM employee WHERE ext_id = ?').get(extId)) return no('unknown_person', extId);
    const isAdded =
      sql(
        `SELECT 1 FROM correction_item i JOIN correction c ON c.id = i.correction_id
           LEFT JOIN correction_decision d ON d.correction_id = c.id
         WHERE i.ext_id = ? AND i.at_seconds = ? AND c.kind = 'add' AND coalesce(d.state, 'approved') = 'approved'
           AND NOT EXISTS (${approvedUndo})`,
      ).get(extId, at) ?? items.find(item => item.extId === extId && item.at === at);
    if (isAdded) return no('already', extId);
    items.push({ extId, at, checkInId: null, workDate: null });
  }
  return items;
}

/** Check-ins that are there: at most one of a kind is asked for, or counts, of each. */
function reportedItems(
  { sql }: OperationContext,
  { kind, items: asked }: Exclude<AskedCorrection, { readonly kind: 'add' }>,
): NewItem[] | CorrectionOutcome {
  const items: NewItem[] = [];
  const inForce = sql(
    `SELECT d.state IS NOT NULL AS counts FROM correction_item i JOIN correction c ON c.id = i.correction_id
       LEFT JOIN correction_decision d ON d.correction_id = c.id
     WHERE i.checkin_id = ? AND c.kind = ? AND coalesce(d.state, 'approved') = 'approved'
       AND NOT EXISTS (${approvedUndo}) ORDER BY counts DESC`,
  );
  for (const { extId, checkInId, workDate = null } of asked.slice(0, correctionItemsMax) as readonly ReportedItem[]) {
    const found = sql(
      `SELECT k.check_time_seconds AS at, k.device_no, k.record_id FROM employee e JOIN checkin k ON k.employee_id = e.id
       WHERE e.ext_id = ?1 AND coalesce(k.shown_id, k.id) = ?2`,
    ).get(extId, checkInId) as { at: number; device_no: number; record_id: string } | undefined;
    if (!found) return no('unknown_punch', extId);
    const isThere = inForce.get(checkInId, kind) ?? items.find(item => item.checkInId === checkInId);
    // Of an added one that is undone, nothing is left to set aside.
    const isUndone =
      found.device_no === addedDeviceNo &&
      sql(
        `SELECT 1 FROM correction_item i JOIN correction c ON c.id = i.correction_id
         WHERE i.id = CAST(? AS INTEGER) AND EXISTS (${approvedUndo})`,
      ).get(found.record_id);
    if (kind === 'move_to' && (isUndone || inForce.get(checkInId, 'set_aside')?.counts)) return no('set_aside', extId);
    if (isThere || isUndone) return no('already', extId);
    items.push({ extId, at: found.at, checkInId, workDate });
  }
  return items;
}

const approvedUndo = `SELECT 1 FROM correction u JOIN correction_decision ud ON ud.correction_id = u.id
  WHERE u.reverses = c.id AND ud.state = 'approved'`;

function correctionOf({ sql }: OperationContext, id: number): CorrectionRow | undefined {
  return sql(
    `SELECT c.id, c.kind, c.asked_by, coalesce(d.state, 'asked') AS state
     FROM correction c LEFT JOIN correction_decision d ON d.correction_id = c.id WHERE c.id = ?`,
  ).get(id) as CorrectionRow | undefined;
}

const itemsOf = ({ sql }: OperationContext, id: number): ItemRow[] =>
  sql(
    'SELECT id, ext_id, at_seconds, checkin_id, work_date FROM correction_item WHERE correction_id = ? ORDER BY id',
  ).all(id) as unknown as ItemRow[];

/** Added check-in; null if its person is not in the organization at the moment. */
function addedCheckIn({ sql }: OperationContext, item: ItemRow): number | null {
  const row = sql(
    `SELECT coalesce(k.shown_id, k.id) AS id FROM employee e JOIN checkin k ON k.employee_id = e.id
     WHERE e.ext_id = ? AND k.check_time_seconds = ? AND k.device_no = ? AND k.record_id = ?`,
  ).get(item.ext_id, item.at_seconds, addedDeviceNo, String(item.id)) as { id: number } | undefined;
  return row?.id ?? null;
}

function put(
  context: OperationContext,
  kind: CorrectionKind,
  items: readonly NewItem[],
  { reason, by, at, approve }: Asked,
  reverses: number | null,
): CorrectionOutcome {
  const { sql } = context;
  const { id } = sql(
    'INSERT INTO correction (kind, reason, asked_by, asked_at, reverses) VALUES (?, ?, ?, ?, ?) RETURNING id',
  ).get(kind, reason, by, at, reverses) as { id: number };
  for (const { extId, at: time, checkInId, workDate } of items)
    sql(
      'INSERT INTO correction_item (correction_id, ext_id, at_seconds, checkin_id, work_date) VALUES (?, ?, ?, ?, ?)',
    ).run(id, extId, time, checkInId, workDate);
  if (approve) return decide(context, { id, kind, state: 'approved', by, at });
  return {
    ok: true,
    id,
    state: 'asked',
    items: items.map(({ extId, at: time, workDate }) => ({ extId, at: time, workDate })),
  };
}

function decide(
  context: OperationContext,
  decision: {
    readonly id: number;
    readonly kind: CorrectionKind;
    readonly state: Exclude<CorrectionState, 'asked'>;
    readonly by: string;
    readonly at: number;
  },
): CorrectionOutcome {
  const { id, kind, state, by, at } = decision;
  context
    .sql('INSERT INTO correction_decision (correction_id, state, decided_by, decided_at) VALUES (?, ?, ?, ?)')
    .run(id, state, by, at);
  const items = itemsOf(context, id);
  if (kind === 'add' && state === 'approved') for (const item of items) addCheckIn(context, item, at);
  return {
    ok: true,
    id,
    state,
    items: items.map(item => ({ extId: item.ext_id, at: item.at_seconds, workDate: item.work_date })),
  };
}

/**
 * Gets an id as a reported check-in does, in this transaction: a caller that pages by `next_id`
 * gets it next, and once. If the cloud has listed the same supplement card, its row is used.
 */
function addCheckIn(
  context: OperationContext,
  { id, ext_id: extId, at_seconds: checkTime }: ItemRow,
  at: number,
): void {
  new People(context).takeCheckIn({
    seq: 0,
    deviceNo: addedDeviceNo,
    receivedAt: at,
    recordId: String(id),
    extId,
    employeeNum: '',
    checkType: 'reissue',
    checkTime,
    checkData: {},
    clock: null,
  });
}

/** Corrections of check-ins. */
export const corrections = { reads, writes: { askCorrection, undoCorrection, decideCorrection } };

export type CorrectionStore = PartOf<typeof corrections>;
export type CorrectionReads = ReadsOf<typeof corrections>;
export type CorrectionWrites = WritesOf<typeof corrections>;
