import { z } from '@hono/zod-openapi';
import type { MirrorReads } from '../store/index.ts';

export const missingAtCloud = z
  .object({
    total: z.number(),
    rows: z.array(
      z.object({
        kind: z.enum(['employee', 'department']),
        ext_id: z.string(),
        name: z.string(),
        since: z.number().nullable().describe('Since when whole lists of the cloud lack it; null: it is held back'),
        deleted_from: z
          .number()
          .nullable()
          .describe('When it is deleted, if the lists go on to lack it; null: not before staff says so'),
      }),
    ),
  })
  .describe('People and departments that the cloud lists no more: kept with all that belongs to them');

export const deleteMissingBody = z.object({
  total: z
    .number()
    .int()
    .min(1)
    .describe('How many the list shows: if it is another number by now, nothing is deleted'),
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
