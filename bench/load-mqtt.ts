/**
 * Publishes as fast as it is answered, or at a given rate: `load-mqtt.ts '{"port":1883,…}'` prints
 * its result as one JSON line. It writes prepared packets to raw sockets, so that it can send more
 * than any of the servers can take.
 */
import { createHash } from 'node:crypto';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { beginsPuback, pubackBytes, pubackId } from '../src/mqtt-wire/index.ts';
import { Histogram } from './histogram.ts';
import { checkin, connectPacket, envelope, logRecord, publishPacket, subscribePacket } from './packets.ts';
import { curves } from './tls.ts';

export interface MqttLoad {
  readonly port: number;
  readonly tls: boolean;
  /** The only suite of TLS 1.3 that the devices offer; null: those of Node. */
  readonly suite: string | null;
  readonly connections: number;
  /** Number of the first device; the others follow. */
  readonly first: number;
  /** In flight on each connection; 0: connect, subscribe and stay idle. */
  readonly window: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Messages a second over all connections; 0: as fast as they are answered. */
  readonly rate: number;
  readonly bytes: number;
  /** Stops after so many were acknowledged; 0: goes on for `seconds`. */
  readonly total: number;
  /** Each connection stops after so many; 0: it goes on. */
  readonly each: number;
  /**
   * `log`: log records; `device`: envelopes with an action that nobody answers, which no log limit
   * paces; `checkin`: envelopes with one check-in of somebody whom the box does not know.
   */
  readonly channel: 'log' | 'device' | 'checkin';
  readonly product: string;
  readonly productKey: string;
  readonly model: string;
  /** Of all devices, for a server that knows users alone; absent: each has its own by the product's key. */
  readonly password?: string;
  readonly keepAliveSeconds?: number;
  /** Of this machine; an address has 28,000 ports for all that it connects to. */
  readonly localAddress?: string;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly acknowledged: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Share of its core that the load generator used: near 1 it was the bottleneck. */
  readonly ownCpuShare: number;
  readonly broken: number;
}

const load = JSON.parse(process.argv[2]!) as MqttLoad;
const latencies = new Histogram();
let acknowledged = 0;
let broken = 0;
let counter = 0;
let measuring = false;

const payloadOf = { log: logRecord, device: envelope, checkin } as const;

/** What is answered to a device that is not subscribed would wait in its inbox, on the disk. */
const subscribes = load.window === 0 || load.channel === 'checkin';

/** The end of the answer (PUBLISH, QoS 0) that begins at `at`; `at` if none is there as a whole. */
function answerEnd(bytes: Buffer, at: number): number {
  if (bytes[at]! >> 4 !== 3 || at + 2 > bytes.length) return at;
  // Answers have 128 bytes or more at times, and never 16 KiB.
  const [low, high] = [bytes[at + 1]!, bytes[at + 2] ?? 0];
  const end = low < 128 ? at + 2 + low : at + 3 + (low & 127) + (high << 7);
  return end <= bytes.length ? end : at;
}

class Connection {
  readonly #socket: Socket;
  readonly #publish: { bytes: Buffer; idAt: number };
  readonly #numberAt: number;
  readonly #sentAt = new Float64Array(load.window + 1);
  readonly #free: number[] = [];
  #sent = 0;
  #rest: Buffer = Buffer.alloc(0);
  #expecting: 'connack' | 'suback' | 'acks' = 'connack';
  readonly ready: Promise<void>;
  #onReady: () => void = () => {};

