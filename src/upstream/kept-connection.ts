import type { Clock, Random } from '../runtime/clock.ts';
import { nextTry } from '../runtime/retry.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Connected, Credentials, Transport } from './transport.ts';
import { step, type Uplink, type UplinkEvent, uplinkAt } from './uplink.ts';

interface KeptConnectionOptions {
  /**
   * Who it logs in as, the likeliest first; looked up again at each try. Empty: it cannot log in,
   * `why` says so.
   */
  readonly candidates: () => { readonly credentials: readonly Credentials[]; readonly why: string };
  readonly connect: (credentials: Credentials, lost: (why: string) => void, signal: AbortSignal) => Promise<Connected>;
  readonly breaker: CircuitBreaker;
  readonly clock: Clock;
  readonly random: Random;
  readonly up: (transport: Transport) => void;
  readonly lost: (why: string) => void;
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
  #connectionLost: ((why: string) => void) | null = null;

  constructor(options: KeptConnectionOptions) {
    this.#options = options;
    this.#uplink = uplinkAt(options.clock.now(), 'not tried yet');
  }

  get uplink(): Uplink {
    return this.#uplink;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Gives the connection up as if it had broken, and connects again. */
  drop(why: string): void {
    this.#transport?.close();
    this.#connectionLost?.(why);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#transport?.close();
    this.#connectionLost?.('stopped');
    await this.#running;
  }

  async #run(): Promise<void> {
    const { breaker, clock, random } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await breaker.turn(this, signal);
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
    const { candidates, connect, breaker, up, lost } = this.#options;
    const { credentials, why } = candidates();
    if (credentials.length === 0) {
      breaker.left(this);
      this.#step({ kind: 'refused', why });
      return 0;
    }
    for (let tried = 0; tried < credentials.length; tried++) {
      const index = (this.#accepted + tried) % credentials.length;
      const gone = Promise.withResolvers<string>();
      const attempt = await connect(credentials[index]!, gone.resolve, signal).catch(
        (error): Connected => ({ kind: 'failed', why: String(error) }),
      );
      if (signal.aborted) {
        if (attempt.kind === 'accepted') attempt.transport.close();
        return 0;
      }
      if (attempt.kind === 'failed') {
        breaker.failed(this);
        this.#step({ kind: 'failed', why: attempt.why });
        return 0;
      }
      breaker.reached();
      if (attempt.kind === 'refused') {
        if (tried < credentials.length - 1) continue;
        this.#step({ kind: 'refused', why: attempt.why });
        return attempt.againInMs ?? 0;
      }
      this.#accepted = index;
      this.#transport = attempt.transport;
      this.#connectionLost = gone.resolve;
      this.#step({ kind: 'accepted' });
      up(attempt.transport);
      const reason = await gone.promise;
      this.#transport = null;
      this.#connectionLost = null;
      this.#step({ kind: 'lost', why: reason });
      lost(reason);
      return 0;
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
