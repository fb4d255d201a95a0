import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { DeviceNo, ForwardingStore, Turn } from '../store/index.ts';
import type { OutboxSummary, Upstream } from './port.ts';
import type { Connect, Sending, Transport } from './transport.ts';
import { tryLogin } from './try-login.ts';

const elsewhere = 'another process of this region forwards';
/** Counting a long backlog takes a while, and each page and each minute asks. */
const countEveryMs = 30_000;

/**
 * The uplink of one of several processes: it stands by, and forwards while it has the turn. All
 * that it knows of what was forwarded is read again when the turn begins.
 */
export class TakingTurns implements Upstream {
  readonly standsAlone = false;
  /** A region's backups are those of its database. */
  readonly backupsAbove = null;
  /** A box above is told how boxes are. */
  readonly reportsAbove = null;
  readonly sendOwnLog: Upstream['sendOwnLog'];
  readonly #turn: Turn;
  readonly #open: () => Promise<Upstream>;
  readonly #store: ForwardingStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #connect: Connect;
  readonly #online = new Set<DeviceNo>();
  #current: Upstream | null = null;
  #changing: Promise<void> = Promise.resolve();
  #closed = false;
  #cut: string | null = null;
  #watch: Parameters<Upstream['watchSends']>[0] = null;
  #counted: { readonly at: number; readonly outbox: OutboxSummary } | null = null;

  /** `open`: opens the uplink that forwards, each time the turn begins. */
  constructor(
    turn: Turn,
    open: () => Promise<Upstream>,
    options: {
      readonly store: ForwardingStore;
      readonly clock: Clock;
      readonly log: Log;
      /** With the credentials of a device. */
      readonly connect: Connect;
      /** The cloud takes logs of this box itself. */
      readonly hasOwnLog: boolean;
    },
  ) {
    this.#turn = turn;
    this.#open = open;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#connect = options.connect;
    this.sendOwnLog = options.hasOwnLog
      ? async text => (await this.#current?.sendOwnLog?.(text)) ?? { kind: 'again', why: elsewhere }
      : null;
    turn.onChange(() => this.#change());
    this.#change();
  }

  /** What is stored here goes over the line of whoever forwards, and so does the cloud's answer. */
  isUp(deviceNo: DeviceNo): boolean {
    return this.#current ? this.#current.isUp(deviceNo) : this.#turn.isUpElsewhere;
  }

  async whenUp(deviceNo: DeviceNo, signal: AbortSignal): Promise<boolean> {
    return this.#current ? this.#current.whenUp(deviceNo, signal) : this.#turn.isUpElsewhere;
  }

  tryLogin(credentials: Parameters<Upstream['tryLogin']>[0]): ReturnType<Upstream['tryLogin']> {
    return this.#current?.tryLogin(credentials) ?? tryLogin(this.#connect, credentials, this.#clock);
  }

  presence(deviceNo: DeviceNo, online: boolean): void {
    if (online) this.#online.add(deviceNo);
    else this.#online.delete(deviceNo);
    this.#current?.presence(deviceNo, online);
  }

  async status(): ReturnType<Upstream['status']> {
    if (this.#current) return this.#current.status();
    return {
      uplink: { state: 'standby', since: null, why: elsewhere, nextTryAt: null },
      outbox: await this.#countOutbox(),
    };
  }

  deviceUplink(deviceNo: DeviceNo): ReturnType<Upstream['deviceUplink']> {
    return this.#current?.deviceUplink(deviceNo) ?? null;
  }

  waiting(): ReadonlyMap<DeviceNo, number> {
    return this.#current?.waiting() ?? new Map();
  }

  takenOver(): readonly string[] {
    return this.#current?.takenOver() ?? [];
  }

  cutLine(why: string | null): void {
    this.#cut = why;
    this.#current?.cutLine(why);
  }

  watchSends(watch: Parameters<Upstream['watchSends']>[0]): void {
    this.#watch = watch;
    this.#current?.watchSends(watch);
  }

  async sendAgain(...[seq]: Parameters<Upstream['sendAgain']>): Promise<number> {
    return this.#current?.sendAgain(seq) ?? this.#store.write.sendParkedAgain({ seq });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#change();
    await this.#changing;
  }

  /** At once, for the part of it that is sent; one after the other, for the rest. */
  #change(): void {
    if (!this.#mayForward) this.#current?.cutLine(elsewhere);
    this.#changing = this.#changing
      .then(() => this.#follow())
      .catch(error => this.#log.error({ error: String(error) }, 'forwarding could not begin'));
  }

  get #mayForward(): boolean {
    return this.#turn.isMine && !this.#closed;
  }

  async #follow(): Promise<void> {
    if (this.#mayForward === (this.#current !== null)) return;
    if (this.#current) {
      const ended = this.#current;
      this.#current = null;
      if (!this.#closed) this.#log.warn({}, 'another process may forward to the cloud: this one has stopped');
      await ended[Symbol.asyncDispose]();
      return;
    }
    this.#turn.say(false);
    const opened = await this.#open();
    if (!this.#mayForward) return opened[Symbol.asyncDispose]();
    this.#log.info({}, 'this process forwards to the cloud');
    opened.cutLine(this.#cut);
    opened.watchSends(this.#watch);
    for (const deviceNo of this.#online) opened.presence(deviceNo, true);
    this.#current = opened;
  }

  async #countOutbox(): Promise<OutboxSummary> {
    const now = this.#clock.monotonic();
    if (this.#counted && now - this.#counted.at < countEveryMs) return this.#counted.outbox;
    const [{ total, oldestAt }, parked] = await Promise.all([
      this.#store.read.waiting(),
      this.#store.read.parkedCount(),
    ]);
    const outbox = { waiting: total, oldestAt, parked, perSecond: 0, catchUpSeconds: total === 0 ? 0 : null };
    this.#counted = { at: now, outbox };
    return outbox;
  }
}

/**
 * The same way to connect, over which nothing is sent once the turn is over. A process that hung
 * gets to know that by its timer only after what arrived meanwhile.
 */
export const whileInTurn =
  (turn: Turn, connect: Connect): Connect =>
  async (...asked) => {
    if (!turn.isMine) return { kind: 'failed', why: elsewhere };
    const connected = await connect(...asked);
    if (connected.kind !== 'accepted') return connected;
    return { kind: 'accepted', transport: new TransportInTurn(turn, connected.transport) };
  };

class TransportInTurn implements Transport {
  readonly #turn: Turn;
  readonly #transport: Transport;

  constructor(turn: Turn, transport: Transport) {
    this.#turn = turn;
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

  /** What is not sent is never answered; the session ends in a moment. */
  send(sending: Sending): void {
    if (this.#turn.isMine) this.#transport.send(sending);
  }

  close(): void {
    this.#transport.close();
  }
}
