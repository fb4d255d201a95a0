import type { UnixMs } from '../runtime/clock.ts';
import type { ErasureRow, StoreReader } from '../store/index.ts';

const dayMs = 24 * 3600 * 1000;
/** Records that the cloud has had are gone with the next step, which comes every ten minutes. */
const stepMs = 10 * 60 * 1000;
const shownMax = 100;

/** Somebody who was deleted, and of whom the journal still holds features or pictures. */
export interface ErasureReport {
  readonly ext_id: string;
  readonly erased_at: UnixMs;
  /** 0: not counted yet, the tables are behind. */
  readonly held_records: number;
  readonly waits_for_cloud: boolean;
  /** Null while the cloud has to have some of them first: within a day after that. */
  readonly done_by: UnixMs | null;
}

/** Those under way, at most 100, the newest first. */
export async function erasuresUnderWay(read: Pick<StoreReader, 'erasures'>, now: UnixMs): Promise<ErasureReport[]> {
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
