import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { Projection } from '../projection/projection.ts';
import type { Connection } from '../schema/database.ts';
import type { RoomKeeper } from './engine.ts';
import type { Erasing } from './erasing.ts';
import type { Retention } from './retention.ts';

/** Arguments of an operation: the connection, and access to the journal. */
export interface OperationContext extends Connection {
  /** Appends packed records as one segment; the memory is no longer the caller's. */
  appendSegment(packed: Buffer, count: number): void;
  readonly projection: Projection;
  readonly retention: Retention;
  readonly erasing: Erasing;
  readonly room: RoomKeeper;
  /** The site's date at a moment. */
  dateOf(at: UnixMs): DateText;
  /** For operations that add records: throws `too_busy` while the tables are too far behind. */
  refuseWhileBehind(): void;
}
