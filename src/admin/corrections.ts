import { z } from '@hono/zod-openapi';
import { movedDaysMax } from '../attendance/index.ts';
import type { Config } from '../config/index.ts';
import { isDay } from '../runtime/calendar-date.ts';
import type { Clock } from '../runtime/clock.ts';
import { type WallTime, wallTime, wallTimePattern } from '../runtime/wall-time.ts';
import { type CorrectedItem, type Correction, type CorrectionStore, correctionItemsMax } from '../store/index.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import { doneOf } from './correction-refusals.ts';
import { correctionShape, dayText, extId, kinds, outcome, reason, states } from './correction-shapes.ts';
import { changesOfMove, checkInOf, type MoveParts, movedFrom, moveOf, refuseIfClosed } from './moved-checkins.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { refused } from './problem.ts';
import { resultDay } from './result-shapes.ts';
import { askerOf, deciderOf } from './second-person.ts';
import { rowId } from './shapes.ts';

/** In the audit log a list of people ends after so many. */
const namedMax = 5;
const listedMax = 500;

export type CorrectionReport = Report<typeof correctionShape>;

const failures = {
  404: described('No such person, check-in or correction', '没有此人员、打卡或考勤调整'),
  409: described(
    'It is so already, was decided before, needs another person, or a month is closed',
    '已是如此、之前已处理、须由另一人处理，或月份已封存',
  ),
};

export const correctionOperations = {
  list: operation({
    method: 'get',
    path: '/attendance/corrections',
    role: 'viewer',
    summary: described(
      `Corrections of check-ins, newest first, a row for each check-in, at most ${listedMax}`,
      `考勤调整，最新的在前，每次打卡一行，最多 ${listedMax} 行`,
    ),
    query: z.object({
      person: extId.optional(),
      from: dayText.optional().describe(described('First day of the check-ins', '打卡的第一天')),
      to: dayText.optional().describe(described('Last day of the check-ins', '打卡的最后一天')),
      state: z.enum(states).optional(),
    }),
    returns: described(
      'The corrections, and whether another person has to approve them',
      '考勤调整，以及是否须由另一人批准',
    ),
    answer: z.object({ second_person: z.boolean(), rows: z.array(correctionShape) }),
  }),
  ask: operation({
    method: 'post',
    path: '/attendance/corrections',
    role: 'staff',
    audited: described('corrected check-ins', '考勤调整'),
    summary: described(
      'Adds missing check-ins, sets wrong ones aside, or moves them to another work date; nothing is overwritten. Where a second person has to approve, it waits for that.',
      '补卡、作废错误的打卡，或调整归属日期，不覆盖任何记录；需要第二人审批时等待审批',
    ),
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
                described(
                  'To add: in the time zone of the site, such as 2026-11-16T18:00; with its offset where it comes twice: 2026-10-25T02:30+01:00',
                  '补卡时：站点时区的时间，例如 2026-11-16T18:00；时间出现两次时须带时差：2026-10-25T02:30+01:00',
                ),
              ),
            checkin: z
              .number()
              .int()
              .positive()
              .optional()
              .describe(described('To set aside or move: the id of the check-in', '作废或调整归属日期时：打卡的编号')),
            work_date: dayText
              .optional()
              .describe(
                described(
                  `To move: the work date, at most ${movedDaysMax} days from that of the check-in`,
                  `移动时：所属的工作日，与打卡当天最多相差 ${movedDaysMax} 天`,
                ),
              ),
          }),
        )
        .min(1)
        .max(correctionItemsMax),
      reason,
    }),
    returns: described('Its number and whether it counts already', '其编号，以及是否已生效'),
    answer: outcome,
    failures: {
      ...failures,
      422: described(
        'A time, check-in or date is missing, does not exist, or is in the future',
        '缺少时间、打卡或日期，或其不存在，或在未来',
      ),
    },
  }),
  previewMove: operation({
    method: 'post',
    path: '/attendance/previews/move',
    role: 'staff',
    audited: described('looked at what moving a check-in would change', '预览归属日期调整的影响'),
    summary: described(
      'What moving a check-in to another work date would change; nothing is stored',
      '预览把一次打卡调整到另一个归属日期会改变什么，不保存',
    ),
    body: z.strictObject({ ext_id: extId, checkin: z.number().int().positive(), work_date: dayText }),
    returns: described(
      'Each date that it would change, as it is and as it would be',
      '会改变的各个日期，现在的和改变之后的',
    ),
    answer: z.object({ days: z.array(z.object({ date: z.string(), before: resultDay, after: resultDay })) }),
    failures: {
      404: described('No such check-in near this date', '此日期附近没有此打卡'),
      409: described('It counts there already, or a month is closed', '已计入该日期，或月份已封存'),
    },
  }),
  undo: operation({
    method: 'post',
    path: '/attendance/corrections/{id}/undo',
    role: 'staff',
    audited: described('undid a correction of check-ins', '撤销考勤调整'),
    summary: described(
      'Reverses a correction that counts, by a further one; with all check-ins that it is about',
      '以一条新的考勤调整撤销已生效的考勤调整，涉及的所有打卡一并恢复',
    ),
    params: z.object({ id: rowId }),
    body: z.strictObject({ reason }),
    returns: described('The number of the undo and whether it counts already', '撤销的编号，以及是否已生效'),
    answer: outcome,
    failures,
  }),
  decide: operation({
    method: 'post',
    path: '/attendance/corrections/{id}/{decision}',
    role: 'staff',
    audited: described('decided on a correction of check-ins', '审批考勤调整'),
    summary: described(
      'Approves or refuses a correction that waits; or withdraws it, which only who asked for it may do',
      '批准或驳回待审批的考勤调整；撤回只能由申请人进行',
    ),
    params: z.object({ id: rowId, decision: z.enum(['approve', 'refuse', 'withdraw']) }),
    returns: described('What became of it', '结果'),
    answer: outcome,
    failures,
  }),
};

