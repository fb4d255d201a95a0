import { z } from '@hono/zod-openapi';
import {
  type ClosingFoot,
  type ClosingOutcome,
  type InTheWay,
  inTheWayNames,
  type KeptRefusal,
} from '../attendance/index.ts';
import type { ClosingDraft, Period, PeriodRefusal } from '../store/index.ts';
import { described } from '../words/described.ts';
import type { Report } from './operation.ts';
import { type AdminRefused, refused } from './problem.ts';

const inTheWay = z.object({ what: z.enum(inTheWayNames), count: z.number() });

const scope = z
  .object({ ext_id: z.string(), name: z.string() })
  .nullable()
  .describe(described('A department; null: the whole site', '部门；null：全站点'));

export const unfinished = z.object({
  month: z.string(),
  scope,
  revision: z.number(),
  asked_by: z.string(),
  people: z.number().describe(described('People of the scope', '范围内的人数')),
  done: z.number().describe(described('People whose figures are written', '已写入的人数')),
  refused: z
    .object({ why: z.enum(['in_the_way', 'nobody', 'failed']), in_the_way: z.array(inTheWay) })
    .nullable()
    .describe(
      described(
        'Why it was not closed; failed: it was cut again and again. Null: it is under way, or is begun again within two minutes',
        '未封存的原因；failed：多次中断。null：正在进行，或将在两分钟内重新开始',
      ),
    ),
});

export const closing = z.object({
  id: z.number(),
  month: z.string(),
  scope,
  revision: z.number(),
  state: z
    .enum(['closed', 'reopen_asked', 'reopened'])
    .describe(
      described('reopen_asked: closed, until another person approves', 'reopen_asked：在另一人批准之前仍为已封存'),
    ),
  closed_at: z.number(),
  closed_by: z.string(),
  forced: z
    .string()
    .nullable()
    .describe(
      described(
        'Why it was closed although something was in the way; null: nothing was',
        '存在阻碍时仍然封存的理由；null：没有阻碍',
      ),
    ),
  in_the_way: z.array(inTheWay).describe(described('What was not settled when it was closed', '封存时未解决的事项')),
  people: z.number(),
  corrections: z.number().describe(described('Corrections that count in it', '其中生效的考勤调整数')),
  wrong_clocks: z
    .array(z.string())
    .describe(described('Devices whose clock was wrong when it was closed', '封存时时钟有误的设备')),
  time_zone: z.string(),
  rules: z.string().describe(described('The version of the program whose rules were used', '所用规则的程序版本')),
  hash: z.string().describe(described('SHA-256 of the file of the closing', '封存文件的 SHA-256')),
  late: z
    .number()
    .describe(
      described(
        'Days that would come out otherwise now: what arrived or was changed after the closing',
        '现在结果会不同的日期：由封存之后收到或更改的内容引起',
      ),
    ),
  checked_at: z
    .number()
    .nullable()
    .describe(described('When late changes were last looked for', '最近一次检查封存后变化的时间')),
  revised: z.number().describe(described('Days that differ from the revision before', '与前一版不同的日期')),
  reopening: z
    .object({
      reason: z.string(),
      asked_by: z.string(),
      asked_at: z.number(),
      by: z.string().nullable(),
      at: z.number().nullable(),
    })
    .nullable(),
});

type ClosingReport = Report<typeof closing>;

const dayInShort = z
  .object({
    state: z.string(),
    shift: z.string().nullable(),
    times: z.array(z.object({ in: z.number().nullable(), out: z.number().nullable() })),
    worked: z.number(),
    late: z.number(),
    early: z.number(),
    overtime: z.number(),
    leave: z.number(),
    punches: z.number(),
  })
  .nullable();

export const change = z.object({
  ext_id: z.string(),
  name: z.string(),
  date: z.string(),
  was: dayInShort.describe(described('Null: the person was not in it', 'null：当时不含此人')),
  now: dayInShort.describe(described('Null: the person is not in it', 'null：现在不含此人')),
  noticed_at: z.number(),
});

