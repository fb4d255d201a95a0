import { createHash } from 'node:crypto';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls';
import { bodyBytesOf, bodyStart, packetType, pubackId, typeOf } from '../src/mqtt-wire/index.ts';
import { connectPacket, publishPacket, subscribePacket } from './packets.ts';
import { curves } from './tls.ts';

/**
 * Terminals that lose power together and come back with what they could not send. Each works off
 * its records in order and forgets one when it is acknowledged. They are bytes on sockets, so that
 * thousands of them cost one process little.
 */
export interface StormSite {
  readonly port: number;
  readonly product: string;
  readonly productKey: string;
  readonly model: string;
  /** Each that many-th record is a log, the others are check-ins; 0: no logs. */
  readonly logEvery: number;
  /** Unacknowledged records at one time. */
  readonly window: number;
}

/** How the box sees it that the power went; `silent`: not at all, unless it happens during a login. */
export type Loss = 'closed' | 'reset' | 'silent';
/** Hears what a device does and is answered, record by record from 1. */
export interface StormListener {
  loggedIn(): void;
  sent(record: number): void;
  acknowledged(record: number): void;
}

/** How far a login has come when the power goes again. */
export type Stage = 'connected' | 'secure' | 'greeted';

const secureContext = createSecureContext({ ecdhCurve: curves });
const dup = 0x08;

export class StormDevice {
  readonly deviceId: string;
  /** How many records it has had to send since its beginning. */
  due = 0;
  /** The first so many are acknowledged. */
  acknowledged = 0;
  /** What the box did and should not have done. */
  readonly complaints: string[] = [];
  /** Connections that the box cannot know to be dead. */
  readonly silent: TLSSocket[] = [];
  listener: StormListener | null = null;
  readonly #site: StormSite;
  readonly #serial: string;
  readonly #address: string;
  readonly #greeting: Buffer;
  #line: Socket | null = null;
  #socket: TLSSocket | null = null;
  #isIn = false;
  #sent = 0;
  /** Of those that were sent on an earlier connection. */
  #sentBefore = 0;
  #rest: Buffer = Buffer.alloc(0);
  #done: () => void = () => {};

  /** `number` from 0. */
  constructor(site: StormSite, number: number) {
    this.#site = site;
    this.#serial = `S${String(number + 1).padStart(5, '0')}`;
    this.deviceId = `${site.product}_${this.#serial}`;
    // One for each, as at a site.
    this.#address = `127.1.${Math.floor(number / 250)}.${1 + (number % 250)}`;
    const password = createHash('md5').update(`${this.deviceId}-${site.product}-${site.productKey}`).digest('hex');
    this.#greeting = connectPacket({ clientId: this.deviceId, userName: site.product, password });
  }

  isLog(record: number): boolean {
    return this.#site.logEvery > 0 && record % this.#site.logEvery === 0;
  }

  /** The name of a record, from 1: `ext_id` of a check-in, `log` of a log. */
  nameOf(record: number): string {
    return `${this.#serial}-${record}`;
  }

  /** Connects and works off what is due. Resolves when that is acknowledged, or the power goes. */
  powerOn(): Promise<void> {
    return this.#connect(null);
  }

  /** Connects and loses power at that stage of its login. */
  powerOnUntil(stage: Stage): Promise<void> {
    return this.#connect(stage);
  }

  /** Sends on after `due` has grown. */
  goOn(): void {
    if (this.#isIn) this.#send();
  }

  powerOff(how: Loss): void {
    const socket = this.#socket;
    const wasIn = this.#isIn;
    this.#socket = null;
    this.#isIn = false;
    this.#rest = Buffer.alloc(0);
    this.#done();
    if (!socket) return;
    if (how === 'reset') this.#line!.resetAndDestroy();
    else if (how === 'silent' && wasIn) this.silent.push(socket.pause());
    else socket.destroy();
  }

  #connect(until: Stage | null): Promise<void> {
    const line = connectPlain({ host: '127.0.0.1', port: this.#site.port, localAddress: this.#address });
    const socket = connectTls({ socket: line, secureContext, rejectUnauthorized: false });
    this.#line = line;
    this.#socket = socket;
    this.#sentBefore = this.#sent;
    this.#sent = this.acknowledged;
    line.setNoDelay(true);
    line.on('error', () => {});
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => this.#socket === socket && this.#read(chunk));
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.complaints.push(this.#isIn ? 'the box closed its connection' : 'the box refused it');
      this.powerOff('closed');
    });
    const reached = (stage: Stage) => {
      if (this.#socket === socket && until === stage) this.powerOff('closed');
      return this.#socket === socket;
    };
    line.on('connect', () => void reached('connected'));
    socket.on('secureConnect', () => {
      if (!reached('secure')) return;
      socket.write(this.#greeting, () => void reached('greeted'));
    });
    return new Promise(resolve => {
      this.#done = resolve;
    });
  }

  #read(chunk: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    while (at < bytes.length) {
      const body = bodyStart(bytes, at);
      const end = body < 0 ? Number.POSITIVE_INFINITY : body + bodyBytesOf(bytes, at, body);
      if (end > bytes.length) break;
      this.#take(bytes, at);
      at = end;
    }
    this.#rest = bytes.subarray(at);
    if (this.#isIn) this.#send();
    if (this.#isIn && this.acknowledged === this.due) this.#done();
  }

  #take(bytes: Buffer, at: number): void {
    const type = typeOf(bytes[at]!);
    if (type === packetType.connack) {
      if (bytes[at + 3] !== 0) this.complaints.push(`CONNACK ${bytes[at + 3]}`);
      this.#isIn = bytes[at + 3] === 0;
      if (this.#isIn) this.listener?.loggedIn();
      this.#socket!.write(subscribePacket(`$client/${this.deviceId}`));
    } else if (type === packetType.puback) {
      const expected = idOf(this.acknowledged + 1);
      if (pubackId(bytes, at) !== expected)
        this.complaints.push(`PUBACK ${pubackId(bytes, at)} where ${expected} was due`);
      this.acknowledged++;
      this.listener?.acknowledged(this.acknowledged);
    }
  }

  #send(): void {
    const upTo = Math.min(this.due, this.acknowledged + this.#site.window);
    if (this.#sent >= upTo) return;
    const packets: Buffer[] = [];
    while (this.#sent < upTo) packets.push(this.#publish(++this.#sent));
    this.#socket!.write(packets.length === 1 ? packets[0]! : Buffer.concat(packets));
  }

  textOf(record: number): string {
    const name = this.nameOf(record);
    return this.isLog(record)
      ? `{"time":1763600000,"level":"info","log":"${name}"}`
      : `{"mid":"${name}","from":"${this.deviceId}","to":"system","time":0,"action":2001,"data":{"records":[{"ext_id":"${name}","check_type":"fa","check_time":${1_763_600_000 + record}}]}}`;
  }

  #publish(record: number): Buffer {
    const { model } = this.#site;
    const text = this.textOf(record);
    const isLog = this.isLog(record);
    this.listener?.sent(record);
    const { bytes, idAt } = publishPacket(isLog ? `log/${model}/${this.#serial}` : 'device', Buffer.from(text), 1);
    bytes.writeUInt16BE(idOf(record), idAt);
    if (record <= this.#sentBefore) bytes[0]! |= dup;
    return bytes;
  }
}

const idOf = (record: number): number => 1 + (record % 0xffff);
