import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { DeviceNo, DirectoryStore } from '../store/index.ts';
import type { GivenReason } from '../words/sentences.ts';
import type { Session } from './session.ts';

/** A device id that more than one device logs in with, such as after a memory was cloned. */
export interface DeviceUsedTwice {
  readonly deviceId: string;
  readonly name: string;
  /** The last ones, as `192.168.1.20`; one where both are behind the same. */
  readonly addresses: readonly string[];
  readonly since: UnixMs;
}

/**
 * Two devices of one id end each other's connection, and each is back within the 3 to 5 s of SPEC
 * 5.1. One device that lost its connection without noticing takes its own place, but not so often.
 */
const takeOversMin = 5;
const withinMs = 60_000;
/** Without another take-over the id is used once again. */
const quietMs = 10 * 60_000;
const addressesMax = 4;

interface Taken {
  /** Monotonic, of the last take-overs. */
  times: number[];
  addresses: string[];
  /** Time since when; null if not often enough yet. */
  since: UnixMs | null;
}

/** Counts how often a login ends a connection of the same device that is still open. */
export class UsedTwice {
  readonly #clock: Clock;
  readonly #directory: DirectoryStore['directory'];
  readonly #note: (session: Session, kind: string, detail: string | GivenReason) => void;
  readonly #taken = new Map<DeviceNo, Taken>();

  constructor(
    { clock, store }: { readonly clock: Clock; readonly store: DirectoryStore },
    note: (session: Session, kind: string, detail: string | GivenReason) => void,
  ) {
    this.#clock = clock;
    this.#directory = store.directory;
    this.#note = note;
  }

  tookPlace(session: Session, before: Session): void {
    const { deviceNo } = session;
    const now = this.#clock.monotonic();
    this.#forget(now);
    const taken = this.#taken.get(deviceNo) ?? { times: [], addresses: [], since: null };
    this.#taken.set(deviceNo, taken);
    taken.times = [...taken.times.filter(time => now - time < withinMs), now].slice(-takeOversMin);
    const addresses = new Set([session.address, before.address, ...taken.addresses]);
    taken.addresses = [...addresses].slice(0, addressesMax);
    if (taken.since !== null || taken.times.length < takeOversMin) return;
    taken.since = this.#clock.now();
    this.#note(session, 'used_twice', `from ${taken.addresses.join(' and ')}`);
  }

  now(): DeviceUsedTwice[] {
    this.#forget(this.#clock.monotonic());
    return [...this.#taken].flatMap(([deviceNo, { addresses, since }]) => {
      const device = this.#directory.deviceByNo(deviceNo);
      return since === null || !device ? [] : [{ deviceId: device.deviceId, name: device.name, addresses, since }];
    });
  }

  #forget(now: number): void {
    for (const [deviceNo, { times, since }] of this.#taken)
      if (now - times.at(-1)! >= (since === null ? withinMs : quietMs)) this.#taken.delete(deviceNo);
  }
}
