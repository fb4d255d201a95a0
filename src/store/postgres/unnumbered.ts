import type { Connection } from '../schema/database.ts';
import { BrokenSeal, type Seal } from '../schema/sealing.ts';
import type { UnnumberedSegment } from '../writer/engine.ts';

/**
 * Header before the sealed bytes of a segment that was sealed before its number was known:
 *
 *     mark    8 bytes
 *     length  u8       of the place
 *     place            `append:PROCESS:APPEND:INDEX`, which the seal is bound to
 *
 * Without the mark they are bound to the segment's first number, as on SQLite.
 */
const mark = Buffer.from('GHappend');
const places = 'append:';

/** Where the segment is: by its process, a number of the process's own, and its index there. */
export const placeBefore = (process: number, append: number, index: number): string =>
  `${places}${process}:${append}:${index}`;

/** Puts the place before the sealed bytes, where `openingUnnumbered` finds it. */
export function withPlace(sealed: Uint8Array, place: string): Buffer {
  const name = Buffer.from(place);
  return Buffer.concat([mark, Buffer.of(name.length), name, sealed]);
}

/**
 * The seal of a region's connection: opens segments that were sealed before their numbers were
 * known, and all others as before.
 */
export function openingUnnumbered(seal: Seal): Seal {
  return {
    ...seal,
    open(sealed, place) {
      if (mark.compare(sealed, 0, mark.length) !== 0) return seal.open(sealed, place);
      const from = mark.length + 1;
      const end = from + (sealed[mark.length] ?? 0);
      const own = Buffer.from(sealed.subarray(from, end)).toString();
      // A text of another table must not be opened in a segment's place.
      if (!own.startsWith(places)) throw new BrokenSeal(place);
      return seal.open(sealed.subarray(end), own);
    },
  };
}

const columns = ['count', 'received_from', 'received_to', 'channels', 'devices', 'sealed_records'] as const;

/**
 * One statement, committed when it is answered: looks whether this process is still in, holds the
 * end of the journal until the commit is visible, and stores the segments. So a process that was
 * fenced stores nothing more, and the end is held for no more than one round trip.
 */
function statement(segments: number): string {
  const values = Array.from({ length: segments }, (_, index) => {
    const at = (column: number) => 3 + index * (columns.length + 1) + column;
    return `(?${at(0)}::bigint, ?${at(1)}::bigint, ?${at(2)}::bigint, ?${at(3)}::bigint, ?${at(4)}::bigint, ?${at(5)}::bytea, ?${at(6)}::bytea)`;
  });
  return `WITH here AS (SELECT 1 FROM process WHERE id = ?1 AND live FOR SHARE),
      head AS (UPDATE journal_head SET seq = seq + ?2 FROM here WHERE lane = 0 RETURNING seq - ?2 AS base)
    INSERT INTO segment (first_seq, ${columns.join(', ')})
      SELECT head.base + own.first, own.count, own.received_from, own.received_to, own.channels, own.devices, own.sealed_records
      FROM head, (VALUES ${values.join(', ')}) AS own (first, ${columns.join(', ')})
      RETURNING first_seq`;
}

/**
 * Returns the number of the first record; null: this process was fenced, and nothing is stored.
 * Throws EngineError when the engine failed.
 */
export function appendUnnumbered(
  { sql }: Pick<Connection, 'sql'>,
  process: number,
  segments: readonly UnnumberedSegment[],
): number | null {
  let count = 0;
  const values = segments.flatMap(segment => {
    const first = count + 1;
    count += segment.count;
    const { receivedFrom, receivedTo, channels, devices, sealed, place } = segment;
    return [first, segment.count, receivedFrom, receivedTo, channels, devices, withPlace(sealed, place)];
  });
  const rows = sql(statement(segments.length)).all(process, count, ...values) as { first_seq: number }[];
  return rows.length === 0 ? null : Math.min(...rows.map(({ first_seq }) => first_seq));
}
