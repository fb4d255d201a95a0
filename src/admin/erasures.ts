import { z } from '@hono/zod-openapi';
import type { UnixMs } from '../runtime/clock.ts';
import type { ErasureRow, PeopleReads } from '../store/index.ts';
import { described } from '../words/described.ts';
import type { Report } from './operation.ts';

const dayMs = 24 * 3600 * 1000;
/** Records that the cloud has had are gone with the next step, which comes every ten minutes. */
const stepMs = 10 * 60 * 1000;
const shownMax = 100;

/** Somebody who was deleted, and of whom the journal still holds features or pictures. */
export const erasure = z.object({
  ext_id: z.string(),
  erased_at: z.number(),
  held_records: z
    .number()
    .describe(described('0: not counted yet, the tables are behind', '0：尚未统计，数据表未追上')),
  waits_for_cloud: z.boolean(),
  done_by: z
    .number()
    .nullable()
    .describe(
      described(
        'Null while the cloud has to have some of them first: within a day after that',
        '须先由云平台接收其中一部分时为 null，最长一天',
      ),
    ),
});
type ErasureReport = Report<typeof erasure>;

/** Those under way, at most 100, the newest first. */
export async function erasuresUnderWay(read: PeopleReads, now: UnixMs): Promise<ErasureReport[]> {
  const rows = await read.erasures(shownMax);
  return rows.filter(row => row.doneAt === null).map(row => reportOf(row, now));
}

const reportOf = ({ extId, at, held, waitsForCloud }: ErasureRow, now: UnixMs): ErasureReport => ({
  ext_id: extId,
  erased_at: at,
  held_records: held,
  waits_for_cloud: waitsForCloud,
  done_by: waitsForCloud ? null : Math.max(at + dayMs, now + stepMs),
});
