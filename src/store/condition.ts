import type { UnixMs } from '../runtime/clock.ts';
import type { Why } from '../words/sentences.ts';
import type { RoomReport } from './domains/room.ts';
import { merged, type SeqRange } from './journal/unreadable-places.ts';
import type { Connection } from './schema/database.ts';
import { isReadFailure } from './schema/engine-failures.ts';
import type { Wear } from './writer/wear.ts';

/**
 * The state of the store: whether it takes writes, how much room is left, how it wears the disk.
 */

/** Records and rows that cannot be read from the disk, as far as noticed since the start. */
export interface Unreadable {
  /** Of the journal. Segments that were never found count as one for each gap. */
  readonly segments: number;
  /** Records in them, at most. */
  readonly records: number;
  /** When the records were received, as far as that can be read. */
  readonly from: UnixMs | null;
  readonly to: UnixMs | null;
  /** Blocks of logs in the tables; the journal may still have what is in them. */
  readonly logBlocks: number;
  /** Why the tables cannot be filled from the journal; empty: they can. */
  readonly tables: string;
}

/** `why`: the reason and the remedy, where acknowledgements are withheld. */
export interface StoreHealth extends Why {
  /** `ok`: writes are committed. Otherwise acknowledgements are withheld. */
  readonly state: 'ok' | 'disk_full' | 'read_only' | 'broken';
  /** Its thread has ended: nothing but a start of the program helps. */
  readonly isDead: boolean;
  readonly usedBytes: number;
  readonly freeBytes: number;
  /** Records in the journal that the tables behind it do not hold yet. */
  readonly lagRecords: number;
  /**
   * For how long the oldest of them has been in the journal, to a second; since the start, for
   * records from before it. 0 for a stopped box.
   */
  readonly lagMs: number;
  /** The tables are so far behind that the gateways do not read until they have caught up. */
  readonly heldBack: boolean;
  /** Dropped by the disk-full policy since the store was made, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Unreadable parts; null if none were noticed. */
  readonly unreadable: Unreadable | null;
  /**
   * The database file cannot be written in places. Writes are committed all the same, into its log,
   * which grows until the disk is full.
   */
  readonly isUnwritable: boolean;
}

export interface HealthStore {
  /** Asks the file system for the room that is left: not to be called for each login. */
  health(): StoreHealth;
  /** The `state` of `health()` alone, from memory. */
  healthState(): StoreHealth['state'];
}

export interface RoomStore {
  /** How full its disk is, and when it will be. */
  room(): RoomReport;
}

export interface WearStore {
  /** Since the store was opened. Cheap, but not meant to be called for each message. */
  wear(): Wear;
}

interface Noticed {
  /** Of the journal. */
  readonly ranges: readonly SeqRange[];
  readonly logBlocks: number;
  readonly tables: string;
}

/** Unreadable parts that were noticed, with the facts that remain; null if there are none. */
export function unreadableReport(
  headOf: (firstSeq: number) => Head | undefined,
  { ranges, logBlocks, tables }: Noticed,
): Unreadable | null {
  const places = merged(ranges);
  if (places.length === 0 && logBlocks === 0 && tables === '') return null;
  let records = 0;
  let from: number | null = null;
  let to: number | null = null;
  for (const { first, last } of places) {
    const head = headOf(first);
    records += head?.count ?? last - first + 1;
    if (!head) continue;
    from = Math.min(from ?? head.received_from, head.received_from);
    to = Math.max(to ?? head.received_to, head.received_to);
  }
  return { segments: places.length, records, from, to, logBlocks, tables };
}

/** Of a segment. */
export interface Head {
  readonly count: number;
  readonly received_from: number;
  readonly received_to: number;
}

/** Undefined: it is gone, or cannot be read either. */
export function headOf({ sql }: Connection, firstSeq: number): Head | undefined {
  try {
    return sql('SELECT count, received_from, received_to FROM segment WHERE first_seq = ?').get(firstSeq) as
      | Head
      | undefined;
  } catch (error) {
    if (isReadFailure(error)) return undefined;
    throw error;
  }
}
