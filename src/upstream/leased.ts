import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { WhileMine } from '../runtime/while-mine.ts';
import type { DeviceNo, ForwardingStore, Lease } from '../store/index.ts';
import { type GivenReason, type Reason, whyOf } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';
import type { OutboxSummary, Upstream } from './port.ts';
import type { Connect, Sending, Transport } from './transport.ts';
import { tryLogin } from './try-login.ts';

const elsewhere = uplinkReasons.say('forwarded_elsewhere');
/** Counting a long backlog takes a while, and each page and each minute asks. */
const countEveryMs = 30_000;

interface LeasedOptions {
  /** Opens the uplink that forwards, each time that the lease is taken. */
  readonly open: () => Promise<Upstream>;
  readonly lease: Lease;
  readonly store: ForwardingStore;
  readonly clock: Clock;
  readonly log: Log;
  /** With the credentials of a device. */
  readonly connect: Connect;
  /** The cloud takes logs of this box itself. */
  readonly hasOwnLog: boolean;
}

/** The uplink of one process: it forwards while it has the lease to, and stands by otherwise. */
export class LeasedUpstream implements Upstream {
  readonly standsAlone = false;
  readonly sendOwnLog: Upstream['sendOwnLog'];
  readonly #options: LeasedOptions;
  #forwarding: WhileMine<Upstream> | null = null;
  readonly #online = new Set<DeviceNo>();
  #cut: GivenReason | null = null;
  #watch: Parameters<Upstream['watchSends']>[0] = null;
  #counted: { readonly at: number; readonly outbox: OutboxSummary } | null = null;

  private constructor(options: LeasedOptions) {
    this.#options = options;
    this.sendOwnLog = options.hasOwnLog
      ? async text => (await this.#current?.sendOwnLog?.(text)) ?? { kind: 'again', why: elsewhere.reason }
      : null;
  }

  static async open(options: LeasedOptions): Promise<Upstream> {
    const { lease, clock, log } = options;
    const made = new LeasedUpstream(options);
    made.#forwarding = await WhileMine.open({
      ...{ lease, clock },
      open: () => {
        lease.tellUp(false);
        return options.open();
      },
      onOpened: opened => made.#begin(opened),
      onLost: lost => lost.cutLine(elsewhere),
      onFailed: error => log.error({ error: String(error) }, 'forwarding_not_begun'),
    });
    return made;
  }

  get #current(): Upstream | null {
    return this.#forwarding?.current ?? null;
  }

  #begin(opened: Upstream): void {
    opened.cutLine(this.#cut);
    opened.watchSends(this.#watch);
    for (const deviceNo of this.#online) opened.presence(deviceNo, true);
  }

  get backupsAbove(): Upstream['backupsAbove'] {
    return this.#current?.backupsAbove ?? null;
  }

  get reportsAbove(): Upstream['reportsAbove'] {
    return this.#current?.reportsAbove ?? null;
  }

  /**
   * Records stored here go over the line of the process that forwards, and so does the cloud's
   * answer.
   */
  isUp(deviceNo: DeviceNo): boolean {
    return this.#current ? this.#current.isUp(deviceNo) : this.#options.lease.isUpElsewhere;
  }

  async whenUp(deviceNo: DeviceNo, signal: AbortSignal): Promise<boolean> {
    return this.#current ? this.#current.whenUp(deviceNo, signal) : this.#options.lease.isUpElsewhere;
  }

  tryLogin(credentials: Parameters<Upstream['tryLogin']>[0]): ReturnType<Upstream['tryLogin']> {
    const { connect, clock } = this.#options;
    return this.#current?.tryLogin(credentials) ?? tryLogin(connect, credentials, clock);
  }

  presence(deviceNo: DeviceNo, online: boolean): void {
    if (online) this.#online.add(deviceNo);
    else this.#online.delete(deviceNo);
    this.#current?.presence(deviceNo, online);
  }

  async status(): ReturnType<Upstream['status']> {
    if (this.#current) return this.#current.status();
    return {
      uplink: { state: 'standby', since: null, ...whyOf(elsewhere), nextTryAt: null },
      outbox: await this.#countOutbox(),
    };
  }

  deviceUplink(deviceNo: DeviceNo): ReturnType<Upstream['deviceUplink']> {
    return this.#current?.deviceUplink(deviceNo) ?? null;
  }

  waiting(): ReadonlyMap<DeviceNo, number> {
    return this.#current?.waiting() ?? new Map();
  }

  takenOver(): readonly Reason[] {
    return this.#current?.takenOver() ?? [];
  }

  cutLine(why: GivenReason | null): void {
    this.#cut = why;
    this.#current?.cutLine(why);
  }

  watchSends(watch: Parameters<Upstream['watchSends']>[0]): void {
    this.#watch = watch;
    this.#current?.watchSends(watch);
  }

  async sendAgain(...[seq]: Parameters<Upstream['sendAgain']>): Promise<number> {
    return this.#current?.sendAgain(seq) ?? this.#options.store.write.sendParkedAgain({ seq });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#forwarding?.[Symbol.asyncDispose]();
  }

  async #countOutbox(): Promise<OutboxSummary> {
    const { store, clock } = this.#options;
    const now = clock.monotonic();
    if (this.#counted && now - this.#counted.at < countEveryMs) return this.#counted.outbox;
    const [{ total, oldestAt }, parked] = await Promise.all([store.read.waiting(), store.read.parkedCount()]);
    const outbox = { waiting: total, oldestAt, parked, perSecond: 0, catchUpSeconds: total === 0 ? 0 : null };
    this.#counted = { at: now, outbox };
    return outbox;
  }
}

/** The same way to connect, over which nothing is sent once the lease is lost. */
export const whileLeased =
  (lease: Lease, connect: Connect): Connect =>
  async (...asked) => {
    if (!lease.isMine) return { kind: 'failed', ...whyOf(elsewhere) };
    const connected = await connect(...asked);
    if (connected.kind !== 'accepted') return connected;
    return { kind: 'accepted', transport: new LeasedTransport(lease, connected.transport) };
  };

class LeasedTransport implements Transport {
  readonly #lease: Lease;
  readonly #transport: Transport;

  constructor(lease: Lease, transport: Transport) {
    this.#lease = lease;
    this.#transport = transport;
  }

  get via(): Transport['via'] {
    return this.#transport.via;
  }

  get window(): number {
    return this.#transport.window;
  }

  get silentMs(): number {
    return this.#transport.silentMs;
  }

  /** Never answers, because nothing is sent; the session ends in a moment. */
  send(sending: Sending): void {
    if (this.#lease.isMine) this.#transport.send(sending);
  }

  close(): void {
    this.#transport.close();
  }
}
