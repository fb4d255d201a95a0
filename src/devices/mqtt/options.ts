import type { Refusal } from '../../platform/refusals.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { ClaimStore, DirectoryStore, JournalStore } from '../../store/index.ts';
import type { GivenReason, Reason } from '../../words/sentences.ts';
import type { Admission } from '../admission.ts';
import type { Counters } from '../counters.ts';
import type { Inbox } from '../inbox.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Presence } from '../presence.ts';
import type { Session } from '../session.ts';

/** Where a connection comes from. */
export interface Origin {
  readonly address: string;
  /** To be called when the device has logged in. */
  readonly loggedIn: () => void;
}

export interface MqttGatewayOptions {
  readonly store: DirectoryStore & JournalStore & ClaimStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly admission: Admission;
  readonly pipeline: Pipeline;
  readonly presence: Presence;
  readonly counters: Counters;
  readonly inbox: () => Inbox;
  readonly messageBytesMax: number;
  /** Disconnect for any topic that is not the device's own, not only for another's `$client/…`. */
  readonly strict: boolean;
  readonly note: (session: Session, kind: string, detail: string | GivenReason) => void;
  /** A login ends a connection of the same device that is still open. */
  readonly tookPlace: (session: Session, before: Session) => void;
  /** Writes down what was refused of somebody who has not logged in. */
  readonly refused: (address: string, refusal: Refusal) => void;
  /** Why a session may not go on; null while it may. */
  readonly whyOver: (session: Session) => Reason | null;
}

/** Beyond the payload: topic, packet id and header. */
export const packetOverheadBytes = 512;
