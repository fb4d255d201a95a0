import type { Clock, Random } from '../runtime/clock.ts';
import { recordReasons } from '../words/records.ts';
import type { GivenReason } from '../words/sentences.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { InFlightWindow } from './in-flight-window.ts';
import { KeptConnection } from './kept-connection.ts';
import type { Allowance } from './load-shedding.ts';
import type { QueueDriver } from './queue-driver.ts';
import type { Connected, Credentials, Transport } from './transport.ts';
import type { Uplink } from './uplink.ts';

interface CloudSessionOptions {
  /**
   * Credentials to log in with, the likeliest first; looked up at each try. Empty if it cannot log
   * in, for the reason `why`.
   */
  readonly candidates: () => { readonly credentials: readonly Credentials[]; readonly why: GivenReason };
  readonly connect: (
    credentials: Credentials,
    lost: (why: GivenReason, byCloud?: boolean) => void,
    signal: AbortSignal,
  ) => Promise<Connected>;
  readonly breaker: CircuitBreaker;
  readonly allowance: Allowance;
  readonly clock: Clock;
  readonly random: Random;
  readonly onUp: () => void;
  readonly onChange: () => void;
}

/**
 * One session with the cloud and the queues that go over it: those of one device in mode
 * per-device, those of all devices in mode gateway, the one queue of all in mode batch.
 */
export class CloudSession {
  readonly queues = new Set<QueueDriver>();
  readonly window: InFlightWindow;
  readonly #options: CloudSessionOptions;
  readonly #connection: KeptConnection;
  /** Queues that found no room, in the order in which they asked. */
  readonly #waitingForRoom = new Set<Pick<QueueDriver, 'go'>>();
  #droppedByUs = false;
  #state: Uplink['state'] = 'down';

  constructor(options: CloudSessionOptions) {
    this.#options = options;
    const { clock, random, breaker, allowance, candidates, connect } = options;
    this.window = new InFlightWindow({
      clock,
      allowance,
      onSilence: why => this.drop(why),
      onRoom: () => this.#giveRoom(),
    });
    this.#connection = new KeptConnection({
      candidates,
      connect,
      breaker,
      clock,
      random,
      up: transport => this.#up(transport),
      lost: () => this.#lost(),
      changed: uplink => this.#changed(uplink),
    });
  }

  get uplink(): Uplink {
    return this.#connection.uplink;
  }

  /** As whom somebody else seems to log in too; null: nobody does. */
  get takenOverAs(): string | null {
    return this.#connection.takenOverAs;
  }

  start(): void {
    this.#connection.start();
  }

  stop(): Promise<void> {
    return this.#connection.stop();
  }

  /** Connects again; nothing that was in flight is blamed for it. */
  drop(why: GivenReason): void {
    this.#droppedByUs = true;
    this.#connection.drop(why);
  }

  waitForRoom(queue: Pick<QueueDriver, 'go'>): void {
    this.#waitingForRoom.add(queue);
  }

  /** Each that waits once at most: one that finds no room again waits behind the others. */
  #giveRoom(): void {
    for (let left = this.#waitingForRoom.size; left > 0 && this.window.hasRoom; left--) {
      const queue = this.#waitingForRoom.values().next().value!;
      this.#waitingForRoom.delete(queue);
      queue.go();
    }
  }

  #up(transport: Transport): void {
    this.#droppedByUs = false;
    this.window.up(transport);
    for (const queue of this.queues) queue.go();
    this.#options.onUp();
  }

  #lost(): void {
    const unbearable = this.window.lost(this.window.via === 'mqtt' && !this.#droppedByUs);
    this.#waitingForRoom.clear();
    for (const queue of this.queues) queue.connectionLost();
    unbearable?.sender.onUnbearable(unbearable, recordReasons.say('closed_behind_it'));
  }

  #changed(uplink: Uplink): void {
    if (this.#state === 'connecting' && (uplink.state === 'down' || uplink.state === 'refused'))
      for (const queue of this.queues) queue.unload();
    this.#state = uplink.state;
    this.#options.onChange();
  }
}
