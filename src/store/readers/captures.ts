import { eq } from 'drizzle-orm';
import type { Connection } from '../schema/database.ts';
import { places } from '../schema/devices.ts';
import { accessRecord } from '../schema/index.ts';
import { type Params, query } from '../schema/query.ts';
import { BrokenSeal } from '../schema/sealing.ts';

interface StoredCapture {
  readonly extId: string;
  readonly checkTimeSeconds: number;
  readonly state: 'there' | 'none' | 'damaged';
  /** Base64; empty unless it is there. */
  readonly image: string;
}

/**
 * The picture of an access record, by the record's id; null: no such record. Pictures are read and
 * decrypted one at a time, since one may have hundreds of kilobytes.
 */
export function captures({ orm, seal }: Connection): (id: number) => StoredCapture | null {
  const byId = query((value: Params<{ id: number }>) =>
    orm
      .select({
        seq: accessRecord.seq,
        extId: accessRecord.extId,
        checkTimeSeconds: accessRecord.checkTimeSeconds,
        sealed: accessRecord.sealedCaptureImg,
      })
      .from(accessRecord)
      .where(eq(accessRecord.id, value.id)),
  );
  return id => {
    const row = byId.get({ id });
    if (!row) return null;
    const { seq, sealed, ...facts } = row;
    if (sealed === null) return { ...facts, state: 'none', image: '' };
    try {
      return { ...facts, state: 'there', image: seal.openText(sealed, places.captureImg(seq)) };
    } catch (error) {
      if (error instanceof BrokenSeal) return { ...facts, state: 'damaged', image: '' };
      throw error;
    }
  };
}
