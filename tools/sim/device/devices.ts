import { defaultActions } from '../../../src/platform/actions.ts';
import { type DeviceId, parseDeviceId } from '../../../src/platform/device-id.ts';
import type { Clock, Random } from '../../../src/runtime/clock.ts';
import { nextTry } from '../../../src/runtime/retry.ts';
import type { Connection } from './connection.ts';
import { connectHttp } from './http-connection.ts';
import { connectMqtt } from './mqtt-connection.ts';
import { Outbox } from './outbox.ts';
import { crowd, type Person, type Shape, staff } from './people.ts';
import { type Said, Speech } from './speech.ts';

export interface SimDevicesOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** `mqtts://host:port`, `mqtt://…`, `https://…` or `http://…`. */
  readonly url: string;
  readonly ca?: string;
  /** Accepts any certificate, for a box whose trust store is not at hand. */
  readonly insecure?: boolean;
  readonly product: string;
  readonly productKey: string;
  /** Stands in log topics. Default: the product id. */
  readonly model?: string;
  readonly count: number;
  /** Serial of the first; the others count on from it. Default A0001. */
  readonly firstSerial?: string;
  /** Punches a second of each device, on average. Default 0.5. */
  readonly rate?: number;
  /** Log records a second of each device. Default 0. */
  readonly logs?: number;
  readonly shape?: Shape;
  /** People who punch, or how many of `staff`. Default: 40. */
  readonly people?: number | readonly Person[];
  /** How many may wait for their acknowledgement at once. Default 8. */
  readonly window?: number;
  /** Each device stops after so many records. */
  readonly recordsMax?: number;
  /** Activates first, and uses the device key from then on. */
  readonly activate?: boolean;
  readonly keepAliveSeconds?: number;
  /** Milliseconds between two tries to connect. Default: 3 to 5 s, as SPEC 5.1 advises. */
  readonly retryMs?: (random: Random) => number;
  readonly onEvent?: (event: SimDeviceEvent) => void;
}

type SimDeviceEvent =
  | { readonly kind: 'connected'; readonly deviceId: string }
  | { readonly kind: 'left'; readonly deviceId: string; readonly why: string }
  | { readonly kind: 'received'; readonly deviceId: string; readonly envelope: Record<string, unknown> };

interface SimDeviceStats {
  readonly connected: number;
  readonly said: number;
  readonly acknowledged: number;
  readonly repeats: number;
  readonly received: number;
  readonly reconnects: number;
}

