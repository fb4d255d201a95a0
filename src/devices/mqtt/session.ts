import type { Duplex } from 'node:stream';
import { connack, packetType, readConnect, typeOf } from '../../mqtt-wire/index.ts';
import { limits } from '../../platform/limits.ts';
import { explainRefusal } from '../../platform/refusals.ts';
import { deviceEnds } from '../../words/device-ends.ts';
import type { GivenReason } from '../../words/sentences.ts';
import type { Session } from '../session.ts';
import { connackOf } from './connack.ts';
import { DevicePackets } from './device-packets.ts';
import { type MqttGatewayOptions, type Origin, packetOverheadBytes } from './options.ts';
import { type PacketEnds, PacketReader, PacketWriter } from './packets.ts';
import { protocolError, servedKeepAlive, whyItBroke } from './rules.ts';

const connectWithinMs = 10_000;

/** The gateway, as a session sees it. */
export interface SessionHome {
  readonly options: MqttGatewayOptions;
  /** Whether the journal has room. Otherwise the session is woken (`goOn`) when it has. */
  hasRoom(session: MqttSession): boolean;
  /** The login is right. Ends the session that the device had before. */
  onLogin(session: MqttSession, device: Session): void;
  /** The CONNACK is on its way. */
  onReady(session: MqttSession, device: Session, keepAliveSeconds: number): void;
  /** `device`: null before the login. */
  onGone(session: MqttSession, device: Session | null, why: GivenReason | null): void;
}

/**
 * One connection of MQTT 3.1.1, from its TLS handshake to its end:
 *
 *     greeting ── CONNECT ──▶ login ── admitted: CONNACK 0 ──▶ open ── the end ──▶ ended
 *         └── anything else, 10 s ──▶ ended   └── refused: CONNACK 1 to 5 ──▶ ended
 *
 * Where several processes serve devices, this one takes the device before it answers the login.
 *
 * Nothing is read during `login`, while the journal is full, or while the device does not read.
 */
export class MqttSession implements PacketEnds {
  readonly #stream: Duplex;
  readonly #home: SessionHome;
  readonly #address: string;
  #loggedIn: () => void;
  readonly #reader: PacketReader;
  readonly #writer: PacketWriter;
  #state: 'greeting' | 'login' | 'open' | 'ended' = 'greeting';
  #device: Session | null = null;
  /** Packets after the login; null before. */
  #packets: DevicePackets | null = null;
  /** The last complete packet; before the login, when the connection was opened. */
  #heardAt: number;
  #idleMsMax = connectWithinMs;

