import mqttPacket, { type Packet } from 'mqtt-packet';
import { digestOf } from './digest.ts';
import type { Socket } from './network.ts';
import type { Script } from './script.ts';
import { contentOf } from './terminal.ts';
import type { World } from './world.ts';

/** Faults of a cloud, which meet those who connect. */
export const cloudFaults = ['refuses', 'hangs', 'drops before', 'drops behind'] as const;
export type CloudFault = (typeof cloudFaults)[number];

/** SPEC 8: what comes faster is acknowledged, and forgotten. */
const logsPerSecondMax = 20;

/** The cloud: takes what devices send, each in a session of its own. */
export class Cloud {
  readonly #world: World;
  readonly #script: Script;
  readonly #sessions = new Map<string, Socket>();
  readonly #logTimes = new Map<string, number[]>();
  fault: CloudFault | null = null;
  arrivals = 0;

  constructor(world: World, script: Script) {
    this.#world = world;
    this.#script = script;
  }

  reset(): void {
    for (const socket of this.#sessions.values()) socket.reset();
  }

  handle(socket: Socket): void {
    const parser = mqttPacket.parser({ protocolVersion: 4 });
    let device = '';
    let isDeaf = false;
    parser.on('error', () => socket.destroy());
    parser.on('packet', (packet: Packet) => {
      if (socket.destroyed || isDeaf) return;
      if (this.fault === 'hangs') {
        isDeaf = true;
        return;
      }
      if (packet.cmd === 'connect') {
        const isRefused = this.fault === 'refuses';
        if (!isRefused) {
          this.#sessions.get(packet.clientId)?.destroy();
          this.#sessions.set(packet.clientId, socket);
          device = packet.clientId;
        }
        this.#write(socket, { cmd: 'connack', returnCode: isRefused ? 5 : 0, sessionPresent: false });
        if (isRefused) socket.end();
      } else if (packet.cmd === 'subscribe') {
        this.#write(socket, { cmd: 'suback', messageId: packet.messageId!, granted: [0] });
      } else if (packet.cmd === 'pingreq') this.#write(socket, { cmd: 'pingresp' });
      else if (packet.cmd === 'publish') {
        const isDropped = this.fault === 'drops before' || this.fault === 'drops behind';
        if (isDropped && this.#world.random() < 0.3) {
          if (this.fault === 'drops behind') this.#record(device, packet.topic, String(packet.payload));
          isDeaf = true;
          socket.reset();
          return;
        }
        this.#record(device, packet.topic, String(packet.payload));
        this.#write(socket, { cmd: 'puback', messageId: packet.messageId! });
      }
    });
    socket.on('data', (chunk: Buffer) => parser.parse(chunk));
    socket.on('close', () => this.#sessions.get(device) === socket && this.#sessions.delete(device));
  }

  #write(socket: Socket, packet: Packet): void {
    if (!socket.destroyed) socket.write(mqttPacket.generate(packet));
  }

  #record(device: string, topic: string, text: string): void {
    if (topic !== 'device' && this.#isTooFast(device)) return;
    this.arrivals++;
    const { log, mid, data } = JSON.parse(text);
    const of =
      topic === 'device'
        ? { kind: 'message', n: Number(/\d+$/.exec(mid)?.[0]), mid, digest: contentOf(text) }
        : { kind: 'log', n: Number(/\d+$/.exec(log)?.[0]), digest: digestOf(text) };
    if (topic === 'device' && data.records === undefined) return;
    this.#script.write('cloud', { op: 'arrival', to: 'cloud', device, ...of });
  }

  #isTooFast(device: string): boolean {
    const times = (this.#logTimes.get(device) ?? []).filter(at => at > this.#world.now - 1000);
    this.#logTimes.set(device, times);
    if (times.length >= logsPerSecondMax) return true;
    times.push(this.#world.now);
    return false;
  }
}