export interface SimDevices extends AsyncDisposable {
  readonly deviceIds: readonly DeviceId[];
  stats(): SimDeviceStats;
  /** Acknowledged records, for each device in the order in which they were first sent. */
  acknowledged(): ReadonlyMap<DeviceId, readonly Said[]>;
  /** Stops new records; what was sent is repeated until it is acknowledged. */
  silence(): void;
  /** Resolves when everything that was sent is acknowledged. */
  whenIdle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Well-behaved devices: they connect, send, wait for the acknowledgement, and send again after a
 * disconnect.
 */
export function startSimDevices(options: SimDevicesOptions): SimDevices {
  const people = typeof options.people === 'object' ? options.people : staff(options.people ?? 40);
  const devices = serials(options.firstSerial ?? 'A0001', options.count).map(serial => {
    const parsed = parseDeviceId(`${options.product}_${serial}`);
    if (!parsed.ok) throw new TypeError(`${options.product}_${serial} is no device id`);
    const { clock, random } = options;
    const model = options.model ?? options.product;
    return new SimDevice(
      parsed.value,
      options,
      new Speech({ deviceId: parsed.value, model, people, random, now: clock.now() }),
    );
  });
  for (const device of devices) device.start();
  const stop = async () => {
    await Promise.all(devices.map(device => device.stop()));
  };
  const sum = (of: (device: SimDevice) => number) => devices.reduce((total, device) => total + of(device), 0);
  return {
    deviceIds: devices.map(({ deviceId }) => deviceId),
    stats: () => ({
      connected: sum(({ connected }) => (connected ? 1 : 0)),
      said: sum(({ outbox }) => outbox.said.length),
      acknowledged: sum(({ outbox }) => outbox.acknowledgedCount),
      repeats: sum(({ outbox }) => outbox.repeats),
      received: sum(({ received }) => received),
      reconnects: sum(({ reconnects }) => reconnects),
    }),
    acknowledged: () => new Map(devices.map(({ deviceId, outbox }) => [deviceId, outbox.acknowledged])),
    silence: () => {
      for (const device of devices) device.silence();
    },
    whenIdle: async () => {
      await Promise.all(devices.map(({ outbox }) => outbox.idle()));
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** `A0001`, `A0002` …: counts on from the digits at the end. */
function serials(first: string, count: number): string[] {
  const [, head, digits] = /^(.*?)(\d*)$/.exec(first)!;
  const width = digits!.length;
  return Array.from({ length: count }, (_, index) => head + String(Number(digits || 0) + index).padStart(width, '0'));
}

class SimDevice {
  readonly deviceId: DeviceId;
  readonly outbox: Outbox;
  readonly #options: SimDevicesOptions;
  readonly #speech: Speech;
  readonly #over = new AbortController();
  readonly #quiet = new AbortController();
  #connection: Connection | null = null;
  #key: string;
  #running: Promise<unknown> = Promise.resolve();
  received = 0;
  reconnects = 0;

  constructor(deviceId: DeviceId, options: SimDevicesOptions, speech: Speech) {
    this.deviceId = deviceId;
    this.#options = options;
    this.#speech = speech;
    this.#key = options.productKey;
    this.outbox = new Outbox(options.window ?? 8);
  }

  get connected(): boolean {
    return this.#connection !== null;
  }

  start(): void {
    if (this.#options.activate) this.#say(this.#speech.activation());
    const { rate = 0.5, logs = 0, shape = 'steady' } = this.#options;
    this.#running = Promise.all([
      this.#stayConnected(),
      this.#speak(rate, shape, now => this.#speech.punch(now)),
      this.#speak(logs, 'steady', now => this.#speech.log(now)),
    ]);
  }

  silence(): void {
    this.#quiet.abort();
  }

  async stop(): Promise<void> {
    this.#quiet.abort();
    this.#over.abort();
    await this.#connection?.close();
    await this.#running;
  }

  #say(said: Said): void {
    this.outbox.add(said);
    this.#connection?.pump();
  }

  async #speak(rate: number, shape: Shape, next: (now: number) => Said): Promise<void> {
    const { clock, random, recordsMax = Number.POSITIVE_INFINITY } = this.#options;
    if (rate <= 0) return;
    let due = clock.monotonic() + (random() * 1000) / rate;
    try {
      while (!this.#quiet.signal.aborted) {
        const wait = due - clock.monotonic();
        if (wait > 0) await clock.sleep(wait, this.#quiet.signal);
        // The other device may have sent the last record meanwhile.
        if (this.outbox.said.length >= recordsMax) return;
        const now = clock.now();
        this.#say(next(now));
        due += ((0.5 + random()) * 1000) / (rate * crowd(shape, now));
      }
    } catch (error) {
      if (!this.#quiet.signal.aborted) throw error;
    }
  }

  async #stayConnected(): Promise<void> {
    const { clock, random, onEvent, retryMs = nextTry } = this.#options;
    const connect = this.#options.url.startsWith('http') ? connectHttp : connectMqtt;
    while (!this.#over.signal.aborted) {
      let why: string;
      try {
        this.outbox.rewind();
        const connection = await connect({
          clock,
          url: this.#options.url,
          ca: this.#options.ca,
          insecure: this.#options.insecure,
          deviceId: this.deviceId,
          key: () => this.#key,
          outbox: this.outbox,
          received: envelope => this.#hear(envelope),
          keepAliveSeconds: this.#options.keepAliveSeconds ?? 60,
        });
        if (this.#over.signal.aborted) return await connection.close();
        this.#connection = connection;
        connection.pump();
        onEvent?.({ kind: 'connected', deviceId: this.deviceId });
        why = await connection.ended;
      } catch (error) {
        why = (error as Error).message;
      }
      this.#connection = null;
      if (this.#over.signal.aborted) return;
      onEvent?.({ kind: 'left', deviceId: this.deviceId, why });
      this.reconnects++;
      await clock.sleep(retryMs(random), this.#over.signal).catch(() => {});
    }
  }

  #hear(envelope: Record<string, unknown>): void {
    this.received++;
    const data = envelope.data as { access_key?: unknown } | undefined;
    if (envelope.action === defaultActions.activate && typeof data?.access_key === 'string')
      this.#key = data.access_key;
    this.#options.onEvent?.({ kind: 'received', deviceId: this.deviceId, envelope });
  }
}
