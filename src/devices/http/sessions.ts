import { hash } from 'node:crypto';
import { limits } from '../../platform/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import { RateWindow } from '../../runtime/rate-window.ts';
import type { DeviceNo, SharedHttpSessions } from '../../store/index.ts';
import { deviceEnds } from '../../words/device-ends.ts';
import type { Reason } from '../../words/sentences.ts';
import type { Session } from '../session.ts';

export interface HttpSession {
  readonly session: Session;
  readonly hash: string;
  readonly lifetimeMs: number;
  readonly pulls: RateWindow;
  /** Higher than that of each earlier session of the device. */
  readonly made: number;
  heardAt: number;
  /** When the other processes of a region were last told that it was heard. */
  toldAt: number;
  isUsed: boolean;
  /** The odd model of a log topic that was noted last; null: none. */
  notedModel: string | null;
}

interface SessionEvents {
  /** One that another process has opened is held here from now on. */
  cameOver(session: Session): void;
  /** Called when the session is no longer held here. */
  left(session: Session): void;
  /** Called once when the session has ended, also where several processes held it. */
  ended(session: Session, why: Reason): void;
  /** Why it may not go on; null while it may. */
  whyOver(session: Session): Reason | null;
  /** Reads devices and keys again; false: they are as they were. */
  refresh(): Promise<boolean>;
}

const hashOf = (value: string): string => hash('sha256', value, 'base64');
const valueIn = (header: string): string => header.replace(/^Bearer\s+/i, '').trim();
const silent = deviceEnds.say('no_heartbeat');
/** In a region: so often in its life a session that is heard is written down. */
const toldInLife = 6;

/**
 * Authorization values (SPEC 5.2): 256 random bits, kept as their hash (and with the connection
 * that shows one), good for one client id, ended by disconnect or by three silent keepAliveTime
 * periods, at least 90 s. After connecting again the old value lives until the new one is first
 * used: the answer may have been lost.
 *
 * In a region a session is a row besides (`shared`). A process that is shown a value that it does
 * not hold takes the session up from there, and each forgets it when it has ended anywhere.
 */
export class HttpSessions {
  readonly #clock: Clock;
  readonly #byHash = new Map<string, HttpSession>();
  /** Those of a device, the latest last. */
  readonly #byDevice = new Map<DeviceNo, HttpSession[]>();
  /**
   * Last header of a connection and its session: a device sends the same with each call, and
   * hashing it is a twentieth of a call.
   */
  readonly #shown = new WeakMap<object, { readonly header: string; readonly session: HttpSession }>();
  #onShown: (connection: object) => void = () => {};
  readonly #events: SessionEvents;
  readonly #shared: SharedHttpSessions;
  /** Being taken up, by hash. */
  readonly #taking = new Map<string, { readonly taken: Promise<void>; isOver: boolean }>();

  constructor(clock: Clock, events: SessionEvents, shared: SharedHttpSessions) {
    this.#clock = clock;
    this.#events = events;
    this.#shared = shared;
    shared.onEnded(ended => {
      const taking = this.#taking.get(ended);
      if (taking) taking.isOver = true;
      const held = this.#byHash.get(ended);
      if (held) this.#forget(held);
    });
  }

  onShown(listener: (connection: object) => void): void {
    this.#onShown = listener;
  }

  /** Opens a session and answers its Authorization value. Rejects with a StoreError. */
  async open(session: Session, keepAliveSeconds: number): Promise<string> {
    const value = this.#shared.newValue();
    const [ofValue, lifetimeMs] = [hashOf(value), lifetimeOf(keepAliveSeconds)];
    const said = JSON.stringify(session);
    const made = await this.#shared.open(ofValue, { deviceNo: session.deviceNo, said, lifetimeMs });
    this.#add(session, { hash: ofValue, lifetimeMs, made });
    return value;
  }

