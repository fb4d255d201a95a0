import type { Duplex } from 'node:stream';
import type { DeviceNo } from '../../store/index.ts';
import { deviceDetails, deviceEnds } from '../../words/device-ends.ts';
import type { GivenReason, Reason } from '../../words/sentences.ts';
import type { Session } from '../session.ts';
import type { MqttGatewayOptions, Origin } from './options.ts';
import { noteKeepAlive } from './rules.ts';
import { MqttSession, type SessionHome } from './session.ts';

const lookEveryMs = 1_000;

/**
 * The gateway of devices over MQTT 3.1.1 (SPEC 4.1, 5.1), one pipeline of its own:
 *
 *     socket ─▶ PacketReader ─▶ MqttSession ─▶ DevicePackets ─▶ Pipeline
 *            ◀─ PacketWriter ◀──────────────────────┘ ◀── after the commit
 *
 * Here is who is connected: the session of each device, and which sessions wait for the journal.
 */
export class MqttGateway implements SessionHome {
  readonly options: MqttGatewayOptions;
  readonly #sessions = new Set<MqttSession>();
  readonly #byDevice = new Map<DeviceNo, MqttSession>();
  readonly #devices = new Map<MqttSession, Session>();
  /** Sessions that are not read until the journal has room. */
  readonly #unread = new Set<MqttSession>();
  readonly #closing = new AbortController();
  readonly #looking: Promise<void>;

  constructor(options: MqttGatewayOptions) {
    this.options = options;
    options.store.journal.onDrain(() => this.#wakeUnread());
    this.#looking = this.#lookForSilence();
  }

  /** A connection after its TLS handshake. */
  handle(stream: Duplex, origin: Origin): void {
    if (this.#closing.signal.aborted) stream.destroy();
    else this.#sessions.add(new MqttSession(stream, origin, this));
  }

  /** Sends a message with QoS 0 (SPEC 4.1). Resolves to true when the socket took it. */
  handOver(deviceNo: DeviceNo, payload: Uint8Array): Promise<boolean> {
    return this.#byDevice.get(deviceNo)?.handOver(payload) ?? Promise.resolve(false);
  }

  kick(deviceNo: DeviceNo, why: Reason): void {
    this.#byDevice.get(deviceNo)?.end(why);
  }

  /** Ends the sessions that may not go on, of one device or (null) of all. */
  review(deviceNo: DeviceNo | null): void {
    const one = deviceNo === null ? undefined : this.#byDevice.get(deviceNo);
    for (const session of deviceNo === null ? [...this.#byDevice.values()] : one ? [one] : []) this.#review(session);
  }

  /** Ends every connection; resolves when they are closed. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const session of [...this.#sessions]) session.end(deviceEnds.say('box_stopping'));
    await this.#looking;
  }

  hasRoom(session: MqttSession): boolean {
    const { congested } = this.options.store.journal;
    if (congested) this.#unread.add(session);
    return !congested;
  }

  onLogin(_session: MqttSession, device: Session): void {
    const other = this.#byDevice.get(device.deviceNo);
    const before = other && this.#devices.get(other);
    if (before) this.options.tookPlace(device, before);
    other?.end(deviceEnds.say('place_taken'));
  }

  onReady(session: MqttSession, device: Session, keepAliveSeconds: number): void {
    const { presence, note } = this.options;
    this.#byDevice.set(device.deviceNo, session);
    this.#devices.set(session, device);
    presence.came(device);
    note(device, 'connected', deviceDetails.say('connected_over', { gateway: 'MQTT', address: device.address }));
    noteKeepAlive(note, device, keepAliveSeconds);
    // The directory may have changed between the login and now.
    this.#review(session);
  }

  onGone(session: MqttSession, device: Session | null, why: GivenReason | null): void {
    this.#sessions.delete(session);
    this.#unread.delete(session);
    this.#devices.delete(session);
    if (!device) return;
    if (this.#byDevice.get(device.deviceNo) === session) this.#byDevice.delete(device.deviceNo);
    this.options.presence.left(device.deviceNo);
    this.options.note(device, 'disconnected', why ?? deviceEnds.say('device_closed'));
  }

  #review(session: MqttSession): void {
    const device = this.#devices.get(session);
    const why = device ? this.options.whyOver(device) : null;
    if (why !== null) session.end(why);
  }

  #wakeUnread(): void {
    const unread = [...this.#unread];
    this.#unread.clear();
    for (const session of unread) session.goOn();
  }

  /** One timer for all: a connection costs none. */
  async #lookForSilence(): Promise<void> {
    const { clock } = this.options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await clock.sleep(lookEveryMs, signal).catch(() => {});
      const now = clock.monotonic();
      for (const session of this.#sessions) session.look(now, this.#unread.has(session));
    }
  }
}
