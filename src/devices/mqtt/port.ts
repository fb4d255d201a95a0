import type { Duplex } from 'node:stream';
import type { Refusal } from '../../platform/refusals.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { ClaimStore, DeviceNo, DirectoryStore, JournalStore } from '../../store/index.ts';
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

/**
 * Who speaks MQTT 3.1.1 with devices (SPEC 4.1, 5.1): the gateway's own session layer, or aedes
 * (`listen.mqtt_engine`). A PUBACK goes out after the commit.
 */
export interface MqttEngine {
  /** A connection after its TLS handshake. */
  handle(stream: Duplex, origin: Origin): void;
  /** Sends a message with QoS 0 (SPEC 4.1). Resolves to true when the socket took it. */
  handOver(deviceNo: DeviceNo, payload: Uint8Array): Promise<boolean>;
  kick(deviceNo: DeviceNo, why: string): void;
  /** Ends the sessions that may not go on, of one device or (null) of all. */
  review(deviceNo: DeviceNo | null): void;
  /** Ends every connection; resolves when they are closed. */
  close(): Promise<void>;
}

export interface MqttEngineOptions {
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
  readonly note: (session: Session, kind: string, detail: string) => void;
  /** A login ends a connection of the same device that is still open. */
  readonly tookPlace: (session: Session, before: Session) => void;
  /** Writes down what was refused of somebody who has not logged in. */
  readonly refused: (address: string, refusal: Refusal) => void;
  /** Why a session may not go on; null while it may. */
  readonly whyOver: (session: Session) => string | null;
}

/** Beyond the payload: topic, packet id and header. */
export const packetOverheadBytes = 512;
