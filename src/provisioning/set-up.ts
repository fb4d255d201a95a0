import { isDeepStrictEqual } from 'node:util';
import type { SetupResult } from '../platform/setup-result.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { aborted } from '../runtime/within.ts';
import type { NetworkSetup, ProvisioningStore, SetupAttempt } from '../store/index.ts';
import { radioFaults } from '../words/own-network.ts';
import { noWhy, type Why, whyOf, withWhy } from '../words/sentences.ts';
import { attemptSetup, type Outcome } from './attempt.ts';
import type { PlatformAbove } from './reach.ts';
import type { ResultBroadcast } from './result-broadcast.ts';
import { type Wifi, type WifiJoin, type WifiNetwork, WifiUnavailable } from './wifi/port.ts';

/**
 * - `ready`: nothing to set up;
 * - `waiting`: it is to be set up, and there is no wifi at the moment;
 * - `opening`: it scans, and opens its hotspot;
 * - `open`: a phone may set it up;
 * - `trying`: it has left its hotspot and joins.
 */
export type SetupMode = 'ready' | 'waiting' | 'opening' | 'open' | 'trying';

interface SetUpOptions {
  readonly store: ProvisioningStore;
  readonly wifi: Wifi;
  readonly clock: Clock;
  readonly log: Log;
  readonly device: { readonly deviceId: string; readonly model: string };
  /** Opens the hotspot and serves its routes; null: set-up by hotspot is off. */
  readonly openHotspot: ((signal: AbortSignal) => Promise<AsyncDisposable>) | null;
  /** Bluetooth while a phone may set the box up; null: it is off. */
  readonly openBluetooth: (() => AsyncDisposable & { notifyResult(result: SetupResult): void }) | null;
  readonly broadcast: ResultBroadcast;
  readonly platformAbove: PlatformAbove | null;
  /** For how long it stays open where the box has another network. */
  readonly minutes: number;
}

const lookMs = 5000;
/** After the answer to /wifi/setting, so that it still reaches the phone (decision 78). */
const leaveAfterMs = 2000;

/**
 * How the box itself comes into its network (SPEC 3.3), from the first start until a phone has set
 * it up, and again after a reset.
 */
export class SetUp implements AsyncDisposable {
  readonly #options: SetUpOptions;
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;
  readonly #ready = Promise.withResolvers<void>();
  #mode: SetupMode = 'ready';
  #since: UnixMs;
  #why = noWhy;
  #taken = Promise.withResolvers<WifiJoin>();
  /** Value with which `#taken` was resolved; null before. */
  #accepted: WifiJoin | null = null;
  #reset = Promise.withResolvers<void>();
  #networks: readonly WifiNetwork[] = [];
  #scannedAt: UnixMs = 0;
  #last: SetupAttempt | null = null;

  constructor(options: SetUpOptions) {
    this.#options = options;
    this.#since = options.clock.now();
    this.#ended = this.#run();
  }

