import { type ActionName, type ActionTable, actionTable, defaultActions } from '../../../src/platform/actions.ts';
import { type DeviceId, parseDeviceId, productOf, serialOf } from '../../../src/platform/device-id.ts';
import { type Envelope, parseEnvelope } from '../../../src/platform/envelope.ts';
import { fitLogRecord } from '../../../src/platform/log-record.ts';
import { parseLogTopic } from '../../../src/platform/log-topic.ts';
import type { Clock } from '../../../src/runtime/clock.ts';
import { answerTo } from './answers.ts';
import type { Arrival, Arrivals } from './arrivals.ts';
import type { Identities } from './identities.ts';
import type { CloudLimits, Quotas } from './quotas.ts';

/**
 * Outcome of a message. `foreign`: the device spoke for another one, for which it is
 * disconnected.
 */
type Verdict = 'recorded' | 'dropped' | 'malformed' | 'unknown_topic' | 'foreign';

/** A device that is logged in. `hangUp` ends it; `deliver` is null where the device must pull. */
export interface Session {
  readonly deviceId: DeviceId;
  readonly via: 'mqtt' | 'http';
  /** Its product may speak for other devices: a box in gateway or batch mode. */
  readonly speaksForOthers: boolean;
  deliver: ((payload: Uint8Array) => void) | null;
  hangUp(): void;
}

export type CloudEvent =
  | { readonly kind: 'connected' | 'left'; readonly deviceId: string; readonly via: 'mqtt' | 'http' }
  | {
      readonly kind: 'refused' | 'kicked';
      readonly deviceId: string;
      readonly via: 'mqtt' | 'http';
      readonly why: string;
    }
  | { readonly kind: 'record'; readonly arrival: Arrival }
  | { readonly kind: 'dropped'; readonly deviceId: string; readonly why: 'rate' | 'day' };

interface GatewayParts {
  readonly clock: Clock;
  readonly identities: Identities;
  readonly arrivals: Arrivals;
  readonly quotas: Quotas;
  readonly limits: CloudLimits;
  /** Product ids whose devices may speak for others. */
  readonly gateways: ReadonlySet<string>;
  readonly actions?: Readonly<Record<keyof typeof defaultActions, number>> | undefined;
  readonly tell: (event: CloudEvent) => void;
  /** Whether the next record is acknowledged and forgotten. */
  readonly forgets: () => boolean;
  /** A device has logged in. */
  readonly met: (deviceId: DeviceId) => void;
  /** Takes a report of a device; called before it is acknowledged. */
  readonly reported: (deviceId: DeviceId, action: ActionName | undefined, envelope: Envelope) => void;
}

const malformedMax = 10_000;

/**
 * The rules of SPEC 4.1, 4.2 and 6 that both gateways share: who is connected, what is accepted,
 * what is answered, what waits for which device.
 */
export class CloudGateway {
  readonly #parts: GatewayParts;
  readonly #actions: ActionTable;
  readonly #sessions = new Map<DeviceId, Session>();
  readonly #waiting = new Map<DeviceId, Uint8Array[]>();
  /** The session of the box through which a device was last heard; none for its own session. */
  readonly #heardThrough = new Map<DeviceId, DeviceId>();
  readonly refused: Record<Exclude<Verdict, 'recorded' | 'dropped'>, number> = {
    malformed: 0,
    unknown_topic: 0,
    foreign: 0,
  };
  truncated = 0;
  /** The bytes of the last messages that are no envelopes. */
  readonly malformed: { readonly deviceId: string; readonly bytes: Uint8Array }[] = [];

  constructor(parts: GatewayParts) {
    this.#parts = parts;
    this.#actions = actionTable(parts.actions ?? defaultActions);
  }

  maySpeakForOthers(deviceId: DeviceId): boolean {
    return this.#parts.gateways.has(productOf(deviceId));
  }

  /** Ends an older session of the same device. */
  enter(session: Session): void {
    this.#sessions.get(session.deviceId)?.hangUp();
    this.#sessions.set(session.deviceId, session);
    this.#parts.met(session.deviceId);
    this.#parts.tell({ kind: 'connected', deviceId: session.deviceId, via: session.via });
  }