/** For the audit log. */
export const nameOf = ({ month, scopeName, revision }: Period) => ({ month, scope: scopeName, revision });

export const footOf = ({ foot }: Period): ClosingFoot => JSON.parse(foot) as ClosingFoot;

const scopeOf = ({ scopeId, scopeName }: Pick<Period, 'scopeId' | 'scopeName'>) =>
  scopeId === '' ? null : { ext_id: scopeId, name: scopeName };

export function unfinishedReport(draft: ClosingDraft): Report<typeof unfinished> {
  const refused = draft.refusal === null ? null : (JSON.parse(draft.refusal) as KeptRefusal);
  return {
    ...{ month: draft.month, scope: scopeOf(draft), revision: draft.revision, asked_by: draft.closedBy },
    ...{ people: draft.peopleAll, done: Math.min(draft.peopleDone, draft.peopleAll) },
    refused: refused && { why: refused.why, in_the_way: [...refused.in_the_way] },
  };
}

export function closingReport(period: Period): ClosingReport {
  const foot = footOf(period);
  const { id, month, revision, state, forced, rules, hash, late, revised } = period;
  return {
    ...{ id, month, revision, state, forced, rules, hash, late, revised },
    scope: scopeOf(period),
    closed_at: period.closedAt,
    closed_by: period.closedBy,
    in_the_way: foot.in_the_way as ClosingReport['in_the_way'],
    people: foot.people,
    corrections: foot.corrections,
    wrong_clocks: [...foot.wrong_clocks],
    time_zone: period.timeZone,
    checked_at: period.checkedAt,
    reopening:
      period.reopenReason === null
        ? null
        : {
            reason: period.reopenReason,
            asked_by: period.reopenAskedBy ?? '',
            asked_at: period.reopenAskedAt ?? 0,
            by: period.reopenedBy,
            at: period.reopenedAt,
          },
  };
}

const sentences: Readonly<Record<InTheWay['what'], (count: number) => string>> = {
  days_to_come: count => `${count} workdays have not ended yet`,
  days_not_known: count => `${count} workdays are pending because a terminal is offline`,
  missing_checkins: count => `${count} days have a missing check-in`,
  absences: count => `${count} absences`,
  corrections: count => `${count} corrections await approval`,
  leaves: count => `${count} leaves await approval`,
  unknown_checkins: count => `${count} check-ins are from unknown IDs`,
};

export function closeRefused(outcome: ClosingOutcome & { ok: false }, month: string): AdminRefused {
  if (outcome.why === 'in_the_way') {
    const said = outcome.inTheWay.map(({ what, count }) => sentences[what](count)).join('; ');
    return refused(
      409,
      'in_the_way',
      `${month} was not closed: ${said}. Settle them, or give a reason for closing early.`,
      {
        problems: outcome.inTheWay.map(({ what, count, days }) => ({
          ...{ what, count },
          days: days.map(({ extId, name, date }) => ({ ext_id: extId, name, date })),
        })),
      },
    );
  }
  if (outcome.why === 'nobody')
    return refused(
      409,
      'nobody',
      `no employee in this scope has an open ${month}: all are closed, or the scope is empty`,
    );
  if (outcome.why === 'failed') return refused(409, 'failed', 'the closing was interrupted three times');
  return refusalOf(outcome.why);
}

export function refusalOf(why: PeriodRefusal): AdminRefused {
  switch (why) {
    case 'closed':
      return refused(409, 'closed', 'the month is closed for this scope: reopen it first');
    case 'closing':
      return refused(409, 'closing', 'another closing is in progress: try again in a minute');
    case 'unknown':
      return refused(404, 'unknown', 'no closing has this number');
    case 'not_closed':
      return refused(409, 'not_closed', 'this revision is already open');
    case 'already':
      return refused(409, 'already', 'already requested: a second person has to approve');
    case 'not_asked':
      return refused(409, 'not_asked', 'no reopening is requested, or the request was decided before');
    case 'same_person':
      return refused(409, 'same_person', 'the requester cannot approve: a second person has to');
  }
}
