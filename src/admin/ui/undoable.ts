import { z } from '@hono/zod-openapi';
import type { Clock } from '../../runtime/clock.ts';
import { type BulkChangeReads, bulkChangeKept, type ReadPart } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { operation, type Report, type Running } from '../operation.ts';

const undoable = z.object({
  id: z
    .number()
    .describe(
      described(
        'To undo it: POST /people/bulk/{id}/undo or /devices/bulk/{id}/undo',
        '用于撤销：POST /people/bulk/{id}/undo 或 /devices/bulk/{id}/undo',
      ),
    ),
  at: z.number(),
  by: z
    .string()
    .describe(
      described(
        'A name, `token NAME`, or `command` for the socket of the box',
        '用户名、`token 名称`，或 `command`（网关上的命令）',
      ),
    ),
  what: z.enum(['people_data', 'blocked', 'department', 'left']),
  of: z.enum(['devices', 'people']),
  count: z
    .number()
    .describe(described('How many it changed; less what was undone already', '更改的数量；减去已撤销的')),
});
export type UndoableChange = Report<typeof undoable>;

export const undoableOperations = {
  list: operation({
    method: 'get',
    path: '/changes/undoable',
    role: 'viewer',
    summary: described(
      'Changes of many devices or people that can still be undone, the newest first',
      '仍可撤销的设备或人员批量更改，最新的在前',
    ),
    returns: described('The changes', '批量更改'),
    answer: z.object({ rows: z.array(undoable) }),
  }),
};

interface Parts {
  readonly store: ReadPart<BulkChangeReads>;
  readonly clock: Clock;
}

/** Changes that can be undone after the page that made them is closed. */
export const undoables = ({ store, clock }: Parts): Running<typeof undoableOperations> => ({
  async list() {
    const rows = await store.read.bulkChanges({ since: clock.now() - bulkChangeKept.ms });
    return {
      rows: rows.map(({ id, at, by, what, rows: count }) => ({
        ...{ id, at, by, what, count },
        of: what === 'people_data' || what === 'blocked' ? 'devices' : 'people',
      })),
    };
  },
});
