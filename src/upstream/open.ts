import { atMostEvery } from '../runtime/at-most-every.ts';
import type { DeviceNo, Seq } from '../store/index.ts';
import type { BatchTransport } from './batch-transport.ts';
import { batchConnection } from './batch-uplink.ts';
import { Batches } from './batches.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { CloudSessions } from './cloud-sessions.ts';
import { Confirmations } from './confirmations.ts';
import { Downlink } from './downlink.ts';
import { connectOrFallBack } from './fallback.ts';
import { Forwarder } from './forwarder.ts';
import type { KeptConnection } from './kept-connection.ts';
import { LoadShedding, strainOf } from './load-shedding.ts';
import { Outbox } from './outbox.ts';
import { OverallUplink, type UplinkSummary } from './overall.ts';
import type { OutboxSummary, Upstream, UpstreamConfig, UpstreamOptions } from './port.ts';
import { returnToMqtt } from './return-to-mqtt.ts';
import { standingAlone } from './standing-alone.ts';
import type { Connect, Connected, Credentials } from './transport.ts';
import type { Uplink } from './uplink.ts';

const loginTimeoutMs = 10_000;
/**
 * A device behind another box is never here, and its records come one by one: not each of them is
 * worth a login.
 */
const lingerMs = 5_000;
/**
 * Under a load there are hundreds of commits a second: to look at each takes a tenth of the time.
 */
const lookEveryMs = 25;
/** How many records may be in flight on a session. */
const windowRecords = { 'per-device': 64, gateway: 1000, batch: 64 } as const;

export async function openUpstream(options: UpstreamOptions): Promise<Upstream> {
  if (options.config === null) return standingAlone(options.store);
  const opened = new OpenUpstream(options, options.config);
  await opened.open();
  return opened;
}

/**
 * The uplink as the rest of the box sees it: which devices have a session, what waits, and its
 * state.
 */
class OpenUpstream implements Upstream {
  readonly standsAlone = false;
  readonly #options: UpstreamOptions;
  readonly #config: UpstreamConfig;
  readonly #connect: Connect;
  readonly #confirmations: Confirmations;
  readonly #sessions: CloudSessions;
  readonly #forwarder: Forwarder;
  readonly #batches: Batches;
  /** In mode batch: the only session. */
  readonly #batchConnection: KeptConnection<BatchTransport> | null;
  readonly #outbox: Outbox;
  readonly #overall: OverallUplink;
  readonly #online = new Set<DeviceNo>();
  readonly #lingering = new Set<DeviceNo>();
  readonly #ending = new AbortController();
  #returning: Promise<void> | null = null;

