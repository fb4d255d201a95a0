import { z } from '@hono/zod-openapi';
import type { Clock } from '../../runtime/clock.ts';
import type { PeopleReads, ReadPart } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { erasure, erasuresUnderWay } from '../erasures.ts';
import { operation, type Running } from '../operation.ts';

const erasuresReport = z.object({ rows: z.array(erasure) });

export const erasureOperations = {
  list: operation({
    method: 'get',
    path: '/erasures',
    role: 'viewer',
    summary: described(
      'Deleted people of whom the journal still holds features or pictures: how many records, and until when',
      '已删除但流水中仍有其特征或照片的人员：剩余记录数和清除时限',
    ),
    returns: described('Those under way', '正在进行的'),
    answer: erasuresReport,
  }),
};

export const erasures = ({
  store,
  clock,
}: {
  readonly store: ReadPart<PeopleReads>;
  readonly clock: Clock;
}): Running<typeof erasureOperations> => ({
  list: async () => ({ rows: await erasuresUnderWay(store.read, clock.now()) }),
});
