import { hash, randomBytes } from 'node:crypto';
import { limits } from '../../platform/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import { RateWindow } from '../../runtime/rate-window.ts';
import type { DeviceNo } from '../../store/index.ts';
import type { Session } from '../session.ts';

export interface HttpSession {
  readonly session: Session;
  readonly hash: string;
  readonly lifetimeMs: number;
  readonly pulls: RateWindow;
  heardAt: number;
  /** The odd model of a log topic that was noted last; null: none. */
  notedModel: string | null;
}

const hashOf = (value: string): string => hash('sha256', value, 'base64');

/**
 * Authorization values (SPEC 5.2): 256 random bits, kept as their hash (and with the connection
 * that shows one), good for one client id, ended by disconnect or by three silent keepAliveTime
 * periods, at least 90 s. After connecting again the old value lives until the new one is first
 * used: the answer may have been lost.
 */
export class HttpSessions {
  readonly #clock: Clock;
  readonly #byHash = new Map<string, HttpSession>();
  readonly #byDevice = new Map<DeviceNo, HttpSession[]>();
  /**
   * What a connection showed last and whose it is: a device shows the same with each call, and
   * hashing it is a twentieth of a call.
   */
  readonly #shown = new WeakMap<object, { readonly header: string; readonly session: HttpSession }>();
  #onShown: (connection: object) => void = () => {};
  readonly #ended: (session: Session, why: string) => void;

  constructor(clock: Clock, ended: (session: Session, why: string) => void) {
    this.#clock = clock;
    this.#ended = ended;
  }

  onShown(listener: (connection: object) => void): void {
    this.#onShown = listener;
  }

  /** Opens a session and answers its Authorization value. */
  open(session: Session, keepAliveSeconds: number): string {
    const value = randomBytes(32).toString('base64url');
    const periods = limits.httpSessionPeriods * Math.min(keepAliveSeconds, limits.keepAliveSecondsServedMax);
    const opened: HttpSession = {
      session,
      hash: hashOf(value),
      lifetimeMs: Math.max(limits.httpSessionSecondsMin, periods) * 1000,
      pulls: new RateWindow(limits.pullsPerSecondMax, 1000),
      heardAt: this.#clock.monotonic(),
      notedModel: null,
    };
    const held = this.#byDevice.get(session.deviceNo) ?? [];
    this.#byHash.set(opened.hash, opened);
    this.#byDevice.set(session.deviceNo, [...held, opened]);
    // Two at most: the one in use and the one whose answer is on its way.
    for (const old of held.slice(0, -1)) this.end(old, 'connected again');
    return value;
  }

  /**
   * The session of the Authorization header of a call on this connection, with or without `Bearer
   * `; null when it is wrong or has ended.
   */
  find(header: string | undefined, connection: object): HttpSession | null {
    if (!header) return null;
    const found = this.#sessionOf(header, connection);
    if (!found) return null;
    const now = this.#clock.monotonic();
    if (now - found.heardAt > found.lifetimeMs) {
      this.end(found, 'silent for several keepAliveTime periods');
      return null;
    }
    found.heardAt = now;
    const held = this.#byDevice.get(found.session.deviceNo) ?? [];
    if (held.at(-1) === found) for (const old of held.slice(0, -1)) this.end(old, 'connected again');
    return found;
  }

  #sessionOf(header: string, connection: object): HttpSession | undefined {
    const shown = this.#shown.get(connection);
    if (shown?.header === header && this.#byHash.has(shown.session.hash)) return shown.session;
    const session = this.#byHash.get(hashOf(header.replace(/^Bearer\s+/i, '').trim()));
    if (session) {
      this.#shown.set(connection, { header, session });
      this.#onShown(connection);
    }
    return session;
  }

  /** Counts one pull; false when there were too many in the last second. */
  mayPull(session: HttpSession): boolean {
    return session.pulls.take(this.#clock.monotonic());
  }

  end(ended: HttpSession, why: string): void {
    if (!this.#byHash.delete(ended.hash)) return;
    const { deviceNo } = ended.session;
    const held = (this.#byDevice.get(deviceNo) ?? []).filter(one => one !== ended);
    if (held.length > 0) this.#byDevice.set(deviceNo, held);
    else this.#byDevice.delete(deviceNo);
    this.#ended(ended.session, why);
  }

  endAllOf(deviceNo: DeviceNo, why: string): void {
    for (const session of this.#byDevice.get(deviceNo) ?? []) this.end(session, why);
  }

  /** Ends those that may not go on, of one device or (null) of all. */
  review(deviceNo: DeviceNo | null, whyOver: (session: Session) => string | null): void {
    const reviewed = deviceNo === null ? [...this.#byHash.values()] : (this.#byDevice.get(deviceNo) ?? []);
    for (const one of reviewed) {
      const why = whyOver(one.session);
      if (why !== null) this.end(one, why);
    }
  }

  /** Ends those that have been silent too long; called now and then. */
  sweep(): void {
    const now = this.#clock.monotonic();
    for (const session of [...this.#byHash.values()])
      if (now - session.heardAt > session.lifetimeMs) this.end(session, 'silent for several keepAliveTime periods');
  }
}
