import type { Clock } from '../runtime/clock.ts';
import type { MovedStore } from './data-dir/ownership.ts';

/** Step that a move has just done. */
export type MoveStep =
  /** Others have the tables of this database locked. */
  | { readonly kind: 'waiting' }
  /** Removed what an attempt before had left in the database. */
  | { readonly kind: 'cleared' }
  /** Rows copied of a table that has `of`; several times for a large one. */
  | { readonly kind: 'copied'; readonly table: string; readonly rows: number; readonly of: number }
  /** Read back what the database has of a table, and found it equal. */
  | { readonly kind: 'compared'; readonly table: string }
  | { readonly kind: 'committed' | 'marked' | 'ended' };

export interface MoveOptions {
  readonly dataDir: string;
  /** `postgresql://…`, a secret. */
  readonly url: string;
  /** Reads and checks everything, and writes nothing. */
  readonly dryRun: boolean;
  readonly clock: Pick<Clock, 'now'>;
  /** The next step waits for it. */
  readonly tell: (step: MoveStep) => void | Promise<void>;
}

export interface MovedTable {
  readonly table: string;
  readonly rows: number;
}

export interface MoveOutcome {
  readonly moved: MovedStore;
  readonly environment: 'test' | 'production';
  /** Tables; null if an earlier run of the command had copied and compared everything. */
  readonly tables: readonly MovedTable[] | null;
  /** Of the box's database file. */
  readonly bytes: number;
  /** Texts with a NUL, which PostgreSQL does not take: it became U+FFFD. */
  readonly changedTexts: number;
}

/**
 * Copies the store of a stopped box into an empty database of PostgreSQL, for a region that goes on
 * with it (docs/decisions/region.md). The box's store is only read. Rejects with MoveRefused,
 * StoreOpenError: then the box starts as before.
 */
export async function moveToPostgres(options: MoveOptions): Promise<MoveOutcome> {
  // Only a region loads what it takes to stand on PostgreSQL.
  const { moveBox } = await import('./postgres/move-box.ts');
  return moveBox(options);
}
