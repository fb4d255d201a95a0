import mqttPacket, { type Packet } from 'mqtt-packet';
import { digestOf, md5Of } from './digest.ts';
import type { Socket } from './network.ts';
import type { Script } from './script.ts';
import type { Coming, World } from './world.ts';

export const productKey = 'product-key';

export type Kind = 'message' | 'log';

interface Said {
  readonly kind: Kind;
  readonly n: number;
  readonly topic: string;
  readonly text: string;
  readonly digest: string;
  readonly mid: string | null;
}

interface Connection {
  readonly socket: Socket;
  session: number;
  readonly inFlight: Map<number, Said>;
  heardAt: number;
}

const logsMax = 10;
const logsWithinMs = 2000;
const windowRecords = 16;
const keepAliveSeconds = 30;
const answerWithinMs = 10_000;

/**
 * A terminal as a good device is: it keeps each record until it is acknowledged, in order, and sends
 * all of them again behind a login. A connection over which nothing comes it leaves without a word.
 */
export class Terminal {
  readonly deviceId: string;
  readonly waiting: Said[] = [];
  readonly #world: World;
  readonly #script: Script;
  readonly #dial: () => Socket;
  readonly #numbers: Record<Kind, number> = { message: 0, log: 0 };
  /** Check-in times begin here, in seconds: its number says which record it is. */
  readonly #since: number;
  #connection: Connection | null = null;
  #sessions = 0;
  #packetId = 0;
  #again: Coming | null = null;
  #sendLater: Coming | null = null;
  #logTimes: number[] = [];
  acknowledged = 0;

  constructor(
    world: World,
    script: Script,
    options: { readonly deviceId: string; readonly since: number; readonly dial: () => Socket },
  ) {
    this.#world = world;
    this.#script = script;
    this.deviceId = options.deviceId;
    this.#since = options.since;
    this.#dial = options.dial;
  }

  start(): void {
    this.#dialIn(this.#world.random() * 2000);
  }

  /** Somebody punches, or it logs a line. */
  say(kind: Kind, count: number): void {
    for (let index = 0; index < count; index++) {
      const n = ++this.#numbers[kind];
      const mid = kind === 'message' ? `${this.deviceId}-${n}` : null;
      const [product, serial] = this.deviceId.split('_');
      const text =
        mid === null ? JSON.stringify({ log: `line ${n}`, level: 'info' }) : this.#punch(mid, this.#since + n);
      const digest = mid === null ? digestOf(text) : contentOf(text);
      this.waiting.push({ kind, n, topic: mid === null ? `log/${product}/${serial}` : 'device', text, digest, mid });
    }
    this.#send();
  }

  /** Not as many in a second as box and cloud would drop. */
  #mayLog(): boolean {
    const { now } = this.#world;
    this.#logTimes = this.#logTimes.filter(at => at > now - logsWithinMs);
    if (this.#logTimes.length < logsMax) {
      this.#logTimes.push(now);
      return true;
    }
    this.#sendLater ??= this.#world.after(
      logsWithinMs,
      () => {
        this.#sendLater = null;
        this.#send();
      },
      null,
    );
    return false;
  }

  #punch(mid: string, time: number): string {
    const data = { records: [{ ext_id: 'e1', check_type: 'fa', check_time: time }] };
    return JSON.stringify({ mid, from: this.deviceId, to: 'system', time: 0, action: 2001, data });
  }

  /** The line to the box breaks; both ends hear of it, or neither does. */
  breakLine(isSilent: boolean): void {
    const { socket } = this.#connection ?? {};
    if (isSilent) socket?.cut();
    else socket?.reset();
  }

  #dialIn(ms: number): void {
    this.#again ??= this.#world.after(
      ms,
      () => {
        this.#again = null;
        this.#connect();
      },
      null,
    );
  }

  #connect(): void {
    const socket = this.#dial();
    const connection: Connection = { socket, session: 0, inFlight: new Map(), heardAt: this.#world.now };
    this.#connection = connection;
    const parser = mqttPacket.parser({ protocolVersion: 4 });
    parser.on('packet', packet => this.#take(connection, packet));
    parser.on('error', () => this.#leave(connection));
    socket.on('data', (chunk: Buffer) => parser.parse(chunk));
    socket.on('close', () => this.#leave(connection));
    const product = this.deviceId.split('_')[0]!;
    this.#write(connection, {
      ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: keepAliveSeconds },
      ...{ clientId: this.deviceId, username: product },
      password: Buffer.from(md5Of(`${this.deviceId}-${product}-${productKey}`)),
    });
    this.#look(connection);
  }

  /** Every ten seconds. */
  #look(connection: Connection): void {
    this.#world.after(
      answerWithinMs,
      () => {
        if (this.#connection !== connection) return;
        const silentMs = this.#world.now - connection.heardAt;
        if (silentMs >= (connection.session === 0 ? answerWithinMs : keepAliveSeconds * 1500))
          return void this.#leave(connection);
        if (connection.session > 0 && silentMs >= answerWithinMs) this.#write(connection, { cmd: 'pingreq' });
        this.#look(connection);
      },
      null,
    );
  }

  #leave(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    connection.socket.destroy();
    this.#dialIn(500 + this.#world.random() * 4500);
  }

  #write({ socket }: Connection, packet: Packet): void {
    if (!socket.destroyed) socket.write(mqttPacket.generate(packet));
  }

  #take(connection: Connection, packet: Packet): void {
    connection.heardAt = this.#world.now;
    if (packet.cmd === 'connack') {
      if (packet.returnCode !== 0 || this.#connection !== connection) return void this.#leave(connection);
      connection.session = ++this.#sessions;
      this.#script.write('device', { op: 'login', device: this.deviceId, session: connection.session });
      const topic = `$client/${this.deviceId}`;
      this.#write(connection, { cmd: 'subscribe', messageId: 65_000, subscriptions: [{ topic, qos: 0 }] });
      this.#send();
    } else if (packet.cmd === 'puback') this.#acknowledge(connection, packet.messageId!);
  }

  #acknowledge(connection: Connection, id: number): void {
    const said = connection.inFlight.get(id);
    if (!said) return;
    connection.inFlight.delete(id);
    const { kind, n } = said;
    this.#script.write('device', { op: 'ack', device: this.deviceId, kind, n, session: connection.session });
    const at = this.waiting.indexOf(said);
    if (at >= 0) {
      this.waiting.splice(at, 1);
      this.acknowledged++;
    }
    this.#send();
  }

  #send(): void {
    const connection = this.#connection;
    if (!connection || connection.session === 0) return;
    const inFlight = new Set(connection.inFlight.values());
    for (const said of this.waiting) {
      if (connection.inFlight.size >= windowRecords) return;
      if (inFlight.has(said)) continue;
      if (said.kind === 'log' && !this.#mayLog()) continue;
      const { kind, n, topic, text, digest, mid } = said;
      this.#packetId = (this.#packetId % 60_000) + 1;
      connection.inFlight.set(this.#packetId, said);
      this.#script.write('device', {
        ...{ op: 'send', device: this.deviceId, kind, n, session: connection.session, digest },
        ...(mid !== null && { mid }),
      });
      this.#write(connection, {
        ...{ cmd: 'publish', topic, payload: text, qos: 1, messageId: this.#packetId, dup: false, retain: false },
      });
    }
  }
}

/** The box fills in the time of a message that has none. */
export function contentOf(text: string): string {
  const { mid, from, action, data } = JSON.parse(text);
  return digestOf(JSON.stringify([mid, from, action, data]));
}
