import type { Seq } from '../store/index.ts';
import type { GivenReason } from '../words/sentences.ts';
import type { InFlightRecord, Refusal } from './in-flight-record.ts';
import type { Outgoing } from './transport.ts';

export type QueueEvent =
  /** There may be something to send: records were read, the window has room, a wait is over. */
  | { readonly kind: 'go' }
  /** Answers have marked records as confirmed. */
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'refused'; readonly record: InFlightRecord; readonly refusal: Refusal }
  /**
   * The cloud takes the record later: it, and everything sent behind it, goes again after `waitMs`.
   */
  | { readonly kind: 'postponed'; readonly record: InFlightRecord; readonly waitMs: number }
  /** The refused record stands in the list. */
  | { readonly kind: 'parked'; readonly seq: Seq }
  /** The cloud cannot bear this record, which waits: it closes the connection behind it. */
  | { readonly kind: 'unbearable'; readonly seq: Seq; readonly reason: GivenReason }
  | { readonly kind: 'connectionLost' }
  /** No session for now: what was read is forgotten, and read again when there is one. */
  | { readonly kind: 'unload' }
  | { readonly kind: 'sendAgain'; readonly record: Outgoing }
  | { readonly kind: 'sentAgain'; readonly outcome: SentAgain }
  | { readonly kind: 'againPostponed'; readonly waitMs: number };

/** Outcome for a parked record that was sent again. */
export type SentAgain = 'confirmed' | Refusal;

/** Effects that the queue has on the world. */
export interface QueueEffects {
  /** Monotonic, ms. */
  now(): number;
  /**
   * Of a paced queue: ms until one more may be sent, 0 for now, infinite while only an answer makes
   * room.
   */
  paceMs(): number;
  /** Of a paced queue: the cloud takes no more of it today. */
  readonly dayIsSpent: boolean;
  /** Whether the session has room for this one now. */
  hasRoomFor(record: Outgoing): boolean;
  send(record: InFlightRecord): void;
  sendAgain(record: Outgoing): void;
  /**
   * The cursor has passed `last`; `count` records of its device wait no longer. `confirmedTo`: the
   * last of them that was not parked, if any.
   */
  passed(last: Outgoing, count: number, confirmedTo: Seq | null): void;
  /** To be answered with `parked`. */
  park(record: Outgoing, refusal: Refusal): void;
  settleParked(record: Outgoing, outcome: SentAgain): void;
  /** To be answered with `go`. */
  wakeIn(ms: number): void;
  /** To be answered with `go` when the session has room. */
  waitForRoom(): void;
  /** Asks for more records from the journal. */
  readOn(): void;
}
