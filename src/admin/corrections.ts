import { z } from '@hono/zod-openapi';
import { movedDaysMax } from '../attendance/index.ts';
import type { Config } from '../config/index.ts';
import { isDay } from '../runtime/calendar-date.ts';
import type { Clock } from '../runtime/clock.ts';
import { type WallTime, wallTime, wallTimePattern } from '../runtime/wall-time.ts';
import {
  type CorrectedItem,
  type Correction,
  type CorrectionOutcome,
  type CorrectionRefusal,
  type CorrectionStore,
  correctionItemsMax,
} from '../store/index.ts';
import { changesOfMove, checkInOf, type MoveParts, movedFrom, moveOf, refuseIfClosed } from './moved-checkins.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { type AdminRefused, refused } from './problem.ts';
import { resultDay } from './result-shapes.ts';
import { askerOf, deciderOf } from './second-person.ts';
import { rowId } from './shapes.ts';

/** In the audit log a list of people ends after so many. */
const namedMax = 5;
const listedMax = 500;

const kinds = ['add', 'set_aside', 'move_to'] as const;
const states = ['asked', 'approved', 'refused', 'withdrawn'] as const;
const aDay = { error: 'write a day such as 2026-11-20' };
const dayText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, aDay)
  .refine(isDay, aDay);
const extId = z.string().min(1).max(64);
const reason = z.string().trim().min(1, { error: 'say why: a correction needs a reason' }).max(200);

const correctionShape = z.object({
  id: z.number().describe('The same for all check-ins of one correction'),
  ext_id: z.string(),
  name: z.string().describe('Empty: nobody has this id now'),
  kind: z.enum([...kinds, 'undo']),
  checkin: z.number().nullable().describe('As callers of the attendance API see it; null: not added yet'),
  at: z.number().describe('Of the check-in, seconds since 1970'),
  work_date: z.string().nullable().describe('Of move_to: the date that the check-in belongs to'),
  reason: z.string(),
  asked_by: z.string(),
  asked_at: z.number(),
  decided_by: z.string().nullable(),
  decided_at: z.number().nullable(),
  state: z.enum(states).describe('Only an approved one counts'),
  reverses: z.number().nullable().describe('Of an undo: the correction that it reverses'),
  undone: z.boolean(),
});
export type CorrectionReport = Report<typeof correctionShape>;

const outcome = z.object({ id: z.number(), state: z.enum(states) });
const failures = {
  404: 'No such person, check-in or correction',
  409: 'It is so already, was decided before, needs another person, or a month is closed',
};

export const correctionOperations = {
  list: operation({
    method: 'get',
    path: '/attendance/corrections',
    role: 'viewer',
    summary: `Corrections of check-ins, newest first, a row for each check-in, at most ${listedMax}`,
    query: z.object({
      person: extId.optional(),
      from: dayText.optional().describe('First day of the check-ins'),
      to: dayText.optional().describe('Last day of the check-ins'),
      state: z.enum(states).optional(),
    }),
    returns: 'The corrections, and whether another person has to approve them',
    answer: z.object({ second_person: z.boolean(), rows: z.array(correctionShape) }),
  }),
  ask: operation({
    method: 'post',
    path: '/attendance/corrections',
    role: 'staff',
    summary:
      'Adds missing check-ins, sets wrong ones aside, or moves them to another work date; nothing is overwritten. Where a second person has to approve, it waits for that.',
    body: z.strictObject({
      kind: z.enum(kinds),
      items: z
        .array(
          z.strictObject({
            ext_id: extId,
            time: z
              .string()
              .regex(wallTimePattern, { error: 'write a time of the site such as 2026-11-16T18:00' })
              .optional()
              .describe(
                'To add: in the time zone of the site, such as 2026-11-16T18:00; with its offset where it comes twice: 2026-10-25T02:30+01:00',
              ),
            checkin: z.number().int().positive().optional().describe('To set aside or move: the id of the check-in'),
            work_date: dayText
              .optional()
              .describe(`To move: the work date, at most ${movedDaysMax} days from that of the check-in`),
          }),
        )
        .min(1)
        .max(correctionItemsMax),
      reason,
    }),
    returns: 'Its number and whether it counts already',
    answer: outcome,
    failures: { ...failures, 422: 'A time, check-in or date is missing, does not exist, or is in the future' },
  }),
  previewMove: operation({
    method: 'post',
    path: '/attendance/previews/move',
    role: 'staff',
    summary: 'What moving a check-in to another work date would change; nothing is stored',
    body: z.strictObject({ ext_id: extId, checkin: z.number().int().positive(), work_date: dayText }),
    returns: 'Each date that it would change, as it is and as it would be',
    answer: z.object({ days: z.array(z.object({ date: z.string(), before: resultDay, after: resultDay })) }),
    failures: { 404: 'No such check-in near this date', 409: 'It counts there already, or a month is closed' },
  }),
  undo: operation({
    method: 'post',
    path: '/attendance/corrections/{id}/undo',
    role: 'staff',
    summary: 'Reverses a correction that counts, by a further one; with all check-ins that it is about',
    params: z.object({ id: rowId }),
    body: z.strictObject({ reason }),
    returns: 'The number of the undo and whether it counts already',
    answer: outcome,
    failures,
  }),
  decide: operation({
    method: 'post',
    path: '/attendance/corrections/{id}/{decision}',
    role: 'staff',
    summary: 'Approves or refuses a correction that waits; or withdraws it, which only who asked for it may do',
    params: z.object({ id: rowId, decision: z.enum(['approve', 'refuse', 'withdraw']) }),
    returns: 'What became of it',
    answer: outcome,
    failures,
  }),
};

