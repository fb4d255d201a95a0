import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Variant } from 'dbus-next';
import type { MockService } from './dbus.ts';
import { until } from './until.ts';

/** A phone that sets the box up, written from SPEC 4.4, 4.5 and 5.4 without the code under test. */

const write = '6e400002-b5a3-f393-e0a9-e50e24dcca9e';
const notify = '6e400003-b5a3-f393-e0a9-e50e24dcca9e';

export const field = (text: string | Buffer): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
};

export function frame(command: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.from([0x40, 0x44, 0x4c, 0xfa, command, payload.length >> 8, payload.length & 0xff]);
  const whole = Buffer.concat([head, payload]);
  return Buffer.concat([whole, Buffer.from([whole.reduce((sum, byte) => sum + byte, 0) & 0xff])]);
}

/** "Each source byte is XORed in turn with every byte of the key." */
export const protectedPassword = (password: string, key: string, marker = 'VENDOR@'): Buffer =>
  Buffer.from(
    Buffer.from(marker + password).map(byte => [...Buffer.from(key)].reduce((one, other) => one ^ other, byte)),
  );

export const wifiFrame = (ssid: string, password: string, key: string): Buffer =>
  frame(
    0x03,
    Buffer.concat([field(ssid), field(password === '' ? Buffer.alloc(0) : protectedPassword(password, key))]),
  );

export interface Result {
  readonly deviceId: string;
  readonly model: string;
  readonly status: number;
  readonly error: number | null;
  readonly mac: string;
  readonly address: string;
  readonly mask: string;
  readonly gateway: string;
}

/** SPEC 4.5, of a whole frame. */
export function readResult(bytes: Buffer): Result {
  const payload = bytes.subarray(7, -1);
  const deviceId = payload.subarray(1, 1 + payload[0]!).toString();
  let at = 1 + payload[0]!;
  const model = payload.subarray(at + 1, at + 1 + payload[at]!).toString();
  at += 1 + payload[at]!;
  const status = payload.readInt8(at);
  const error = status === 0 ? null : payload.readInt8(at + 2);
  const network = payload.subarray(-18);
  const dotted = (from: number) => network.subarray(from, from + 4).join('.');
  const mac = network.subarray(0, 6).toString('hex').match(/../g)!.join(':');
  return { deviceId, model, status, error, mac, address: dotted(6), mask: dotted(10), gateway: dotted(14) };
}

/** A phone over Bluetooth, which writes packets of 20 bytes as the app does. */
export class BluetoothPhone {
  readonly #bluez: MockService;
  #heard = Buffer.alloc(0);

  constructor(bluez: MockService) {
    this.#bluez = bluez;
  }

  /** Waits until the box can be found, and subscribes. */
  async connect(): Promise<this> {
    await until('the box can be found by Bluetooth', async () => {
      await this.#bluez.control('CentralSubscribe', 's', notify);
      return true;
    });
    return this;
  }

  async write(bytes: Buffer, options: Record<string, Variant> = {}): Promise<void> {
    for (let at = 0; at < bytes.length; at += 20)
      await this.#bluez.control('CentralWrite', 'saya{sv}', write, bytes.subarray(at, at + 20), options);
  }

  /** The next whole frame. */
  async hears(): Promise<Buffer> {
    return until('the box notifies a frame', async () => {
      const pieces = (await this.#bluez.control('CentralNotifications', 's', notify)) as Buffer[];
      this.#heard = Buffer.concat([this.#heard, ...pieces]);
      if (this.#heard.length < 8) return null;
      const length = 8 + this.#heard.readUInt16BE(5);
      if (this.#heard.length < length) return null;
      const whole = this.#heard.subarray(0, length);
      this.#heard = this.#heard.subarray(length);
      return whole;
    });
  }

  async asks(bytes: Buffer): Promise<Buffer> {
    await this.write(bytes);
    return this.hears();
  }
}

/** Listens for results by UDP (SPEC 4.5), on a port of its own. */
export class ResultEar implements Disposable {
  readonly #socket: Socket;
  readonly heard: Buffer[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', bytes => this.heard.push(bytes));
  }

  static async open(): Promise<ResultEar> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new ResultEar(socket);
  }

  get address(): string {
    return `127.0.0.1:${(this.#socket.address() as AddressInfo).port}`;
  }

  /** The results of which at least `times` have come. */
  hears(times: number, status: number): Promise<Result[]> {
    return until(`${times} results of status ${status}`, () => {
      const wanted = this.heard.map(readResult).filter(result => result.status === status);
      return wanted.length >= times ? wanted : null;
    });
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}
