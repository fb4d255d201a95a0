/**
 * Connects, waits for the CONNACK, disconnects and connects again, in several loops at once:
 * `load-connect.ts '{"port":8883,…}'`. Each handshake is a full one, unless sessions are resumed.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { connect as connectTls, createSecureContext } from 'node:tls';
import { Histogram } from './histogram.ts';
import { connectPacket } from './packets.ts';
import { curves } from './tls.ts';

export interface ConnectLoad {
  readonly port: number;
  readonly tls: boolean;
  readonly parallel: number;
  /** So many devices take turns; each has connected once before the measurement begins. */
  readonly devices: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly product: string;
  readonly productKey: string;
  readonly version: 'TLSv1.2' | 'TLSv1.3';
  /** A file that takes the TLS session of each device at the end; null: none does. */
  readonly sessions: string | null;
  /** Each device resumes its session, those of that file first. One that does not is an error. */
  readonly resumes: boolean;
}

const load = JSON.parse(process.argv[2]!) as ConnectLoad;
const latencies = new Histogram();
const goodbye = Buffer.from([0xe0, 0]);
const greetings = Array.from({ length: load.devices }, (_, index) => {
  const clientId = `${load.product}_B${String(index + 1).padStart(5, '0')}`;
  const password = createHash('md5').update(`${clientId}-${load.product}-${load.productKey}`).digest('hex');
  return connectPacket({ clientId, userName: load.product, password });
});
// With a context of its own `connect` looks at none of the options that make one.
const secureContext = createSecureContext({
  minVersion: load.version,
  maxVersion: load.version,
  ecdhCurve: curves,
});
/** By device. */
const sessions: (Buffer | undefined)[] =
  load.resumes && load.sessions !== null
    ? (JSON.parse(readFileSync(load.sessions, 'utf8')) as string[]).map(one => Buffer.from(one, 'base64'))
    : [];
/**
 * A closed connection holds its port for a minute: with one address the ports would run out. Each
 * device keeps its own.
 */
const addresses = 64;

let next = 0;
let made = 0;
let broken = 0;
let running = true;

const once = (): Promise<void> =>
  new Promise(resolve => {
    const number = next++;
    const begun = performance.now();
    const device = number % load.devices;
    const where = { host: '127.0.0.1', port: load.port, localAddress: `127.0.0.${2 + (device % addresses)}` };
    const session = load.resumes ? sessions[device] : undefined;
    const secure = load.tls ? connectTls({ ...where, secureContext, rejectUnauthorized: false, session }) : null;
    const socket = secure ?? connectPlain(where);
    if (load.sessions !== null)
      secure?.on('session', (made: Buffer) => {
        sessions[device] = made;
      });
    let greeted = false;
    socket.setNoDelay(true);
    socket.once(load.tls ? 'secureConnect' : 'connect', () => {
      if (load.resumes && !secure!.isSessionReused()) throw new Error('a session was not resumed');
      socket.write(greetings[device]!);
    });
    socket.on('data', (chunk: Buffer) => {
      if (greeted) return;
      greeted = true;
      if (chunk[0] !== 0x20 || chunk[3] !== 0) throw new Error(`CONNACK ${chunk[3]}`);
      made++;
      latencies.add(performance.now() - begun);
      socket.end(goodbye);
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      if (!greeted) broken++;
      resolve();
    });
  });

const connectRepeatedly = async (): Promise<void> => {
  while (running) await once();
};

const wait = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000));
for (let number = 0; number < load.parallel; number++) void connectRepeatedly();
await wait(load.warmUpSeconds);
// Then the server knows each device.
while (made < load.devices) await wait(0.05);
latencies.clear();
const before = { made, at: performance.now(), cpu: process.cpuUsage() };
process.stdout.write('measuring\n');
await wait(load.seconds);
const seconds = (performance.now() - before.at) / 1000;
const cpu = process.cpuUsage(before.cpu);
running = false;
if (load.sessions !== null && !load.resumes)
  writeFileSync(load.sessions, JSON.stringify(sessions.map(one => one!.toString('base64'))));
process.stdout.write(
  `${JSON.stringify({
    perSecond: (made - before.made) / seconds,
    acknowledged: made - before.made,
    p50Ms: latencies.at(0.5),
    p99Ms: latencies.at(0.99),
    ownCpuShare: (cpu.user + cpu.system) / 1e6 / seconds,
    broken,
  })}\n`,
);
process.exit(0);