const decisions = { approve: 'approved', refuse: 'refused', withdraw: 'withdrawn' } as const;

interface Parts extends MoveParts {
  readonly store: CorrectionStore & MoveParts['store'];
  readonly clock: Clock;
  readonly config: Pick<Config, 'site' | 'attendance'>;
}

/** Corrections of check-ins: who asked, who approved, and why is kept with each. */
export function corrections(parts: Parts): Running<typeof correctionOperations> {
  const { store, clock, config } = parts;
  const { site } = config;
  const { second_person: twoPersons } = config.attendance.corrections;

  const wall = wallTime(site.timezone);
  const timeOf = (time: string | undefined): number => {
    const at = instantSaid(time ?? '', wall);
    if (at * 1000 > clock.now()) throw refused(422, 'future', 'this time is in the future: nobody has been there yet');
    return at;
  };
  const named = (
    items: readonly CorrectedItem[],
    change: (time: string, workDate: string | null) => string = time => time,
  ): string => {
    const first = items
      .slice(0, namedMax)
      .map(({ extId: id, at, workDate }) => `${id}: ${change(wall.text(at), workDate)}`);
    return `${first.join('; ')}${items.length > namedMax ? `; and ${items.length - namedMax} more` : ''}`;
  };

  return {
    async list({ person, from, to, state } = {}) {
      const rows = await store.read.corrections({
        extIds: person === undefined ? undefined : [person],
        from: from === undefined ? undefined : wallTime(site.timezone).dayBounds(from).from,
        to: to === undefined ? undefined : wallTime(site.timezone).dayBounds(to).to,
        state,
        limit: listedMax,
      });
      return { second_person: twoPersons, rows: rows.map(correctionReport) };
    },

    async ask({ kind, items, reason: why }, call = byCommand) {
      const by = twoPersons ? askerOf(call) : call.caller.account;
      const asked = { reason: why, by, at: clock.now(), approve: !twoPersons };
      if (kind === 'move_to') for (const item of items) await movedFrom(parts, moveOf(item));
      const result = await store.write.askCorrection(
        kind === 'add'
          ? { ...asked, kind, items: items.map(({ ext_id, time }) => ({ extId: ext_id, at: timeOf(time) })) }
          : kind === 'set_aside'
            ? { ...asked, kind, items: items.map(checkInOf) }
            : { ...asked, kind, items: items.map(moveOf) },
      );
      const done = doneOf(result);
      const change = (time: string, workDate: string | null) =>
        kind === 'add' ? `none → ${time}` : `${time} → ${workDate === null ? 'set aside' : `counts on ${workDate}`}`;
      call.subject(`correction ${done.id} ${done.state}: ${named(done.items, change)}; ${why}`);
      return { id: done.id, state: done.state };
    },

    async previewMove(body, call = byCommand) {
      return { days: await changesOfMove(parts, moveOf(body), call.signal) };
    },

    async undo({ id, reason: why }, call = byCommand) {
      const by = twoPersons ? askerOf(call) : call.caller.account;
      await refuseIfClosed(parts, id);
      const done = doneOf(
        await store.write.undoCorrection({ id, reason: why, by, at: clock.now(), approve: !twoPersons }),
      );
      const items = named(done.items);
      call.subject(`correction ${done.id} ${done.state}: undoes correction ${id} (${items}); ${why}`);
      return { id: done.id, state: done.state };
    },

    async decide({ id, decision }, call = byCommand) {
      const state = decisions[decision];
      const by = twoPersons && state !== 'withdrawn' ? deciderOf(call) : call.caller.account;
      if (state === 'approved') await refuseIfClosed(parts, id);
      const done = doneOf(await store.write.decideCorrection({ id, state, by, at: clock.now(), twoPersons }));
      call.subject(`correction ${id}: asked → ${state} (${named(done.items, whereTo)})`);
      return { id, state: done.state };
    },
  };
}

