import { atMostEvery } from '../platform/at-most-every.ts';
import { localDays } from '../platform/local-day.ts';
import type { DeviceNo, Seq } from '../store/index.ts';
import { BatchLine, type BatchTransport, connectForBatches } from './batch-line.ts';
import { Confirmations } from './confirmations.ts';
import { DevicesFirst, strainOf } from './devices-first.ts';
import { Downlink } from './downlink.ts';
import { Feed } from './feed.ts';
import { Flights } from './flights.ts';
import { Gate } from './gate.ts';
import { boxCredentials, deviceCredentials } from './identities.ts';
import { Lane } from './lane.ts';
import type { Line } from './line.ts';
import { outgoing } from './outgoing.ts';
import { type LineSummary, OverallLine } from './overall.ts';
import { Pace } from './pace.ts';
import type { OutboxSummary, Upstream, UpstreamConfig, UpstreamOptions } from './port.ts';
import { Rate } from './rate.ts';
import { returnToMqtt } from './return-to-mqtt.ts';
import { CloudSession } from './session.ts';
import { standingAlone } from './standing-alone.ts';
import { startOfDay } from './start-of-day.ts';
import type { Connect, Connected, Credentials, Transport } from './transport.ts';
import { pumpWaiting, type Trunk } from './trunk.ts';
import { firstThatWorks } from './ways.ts';

const loginTimeoutMs = 10_000;
const lingerMs = 5_000;
/** Under a load there are hundreds of commits a second: to look at each takes a tenth of the time. */
const lookEveryMs = 25;

export async function openUpstream(options: UpstreamOptions): Promise<Upstream> {
  if (options.config === null) return standingAlone(options.store);
  const opened = new OpenUpstream(options, options.config);
  await opened.open();
  return opened;
}

class OpenUpstream implements Upstream {
  readonly standsAlone = false;
  readonly #options: UpstreamOptions;
  readonly #config: UpstreamConfig;
  readonly #gate: Gate;
  readonly #connect: Connect;
  readonly #confirmations: Confirmations;
  readonly #downlink: Downlink;
  readonly #feed: Feed;
  readonly #devicesFirst: DevicesFirst;
  readonly #overall: OverallLine;
  readonly #rate: Rate;
  readonly #dayOf: (now: number) => string;
  /** By device; in mode gateway the box's one stands under 0. */
  readonly #trunks = new Map<DeviceNo, Trunk>();
  readonly #lanes = new Map<DeviceNo, Lane>();
  readonly #waiting = new Map<DeviceNo, number>();
  /** They outlive the lanes: what a device sent in the last second counts after it has come back. */
  readonly #paces = new Map<DeviceNo, Pace>();
  readonly #online = new Set<DeviceNo>();
  readonly #lingering = new Set<DeviceNo>();
  readonly #stopped: Promise<void>[] = [];
  #batch: { session: CloudSession<BatchTransport>; line: BatchLine } | null = null;
  #tallied = 0 as Seq;
  #closed = false;
  readonly #ending = new AbortController();

