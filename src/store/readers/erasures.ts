import { and, desc, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { parked } from '../domains/forwarding/tables.ts';
import type { SegmentReader } from '../journal/segment-reader.ts';
import type { Seq } from '../port/journal.ts';
import type { ErasureRow, PeopleReads } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';
import { biometricRecord, erasure } from '../schema/index.ts';
import { type Params, query } from '../schema/query.ts';
import type { KnownDevices } from './stored-devices.ts';

/** How many of a person's remaining records are checked to say whether they wait for the cloud. */
const lookedAtMax = 20;

/** The people who were erased, and what the journal still holds of them (erasing.ts). */
export function erasureReads(
  { orm }: Connection,
  journal: SegmentReader,
  devices: KnownDevices,
  hasCloud: boolean,
): Pick<PeopleReads, 'erasures'> {
  const newest = query((value: Params<{ extId: string; throughSeq: number; limit: number }>) =>
    orm
      .select({ seq: biometricRecord.seq })
      .from(biometricRecord)
      .where(and(eq(biometricRecord.extId, value.extId), lte(biometricRecord.seq, value.throughSeq)))
      .orderBy(desc(biometricRecord.seq))
      .limit(value.limit),
  );
  const erasures = query((value: Params<{ limit: number }>) =>
    orm
      .select({
        extId: erasure.extId,
        at: erasure.at,
        doneAt: erasure.doneAt,
        throughSeq: erasure.throughSeq,
        held: sql`(SELECT count(*) FROM ${biometricRecord}
            WHERE ${biometricRecord.extId} = ${erasure.extId} AND ${biometricRecord.seq} <= ${erasure.throughSeq})`.mapWith(
          Number,
        ),
      })
      .from(erasure)
      .orderBy(isNotNull(erasure.doneAt), desc(erasure.id))
      .limit(value.limit),
  );
  const isParked = query((value: Params<{ seq: number }>) =>
    orm.select({ seq: parked.seq }).from(parked).where(eq(parked.seq, value.seq)),
  );

  const waits = (seq: Seq): boolean => {
    if (isParked.get({ seq })) return true;
    if (!hasCloud) return false;
    const record = journal.record(seq);
    if (!record || record.marks.local) return false;
    const device = devices.deviceByNo(record.deviceNo);
    return device !== undefined && seq > device.forwarded[record.channel];
  };

  return {
    async erasures(limit) {
      return erasures.all({ limit }).map(({ throughSeq, held, ...row }): ErasureRow => {
        if (row.doneAt !== null) return { ...row, held: 0, waitsForCloud: false };
        const seqs = newest.all({ extId: row.extId, throughSeq, limit: lookedAtMax });
        return { ...row, held, waitsForCloud: seqs.some(({ seq }) => waits(seq)) };
      });
    },
  };
}
