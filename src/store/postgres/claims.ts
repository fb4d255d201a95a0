import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { DeviceNo, StoreError } from '../port/journal.ts';
import type { DeviceClaims } from '../port/region.ts';
import { ClaimStatements, channelOf, heard, httpClaimOf, isHttpClaim } from './claim-statements.ts';
import { fenceProcess, SideConnection } from './side-connection.ts';

/** In one statement: a NOTIFY of so many numbers of ten digits is under its bound of 8000 bytes. */
const groupMax = 200;
/** A process that has not answered by then is fenced as a whole. */
const answerWithinMs = 1500;
/**
 * The same where only records over HTTP are in question: their device may go to another process
 * with each request, and a process that stands still for a moment is not to end for it.
 */
const answerWithinOverHttpMs = 5000;
/** One that has answered has so long to store what the device had sent. */
const givenWithinMs = 10_000;
/** How often a device is asked for again, unless its holder says that it is free. */
const againMs = 100;

/** A device that another process has. */
interface Contested {
  readonly since: number;
  withinMs: number;
  /** Resolves when it is free, or it is time to ask again. */
  free: PromiseWithResolvers<void>;
}

/**
 * Which devices this process has, over a side connection of its own: its statements commit without
 * waiting for the disk, since a server that crashed knows no process of before as live.
 *
 *     nobody, a fenced process ──▶ taken
 *     another process          ──▶ asked for it: it ends the session, stores what it had taken and
 *                                  gives the device away; if it says nothing, it is fenced
 */
export class Claims implements DeviceClaims {
  readonly #statements: ClaimStatements;
  /** For what else must not wait behind the journal. */
  readonly side: SideConnection;
  readonly #url: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #mine = new Set<DeviceNo>();
  /** Wanted by another process, until they are given away. */
  readonly #leaving = new Map<DeviceNo, Promise<void>>();
  /** Of the next statement. */
  #asked = new Map<DeviceNo, PromiseWithResolvers<boolean>>();
  #isTaking = false;
  readonly #contested = new Map<DeviceNo, Contested>();
  readonly #fencing = new Set<number>();
  #wanted: (deviceNo: DeviceNo) => Promise<void> = async () => {};
  #taken: (deviceNo: DeviceNo) => void = () => {};
  #message: (deviceNo: DeviceNo) => void = () => {};
  /** Resolves when all that was appended so far is stored, or with why it is not. */
  allStored: () => Promise<StoreError | null> = async () => null;
  /** Called when the connection has broken: this process has to start again. */
  onBroken: (error: unknown) => void = () => {};
  #isClosed = false;

  private constructor(side: SideConnection, url: string, me: number, { clock, log }: { clock: Clock; log: Log }) {
    this.side = side;
    this.#statements = new ClaimStatements(side, me);
    this.#url = url;
    this.#clock = clock;
    this.#log = log;
    side.onBroken(error => this.onBroken(error));
    side.onNotification((channel, payload) => {
      if (channel === channelOf(me)) this.#hear(payload);
    });
  }

  /** `me`: the number of this process. Rejects when the server cannot be reached. */
  static async open(url: string, me: number, world: { clock: Clock; log: Log }): Promise<Claims> {
    const side = await SideConnection.open(url, { synchronous_commit: 'off' });
    const claims = new Claims(side, url, me, world);
    await side.query(`LISTEN ${channelOf(me)}`);
    return claims;
  }

  onWanted(listener: (deviceNo: DeviceNo) => Promise<void>): void {
    this.#wanted = listener;
  }

  onTaken(listener: (deviceNo: DeviceNo) => void): void {
    this.#taken = listener;
  }

  onMessage(listener: (deviceNo: DeviceNo) => void): void {
    this.#message = listener;
  }

  has(deviceNo: DeviceNo): boolean {
    return this.#mine.has(deviceNo);
  }

