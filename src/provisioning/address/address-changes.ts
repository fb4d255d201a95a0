import type { Clock, UnixMs } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { plainAddress } from '../../runtime/plain-address.ts';
import { type AddressPort, type AddressSettings, AddressUnavailable, type TriedAddress } from './port.ts';

/** Time to open the new address, pass over a warning of the browser, and sign in. */
export const triedSeconds = 180;

/** How the last change of the address went. */
interface AddressTrial {
  /** New address without the bits of its mask; null: the router gives it. */
  readonly address: string | null;
  readonly state: 'trying' | 'kept' | 'returned';
  /** When the former address comes back unless an admin was there before. */
  readonly until: UnixMs;
}

interface Trial {
  readonly until: UnixMs;
  readonly address: string | null;
  state: AddressTrial['state'];
  /** Null until the change is in force. */
  tried: TriedAddress | null;
  /** Connections over which an admin has asked for something since. */
  readonly seen: WeakSet<object>;
}

/** One end of a connection of an admin. */
interface AdminConnection {
  readonly localAddress?: string | undefined;
}

/**
 * The address of the box, which an admin changes on a page. Nobody may be locked out by a wrong
 * one: it is kept once an admin has used it, or NetworkManager takes it back.
 */
export class AddressChanges implements AsyncDisposable {
  readonly #port: AddressPort;
  readonly #clock: Clock;
  readonly #log: Log;
  #trial: Trial | null = null;

  constructor(port: AddressPort, { clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#port = port;
    this.#clock = clock;
    this.#log = log;
  }

  /** Throws `AddressUnavailable`. */
  read() {
    return this.#port.read();
  }

  /** The last change since the start of the box; null: none. */
  trial(): AddressTrial | null {
    if (!this.#trial) return null;
    const { address, state, until } = this.#trial;
    return { address, state, until };
  }

  /**
   * Resolves when it is in force, or was refused and nothing has changed. Until `afterMs` are over
   * it is only under trial, so that whoever asked has the answer.
   */
  async try(wanted: AddressSettings, afterMs: number): Promise<void> {
    const lastsMs = afterMs + triedSeconds * 1000;
    const trial: Trial = {
      until: this.#clock.now() + lastsMs,
      address: wanted.isAutomatic ? null : wanted.address.split('/')[0]!,
      ...{ state: 'trying', tried: null, seen: new WeakSet() },
    };
    const ends = this.#clock.monotonic() + lastsMs;
    this.#trial = trial;
    await this.#clock.sleep(afterMs);
    try {
      trial.tried = await this.#port.try(wanted, triedSeconds);
    } catch (error) {
      trial.state = 'returned';
      this.#log.warn({ error }, 'address_refused', { why: (error as Error).message });
      return;
    }
    void this.#end(trial, ends);
  }

  /**
   * An admin asks for something over this connection. The second time over one of them the answer
   * to the first has reached the browser, so that the address works in both directions.
   */
  used(connection: AdminConnection): void {
    const trial = this.#trial;
    if (trial?.state !== 'trying' || !trial.tried) return;
    if (trial.seen.has(connection)) void this.#keep(trial, plainAddress(connection.localAddress ?? ''));
    trial.seen.add(connection);
  }

  async [Symbol.asyncDispose]() {
    await this.#port[Symbol.asyncDispose]();
  }

  /** A connection that came another way, such as by wifi, shows nothing. */
  async #keep(trial: Trial, local: string): Promise<void> {
    try {
      if (!(await trial.tried!.addresses()).includes(local) || trial.state !== 'trying') return;
      trial.state = 'kept';
      await trial.tried!.keep();
      this.#log.info({}, 'address_kept', { address: local });
    } catch (error) {
      if (!(error instanceof AddressUnavailable)) throw error;
      this.#returned(trial);
    }
  }

  async #end(trial: Trial, ends: number): Promise<void> {
    await this.#clock.sleep(ends - this.#clock.monotonic());
    if (trial.state === 'trying') this.#returned(trial);
  }

  #returned(trial: Trial): void {
    trial.state = 'returned';
    this.#log.warn({}, 'address_returned', { address: trial.address ?? 'DHCP' });
  }
}
