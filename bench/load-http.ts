/**
 * Pushes over persistent HTTPS connections, each when the one before is answered: `load-http.ts
 * '{"port":8443,…}'`. Raw bytes, as in load-mqtt.ts.
 */
import { createHash } from 'node:crypto';
import { connect, type TLSSocket } from 'node:tls';
import { Histogram } from './histogram.ts';
import { logRecord } from './packets.ts';

export interface HttpLoad {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly bytes: number;
  readonly product: string;
  readonly productKey: string;
  readonly model: string;
  /** False for the bare server, which has no login. */
  readonly login: boolean;
}

const load = JSON.parse(process.argv[2]!) as HttpLoad;
const latencies = new Histogram();
let acknowledged = 0;
let broken = 0;
let running = true;
let measuring = false;

class Connection {
  readonly #socket: TLSSocket;
  readonly #serial: string;
  #text = '';
  #push: Buffer = Buffer.alloc(0);
  #sentAt = 0;
  #loggedIn = false;
  readonly ready: Promise<void>;

  constructor(number: number) {
    this.#serial = `B${String(number).padStart(5, '0')}`;
    this.#socket = connect({ host: '127.0.0.1', port: load.port, rejectUnauthorized: false });
    this.#socket.setNoDelay(true);
    this.ready = new Promise(resolve => {
      this.#socket.once('secureConnect', () => {
        if (!load.login) {
          this.#authorized('none');
          resolve();
          return;
        }
        const clientId = `${load.product}_${this.#serial}`;
        const password = createHash('md5').update(`${clientId}-${load.product}-${load.productKey}`).digest('hex');
        const body = JSON.stringify({ clientId, userName: load.product, password, keepAliveTime: 60 });
        this.#socket.write(request(`/api/connect/${clientId}`, body, ''));
      });
      this.#socket.on('data', (chunk: Buffer) => this.#read(chunk, resolve));
    });
    this.#socket.on('error', () => {});
    this.#socket.once('close', () => broken++);
  }

  send(): void {
    this.#sentAt = performance.now();
    this.#socket.write(this.#push);
  }

  #authorized(value: string): void {
    this.#loggedIn = true;
    const body = logRecord(load.bytes).payload.toString();
    this.#push = Buffer.from(request(`/api/v2.0/log/${load.model}/${this.#serial}`, body, value));
  }

  #read(chunk: Buffer, ready: () => void): void {
    this.#text += chunk.toString('latin1');
    const headEnd = this.#text.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.#text.slice(0, headEnd).toLowerCase();
    const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
    const chunked = head.includes('transfer-encoding: chunked');
    const end = chunked ? this.#text.indexOf('0\r\n\r\n', headEnd) + 5 : headEnd + 4 + length;
    if (this.#text.length < end || (chunked && end < 5)) return;
    if (!head.startsWith('http/1.1 200')) throw new Error(this.#text.slice(0, 300));
    const authorization = /authorization: (.*)/i.exec(this.#text.slice(0, headEnd))?.[1] ?? '';
    this.#text = this.#text.slice(end);
    if (!this.#loggedIn) {
      this.#authorized(authorization.trim());
      ready();
      return;
    }
    acknowledged++;
    if (measuring) latencies.add(performance.now() - this.#sentAt);
    if (running) this.send();
  }

  end(): void {
    this.#socket.destroy();
  }
}

const request = (path: string, body: string, authorization: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json\r\n${
    authorization ? `Authorization: ${authorization}\r\n` : ''
  }Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const wait = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000));
const connections = Array.from({ length: load.connections }, (_, index) => new Connection(index + 1));
await Promise.all(connections.map(({ ready }) => ready));
for (const connection of connections) connection.send();
await wait(load.warmUpSeconds);
measuring = true;
const before = { acknowledged, at: performance.now(), cpu: process.cpuUsage() };
process.stdout.write('measuring\n');
await wait(load.seconds);
const seconds = (performance.now() - before.at) / 1000;
const cpu = process.cpuUsage(before.cpu);
running = false;
const count = acknowledged - before.acknowledged;
process.stdout.write(
  `${JSON.stringify({
    perSecond: count / seconds,
    acknowledged: count,
    p50Ms: latencies.at(0.5),
    p99Ms: latencies.at(0.99),
    ownCpuShare: (cpu.user + cpu.system) / 1e6 / seconds,
    broken,
  })}\n`,
);
for (const connection of connections) connection.end();
process.exit(0);
