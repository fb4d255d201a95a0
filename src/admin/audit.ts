import { z } from '@hono/zod-openapi';
import { type AuditHead, auditChains } from '../platform/audit-heads.ts';
import type { AuditReads, ReadPart } from '../store/index.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import { byCommand, linesOperation, operation, type Report, type Running, resource } from './operation.ts';
import { refused, sentenceShape } from './problem.ts';

/** Three chains, with a few heads each. */
const headsMax = 30;

const chain = z.enum(auditChains);
export const auditEntryShape = z.object({
  id: z.number(),
  at: z.number(),
  lastAt: z.number().nullable(),
  count: z
    .number()
    .describe(
      described(
        'How often, from `at` to `lastAt`: repeats of one minute are one entry',
        '从 `at` 到 `lastAt` 的次数：一分钟内的重复合为一条',
      ),
    ),
  actor: z
    .string()
    .describe(
      described(
        'A name, `token NAME`, or `command` for the socket of the box',
        '用户名、`token 名称`，或 `command`（网关上的命令）',
      ),
    ),
  role: z.string(),
  address: z.string(),
  action: z.string(),
  subject: z.string(),
  outcome: z.enum(['done', 'refused']),
});
const row = auditEntryShape.extend({
  said: z
    .string()
    .nullable()
    .describe(
      described('Code and values of the subject, as JSON; null: none', '对象文字的代码和参数，JSON 格式；null：没有'),
    ),
  chain: chain.nullable(),
  hash: z.string().nullable(),
});
const head = z.object({ chain, id: z.number(), hash: z.string() });
const verdict = z.object({
  holds: z.boolean(),
  broken: z
    .object({ id: z.number(), chain: chain.nullable(), why: z.string(), ...sentenceShape })
    .nullable()
    .describe(described('The first entry that does not hold', '第一条不符的记录')),
  chains: z.array(
    z.object({
      chain,
      entries: z.number(),
      begins_after: z.number().describe(described('The number of the last entry before it', '其前最后一条记录的编号')),
      begun_at: z.number(),
      removed: z.number().describe(described('How many were removed from its old end', '从最早一端已删除的条数')),
      head,
    }),
  ),
  kept_gone: z
    .array(head)
    .describe(described('Kept heads that are older than what is kept of their chain', '早于现存记录的已保存链头')),
});
export type AuditVerdict = Report<typeof verdict>;

const auditOperations = {
  verify: operation({
    method: 'get',
    path: '/audit/verify',
    role: 'viewer',
    audited: described('verified the log', '核对记录'),
    summary: described(
      'Counts the hash of every entry again, and says which is the first that does not hold',
      '重新计算每条操作记录的哈希，指出第一条不符的记录',
    ),
    query: z.object({ heads: z.string().max(4000).default('') }),
    returns: described(
      'Whether the chains hold, with their heads; `heads` are heads kept earlier, `CHAIN:ID:HASH`, with commas',
      '哈希链是否完整，以及链头；`heads` 为以前保存的链头，`CHAIN:ID:HASH`，用逗号分隔',
    ),
    answer: verdict,
  }),
  export: linesOperation({
    method: 'get',
    path: '/audit/export',
    role: 'viewer',
    audited: described('exported the log', '导出记录'),
    summary: described(
      'All entries with their hashes, oldest first, one JSON object a line; the last line is empty',
      '全部操作记录及其哈希，最早的在前，每行一个 JSON 对象，最后一行为空',
    ),
    returns: described('The entries', '操作记录'),
    line: row,
  }),
};

function auditAdmin({ store: { read } }: { readonly store: ReadPart<AuditReads> }): Running<typeof auditOperations> {
  // Callers with heads have them counted; pages that are loaded repeatedly share one count.
  let counting: ReturnType<AuditReads['verifyAudit']> | null = null;
  const verify = (heads: readonly AuditHead[]) => {
    if (heads.length > 0) return read.verifyAudit(heads);
    counting ??= read.verifyAudit([]).finally(() => {
      counting = null;
    });
    return counting;
  };
  return {
    async verify({ heads }) {
      const kept = heads === '' ? [] : heads.split(',').map(headOf);
      if (kept.length > headsMax || kept.some(one => one === null))
        throw refused(400, 'Bad request', `heads: at most ${headsMax} of the form CHAIN:ID:HASH, with commas`);
      return verify(kept.filter(one => one !== null));
    },
    export(_ = {}, call = byCommand) {
      call.subject(auditSubjects.say('all_entries'));
      return read.auditRows();
    },
  };
}

function headOf(text: string): AuditHead | null {
  const [, name, id, hash] = /^(\w+):(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  const known = auditChains.find(one => one === name);
  return known && id && hash ? { chain: known, id: Number(id), hash } : null;
}

export const auditResource = resource(auditOperations, auditAdmin, auditAdmin);
