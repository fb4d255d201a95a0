import type { Clock, Random } from '../runtime/clock.ts';
import { nextTry } from '../runtime/retry.ts';
import { type GivenReason, whyIn, whyOf } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { TakenOver, takenOver } from './taken-over.ts';
import type { Connected, Credentials, Transport } from './transport.ts';
import { step, type Uplink, type UplinkEvent, uplinkAt } from './uplink.ts';

type Lost = (why: GivenReason, byCloud?: boolean) => void;

interface KeptConnectionOptions {
  /**
   * Credentials to log in with, the likeliest first; looked up at each try. Empty if it cannot log
   * in, for the reason `why`.
   */
  readonly candidates: () => { readonly credentials: readonly Credentials[]; readonly why: GivenReason };
  readonly connect: (credentials: Credentials, lost: Lost, signal: AbortSignal) => Promise<Connected>;
  readonly breaker: CircuitBreaker;
  readonly clock: Clock;
  readonly random: Random;
  readonly up: (transport: Transport) => void;
  readonly lost: () => void;
  readonly changed: (uplink: Uplink) => void;
}

/**
 * Keeps one session with the cloud open: connects, waits, connects again (SPEC 5.1: every 3 to 5
 * s), until it is stopped.
 */
export class KeptConnection {
  readonly #options: KeptConnectionOptions;
  readonly #stopping = new AbortController();
  #uplink: Uplink;
  #transport: Transport | null = null;
  #running: Promise<void> | null = null;
  /** The one of several candidates that was let in last. */
  #accepted = 0;
  #connectionLost: Lost | null = null;
  readonly #takenOver = new TakenOver();
  /** By the monotonic clock; null: it does not stand. */
  #acceptedAt: number | null = null;
  #clientId = '';

  constructor(options: KeptConnectionOptions) {
    this.#options = options;
    this.#uplink = uplinkAt(options.clock.now(), uplinkReasons.say('cloud_not_tried'));
  }

  get uplink(): Uplink {
    return this.#uplink;
  }

  /** As whom somebody else seems to log in too; null: nobody does. */
  get takenOverAs(): string | null {
    const stoodMs = this.#acceptedAt === null ? null : this.#options.clock.monotonic() - this.#acceptedAt;
    return this.#takenOver.isSuspected(stoodMs) ? this.#clientId : null;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Gives the connection up as if it had broken, and connects again. */
  drop(why: GivenReason): void {
    this.#transport?.close();
    this.#connectionLost?.(why);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#transport?.close();
    this.#connectionLost?.({ reason: 'stopped' });
    await this.#running;
  }

  async #run(): Promise<void> {
    const { breaker, clock, random } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await breaker.acquire(this, signal);
      if (signal.aborted) break;
      this.#step({ kind: 'retryDue' });
      const asked = await this.#connectOnce(signal);
      if (signal.aborted) break;
      const wait = Math.max(nextTry(random), asked);
      this.#nextTryIn(wait);
      await clock.sleep(wait, signal).catch(() => {});
    }
    breaker.left(this);
  }

  /**
   * Resolves when there is no connection (any more), with how many ms at least the next try is to
   * wait.
   */
  async #connectOnce(signal: AbortSignal): Promise<number> {
    const { candidates, connect, breaker, clock, random, up, lost } = this.#options;
    const { credentials, why } = candidates();
    if (credentials.length === 0) {
      breaker.left(this);
      this.#step({ kind: 'refused', ...whyOf(why) });
      return 0;
    }
    for (let tried = 0; tried < credentials.length; tried++) {
      const index = (this.#accepted + tried) % credentials.length;
      const gone = Promise.withResolvers<{ why: GivenReason; byCloud: boolean }>();
      const end: Lost = (why, byCloud = false) => gone.resolve({ why, byCloud });
      const attempt = await connect(credentials[index]!, end, signal).catch(
        (error): Connected => ({ kind: 'failed', why: String(error) }),
      );
      if (signal.aborted) {
        if (attempt.kind === 'accepted') attempt.transport.close();
        return 0;
      }
      if (attempt.kind === 'failed') {
        breaker.failed(this);
        this.#step({ kind: 'failed', ...whyIn(attempt) });
        return 0;
      }
      breaker.reached();
      if (attempt.kind === 'refused') {
        if (tried < credentials.length - 1) continue;
        this.#step({ kind: 'refused', ...whyIn(attempt) });
        return attempt.againInMs ?? 0;
      }
      this.#accepted = index;
      this.#transport = attempt.transport;
      this.#connectionLost = end;
      const acceptedAt = clock.monotonic();
      this.#acceptedAt = acceptedAt;
      this.#clientId = credentials[index]!.clientId;
      this.#step({ kind: 'accepted' });
      up(attempt.transport);
      const { why: reason, byCloud } = await gone.promise;
      this.#takenOver.ended({ stoodMs: clock.monotonic() - acceptedAt, byCloud });
      this.#acceptedAt = null;
      this.#transport = null;
      this.#connectionLost = null;
      const other = this.takenOverAs;
      this.#step({ kind: 'lost', ...whyOf(other === null ? reason : takenOver(other)) });
      lost();
      return this.#takenOver.waitMs(random);
    }
    return 0;
  }

  #nextTryIn(wait: number): void {
    this.#uplink = { ...this.#uplink, nextTryAt: this.#options.clock.now() + wait };
    this.#options.changed(this.#uplink);
  }

  #step(event: UplinkEvent): void {
    this.#uplink = step(this.#uplink, event, this.#options.clock.now());
    this.#options.changed(this.#uplink);
  }
}