  get state(): { mode: SetupMode; since: UnixMs; why: Why; last: SetupAttempt | null } {
    return { mode: this.#mode, since: this.#since, why: this.#why, last: this.#last };
  }

  /**
   * Resolves when it is known whether there is something to set up, and if so, when the hotspot is
   * open.
   */
  get whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  networks(): { readonly networks: readonly WifiNetwork[]; readonly at: UnixMs } {
    return { networks: this.#networks, at: this.#scannedAt };
  }

  /**
   * False: nothing is to be set up, or an attempt is under way. The first settings win, also in the
   * two seconds before the box leaves its hotspot; the same once more are those in force.
   */
  take(settings: WifiJoin): boolean {
    if (this.#mode !== 'open' && this.#mode !== 'opening') return false;
    if (this.#accepted) return isDeepStrictEqual(settings, this.#accepted);
    this.#accepted = settings;
    this.#taken.resolve(settings);
    return true;
  }

  /** Forgets the network, and opens the box for set-up. */
  async reset(): Promise<void> {
    const { store, clock, log } = this.#options;
    log.info({}, 'network_reset');
    await store.write.noteNetworkSetup({ state: 'reset', changedAt: clock.now(), ssid: '' });
    this.#reset.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    try {
      this.#last = (await this.#options.store.read.networkSetup())?.last ?? null;
      while (!signal.aborted) {
        this.#reset = Promise.withResolvers();
        if (await this.#isNeeded()) await this.#session();
        this.#enter('ready');
        this.#ready.resolve();
        await Promise.race([this.#reset.promise, aborted(signal)]);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#ready.resolve();
    }
  }

  /** Waits for wifi where it must know whether there is a network. */
  async #isNeeded(): Promise<boolean> {
    const setup = await this.#options.store.read.networkSetup();
    if (setup?.state === 'done') return false;
    if (setup?.state === 'reset') return true;
    return !(await this.#untilWifi(() => this.#options.wifi.hasNetwork()));
  }

  /** From opening until it is set up, has a network from elsewhere, or its time is over. */
  async #session(): Promise<void> {
    const { clock, minutes, openBluetooth } = this.#options;
    await using bluetooth = openBluetooth?.() ?? null;
    for (;;) {
      const setup = await this.#options.store.read.networkSetup();
      if (setup?.state === 'reset') await this.#untilWifi(() => this.#options.wifi.forget('kept'));
      this.#reset = Promise.withResolvers();
      const settings = await this.#open(setup, clock.monotonic() + minutes * 60_000);
      if (settings === 'over') return this.#giveUp(setup);
      if (settings === 'reset') continue;
      this.#enter('trying', whyOf(radioFaults.say('joining_network', { ssid: settings.ssid })));
      const outcome = await attemptSetup(settings, { ...this.#options, signal: this.#closing.signal });
      await this.#note(settings, outcome);
      const result = this.#resultOf(outcome);
      bluetooth?.notifyResult(result);
      const sent = this.#options.broadcast.send(result, this.#closing.signal);
      // The broadcast reaches only the network that the box joined; without one it is sent while
      // the hotspot is open again.
      if (outcome.joined) await sent;
      else sent.catch(() => {});
      if (outcome.status >= 0) return;
    }
  }

  /** Opens the hotspot and waits for settings. */
  async #open(setup: NetworkSetup | null, end: number): Promise<WifiJoin | 'reset' | 'over'> {
    const { wifi, clock, log, openHotspot } = this.#options;
    this.#enter('opening');
    this.#taken = Promise.withResolvers();
    this.#accepted = null;
    const hotspot = await this.#untilWifi(async () => {
      this.#networks = await wifi.scan(this.#closing.signal);
      this.#scannedAt = clock.now();
      return (await openHotspot?.(this.#closing.signal)) ?? null;
    });
    try {
      this.#enter('open');
      log.info({ networks: this.#networks.length }, 'phone_may_set_up');
      this.#ready.resolve();
      const answer = await Promise.race([
        this.#taken.promise,
        this.#reset.promise.then(() => 'reset' as const),
        this.#over(setup, end),
      ]);
      if (typeof answer === 'object' && hotspot) await clock.sleep(leaveAfterMs, this.#closing.signal);
      return answer;
    } finally {
      await hotspot?.[Symbol.asyncDispose]();
    }
  }

  /**
   * A first start ends when a network comes by another way; a reset when its time is over and there
   * is one to go back to.
   */
  async #over(setup: NetworkSetup | null, end: number): Promise<'over'> {
    const { wifi, clock } = this.#options;
    const { signal } = this.#closing;
    for (;;) {
      await clock.sleep(lookMs, signal);
      if (this.#mode !== 'open') return new Promise(() => {});
      const late = clock.monotonic() >= end;
      if (late && setup && setup.ssid !== '') return 'over';
      if ((late || setup?.state !== 'reset') && (await wifi.hasNetwork().catch(() => false))) return 'over';
    }
  }

  async #giveUp(setup: NetworkSetup | null): Promise<void> {
    const { store, clock, log } = this.#options;
    log.info({}, 'set_up_closed');
    await store.write.noteNetworkSetup({ state: 'new', changedAt: clock.now(), ssid: setup?.ssid ?? '' });
  }

  async #note({ ssid }: WifiJoin, { status, error, why, joined }: Outcome): Promise<void> {
    const { store, clock, log } = this.#options;
    const at = clock.now();
    this.#last = { status, error, why, ssid, at };
    await store.write.noteSetupAttempt(this.#last);
    if (joined) await store.write.noteNetworkSetup({ state: status >= 0 ? 'done' : 'new', changedAt: at, ssid });
    log[status === 0 ? 'info' : 'warn']({ status, error }, 'set_up_attempted', { ...withWhy(whyOf(why)), ssid });
  }

  #resultOf({ status, error, place }: Outcome): SetupResult {
    return { ...this.#options.device, status, error, message: '', ...place };
  }

  /**
   * Runs it as soon as there is wifi; reports why there is none meanwhile. Rejects when the box
   * stops.
   */
  async #untilWifi<T>(act: () => Promise<T>): Promise<T> {
    const { clock, log } = this.#options;
    const mode = this.#mode;
    for (;;) {
      try {
        const done = await act();
        if (this.#mode === 'waiting') this.#enter(mode);
        return done;
      } catch (error) {
        if (!(error instanceof WifiUnavailable)) throw error;
        const why = whyOf(error.said);
        if (this.#why.why !== why.why) log.info({}, 'no_set_up_by_wifi', { ...withWhy(why), seconds: lookMs / 1000 });
        this.#enter('waiting', why);
        this.#ready.resolve();
      }
      await clock.sleep(lookMs, this.#closing.signal);
    }
  }

  #enter(mode: SetupMode, why = noWhy): void {
    if (this.#mode !== mode) this.#since = this.#options.clock.now();
    this.#mode = mode;
    this.#why = why;
  }
}
