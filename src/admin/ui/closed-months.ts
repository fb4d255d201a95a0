import { z } from '@hono/zod-openapi';
import type { DayInShort, MonthClosings } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Period, PeriodReads, PeriodWrites, ReadPart, WritePart } from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { change, closing, closingReport, nameOf, refusalOf } from '../closing-shapes.ts';
import { byCommand, fileOperation, operation, type Running } from '../operation.ts';
import { refused } from '../problem.ts';
import { askerOf, deciderOf } from '../second-person.ts';
import { rowId } from '../shapes.ts';

const changesMax = 2000;

const linesType = 'application/x-ndjson';

const failures = {
  404: described('No such closing or department', '没有此封存或部门'),
  409: described('Not as it is now: the title says why', '当前状态下不允许；标题说明原因'),
};

const reason = z.string().trim().min(1, { error: 'say why' }).max(200);

export const closedMonthOperations = {
  reopen: operation({
    method: 'post',
    path: '/attendance/closings/{id}/reopen',
    role: 'staff',
    audited: described('opened a closed month again, or asked for it', '解除封存或申请解除封存'),
    summary: described(
      'Opens a closed month again. Where a second person has to approve, it stays closed until then.',
      '解除封存；需要第二人审批时，审批之前仍保持封存',
    ),
    params: z.object({ id: rowId }),
    body: z.strictObject({ reason }),
    returns: described('The closing', '封存'),
    answer: closing,
    failures,
  }),
  decide: operation({
    method: 'post',
    path: '/attendance/closings/{id}/reopen/{decision}',
    role: 'staff',
    audited: described('decided whether a closed month is opened again', '审批解除封存'),
    summary: described(
      'Approves that a month is opened again, or refuses it; who asked may only refuse',
      '批准或驳回解除封存；申请人只能驳回',
    ),
    params: z.object({ id: rowId, decision: z.enum(['approve', 'refuse']) }),
    returns: described('The closing', '封存'),
    answer: closing,
    failures,
  }),
  changes: operation({
    method: 'get',
    path: '/attendance/closings/{id}/changes',
    role: 'viewer',
    ofWholeTables: true,
    summary: described(
      `Days that differ from the closed ones by now, or a revision from the one before; at most ${changesMax}`,
      `与封存时不同的日期，或两个版本之间的差别，最多 ${changesMax} 条`,
    ),
    params: z.object({ id: rowId }),
    query: z.object({ kind: z.enum(['late', 'revision']) }),
    returns: described('The days, by name', '日期，按姓名排列'),
    answer: z.object({ rows: z.array(change) }),
    failures,
  }),
  verify: operation({
    method: 'get',
    path: '/attendance/closings/{id}/verify',
    role: 'viewer',
    summary: described('Computes the hash of a closing again, from what is stored', '根据保存的内容重新计算封存的哈希'),
    params: z.object({ id: rowId }),
    returns: described('Whether it is still the same', '是否仍然一致'),
    answer: z.object({ holds: z.boolean(), hash: z.string(), found: z.string() }),
    failures,
  }),
  file: fileOperation({
    method: 'get',
    path: '/reports/closings/{id}',
    role: 'viewer',
    ofWholeTables: true,
    audited: described('downloaded a closed month', '下载封存文件'),
    summary: described(
      'A closing as it was hashed, a JSON value a line: `sha256sum` of the file is its hash',
      '按计算哈希时的内容下载封存文件，每行一个 JSON 值；文件的 `sha256sum` 即其哈希',
    ),
    params: z.object({ id: rowId }),
    returns: described('The file', '文件'),
    files: { [linesType]: z.string() },
    failures,
  }),
};

type DayReport = Omit<DayInShort, 'times'> & { readonly times: DayInShort['times'][number][] };

/** Operations on a closed month: opening again, comparing, verifying. */
export function closedMonths({
  store,
  clock,
  config,
  closings: months,
  log,
}: {
  readonly store: ReadPart<PeriodReads> & WritePart<Pick<PeriodWrites, 'askReopening' | 'decideReopening'>>;
  readonly clock: Clock;
  readonly config: Pick<Config, 'attendance'>;
  readonly closings: Pick<MonthClosings, 'lines' | 'hashOf'>;
  readonly log: Log;
}): Running<typeof closedMonthOperations> {
  const { second_person: twoPersons } = config.attendance.corrections;

  const periodOf = async (id: number): Promise<Period> => {
    const period = await store.read.period(id);
    if (!period) throw refused(404, 'unknown', 'there is no closing with this number');
    return period;
  };

  return {
    async reopen({ id, reason: why }, call = byCommand) {
      const by = twoPersons ? askerOf(call) : call.caller.account;
      const asked = await store.write.askReopening({ id, reason: why, approve: !twoPersons, by, at: clock.now() });
      if (!asked.ok) throw refusalOf(asked.why);
      const period = await periodOf(id);
      call.subject(auditSubjects.say('period_reopened', { ...nameOf(period), state: asked.value, why }));
      return closingReport(period);
    },

    async decide({ id, decision }, call = byCommand) {
      const by = deciderOf(call);
      const decided = await store.write.decideReopening({ id, approve: decision === 'approve', by, at: clock.now() });
      if (!decided.ok) throw refusalOf(decided.why);
      const period = await periodOf(id);
      call.subject(auditSubjects.say('period_decided', { ...nameOf(period), state: decided.value }));
      return closingReport(period);
    },

    async changes({ id, kind }) {
      await periodOf(id);
      const rows = await store.read.periodChanges({ id, kind, limit: changesMax });
      const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as DayReport));
      return {
        rows: rows.map(({ extId, name, date, was, now, noticedAt }) => ({
          ...{ ext_id: extId, name, date, noticed_at: noticedAt },
          ...{ was: parsed(was), now: parsed(now) },
        })),
      };
    },

    async verify({ id }) {
      const period = await periodOf(id);
      const found = await months.hashOf(period);
      return { holds: found === period.hash, hash: period.hash, found };
    },

    async file({ id }, call = byCommand) {
      const period = await periodOf(id);
      call.subject(auditSubjects.say('period', nameOf(period)));
      return {
        type: linesType,
        headers: {
          'Content-Disposition': `attachment; filename="closed-${period.month}-revision-${period.revision}.ndjson"`,
          'Cache-Control': 'no-store',
        },
        body: months.lines(period, call.signal),
        onCut: error => log.warn({ error: error.message }, 'closed_month_not_written'),
      };
    },
  };
}
