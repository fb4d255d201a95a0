import type { Connection } from '../schema/database.ts';
import { isReadFailure } from '../schema/result-codes.ts';
import { BrokenSeal, type Seal, type SealedBytes } from '../schema/sealing.ts';
import { compressed, NotUnpacked, unpacked } from './compression.ts';
import { checkPacked, packedVersion, segmentPlace } from './segment.ts';

/** A segment that cannot be read. The message says which, and why. */
export class UnreadableSegment extends Error {
  constructor(firstSeq: number, why: string) {
    super(`segment ${firstSeq}: ${why}`);
    this.name = 'UnreadableSegment';
  }
}

/**
 * Value of `sealed_records`: the packed records (segment.ts), or these compressed. `where`: the
 * number of its first record; a place, where that is not known yet.
 */
export function sealSegment(
  seal: Pick<Seal, 'seal'>,
  packed: Buffer,
  where: number | string,
  room?: Uint8Array,
): SealedBytes {
  return seal.seal(compressed(packed) ?? packed, typeof where === 'number' ? segmentPlace(where) : where, room);
}

/**
 * The packed records of a segment of the store; null when it is gone. Throws UnreadableSegment and
 * notes it in `unreadable`, also if the disk does not give it back. In a transaction that the
 * failed read has ended it throws SQLite's error: who repeats the transaction gets
 * UnreadableSegment.
 */
export function readSegment(connection: Connection, firstSeq: number): Buffer | null {
  const { sql, seal, unreadable, database } = connection;
  if (unreadable.hasSegment(firstSeq)) throw new UnreadableSegment(firstSeq, 'it could not be read before');
  const isWithin = database.isTransaction;
  try {
    const row = sql('SELECT sealed_records FROM segment WHERE first_seq = ?').get(firstSeq) as
      | { sealed_records: Uint8Array }
      | undefined;
    return row ? openSegment(seal, row.sealed_records, firstSeq) : null;
  } catch (error) {
    const isLost = isReadFailure(error);
    if (!isLost && !(error instanceof UnreadableSegment)) throw error;
    unreadable.addSegment({ first: firstSeq, last: lastOf(connection, firstSeq) });
    if (!isLost) throw error;
    if (isWithin && !database.isTransaction) throw error;
    throw new UnreadableSegment(firstSeq, `the disk does not give it back: ${(error as Error).message}`);
  }
}

function lastOf({ sql }: Connection, firstSeq: number): number {
  try {
    const head = sql('SELECT count FROM segment WHERE first_seq = ?').get(firstSeq) as { count: number } | undefined;
    return firstSeq + (head?.count ?? 1) - 1;
  } catch (error) {
    if (isReadFailure(error)) return firstSeq;
    throw error;
  }
}

/** The packed records of a segment. Throws UnreadableSegment, and nothing else. */
export function openSegment(seal: Seal, sealed: Uint8Array, firstSeq: number): Buffer {
  const packed = opened(seal, sealed, firstSeq);
  if (packed[0] !== packedVersion)
    throw new UnreadableSegment(firstSeq, `version ${packed[0]} is not known here: it is of a newer Gatehouse`);
  if (!checkPacked(packed)) throw new UnreadableSegment(firstSeq, 'a record reaches past its end');
  return packed;
}

function opened(seal: Seal, sealed: Uint8Array, firstSeq: number): Buffer {
  try {
    return unpacked(seal.open(sealed, segmentPlace(firstSeq)));
  } catch (error) {
    if (error instanceof BrokenSeal) throw new UnreadableSegment(firstSeq, 'the seal is broken');
    if (error instanceof NotUnpacked) throw new UnreadableSegment(firstSeq, error.message);
    throw error;
  }
}