const decisions = { approve: 'approved', refuse: 'refused', withdraw: 'withdrawn' } as const;

export interface CorrectionParts extends MoveParts {
  readonly store: CorrectionStore & MoveParts['store'];
  readonly clock: Clock;
  readonly config: Pick<Config, 'site' | 'attendance'>;
}

/** Corrections of check-ins: who asked, who approved, and why is kept with each. */
export function corrections(parts: CorrectionParts): Running<typeof correctionOperations> {
  const { store, clock, config } = parts;
  const { site } = config;
  const { second_person: twoPersons } = config.attendance.corrections;

  const wall = wallTime(site.timezone);
  const timeOf = (time: string | undefined): number => {
    const at = instantSaid(time ?? '', wall);
    if (at * 1000 > clock.now()) throw refused(422, 'future', 'this time is in the future: nobody has been there yet');
    return at;
  };
  /** Items of a correction for the audit log. */
  const named = (items: readonly CorrectedItem[], how: 'add' | 'set_aside' | 'move_to' | 'alone') => ({
    items: items
      .slice(0, namedMax)
      .map(({ extId: id, at, workDate }) => [id, wall.text(at), workDate ?? ''].join('\t'))
      .join('\n'),
    more: Math.max(0, items.length - namedMax),
    how,
  });

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
      // Requests of employees are decided by staff in any case.
      const asked = { reason: why, by, at: clock.now(), approve: !twoPersons && !call.employee };
      if (kind === 'move_to') for (const item of items) await movedFrom(parts, moveOf(item));
      const result = await store.write.askCorrection(
        kind === 'add'
          ? { ...asked, kind, items: items.map(({ ext_id, time }) => ({ extId: ext_id, at: timeOf(time) })) }
          : kind === 'set_aside'
            ? { ...asked, kind, items: items.map(checkInOf) }
            : { ...asked, kind, items: items.map(moveOf) },
      );
      const done = doneOf(result);
      const { id, state } = done;
      call.subject(auditSubjects.say('correction', { id, state, ...named(done.items, kind), why }));
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
      const undoing = { id: done.id, state: done.state, undone: id, why };
      call.subject(auditSubjects.say('correction_undone', { ...undoing, ...named(done.items, 'alone') }));
      return { id: done.id, state: done.state };
    },

    async decide({ id, decision }, call = byCommand) {
      const state = decisions[decision];
      const by = twoPersons && state !== 'withdrawn' ? deciderOf(call) : call.caller.account;
      if (state === 'approved') await refuseIfClosed(parts, id);
      const done = doneOf(await store.write.decideCorrection({ id, state, by, at: clock.now(), twoPersons }));
      call.subject(auditSubjects.say('correction_decided', { id, state, ...named(done.items, 'move_to') }));
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
