import { z } from '@hono/zod-openapi';
import type { MirrorReads } from '../store/index.ts';
import { described } from '../words/described.ts';

export const missingAtCloud = z
  .object({
    total: z.number(),
    rows: z.array(
      z.object({
        kind: z.enum(['employee', 'department']),
        ext_id: z.string(),
        name: z.string(),
        since: z
          .number()
          .nullable()
          .describe(
            described(
              'Since when whole lists of the cloud lack it; null: it is held back',
              '从何时起云平台的完整列表中没有；null：因数量过多而保留',
            ),
          ),
        deleted_from: z
          .number()
          .nullable()
          .describe(
            described(
              'When it is deleted, if the lists go on to lack it; null: not before staff says so',
              '如果列表中一直没有，何时删除；null：要由工作人员确认才删除',
            ),
          ),
      }),
    ),
  })
  .describe(
    described(
      'People and departments that the cloud lists no more: kept with all that belongs to them',
      '云平台列表中已没有的人员和部门：连同其全部数据保留在网关上',
    ),
  );

export const deleteMissingBody = z.object({
  total: z
    .number()
    .int()
    .min(1)
    .describe(
      described(
        'How many the list shows: if it is another number by now, nothing is deleted',
        '列表中显示的数量；如果当前数量不同，则不删除',
      ),
    ),
});

export const missingReport = ({
  hidden,
  held,
  rows,
}: Awaited<ReturnType<MirrorReads['missingAtCloud']>>): z.infer<typeof missingAtCloud> => ({
  total: hidden + held,
  rows: rows.map(({ kind, extId, name, since, deletedFrom }) => ({
    ...{ kind, ext_id: extId, name, since, deleted_from: deletedFrom },
  })),
});
