import { noWhy, type Reason, type Why, whyOf } from '../../words/sentences.ts';
import type { People } from '../people/people.ts';
import type { Projection } from '../projection/projection.ts';
import type { Connection } from '../schema/database.ts';
import type { EngineFailure } from '../schema/engine-failures.ts';
import type { RoomKeeper } from './engine.ts';
import type { WriterState } from './messages.ts';

/**
 * Free space is checked again after so many bytes were added to the journal or to the tables;
 * earlier on a small disk.
 */
const roomCheckBytesMax = 1 << 20;

const roomRetryMs = 1000;

interface Parts {
  readonly connection: Connection;
  readonly projection: Projection;
  readonly room: RoomKeeper;
  readonly people: People;
  readonly tell: (state: WriterState) => void;
}

/**
 * Whether the disk takes writes, and how much room is left while it does. Reports changes to the
 * main thread.
 */
export class WriterHealth {
  readonly #parts: Parts;
  #state: WriterState['health'] = 'ok';
  #why: Why = noWhy;
  #tablesStuck = '';
  #logStuck = false;
  #personChangeNo: number;
  #checkedAtBytes = 0;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#personChangeNo = parts.people.current('person_change');
  }

  get isFull(): boolean {
    return this.#state === 'disk_full';
  }

  /** `why`: the fault and the remedy. */
  become(state: 'ok'): void;
  become(state: EngineFailure, why: Reason): void;
  become(state: WriterState['health'], why?: Reason): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#why = why ? whyOf(why) : noWhy;
    this.announce();
  }

  /** Why the tables cannot be filled from the journal; empty: they can. */
  tablesAre(why: string): void {
    if (this.#tablesStuck === why) return;
    this.#tablesStuck = why;
    this.announce();
  }

  /** Whether what is committed cannot be moved from the log into the database file. */
  logIs(isStuck: boolean): void {
    this.#logStuck = isStuck;
    this.announce();
  }

  /** Called with the bytes of journal and tables since the start. */
  watchRoom(bytes: number): void {
    const { room } = this.#parts;
    if (bytes - this.#checkedAtBytes < Math.min(roomCheckBytesMax, room.lowWaterBytes / 16)) return;
    this.#checkedAtBytes = bytes;
    if (room.low) this.tryForRoom();
  }

  /** Makes room on the disk, at most once a second. False when nothing more may be dropped. */
  tryForRoom(): boolean {
    if (performance.now() - this.#triedAt < roomRetryMs) return false;
    const made = this.#parts.room.make(this.#parts.projection.seq);
    if (made) this.become('ok');
    else this.#triedAt = performance.now();
    this.announce();
    return made;
  }

  /** Called after operations: announces changes of people. */
  announcePeople(): void {
    if (this.#parts.people.current('person_change') !== this.#personChangeNo) this.announce();
  }

  announce(): void {
    const { connection, projection, people, tell } = this.#parts;
    let dropped: Record<string, number> = {};
    try {
      const rows = connection.sql('SELECT reason, count FROM dropped').all() as { reason: string; count: number }[];
      dropped = Object.fromEntries(rows.map(row => [row.reason, row.count]));
      this.#personChangeNo = people.current('person_change');
    } catch {
      // A store that cannot even be read is reported by its state.
    }
    tell({
      kind: 'state',
      health: this.#state,
      ...this.#why,
      projectedSeq: projection.seq,
      personChangeNo: this.#personChangeNo,
      dropped,
      unreadable: connection.unreadable.all(),
      tablesStuck: this.#tablesStuck,
      logStuck: this.#logStuck,
    });
  }
}
