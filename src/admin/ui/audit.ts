import { z } from '@hono/zod-openapi';
import type { AuditReads, DirectoryStore, PeopleReads, ReadPart } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { parseCoded } from '../../words/sentences.ts';
import { auditEntryShape } from '../audit.ts';
import { operation, type Report, type Running } from '../operation.ts';
import { sentenceShape } from '../problem.ts';
import { auditNames } from './audit-names.ts';
import type { auditedActions } from './audited-actions.ts';

const row = auditEntryShape.extend({
  ...sentenceShape,
  did: z
    .object({ en: z.string(), zh: z.string() })
    .nullable()
    .describe(described('Name of the action; null: it has none', '操作的名称；null：没有')),
  about: z.string().describe(described('Ids in the path of the action', '操作路径中的编号')),
  named: z
    .array(z.object({ kind: z.enum(['device', 'person']), id: z.string(), name: z.string() }))
    .describe(
      described(
        'Devices and people whose ids stand in the entry, by their names of today',
        '记录中出现编号的设备和人员，用其现在的名称',
      ),
    ),
});
export type AuditEntry = Report<typeof row>;

export const auditOperations = {
  page: operation({
    method: 'get',
    path: '/audit',
    role: 'viewer',
    summary: described('Who changed what, and who was refused; the newest first', '谁更改了什么、谁被拒绝，最新的在前'),
    query: z.object({
      cursor: z.coerce.number<number>().int().positive().optional(),
      limit: z.coerce.number<number>().int().min(1).max(500).default(100),
      actor: z.string().max(80).optional(),
      text: z.string().max(80).optional(),
    }),
    returns: described('The page; `cursor` goes on where it ended', '一页；用 `cursor` 从其末尾继续'),
    answer: z.object({ rows: z.array(row), cursor: z.number().nullable() }),
  }),
};

export const audit = ({
  store: { read, directory },
  audited,
}: {
  readonly store: ReadPart<AuditReads & Pick<PeopleReads, 'person'>> & DirectoryStore;
  readonly audited: ReturnType<typeof auditedActions>;
}): Running<typeof auditOperations> => ({
  async page({ cursor, limit, actor, text }) {
    const entries = await read.auditEntries({
      limit,
      ...(cursor === undefined ? {} : { before: cursor }),
      ...(actor === undefined ? {} : { actor }),
      ...(text === undefined ? {} : { text }),
    });
    const rows = entries.map(({ said, ...entry }) => ({ ...entry, ...parseCoded(said), ...audited(entry.action) }));
    const named = await auditNames(read, directory, rows);
    return {
      rows: rows.map((row, index) => ({ ...row, named: named[index]! })),
      cursor: rows.length === limit ? rows.at(-1)!.id : null,
    };
  },
});