/** A time of the site, with its offset where it comes twice. Refuses what no clock there shows. */
function instantSaid(text: string, { shownAt, offset }: WallTime): number {
  if (!wallTimePattern.test(text) || !isDay(text.slice(0, 10)))
    throw refused(422, 'time', 'say when: a time of the site such as 2026-11-16T18:00');
  const said = /[+-]\d\d:\d\d$/.exec(text)?.[0] ?? '';
  const wall = text.slice(0, text.length - said.length);
  const found = shownAt(wall);
  const [date, time] = wall.split('T') as [string, string];
  if (found.length === 0)
    throw refused(422, 'skipped', `${time} did not exist on ${date}: the clocks were set forward over it`);
  const each = found.map(at => `${wall}${offset(at)}`);
  if (said !== '') {
    const at = found.find(one => offset(one) === said);
    if (at === undefined) throw refused(422, 'offset', `no clock of the site showed this: write ${each.join(' or ')}`);
    return at;
  }
  if (found.length > 1) throw refused(422, 'twice', `${time} came twice on ${date}: write ${each.join(' or ')}`);
  return found[0]!;
}

const whereTo = (time: string, workDate: string | null): string =>
  workDate === null ? time : `${time} → counts on ${workDate}`;

const correctionReport = (row: Correction): CorrectionReport => ({
  id: row.id,
  ext_id: row.extId,
  name: row.name,
  kind: row.kind,
  checkin: row.checkInId,
  at: row.at,
  work_date: row.workDate,
  reason: row.reason,
  asked_by: row.askedBy,
  asked_at: row.askedAt,
  decided_by: row.decidedBy,
  decided_at: row.decidedAt,
  state: row.state,
  reverses: row.reverses,
  undone: row.undone,
});

function doneOf(result: CorrectionOutcome): CorrectionOutcome & { ok: true } {
  if (!result.ok) throw refusalOf(result.why, result.extId);
  return result;
}

function refusalOf(why: CorrectionRefusal, extIdOf: string): AdminRefused {
  switch (why) {
    case 'unknown_person':
      return refused(404, 'unknown_person', `nobody has the id ${extIdOf}`);
    case 'unknown_punch':
      return refused(404, 'unknown_punch', `${extIdOf} has no such check-in`);
    case 'unknown_correction':
      return refused(404, 'unknown_correction', 'there is no correction with this number');
    case 'already':
      return refused(409, 'already', 'this is corrected so already, or somebody has asked for it');
    case 'set_aside':
      return refused(409, 'set_aside', 'this check-in is set aside and counts on no date: undo that first');
    case 'decided':
      return refused(409, 'decided', 'this correction was decided before: load the page again');
    case 'not_approved':
      return refused(409, 'not_approved', 'only a correction that counts can be undone, and an undo cannot');
    case 'same_person':
      return refused(
        409,
        'same_person',
        'who asked for a correction may not approve it: another person has to; one that a command asked for names nobody: refuse it and ask again',
      );
    case 'not_asker':
      return refused(409, 'not_asker', 'only who asked for a correction may withdraw it: refuse it instead');
  }
}
