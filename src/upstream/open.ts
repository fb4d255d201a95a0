import { atMostEvery } from '../runtime/at-most-every.ts';
import type { DeviceNo, Seq } from '../store/index.ts';
import type { GivenReason, Reason } from '../words/sentences.ts';
import { AwaitedSessions } from './awaited-sessions.ts';
import { BackupsAbove } from './backups-above.ts';
import { batchConnector } from './batch-connector.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { CloudSessions } from './cloud-sessions.ts';
import { Confirmations } from './confirmations.ts';
import { Downlink } from './downlink.ts';
import { connectOrFallBack } from './fallback.ts';
import { Forwarder } from './forwarder.ts';
import { LeasedUpstream, whileLeased } from './leased.ts';
import { LineCut } from './line-cut.ts';
import { LoadShedding, strainOf } from './load-shedding.ts';
import { Outbox } from './outbox.ts';
import { OverallUplink, type UplinkSummary } from './overall.ts';
import { sendOwnLog } from './own-log.ts';
import type { OutboxSummary, Upstream, UpstreamConfig, UpstreamOptions } from './port.ts';
import { ReportsAbove } from './reports-above.ts';
import { returnToMqtt } from './return-to-mqtt.ts';
import { takenOver } from './taken-over.ts';
import type { Connect, Credentials } from './transport.ts';
import { tryLogin } from './try-login.ts';
import type { Uplink } from './uplink.ts';
import { withoutUplink } from './without-uplink.ts';

/**
 * A device behind another box is never here, and its records come one by one: not each of them is
 * worth a login.
 */
const lingerMs = 5_000;
/**
 * Under a load there are hundreds of commits a second: to look at each takes a tenth of the time.
 */
const lookEveryMs = 25;

export async function openUpstream(options: UpstreamOptions): Promise<Upstream> {
  const { config, store, clock, log, box } = options;
  if (config === null) return withoutUplink(store);
  const open = async () => {
    const opened = new OpenUpstream(options, config);
    await opened.open();
    return opened;
  };
  const hasOwnLog = config.mode !== 'per-device' && box !== null;
  const connect = connectOrFallBack(config, options.trust, clock);
  return LeasedUpstream.open({ open, lease: store.forwarding, store, clock, log, connect, hasOwnLog });
}

/**
 * The uplink as the rest of the box sees it: which devices have a session, what waits, and its
 * state.
 */
class OpenUpstream implements Upstream {
  readonly standsAlone = false;
  readonly backupsAbove: BackupsAbove | null;
  readonly reportsAbove: ReportsAbove | null;
  readonly sendOwnLog: Upstream['sendOwnLog'];
  readonly #options: UpstreamOptions;
  readonly #config: UpstreamConfig;
  /** With the credentials of a device, whatever the mode. */
  readonly #connect: Connect;
  readonly #breaker: CircuitBreaker;
  readonly #confirmations: Confirmations;
  readonly #sessions: CloudSessions;
  readonly #forwarder: Forwarder;
  readonly #outbox: Outbox;
  readonly #overall: OverallUplink;
  readonly #awaited = new AwaitedSessions(deviceNo => this.#isComingUp(deviceNo));
  readonly #online = new Set<DeviceNo>();
  readonly #lingering = new Set<DeviceNo>();
  readonly #ending = new AbortController();
  readonly #lineCut = new LineCut();
  #watchSends: ((deviceNo: DeviceNo, seq: Seq) => void) | null = null;
  #returning: Promise<void> | null = null;

  constructor(options: UpstreamOptions, config: UpstreamConfig) {
    const { store, clock, random, log, actions, fromCloud, box } = options;
    this.#options = options;
    this.#config = config;
    const lease = store.forwarding;
    const above = config.mode === 'batch' ? new BackupsAbove(config.deviceHttp ?? '', options) : null;
    this.backupsAbove = above;
    const reports = new ReportsAbove({ clock, log });
    this.reportsAbove = above && reports;
    const breaker = new CircuitBreaker(clock);
    this.#breaker = breaker;
    const leased = (connect: Connect): Connect => this.#lineCut.through(whileLeased(lease, connect));
    this.#connect = leased(connectOrFallBack(config, options.trust, clock));
    this.#confirmations = new Confirmations({ store, clock, log });
    this.#outbox = new Outbox(store, clock);
    this.#overall = new OverallUplink(clock, log);
    const downlink = new Downlink({ store, actions, log, fromCloud });
    const allowance = new LoadShedding({
      clock,
      strain: strainOf(clock, () => store.journal.lastSeq),
      refilled: () => {
        for (const { window } of this.#sessions) window.announceRoom();
      },
      signal: this.#ending.signal,
    });
    const onChange = () => {
      this.#overall.follow(this.#sessions.uplinks());
      lease.tellUp(this.#overall.isUp);
      this.#awaited.look();
    };
    this.#sessions = new CloudSessions({
      mode: config.mode,
      ...{ box, store, clock, random, breaker, allowance, downlink, onChange },
      connect: above
        ? leased(batchConnector(config.deviceHttp ?? '', { ...options, backups: above, reports }))
        : this.#connect,
      onUp: () => this.#forwarder.readOn(),
    });
    this.#forwarder = new Forwarder({
      ...{
        store,
        leaving: options.leaving,
        trueTime: options.trueTime,
        clock,
        random,
        log,
        cloudLimits: options.cloudLimits,
      },
      form: config.mode === 'batch' ? 'verbatim' : 'stamped',
      sessions: this.#sessions,
      confirmations: this.#confirmations,
      onSend: record => {
        downlink.sent(record);
        if (this.#watchSends !== null && record.channel === 'device') this.#watchSends(record.deviceNo, record.seq);
      },
      onPassed: (deviceNo, count, upTo) => this.#passed(deviceNo, count, upTo),
    });
    this.sendOwnLog =
      config.mode === 'per-device' || box === null
        ? null
        : text => sendOwnLog(this.#sessions.openBox(), box, text, { clock, signal: this.#ending.signal });
  }