  constructor(number: number) {
    const serial = `B${String(number).padStart(5, '0')}`;
    const clientId = `${load.product}_${serial}`;
    const password =
      load.password ?? createHash('md5').update(`${clientId}-${load.product}-${load.productKey}`).digest('hex');
    const { payload, numberAt } = payloadOf[load.channel](load.bytes);
    const topic = load.channel === 'log' ? `log/${load.model}/${serial}` : 'device';
    this.#publish = publishPacket(topic, payload, 1);
    this.#numberAt = this.#publish.bytes.length - payload.length + numberAt;
    for (let slot = load.window; slot >= 1; slot--) this.#free.push(slot);
    this.ready = new Promise(resolve => {
      this.#onReady = resolve;
    });
    this.#socket = load.tls
      ? connectTls({
          host: '127.0.0.1',
          port: load.port,
          rejectUnauthorized: false,
          minVersion: 'TLSv1.3',
          ecdhCurve: curves,
          ...(load.suite === null ? {} : { ciphers: load.suite }),
        })
      : connectPlain({ host: '127.0.0.1', port: load.port, localAddress: load.localAddress });
    this.#socket.setNoDelay(true);
    this.#socket.once(load.tls ? 'secureConnect' : 'connect', () =>
      this.#socket.write(
        connectPacket({ clientId, userName: load.product, password, keepAlive: load.keepAliveSeconds }),
      ),
    );
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk, clientId));
    this.#socket.on('error', () => {});
    this.#socket.once('close', () => broken++);
  }

  get room(): number {
    return this.#free.length;
  }

  /** `dueAt`: when they should have been sent, so that waiting for room counts as latency. */
  send(wanted: number, dueAt: number): void {
    const left = Math.min(
      load.total > 0 ? load.total - counter : wanted,
      load.each > 0 ? load.each - this.#sent : wanted,
    );
    const count = Math.min(wanted, left);
    if (count <= 0) return;
    this.#sent += count;
    const { bytes, idAt } = this.#publish;
    const out = Buffer.allocUnsafe(count * bytes.length);
    for (let index = 0; index < count; index++) {
      const slot = this.#free.pop()!;
      const at = index * bytes.length;
      bytes.copy(out, at);
      out[at + idAt] = slot >> 8;
      out[at + idAt + 1] = slot & 255;
      let number = counter++;
      for (let digit = 9; digit >= 0; digit--) {
        out[at + this.#numberAt + digit] = 48 + (number % 10);
        number = Math.floor(number / 10);
      }
      this.#sentAt[slot] = dueAt;
    }
    this.#socket.write(out);
  }

  #read(chunk: Buffer, clientId: string): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    if (this.#expecting === 'connack') {
      if (bytes.length < 4) {
        this.#keep(bytes);
        return;
      }
      if (bytes[0] !== 0x20 || bytes[3] !== 0) throw new Error(`CONNACK ${bytes[3]} for ${clientId}`);
      this.#expecting = subscribes ? 'suback' : 'acks';
      if (subscribes) this.#socket.write(subscribePacket(`$client/${clientId}`));
      else this.#onReady();
      at = 4;
    }
    if (this.#expecting === 'suback') {
      if (bytes.length - at < 5) {
        this.#keep(bytes.subarray(at));
        return;
      }
      this.#expecting = 'acks';
      this.#onReady();
      at += 5;
    }
    const now = performance.now();
    let count = 0;
    for (; at + pubackBytes <= bytes.length; at += pubackBytes) {
      for (let end = answerEnd(bytes, at); end > at; end = answerEnd(bytes, at)) at = end;
      if (at + pubackBytes > bytes.length || bytes[at]! >> 4 === 3) break;
      if (!beginsPuback(bytes, at)) throw new Error(`packet ${bytes[at]} where PUBACK was due`);
      const slot = pubackId(bytes, at);
      if (measuring) latencies.add(now - this.#sentAt[slot]!);
      this.#free.push(slot);
      count++;
    }
    this.#rest = bytes.subarray(at);
    acknowledged += count;
    if (load.rate === 0 && count > 0 && running) this.send(count, now);
  }

  #keep(rest: Buffer): void {
    this.#rest = rest;
  }

  end(): void {
    this.#socket.destroy();
  }
}

let running = true;
const wait = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000));
const connections: Connection[] = [];
for (let number = 1; number <= load.connections; number++) {
  const connection = new Connection(load.first + number - 1);
  connections.push(connection);
  if (number % 50 === 0) await connection.ready; // a site's devices do not all connect in the same millisecond
}
await Promise.all(connections.map(({ ready }) => ready));

if (load.window === 0) {
  process.stdout.write('idle\n');
  await new Promise(resolve => process.stdin.once('end', resolve).resume());
} else {
  if (load.rate > 0) pace();
  else for (const connection of connections) connection.send(load.window, performance.now());
  if (load.total > 0) while (acknowledged < load.total) await wait(0.02);
  await wait(load.warmUpSeconds);
  latencies.clear();
  measuring = true;
  const before = { acknowledged, at: performance.now(), cpu: process.cpuUsage() };
  process.stdout.write('measuring\n');
  await wait(load.seconds);
  const seconds = (performance.now() - before.at) / 1000;
  const cpu = process.cpuUsage(before.cpu);
  const count = acknowledged - before.acknowledged;
  running = false;
  if (count === 0 && load.total === 0) throw new Error('nothing was acknowledged');
  const result: LoadResult = {
    perSecond: count / seconds,
    acknowledged: count,
    p50Ms: latencies.at(0.5),
    p99Ms: latencies.at(0.99),
    ownCpuShare: (cpu.user + cpu.system) / 1e6 / seconds,
    broken,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
for (const connection of connections) connection.end();
process.exit(0);

/**
 * Sends what is due, spread over the connections. What finds no room waits, and its latency counts
 * from when it was due.
 */
function pace(): void {
  const start = performance.now();
  let sent = 0;
  let turn = 0;
  const step = () => {
    if (!running) return;
    const now = performance.now();
    let due = Math.floor(((now - start) / 1000) * load.rate) - sent;
    for (let tried = 0; due > 0 && tried < connections.length; tried++) {
      const connection = connections[turn++ % connections.length]!;
      const count = Math.min(connection.room, Math.max(1, Math.ceil(due / connections.length)), due);
      if (count === 0) continue;
      connection.send(count, Math.min(now, start + (sent / load.rate) * 1000 + 1));
      sent += count;
      due -= count;
    }
    setTimeout(step, 1);
  };
  step();
}
