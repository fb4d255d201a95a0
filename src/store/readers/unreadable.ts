import { merged, type SeqRange } from '../journal/unreadable-places.ts';
import type { Unreadable } from '../port/condition.ts';
import type { Connection } from '../schema/database.ts';
import { isReadFailure } from '../schema/engine-failures.ts';

interface Noticed {
  /** Of the journal. */
  readonly ranges: readonly SeqRange[];
  readonly logBlocks: number;
  readonly tables: string;
}

/** Unreadable parts that were noticed, with the facts that remain; null if there are none. */
export function unreadableReport(connection: Connection, { ranges, logBlocks, tables }: Noticed): Unreadable | null {
  const places = merged(ranges);
  if (places.length === 0 && logBlocks === 0 && tables === '') return null;
  let records = 0;
  let from: number | null = null;
  let to: number | null = null;
  for (const { first, last } of places) {
    const head = headOf(connection, first);
    records += head?.count ?? last - first + 1;
    if (!head) continue;
    from = Math.min(from ?? head.received_from, head.received_from);
    to = Math.max(to ?? head.received_to, head.received_to);
  }
  return { segments: places.length, records, from, to, logBlocks, tables };
}

interface Head {
  readonly count: number;
  readonly received_from: number;
  readonly received_to: number;
}

/** Undefined: it is gone, or cannot be read either. */
function headOf({ sql }: Connection, firstSeq: number): Head | undefined {
  try {
    return sql('SELECT count, received_from, received_to FROM segment WHERE first_seq = ?').get(firstSeq) as
      | Head
      | undefined;
  } catch (error) {
    if (isReadFailure(error)) return undefined;
    throw error;
  }
}