  async open(): Promise<void> {
    const { store, clock, trust } = this.#options;
    const { mode, deviceMqtt, deviceHttp } = this.#config;
    const { signal } = this.#ending;
    await this.#outbox.open();
    const committed = atMostEvery(lookEveryMs, clock, signal, () => this.#lookAtJournal());
    signal.addEventListener('abort', store.journal.onCommitted(committed));
    if (mode === 'gateway') this.#sessions.openBox();
    if (mode === 'batch') this.#forwarder.forwardAll(this.#outbox.nothingWaitsUpTo());
    for (const deviceNo of this.#outbox.byDevice.keys()) this.#forwarder.forward(deviceNo);
    await this.#forwarder.loadSendAgain();
    committed();
    if (deviceMqtt && deviceHttp && mode !== 'batch')
      this.#returning = returnToMqtt(deviceMqtt, { sessions: this.#sessions, trust, clock, signal });
  }

  isUp(deviceNo: DeviceNo): boolean {
    return this.deviceUplink(deviceNo)?.state === 'up';
  }

  whenUp(deviceNo: DeviceNo, signal: AbortSignal): Promise<boolean> {
    return this.#awaited.whenUp(deviceNo, signal);
  }

  /** Whether the device's session is up; null if it is not up yet while the cloud is reachable. */
  #isComingUp(deviceNo: DeviceNo): boolean | null {
    const state = this.deviceUplink(deviceNo)?.state;
    if (state === 'up') return true;
    if (state === undefined || state === 'refused') return false;
    return this.#breaker.isHalfOpen && !this.#overall.isUp ? false : null;
  }

  deviceUplink(deviceNo: DeviceNo): Uplink | null {
    return this.#sessions.get(deviceNo)?.uplink ?? null;
  }

  presence(deviceNo: DeviceNo, online: boolean): void {
    if (online) {
      this.#online.add(deviceNo);
      if (this.#config.mode === 'per-device') this.#forwarder.forward(deviceNo);
    } else {
      this.#online.delete(deviceNo);
      this.#release(deviceNo);
    }
  }

  tryLogin(credentials: Credentials): ReturnType<typeof tryLogin> {
    return tryLogin(this.#connect, credentials, this.#options.clock);
  }

  async status(): Promise<{ uplink: UplinkSummary; outbox: OutboxSummary }> {
    await this.#count();
    return { uplink: this.#overall.summary(this.#sessions.uplinks()), outbox: await this.#outbox.summary() };
  }

  waiting(): ReadonlyMap<DeviceNo, number> {
    return this.#outbox.byDevice;
  }

  takenOver(): readonly Reason[] {
    return [...this.#sessions].flatMap(({ takenOverAs }) => (takenOverAs === null ? [] : takenOver(takenOverAs)));
  }

  cutLine(why: GivenReason | null): void {
    this.#lineCut.set(why);
    if (why !== null) for (const session of this.#sessions) session.drop(why);
  }

  watchSends(watch: ((deviceNo: DeviceNo, seq: Seq) => void) | null): void {
    this.#watchSends = watch;
  }

  async sendAgain(seq: Seq | null): Promise<number> {
    const marked = await this.#options.store.write.sendParkedAgain({ seq });
    await this.#forwarder.loadSendAgain();
    return marked;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.#awaited.close();
    this.#forwarder.close();
    await Promise.all([this.#sessions.stop(), this.#returning]);
    await this.#confirmations.flush();
    this.#confirmations.close();
  }

  #lookAtJournal(): void {
    void this.#count().then(() => this.#ending.signal.aborted || this.#forwarder.readOn());
  }

  /** Resolves when all that was committed before the call is counted. */
  async #count(): Promise<void> {
    try {
      const devices = await this.#outbox.count();
      if (this.#ending.signal.aborted) return;
      for (const deviceNo of devices) this.#forwarder.forward(deviceNo);
    } catch (error) {
      // The store may be closed first.
      if (!this.#ending.signal.aborted) throw error;
    }
  }

  #passed(deviceNo: DeviceNo, count: number, upTo: Seq): void {
    const passed = () => {
      this.#outbox.passed(deviceNo, count);
      if (!this.#outbox.byDevice.has(deviceNo)) this.#releaseLater(deviceNo);
    };
    // A confirmation may precede the count.
    if (upTo > this.#outbox.countedTo) void this.#count().then(passed);
    else passed();
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
