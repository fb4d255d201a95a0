import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Histogram } from './histogram.ts';
import { connectPacket } from './packets.ts';

/** A device that asks for nothing but an answer: how long its connection is held. */
export interface PingingDevice {
  readonly port: number;
  readonly product: string;
  readonly productKey: string;
  readonly serial: string;
}

export interface Pings {
  readonly count: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

const pingEveryMs = 2;
const pingreq = Buffer.from([0xc0, 0]);

export async function connectDevice({ port, product, productKey, serial }: PingingDevice): Promise<Socket> {
  const clientId = `${product}_${serial}`;
  const password = createHash('md5').update(`${clientId}-${product}-${productKey}`).digest('hex');
  const socket = connect({ host: '127.0.0.1', port });
  socket.setNoDelay(true);
  socket.write(connectPacket({ clientId, userName: product, password }));
  const [connack] = (await once(socket, 'data')) as [Buffer];
  if (connack[0] !== 0x20 || connack[3] !== 0) throw new Error(`CONNACK ${connack[3]}`);
  return socket;
}

/** Round trips of PINGREQ, one after the other. */
export async function ping(socket: Socket, seconds: number): Promise<Pings> {
  const latencies = new Histogram();
  let [count, mostMs] = [0, 0];
  const end = performance.now() + seconds * 1000;
  for (; performance.now() < end; count++) {
    const begun = performance.now();
    socket.write(pingreq);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    if (answer[0] !== 0xd0) throw new Error(`not a PINGRESP: ${answer.toString('hex', 0, 8)}`);
    const took = performance.now() - begun;
    latencies.add(took);
    mostMs = Math.max(mostMs, took);
    await wait(pingEveryMs);
  }
  return { count, p99Ms: latencies.at(0.99), mostMs };
}