  async takeForHttp(deviceNo: DeviceNo): Promise<boolean> {
    const httpClaim = httpClaimOf(deviceNo);
    while (!this.#mine.has(httpClaim)) if (!(await this.claim(httpClaim))) return false;
    return true;
  }

  async claim(deviceNo: DeviceNo): Promise<boolean> {
    try {
      for (;;) {
        await this.#leaving.get(deviceNo);
        if (this.#isClosed) return false;
        if (this.#mine.has(deviceNo) || (await this.#take(deviceNo))) return true;
        if (!(await this.#waitFor(deviceNo))) return false;
      }
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'device_not_taken_over');
      return false;
    }
  }

  async tellOfMessage(deviceNo: DeviceNo): Promise<void> {
    await this.#statements.tellOfMessage(deviceNo).catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { free } of this.#contested.values()) free.resolve();
    await this.side.close();
  }

  /** With all that are asked for at the same time. */
  #take(deviceNo: DeviceNo): Promise<boolean> {
    const known = this.#asked.get(deviceNo);
    if (known) return known.promise;
    const asked = Promise.withResolvers<boolean>();
    this.#asked.set(deviceNo, asked);
    if (!this.#isTaking) void this.#takeAll();
    return asked.promise;
  }

  async #takeAll(): Promise<void> {
    this.#isTaking = true;
    // Claims of one turn of the event loop go into one statement.
    await null;
    while (this.#asked.size > 0) {
      const all = [...this.#asked];
      const group = all.slice(0, groupMax);
      this.#asked = new Map(all.slice(groupMax));
      try {
        const devices = group.map(([deviceNo]) => deviceNo);
        const taken = await this.#statements.take(devices);
        for (const [deviceNo, { resolve }] of group)
          if (taken.has(deviceNo)) {
            this.#has(deviceNo);
            resolve(true);
          }
        if (taken.size < devices.length) await this.#askFor(devices.filter(one => !taken.has(one)));
        for (const [, { resolve }] of group) resolve(false);
      } catch (error) {
        for (const [, { reject }] of group) reject(error);
      }
    }
    this.#isTaking = false;
  }

  #has(deviceNo: DeviceNo): void {
    this.#contested.delete(deviceNo);
    this.#mine.add(deviceNo);
    if (!isHttpClaim(deviceNo)) this.#taken(deviceNo);
  }

  async #askFor(devices: readonly DeviceNo[]): Promise<void> {
    const now = this.#clock.monotonic();
    await this.#statements.clear();
    const late = new Set<number>();
    for (const { deviceNo, process } of await this.#statements.ask(devices)) {
      const known = this.#contested.get(deviceNo);
      if (!known)
        this.#contested.set(deviceNo, {
          since: now,
          withinMs: isHttpClaim(deviceNo) ? answerWithinOverHttpMs : answerWithinMs,
          free: Promise.withResolvers(),
        });
      else if (now - known.since > known.withinMs) {
        late.add(process);
        this.#contested.delete(deviceNo);
      }
    }
    for (const process of late) void this.#fence(process);
  }

  async #fence(process: number): Promise<void> {
    if (this.#fencing.has(process)) return;
    this.#fencing.add(process);
    this.#log.warn({ process }, 'devices_taken_over');
    await fenceProcess(this.#url, process).catch(error =>
      this.#log.warn({ error: String(error) }, 'process_not_fenced'),
    );
    this.#fencing.delete(process);
  }

  /** Resolves when it is worth asking again; false when this process is fenced. */
  async #waitFor(deviceNo: DeviceNo): Promise<boolean> {
    const contested = this.#contested.get(deviceNo);
    const signal = new AbortController();
    const late = this.#clock.sleep(againMs, signal.signal).catch(() => {});
    await Promise.race([contested?.free.promise ?? late, late]);
    signal.abort();
    if (contested) contested.free = Promise.withResolvers();
    return !this.#isClosed;
  }

  #hear(payload: string): void {
    const said = heard(payload);
    if (!said) return;
    const { word, from, devices } = said;
    if (word === 'wanted') void this.#giveAway(devices, from);
    for (const deviceNo of devices) {
      const contested = this.#contested.get(deviceNo);
      if (word === 'soon' && contested) contested.withinMs = givenWithinMs;
      else if (word === 'free') contested?.free.resolve();
      else if (word === 'message') this.#message(deviceNo);
    }
  }

  /**
   * Their connections end at once; they are free when all that was taken of them is stored.
   */
  async #giveAway(wanted: readonly DeviceNo[], to: number): Promise<void> {
    const devices = wanted.filter(deviceNo => this.#mine.delete(deviceNo));
    const leaving = wanted.filter(deviceNo => this.#leaving.has(deviceNo));
    if (leaving.length > 0) void this.#statements.say(to, 'soon', leaving).catch(() => {});
    if (devices.length === 0) return;
    const left = Promise.withResolvers<void>();
    for (const deviceNo of devices) this.#leaving.set(deviceNo, left.promise);
    // A request over HTTP has no connection that would have to end: what it has appended is stored.
    const ended = devices.filter(one => !isHttpClaim(one)).map(deviceNo => this.#wanted(deviceNo));
    try {
      await this.#statements.say(to, 'soon', devices);
      await Promise.all(ended);
      const error = await this.allStored();
      // Nobody knows what becomes of them: this process has to start again, and is fenced then.
      if (error?.code === 'broken') return;
      await this.#statements.giveAway(devices);
      await this.#statements.say(to, 'free', devices);
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'devices_not_given');
    } finally {
      for (const deviceNo of devices) this.#leaving.delete(deviceNo);
      left.resolve();
    }
  }
}
