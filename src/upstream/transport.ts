import type { Channel, DeviceNo, Seq, Via } from '../store/index.ts';
import type { Coded, GivenReason, Why } from '../words/sentences.ts';

/** One record on its way up, as it goes over the wire. */
export interface Outgoing {
  readonly seq: Seq;
  readonly deviceNo: DeviceNo;
  readonly channel: Channel;
  /** `device`, or `log/{model}/{sn}` as the device wrote it. */
  readonly topic: string;
  /** Its payload stands there, from `start` to `end`; others may stand beside it. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly receivedAt: number;
  /** Passed over: kept here only. */
  readonly passOver: boolean;
  /**
   * Passed over although it counts as waiting: it was received before features stayed at the site.
   */
  readonly stays: boolean;
  /**
   * Its action code; null when it surely has none, undefined when only parsing it would tell. Of a
   * log always null.
   */
  readonly action: number | null | undefined;
  /** The box refused its data (code 400) and passed it on: what the cloud says of it counts. */
  readonly refusedHere?: boolean;
  /** When it was parked, of a record that staff want sent again; else null. */
  readonly parkedAt: number | null;
}

/** A view, made for each call: the way of each record goes without. */
export const payloadOf = ({ bytes, start, end }: Outgoing): Uint8Array => bytes.subarray(start, end);

/**
 * A record that is sent, and what is called once when the cloud has answered; not when the
 * connection breaks first.
 */
export interface Sending extends Outgoing {
  onAnswer(result: Result): void;
}

/** Outcome of one sending. */
export type Result =
  | { readonly kind: 'confirmed' }
  /** For good: sending it again would be refused again. */
  | { readonly kind: 'refused'; readonly code: number; readonly reason: string; readonly said?: Coded | undefined }
  /** Not now: the same record is sent again. */
  | { readonly kind: 'again'; readonly why: string };

/**
 * An open session with the cloud, which the forwarder sends to: MQTT, HTTP or batches. After `lost`
 * nothing is answered any more.
 */
export interface Transport {
  readonly via: Via;
  /** How many may be in flight at once; may change from one record to the next. */
  readonly window: number;
  /** Without any answer for so long the session is dead, although the connection stands. */
  readonly silentMs: number;
  /** Only while fewer than `window` are in flight. */
  send(sending: Sending): void;
  /** Ends it on purpose: no `lost` follows. */
  close(): void;
}

export interface TransportEvents {
  /** A message for a device; the cloud is told that it has arrived when the promise resolves. */
  message(payload: Uint8Array): Promise<void>;
  /** Called once when the connection is gone. `byCloud`: the cloud ended it, not the network. */
  lost(why: GivenReason, byCloud?: boolean): void;
}

/** Credentials of a session (SPEC 5.1). */
export interface Credentials {
  readonly clientId: string;
  readonly userName: string;
  readonly password: string;
}

export type Connected =
  | { readonly kind: 'accepted'; readonly transport: Transport }
  /**
   * The cloud is there and does not let these credentials in. `againInMs`: it asked to be left
   * alone for so long.
   */
  | ({ readonly kind: 'refused'; readonly againInMs?: number } & Why)
  /** The cloud is not there. */
  | ({ readonly kind: 'failed' } & Why);

export type Connect = (credentials: Credentials, events: TransportEvents, signal: AbortSignal) => Promise<Connected>;