  constructor(stream: Duplex, origin: Origin, home: SessionHome) {
    this.#stream = stream;
    this.#home = home;
    this.#address = origin.address;
    this.#loggedIn = origin.loggedIn;
    const bytesMax = home.options.messageBytesMax + packetOverheadBytes;
    this.#reader = new PacketReader({ firstBytesMax: limits.connectBytesMax, bytesMax }, this);
    this.#writer = new PacketWriter(stream, () => stream.pause());
    this.#heardAt = home.options.clock.monotonic();
    stream.on('data', (chunk: Buffer) => this.#onData(chunk));
    stream.on('drain', () => this.#onDrain());
    stream.on('end', () => this.end(null));
    stream.on('close', () => this.end(null));
    stream.on('error', error => this.fail(whyItBroke(error)));
  }

  /**
   * Ends the connection without counting it as an error. `why` is for staff; null: the device did.
   */
  end(why: GivenReason | null): void {
    if (this.#state === 'ended') return;
    this.#over(why);
    this.#stream.destroy();
  }

  /** The device broke the protocol, or the connection broke. */
  fail(why: GivenReason): void {
    if (this.#state === 'ended') return;
    this.#home.options.counters.add('connection_error');
    this.end(why);
  }

  /**
   * Ends it when nothing was heard for too long: one and a half times its Keep Alive. `isHeldUp`:
   * the journal is full, so it is not read, and its silence says nothing.
   */
  look(now: number, isHeldUp: boolean): void {
    if (isHeldUp) this.#heardAt = now;
    if (this.#state === 'login' || now - this.#heardAt <= this.#idleMsMax) return;
    this.fail(deviceEnds.say(this.#state === 'greeting' ? 'no_connect' : 'keep_alive_timeout'));
  }

  /** Reads on, if it may. */
  goOn(): void {
    if (!this.#mayRead()) return;
    if (this.#reader.heldBytes > 0) this.#read(() => this.#reader.readHeld());
    if (this.#mayRead()) this.#stream.resume();
  }

  /** Resolves to false when the device is not subscribed, or does not read. */
  handOver(payload: Uint8Array): Promise<boolean> {
    return this.#packets?.handOver(payload) ?? Promise.resolve(false);
  }

  #onData(chunk: Buffer): void {
    if (this.#state === 'ended') return;
    if (this.#mayRead()) return void this.#read(() => this.#reader.read(chunk));
    this.#stream.pause();
    this.#reader.keep(chunk);
  }

  #read(read: () => void): void {
    read();
    if (this.#state === 'ended') this.#reader.forget();
  }

  #mayRead(): boolean {
    if (this.#state === 'login' || this.#state === 'ended' || this.#stream.writableNeedDrain) return false;
    return this.#home.hasRoom(this);
  }

  #onDrain(): void {
    this.#writer.onDrain();
    this.#packets?.onDrain();
    this.goOn();
  }

  onPacket(bytes: Buffer, start: number, body: number, end: number): boolean {
    this.#heardAt = this.#home.options.clock.monotonic();
    const type = typeOf(bytes[start]!);
    if (this.#packets !== null) this.#packets.take(type, bytes, start, body, end);
    else if (type === packetType.connect) this.#connect(bytes, body, end);
    else this.fail(protocolError('its first packet is not a CONNECT'));
    return this.#state === 'open';
  }

  onTooLarge(bytes: number, isFirst: boolean): void {
    const { counters, refused, note, messageBytesMax } = this.#home.options;
    counters.add(isFirst ? 'connect_too_large' : 'packet_too_large');
    if (isFirst) refused(this.#address, { code: 'connect_too_large', detail: `${bytes} bytes` });
    else if (this.#device) note(this.#device, 'too_large', String(bytes));
    this.end(deviceEnds.say('packet_too_large', { bytes, max: messageBytesMax }));
  }

  onMalformed(why: string): void {
    this.fail(protocolError(why));
  }

  #connect(bytes: Buffer, body: number, end: number): void {
    const packet = readConnect(bytes, body, end);
    if (typeof packet === 'string') return void this.fail(protocolError(packet));
    // SPEC 9 names 3.1.1 alone, and CONNACK 1 lets a library fall back to it.
    if (packet.level !== 4) {
      this.#home.options.counters.add('protocol_version_refused');
      return void this.#refuse(1);
    }
    this.#state = 'login';
    this.#stream.pause();
    const { clientId, userName, password, keepAliveSeconds } = packet;
    this.#home.options.admission.admit({ gateway: 'mqtt', address: this.#address, clientId, userName, password }).then(
      admitted => {
        if (this.#state !== 'login') return;
        if (admitted.ok) this.#take(admitted.value, keepAliveSeconds);
        else this.#refuse(connackOf(admitted.refusal.code), { reason: explainRefusal(admitted.refusal).reason });
      },
      error => {
        this.#home.options.log.error({ error: String(error) }, 'device_login_failed');
        this.#refuse(3);
      },
    );
  }

  #take(device: Session, keepAliveSeconds: number): void {
    const { claims } = this.#home.options.store;
    if (claims.has(device.deviceNo)) {
      this.#open(device, keepAliveSeconds);
      return;
    }
    void claims.claim(device.deviceNo).then(isTaken => {
      if (this.#state !== 'login') return;
      if (!isTaken) this.#refuse(3, deviceEnds.say('held_elsewhere'));
      else this.#take(device, keepAliveSeconds);
    });
  }

  /** The inbox holds what a device missed, and a will is discarded (docs/devices.md). */
  #open(device: Session, keepAliveSeconds: number): void {
    this.#home.onLogin(this, device);
    this.#stream.write(connack(0));
    this.#state = 'open';
    this.#device = device;
    this.#packets = new DevicePackets(this.#home.options, device, this.#writer, this);
    this.#idleMsMax = servedKeepAlive(keepAliveSeconds) * 1500;
    this.#heardAt = this.#home.options.clock.monotonic();
    this.#loggedIn();
    this.#loggedIn = nothing;
    this.#home.onReady(this, device, keepAliveSeconds);
    this.goOn();
  }

  #refuse(code: 1 | 2 | 3 | 4 | 5, why: GivenReason | null = null): void {
    if (this.#state === 'ended') return;
    this.#over(why);
    this.#stream.end(connack(code), () => this.#stream.destroy());
  }

  #over(why: GivenReason | null): void {
    this.#state = 'ended';
    this.#writer.close();
    this.#packets?.close();
    this.#packets = null;
    this.#home.onGone(this, this.#device, why);
    this.#device = null;
  }
}

const nothing = (): void => {};
