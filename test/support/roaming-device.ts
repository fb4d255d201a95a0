import mqtt, { type MqttClient } from 'mqtt';
import type { History } from './history.ts';
import { credentials, type TerminalIdentity } from './terminal.ts';

/** As a terminal that catches up, and not as much as the machine can take. */
const windowMax = 8;
const betweenBurstsMs = 40;
/** Without an acknowledgement for so long it goes elsewhere. */
const patienceMs = 1200;

/**
 * A device over MQTT that goes from one process to another without a word: it opens a connection
 * to the next one and sends again what was not acknowledged, marked as such. It leaves half of its
 * old connections open. Each record says its number and that of its connection, so that the journal
 * shows what came over an old connection after a newer one.
 */
export class RoamingDevice {
  readonly identity: TerminalIdentity;
  readonly acknowledged = new Set<number>();
  /** Logins that were answered by a CONNACK other than 0. */
  refused = 0;
  connections = 0;
  readonly #ports: () => readonly number[];
  readonly #random: () => number;
  readonly #history: History;
  /** Sent and not acknowledged, by number. */
  readonly #waiting: number[] = [];
  readonly #left: MqttClient[] = [];
  #said = 0;
  #isEnding = false;
  readonly #living: Promise<void>;

  /** `random`: from 0 to 1. */
  constructor(identity: TerminalIdentity, ports: () => readonly number[], random: () => number, history: History) {
    this.identity = identity;
    this.#ports = ports;
    this.#random = random;
    this.#history = history;
    this.#living = this.#live();
  }

  /** Resolves when all that it said is acknowledged. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#living;
    for (const client of this.#left) client.end(true);
  }

  async #live(): Promise<void> {
    while (!this.#isEnding || this.#waiting.length > 0) {
      const ports = this.#ports();
      const client = await this.#connect(ports[Math.floor(this.#random() * ports.length)]!);
      if (!client) continue;
      await this.#work(client);
      if (this.#random() < 0.5) this.#left.push(client);
      else client.end(true);
    }
  }

  async #connect(port: number): Promise<MqttClient | null> {
    const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, {
      ...credentials(this.identity),
      ...{ clean: true, reconnectPeriod: 0, connectTimeout: 15_000, keepalive: 60 },
    });
    const isIn = await new Promise<boolean>(resolve => {
      client.once('connect', () => resolve(true));
      client.once('close', () => resolve(false));
      client.on('error', error => {
        if ('code' in error && typeof error.code === 'number') this.refused++;
        resolve(false);
      });
    });
    if (isIn) return client;
    client.end(true);
    await new Promise(resolve => setTimeout(resolve, 50));
    return null;
  }

  /** Until the connection is over, it is time to go, or nothing is acknowledged any more. */
  async #work(client: MqttClient): Promise<void> {
    const connection = ++this.connections;
    const { deviceId: device } = this.identity;
    this.#history.write('device', { op: 'login', device, session: connection });
    const until = performance.now() + 300 + this.#random() * 1500;
    let heardAt = performance.now();
    let isOver = false;
    client.once('close', () => {
      isOver = true;
    });
    const send = (number: number, isAgain: boolean) => {
      const record = { device, kind: 'log', n: number, session: connection };
      this.#history.write('device', { op: 'send', ...record });
      client.publish(
        `log/${device.replace('_', '/')}`,
        JSON.stringify({ number, connection }),
        { qos: 1, dup: isAgain },
        error => {
          if (error) return;
          heardAt = performance.now();
          this.#history.write('device', { op: 'ack', ...record });
          this.acknowledged.add(number);
          const at = this.#waiting.indexOf(number);
          if (at >= 0) this.#waiting.splice(at, 1);
        },
      );
    };
    for (const number of [...this.#waiting]) send(number, true);
    while (!isOver && performance.now() < until && performance.now() - heardAt < patienceMs) {
      while (!this.#isEnding && this.#waiting.length < windowMax) {
        this.#waiting.push(++this.#said);
        send(this.#said, false);
      }
      if (this.#isEnding && this.#waiting.length === 0) return;
      if (this.#waiting.length === 0) heardAt = performance.now();
      await new Promise(resolve => setTimeout(resolve, betweenBurstsMs));
    }
  }
}