  constructor(options: UpstreamOptions, config: UpstreamConfig) {
    const { store, clock, log, actions, fromCloud } = options;
    this.#options = options;
    this.#config = config;
    this.#gate = new Gate(clock);
    this.#connect = firstThatWorks(config, options.trust, clock, config.mode === 'gateway' ? 1000 : 64);
    this.#confirmations = new Confirmations({ store, clock, log });
    this.#downlink = new Downlink({ store, actions, log, fromCloud });
    this.#feed = new Feed(store, () => this.#lanes.values());
    this.#devicesFirst = new DevicesFirst({
      clock,
      strain: strainOf(() => store.journal.lastSeq),
      refilled: () => {
        for (const { flights } of this.#trunks.values()) flights.lookForRoom();
      },
      signal: this.#ending.signal,
    });
    this.#overall = new OverallLine(clock, log);
    this.#rate = new Rate(clock);
    this.#dayOf = localDays(options.cloudLimits.timeZone);
  }

  async open(): Promise<void> {
    const { store } = this.#options;
    this.#tallied = store.journal.lastSeq;
    const { byDevice } = await store.read.waiting(this.#tallied);
    for (const [deviceNo, count] of byDevice) this.#waiting.set(deviceNo, count);
    const committed = atMostEvery(lookEveryMs, this.#options.clock, this.#ending.signal, () => this.#lookAtWhatCame());
    store.journal.onCommitted(committed);
    if (this.#config.mode === 'batch') this.#openBatch();
    if (this.#config.mode === 'gateway') this.#trunkOf(0 as DeviceNo);
    for (const deviceNo of this.#waiting.keys()) this.#need(deviceNo);
    await this.#loadSendAgain();
    committed();
    if (this.#config.deviceMqtt && this.#config.deviceHttp && !this.#batch)
      this.#stopped.push(
        returnToMqtt(this.#config.deviceMqtt, {
          trunks: () => this.#trunks.values(),
          trust: this.#options.trust,
          clock: this.#options.clock,
          signal: this.#ending.signal,
        }),
      );
  }

  isUp(deviceNo: DeviceNo): boolean {
    return this.#sessionOf(deviceNo)?.line.state === 'up';
  }

  presence(deviceNo: DeviceNo, online: boolean): void {
    if (online) {
      this.#online.add(deviceNo);
      if (this.#config.mode === 'per-device') this.#need(deviceNo);
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

  async status(): Promise<{ line: LineSummary; outbox: OutboxSummary }> {
    const { store } = this.#options;
    this.#tally();
    let waiting = 0;
    for (const count of this.#waiting.values()) waiting += count;
    const perSecond = this.#rate.perSecond();
    const oldestAt = waiting === 0 ? null : await store.read.oldestWaiting(this.#nothingWaitsUpTo());
    const parked = await store.read.parkedCount();
    const catchUpSeconds = waiting === 0 ? 0 : perSecond > 0 ? Math.ceil(waiting / perSecond) : null;
    return {
      line: this.#overall.summary(this.#lines()),
      outbox: { waiting, oldestAt, parked, perSecond, catchUpSeconds },
    };
  }

  waiting(): ReadonlyMap<DeviceNo, number> {
    this.#tally();
    return this.#waiting;
  }

  deviceLine(deviceNo: DeviceNo): Line | null {
    return this.#sessionOf(deviceNo)?.line ?? null;
  }

  async sendAgain(seq: Seq | null): Promise<number> {
    const marked = await this.#options.store.write.sendParkedAgain({ seq });
    await this.#loadSendAgain();
    return marked;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#ending.abort();
    this.#feed.close();
    this.#batch?.line.close();
    for (const lane of this.#lanes.values()) lane.close();
    for (const { session } of this.#trunks.values()) this.#stopped.push(session.stop());
    if (this.#batch) this.#stopped.push(this.#batch.session.stop());
    await Promise.all(this.#stopped);
    await this.#confirmations.flush();
  }

  #sessionOf(deviceNo: DeviceNo): CloudSession<Transport> | CloudSession<BatchTransport> | undefined {
    if (this.#batch) return this.#batch.session;
    return this.#trunks.get(this.#config.mode === 'gateway' ? (0 as DeviceNo) : deviceNo)?.session;
  }

  *#lines(): Iterable<Line> {
    if (this.#batch) yield this.#batch.session.line;
    for (const { session } of this.#trunks.values()) yield session.line;
  }

  /** Counts what came, and sees to it that each device with something waiting has its way. */
  #lookAtWhatCame(): void {
    this.#tally();
    this.#batch?.line.committed();
    this.#feed.schedule();
  }

  #tally(): void {
    const { through, byDevice } = this.#options.store.journal.tally(this.#tallied);
    this.#tallied = through;
    for (const [deviceNo, count] of byDevice) {
      this.#waiting.set(deviceNo, (this.#waiting.get(deviceNo) ?? 0) + count);
      this.#need(deviceNo);
    }
  }

  #need(deviceNo: DeviceNo): void {
    if (this.#closed || this.#batch) return;
    const trunk = this.#trunkOf(this.#config.mode === 'gateway' ? (0 as DeviceNo) : deviceNo);
    if (!trunk || trunk.lanes.has(deviceNo)) return;
    const device = this.#options.store.directory.deviceByNo(deviceNo);
    if (!device) return;
    const { store, clock, random, log } = this.#options;
    const pace = this.#paceOf(deviceNo);
    const lane = new Lane({
      deviceNo,
      cursor: this.#confirmations.upTo(deviceNo),
      pace,
      flights: trunk.flights,
      confirmations: this.#confirmations,
      store,
      clock,
      random,
      log: log.child({ device: device.deviceId }),
      settled: (_, records, upTo) => this.#settled(deviceNo, records, upTo),
      hungry: () => this.#feed.schedule(),
      waitsForRoom: one => trunk.waiting.add(one),
      lanesBeside: () => trunk.lanes.size,
      sent: record => this.#downlink.sent(record),
    });
    trunk.lanes.set(deviceNo, lane);
    this.#lanes.set(deviceNo, lane);
    this.#feed.schedule();
  }

  #paceOf(deviceNo: DeviceNo): Pace {
    const known = this.#paces.get(deviceNo);
    if (known) return known;
    const { store, clock, log, cloudLimits } = this.#options;
    const pace = new Pace({
      perSecond: cloudLimits.logPerSecond,
      perDay: cloudLimits.logPerDay,
      clock,
      dayOf: this.#dayOf,
    });
    this.#paces.set(deviceNo, pace);
    store.read.confirmedLogs(deviceNo, startOfDay(this.#dayOf, clock.now())).then(
      count => pace.resume(count),
      error => log.warn({ error: String(error) }, "today's confirmed logs could not be counted"),
    );
    return pace;
  }

  #settled(deviceNo: DeviceNo, records: number, upTo: Seq): void {
    this.#rate.add(records);
    // It may be confirmed before it was counted.
    if (upTo > this.#tallied) this.#tally();
    const left = (this.#waiting.get(deviceNo) ?? 0) - records;
    if (left > 0) this.#waiting.set(deviceNo, left);
    else {
      this.#waiting.delete(deviceNo);
      this.#releaseLater(deviceNo);
    }
  }

  /** A device behind another box is never here, and what it says comes drop by drop: not each record is worth a login. */
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
    if (this.#config.mode !== 'per-device' || this.#online.has(deviceNo) || this.#waiting.has(deviceNo)) return;
    const trunk = this.#trunks.get(deviceNo);
    if (!trunk || !(trunk.lanes.get(deviceNo)?.idle ?? true)) return;
    this.#trunks.delete(deviceNo);
    this.#lanes.delete(deviceNo);
    for (const lane of trunk.lanes.values()) lane.close();
    const stopped = trunk.session.stop();
    this.#stopped.push(stopped);
    void stopped.then(() => {
      this.#stopped.splice(this.#stopped.indexOf(stopped), 1);
      this.#overall.follow(this.#lines());
    });
  }

  /** `deviceNo` 0 is the box itself. */
  #trunkOf(deviceNo: DeviceNo): Trunk | null {
    const known = this.#trunks.get(deviceNo);
    if (known) return known;
    const { store, clock, random, box } = this.#options;
    const lanes = new Map<DeviceNo, Lane>();
    const waiting = new Set<Lane>();
    let onPurpose = false;
    let state: Line['state'] = 'down';
    const drop = (why: string) => {
      onPurpose = true;
      session.drop(why);
    };
    const flights = new Flights({
      clock,
      allowance: this.#devicesFirst,
      silent: drop,
      room: () => pumpWaiting(waiting, flights),
    });
    const receiver = deviceNo === 0 ? null : deviceNo;
    const session: CloudSession<Transport> = new CloudSession({
      candidates: () => {
        if (deviceNo === 0)
          return box
            ? { credentials: [boxCredentials(box)], why: '' }
            : { credentials: [], why: 'box.access_key is not set' };
        const device = store.directory.deviceByNo(deviceNo);
        return {
          credentials: device ? deviceCredentials(device, store.directory) : [],
          why: 'no key of this device is known here',
        };
      },
      connect: (credentials, lost, signal) =>
        this.#connect(credentials, { message: payload => this.#downlink.message(receiver, payload), lost }, signal),
      gate: this.#gate,
      clock,
      random,
      up: transport => {
        onPurpose = false;
        flights.up(transport);
        for (const lane of lanes.values()) lane.pump();
        this.#feed.schedule();
      },
      lost: () => {
        const unbearable = flights.lost(flights.via === 'mqtt' && !onPurpose);
        waiting.clear();
        for (const lane of lanes.values()) lane.connectionLost();
        if (unbearable)
          void lanes
            .get(unbearable.deviceNo)
            ?.parkHead(unbearable.seq, 'the cloud closed the connection behind it three times in a row');
      },
      changed: line => {
        if (state === 'connecting' && (line.state === 'down' || line.state === 'refused'))
          for (const lane of lanes.values()) lane.unload();
        state = line.state;
        this.#overall.follow(this.#lines());
      },
    });
    const trunk: Trunk = { session, flights, waiting, lanes, drop };
    this.#trunks.set(deviceNo, trunk);
    session.start();
    return trunk;
  }

  #nothingWaitsUpTo(): Seq {
    let lowest = this.#tallied;
    for (const deviceNo of this.#waiting.keys()) {
      const cursor = this.#options.store.directory.deviceByNo(deviceNo)?.forwardedSeq;
      if (cursor !== undefined && cursor < lowest) lowest = cursor;
    }
    return lowest;
  }

  #openBatch(): void {
    const { store, clock, random, log, box } = this.#options;
    const base = this.#config.deviceHttp;
    const line = new BatchLine({
      store,
      clock,
      random,
      log,
      confirmations: this.#confirmations,
      startsAfter: () => this.#nothingWaitsUpTo(),
      settled: (deviceNo, records, upTo) => this.#settled(deviceNo, records, upTo),
      sent: record => this.#downlink.sent(record),
    });
    const session: CloudSession<BatchTransport> = new CloudSession({
      candidates: () => ({
        credentials: box && base ? [boxCredentials(box)] : [],
        why: 'box.access_key or upstream.device_http is not set',
      }),
      connect: (credentials, lost, signal) =>
        connectForBatches(
          base ?? '',
          { trust: this.#options.trust, clock, message: payload => this.#downlink.message(null, payload) },
          credentials,
          lost,
          signal,
        ),
      gate: this.#gate,
      clock,
      random,
      up: transport => line.up(transport),
      lost: () => line.lost(),
      changed: () => this.#overall.follow(this.#lines()),
    });
    this.#batch = { session, line };
    session.start();
  }

  async #loadSendAgain(): Promise<void> {
    const { store } = this.#options;
    for (const { seq, deviceNo } of await store.read.parked({ sendAgain: true })) {
      const record = await store.read.record(seq);
      if (!record) continue;
      this.#need(deviceNo);
      const lane = this.#lanes.get(deviceNo);
      lane?.sendAgain(outgoing(record));
      lane?.pump();
    }
  }
}