  #add(session: Session, of: Pick<HttpSession, 'hash' | 'lifetimeMs' | 'made'>, isUsed = false): void {
    const now = this.#clock.monotonic();
    const pulls = new RateWindow(limits.pullsPerSecondMax, 1000);
    const opened = { session, ...of, pulls, heardAt: now, toldAt: now, isUsed, notedModel: null };
    const held = [...(this.#byDevice.get(session.deviceNo) ?? []), opened].sort((one, other) => one.made - other.made);
    this.#byHash.set(opened.hash, opened);
    this.#byDevice.set(session.deviceNo, held);
    // Two at most: the one in use and the one whose answer is on its way.
    for (const old of held.slice(0, -2)) void this.end(old, deviceEnds.say('connected_again'));
  }

  /**
   * The session of the Authorization header of a call on this connection, with or without `Bearer
   * `; null when it is wrong or has ended, or another process has it.
   */
  find(header: string | undefined, connection: object): HttpSession | null {
    if (!header) return null;
    const found = this.#sessionOf(header, connection);
    if (!found) return null;
    const now = this.#clock.monotonic();
    if (now - found.heardAt > found.lifetimeMs) {
      void this.#endSilent(found);
      return null;
    }
    found.heardAt = now;
    if (!found.isUsed) this.#firstUsed(found);
    const held = this.#byDevice.get(found.session.deviceNo) ?? [];
    if (held.at(-1) === found)
      for (const old of held.slice(0, -1)) void this.end(old, deviceEnds.say('connected_again'));
    return found;
  }

  /** The same where another process may have opened it. Rejects with a StoreError. */
  async findAnywhere(header: string | undefined, connection: object): Promise<HttpSession | null> {
    const found = this.find(header, connection);
    if (found || !header || !this.#shared.isOurs(valueIn(header))) return found;
    const wanted = hashOf(valueIn(header));
    await (this.#taking.get(wanted)?.taken ?? this.#take(wanted));
    return this.find(header, connection);
  }

  #take(wanted: string): Promise<void> {
    const taken = this.#takeUp(wanted).finally(() => this.#taking.delete(wanted));
    this.#taking.set(wanted, { taken, isOver: false });
    return taken;
  }

  async #takeUp(wanted: string): Promise<void> {
    const row = await this.#shared.find(wanted);
    if (!row || this.#taking.get(wanted)?.isOver || this.#byHash.has(wanted)) return;
    const session = JSON.parse(row.said) as Session;
    let why = this.#events.whyOver(session);
    // The process of its login may have stored the device or its key just now.
    if (why !== null && (await this.#events.refresh())) why = this.#events.whyOver(session);
    if (why === null) {
      this.#add(session, { hash: wanted, lifetimeMs: row.lifetimeMs, made: row.made }, true);
      this.#events.cameOver(session);
    } else if (await this.#shared.end(wanted)) this.#events.ended(session, why);
  }

  #sessionOf(header: string, connection: object): HttpSession | undefined {
    const shown = this.#shown.get(connection);
    const same = shown?.header === header ? this.#byHash.get(shown.session.hash) : undefined;
    if (same) return same;
    const session = this.#byHash.get(hashOf(valueIn(header)));
    if (session) {
      this.#shown.set(connection, { header, session });
      this.#onShown(connection);
    }
    return session;
  }

  #firstUsed(used: HttpSession): void {
    used.isUsed = true;
    this.#shared.used(used.hash);
  }

  /** Counts one pull; false when there were too many in the last second. */
  mayPull(session: HttpSession): boolean {
    return session.pulls.take(this.#clock.monotonic());
  }

  /** Resolves when it is over for every process. Never rejects. */
  async end(ended: HttpSession, why: Reason): Promise<void> {
    if (!this.#forget(ended)) return;
    const isFirst = await this.#shared.end(ended.hash).catch(() => true);
    if (isFirst) this.#events.ended(ended.session, why);
  }

  /** Another process may have heard it: then it goes on. */
  async #endSilent(ended: HttpSession): Promise<void> {
    if (!this.#forget(ended)) return;
    const isOver = await this.#shared.endSilent(ended.hash).catch(() => false);
    if (isOver) this.#events.ended(ended.session, silent);
  }

  /** False: it was not held here. */
  #forget(ended: HttpSession): boolean {
    if (!this.#byHash.delete(ended.hash)) return false;
    const { deviceNo } = ended.session;
    const held = (this.#byDevice.get(deviceNo) ?? []).filter(one => one.hash !== ended.hash);
    if (held.length > 0) this.#byDevice.set(deviceNo, held);
    else this.#byDevice.delete(deviceNo);
    this.#events.left(ended.session);
    return true;
  }

  endAllOf(deviceNo: DeviceNo, why: Reason): void {
    for (const session of this.#byDevice.get(deviceNo) ?? []) void this.end(session, why);
    this.#shared.endAllOf(deviceNo).catch(() => {});
  }

  /** Ends those that may not go on, of one device or (null) of all. */
  review(deviceNo: DeviceNo | null): void {
    const reviewed = deviceNo === null ? [...this.#byHash.values()] : (this.#byDevice.get(deviceNo) ?? []);
    for (const one of reviewed) {
      const why = this.#events.whyOver(one.session);
      if (why !== null) void this.end(one, why);
    }
  }

  /**
   * Ends those that have been silent too long, and tells the other processes of those that were
   * heard; called now and then.
   */
  sweep(): void {
    const now = this.#clock.monotonic();
    const heard: HttpSession[] = [];
    for (const session of [...this.#byHash.values()])
      if (now - session.heardAt > session.lifetimeMs) void this.#endSilent(session);
      else if (session.heardAt > session.toldAt && now - session.toldAt > session.lifetimeMs / toldInLife)
        heard.push(session);
    this.#shared.heard(heard.map(({ hash: ofValue, heardAt }) => ({ hash: ofValue, silentMs: now - heardAt })));
    for (const session of heard) session.toldAt = now;
  }
}

function lifetimeOf(keepAliveSeconds: number): number {
  const periods = limits.httpSessionPeriods * Math.min(keepAliveSeconds, limits.keepAliveSecondsServedMax);
  return Math.max(limits.httpSessionSecondsMin, periods) * 1000;
}