  constructor(options: UpstreamOptions, config: UpstreamConfig) {
    const { store, clock, random, log, actions, fromCloud, box } = options;
    this.#options = options;
    this.#config = config;
    const breaker = new CircuitBreaker(clock);
    this.#connect = connectOrFallBack(config, options.trust, clock, windowRecords[config.mode]);
    this.#confirmations = new Confirmations({ store, clock, log });
    this.#outbox = new Outbox(store, clock);
    this.#overall = new OverallUplink(clock, log);
    const downlink = new Downlink({ store, actions, log, fromCloud });
    const allowance = new LoadShedding({
      clock,
      strain: strainOf(() => store.journal.lastSeq),
      refilled: () => {
        for (const { window } of this.#sessions) window.announceRoom();
      },
      signal: this.#ending.signal,
    });
    const onChange = () => this.#overall.follow(this.#uplinks());
    const common = {
      ...{ store, leaving: options.leaving, clock, random, log, confirmations: this.#confirmations },
      onSend: downlink.sent.bind(downlink),
      onPassed: (deviceNo: DeviceNo, count: number, upTo: Seq) => this.#passed(deviceNo, count, upTo),
    };
    this.#sessions = new CloudSessions({
      mode: config.mode === 'gateway' ? 'gateway' : 'per-device',
      ...{ box, store, clock, random, connect: this.#connect, breaker, allowance, downlink, onChange },
      onUp: () => this.#forwarder.readOn(),
    });
    this.#forwarder = new Forwarder({ ...common, sessions: this.#sessions, cloudLimits: options.cloudLimits });
    this.#batches = new Batches({ ...common, startsAfter: () => this.#outbox.nothingWaitsUpTo() });
    this.#batchConnection =
      config.mode === 'batch' ? batchConnection(options, config, this.#batches, { breaker, downlink, onChange }) : null;
  }

  async open(): Promise<void> {
    const { store, clock, trust } = this.#options;
    const { mode, deviceMqtt, deviceHttp } = this.#config;
    const { signal } = this.#ending;
    await this.#outbox.open();
    const committed = atMostEvery(lookEveryMs, clock, signal, () => this.#lookAtJournal());
    store.journal.onCommitted(committed);
    this.#batchConnection?.start();
    if (mode === 'gateway') this.#sessions.openBox();
    for (const deviceNo of this.#outbox.byDevice.keys()) this.#forward(deviceNo);
    await this.#loadSendAgain();
    committed();
    if (deviceMqtt && deviceHttp && !this.#batchConnection)
      this.#returning = returnToMqtt(deviceMqtt, { sessions: this.#sessions, trust, clock, signal });
  }

  isUp(deviceNo: DeviceNo): boolean {
    return this.deviceUplink(deviceNo)?.state === 'up';
  }

  deviceUplink(deviceNo: DeviceNo): Uplink | null {
    return this.#batchConnection?.uplink ?? this.#sessions.get(deviceNo)?.uplink ?? null;
  }

  presence(deviceNo: DeviceNo, online: boolean): void {
    if (online) {
      this.#online.add(deviceNo);
      if (this.#config.mode === 'per-device') this.#forward(deviceNo);
    } else {
      this.#online.delete(deviceNo);
      this.#release(deviceNo);
    }
  }

  async tryLogin(credentials: Credentials): Promise<'accepted' | 'refused' | 'unreachable'> {
    const abort = new AbortController();
    const late = this.#options.clock.sleep(loginTimeoutMs, abort.signal).then(
      (): Connected => ({ kind: 'failed', why: 'no answer in time' }),
      (): Connected => ({ kind: 'failed', why: 'no longer asked' }),
    );
    const connected = await Promise.race([
      this.#connect(credentials, { message: async () => {}, lost: () => {} }, abort.signal),
      late,
    ]);
    if (connected.kind === 'accepted') connected.transport.close();
    abort.abort();
    return connected.kind === 'failed' ? 'unreachable' : connected.kind;
  }

  async status(): Promise<{ uplink: UplinkSummary; outbox: OutboxSummary }> {
    this.#count();
    return { uplink: this.#overall.summary(this.#uplinks()), outbox: await this.#outbox.summary() };
  }

  waiting(): ReadonlyMap<DeviceNo, number> {
    this.#count();
    return this.#outbox.byDevice;
  }

  async sendAgain(seq: Seq | null): Promise<number> {
    const marked = await this.#options.store.write.sendParkedAgain({ seq });
    await this.#loadSendAgain();
    return marked;
  }

  #loadSendAgain(): Promise<void> {
    return (this.#batchConnection ? this.#batches : this.#forwarder).loadSendAgain();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.#batches.close();
    this.#forwarder.close();
    await Promise.all([this.#sessions.stop(), this.#batchConnection?.stop(), this.#returning]);
    await this.#confirmations.flush();
  }

  *#uplinks(): Iterable<Uplink> {
    if (this.#batchConnection) yield this.#batchConnection.uplink;
    yield* this.#sessions.uplinks();
  }

  #lookAtJournal(): void {
    this.#count();
    this.#batches.committed();
    this.#forwarder.readOn();
  }

  #count(): void {
    for (const deviceNo of this.#outbox.count()) this.#forward(deviceNo);
  }

  #forward(deviceNo: DeviceNo): void {
    if (!this.#batchConnection) this.#forwarder.forward(deviceNo);
  }

  #passed(deviceNo: DeviceNo, count: number, upTo: Seq): void {
    // It may be confirmed before it was counted.
    if (upTo > this.#outbox.countedTo) this.#count();
    this.#outbox.passed(deviceNo, count);
    if (!this.#outbox.byDevice.has(deviceNo)) this.#releaseLater(deviceNo);
  }

  #releaseLater(deviceNo: DeviceNo): void {
    if (this.#config.mode !== 'per-device' || this.#online.has(deviceNo) || this.#lingering.has(deviceNo)) return;
    this.#lingering.add(deviceNo);
    this.#options.clock.sleep(lingerMs, this.#ending.signal).then(
      () => {
        this.#lingering.delete(deviceNo);
        this.#release(deviceNo);
      },
      () => {},
    );
  }

  /** The session of a device that has left is kept while its backlog drains (CONTRACT 7). */
  #release(deviceNo: DeviceNo): void {
    if (this.#config.mode !== 'per-device' || this.#online.has(deviceNo)) return;
    if (!this.#outbox.byDevice.has(deviceNo) && this.#forwarder.isIdle(deviceNo)) this.#forwarder.release(deviceNo);
  }
}