  leave(session: Session): void {
    if (this.#sessions.get(session.deviceId) !== session) return;
    this.#sessions.delete(session.deviceId);
    this.#parts.tell({ kind: 'left', deviceId: session.deviceId, via: session.via });
  }

  online(): DeviceId[] {
    return [...this.#sessions.keys()];
  }

  session(deviceId: DeviceId): Session | undefined {
    return this.#sessions.get(deviceId);
  }

  /**
   * Takes one message of a session, or of a device below a box (`through`). An answer is sent after
   * `acknowledge` was called.
   */
  receive(
    session: Pick<Session, 'deviceId' | 'speaksForOthers'> & { readonly through?: DeviceId },
    topic: string,
    payload: Uint8Array,
    via: Arrival['via'],
  ): { verdict: Verdict; acknowledged: () => void } {
    const nothing = () => {};
    const no = (verdict: Exclude<Verdict, 'recorded' | 'dropped'>) => {
      this.refused[verdict]++;
      return { verdict, acknowledged: nothing };
    };
    if (topic !== 'device') {
      const named = parseLogTopic(topic);
      if (!named) return no('unknown_topic');
      const own = named.sn.toUpperCase() === serialOf(session.deviceId);
      const deviceId = own ? session.deviceId : this.#parts.identities.deviceOfLog(named.model, named.sn);
      if (deviceId !== session.deviceId && !(session.speaksForOthers && deviceId)) return no('foreign');
      return { verdict: this.#takeLog(deviceId!, topic, payload, via), acknowledged: nothing };
    }
    const parsed = parseEnvelope(payload);
    if (!parsed.ok) {
      this.malformed.push({ deviceId: session.deviceId, bytes: Uint8Array.from(payload) });
      if (this.malformed.length > malformedMax) this.malformed.shift();
      return no('malformed');
    }
    const envelope = parsed.value;
    const sender = parseDeviceId(envelope.from);
    const from = sender.ok ? sender.value : session.deviceId;
    if (from !== session.deviceId && !session.speaksForOthers) return no('foreign');
    this.#record({ deviceId: from, channel: 'device', topic, mid: envelope.mid, payload: textOf(payload), via });
    this.#parts.reported(from, this.#actions.nameOf(envelope.action), envelope);
    const through = session.through ?? session.deviceId;
    if (from === through) this.#heardThrough.delete(from);
    else this.#heardThrough.set(from, through);
    return { verdict: 'recorded', acknowledged: () => this.#answer(from, envelope) };
  }

  #takeLog(deviceId: DeviceId, topic: string, payload: Uint8Array, via: Arrival['via']): Verdict {
    const verdict = this.#parts.quotas.takeLog(deviceId);
    if (verdict !== 'taken') {
      this.#parts.tell({ kind: 'dropped', deviceId, why: verdict });
      return 'dropped';
    }
    const fitted = fitLogRecord(payload, this.#parts.limits.logBytes);
    if (fitted.truncated) this.truncated++;
    this.#record({ deviceId, channel: 'log', topic, mid: '', payload: textOf(fitted.bytes), via });
    return 'recorded';
  }

  #record(record: Omit<Arrival, 'at'>): void {
    if (this.#parts.forgets()) return;
    const arrival = { ...record, at: this.#parts.clock.now() };
    this.#parts.arrivals.add(arrival);
    this.#parts.tell({ kind: 'record', arrival });
  }

  #answer(deviceId: DeviceId, envelope: Envelope): void {
    const now = Math.floor(this.#parts.clock.now() / 1000);
    const answer = answerTo(envelope, deviceId, { actions: this.#actions, identities: this.#parts.identities, now });
    if (answer) this.send(deviceId, answer);
  }

  /**
   * Delivers a message at once (through the box that speaks for the device, if the device has no
   * session of its own), or lets it wait.
   */
  send(deviceId: DeviceId, payload: Uint8Array): 'delivered' | 'waiting' {
    const own = this.#sessions.get(deviceId);
    const through = own ? deviceId : (this.#heardThrough.get(deviceId) ?? deviceId);
    const deliver = this.#sessions.get(through)?.deliver;
    if (deliver) {
      deliver(payload);
      return 'delivered';
    }
    const waiting = this.#waiting.get(through) ?? [];
    waiting.push(payload);
    this.#waiting.set(through, waiting);
    return 'waiting';
  }

  /** Takes up to `count` of the messages that wait for a device, oldest first. */
  takeWaiting(deviceId: DeviceId, count: number): Uint8Array[] {
    const waiting = this.#waiting.get(deviceId);
    return waiting ? waiting.splice(0, count) : [];
  }
}

const textOf = (payload: Uint8Array): string =>
  Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('utf8');
