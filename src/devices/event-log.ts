import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { RateWindows } from '../runtime/rate-windows.ts';
import type { DeviceEvent, DeviceNo, GatewayStore } from '../store/index.ts';
import { codedIn, type GivenReason } from '../words/sentences.ts';
import type { Counters } from './counters.ts';
import type { Session } from './session.ts';

/**
 * More than a device in trouble causes, and few enough that a hostile one fills neither the disk
 * nor the writer's queue.
 */
const perMinute = 60;
/** How long an event waits for others, so that a thousand of them cost one commit. */
const groupMs = 1_000;
/** With so many a group is full and does not wait; one commit writes no more of them. */
const groupMax = 1_000;
/** The most that wait, the group that is being written aside. What is more is dropped, counted. */
const waitingMax = 10_000;

/**
 * Logs what happened to a device, for its page. Writes at most 60 events a minute for each device,
 * in groups once a second: a kill loses the last second of them, `close` loses none.
 */
export class EventLog {
  readonly #store: Pick<GatewayStore, 'write'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #counters: Counters;
  readonly #written = new RateWindows<DeviceNo>(perMinute, 60_000);
  readonly #waiting: DeviceEvent[] = [];
  /** Ends the wait for a group; null: nothing waits. */
  #full: AbortController | null = null;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: { store: Pick<GatewayStore, 'write'>; clock: Clock; log: Log; counters: Counters }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#counters = options.counters;
  }

  note({ deviceNo }: Pick<Session, 'deviceNo'>, kind: string, detail: string | GivenReason): void {
    this.#counters.add(kind);
    if (!this.#written.take(deviceNo, this.#clock.monotonic()) || this.#waiting.length >= waitingMax) {
      this.#counters.add('events_dropped');
      return;
    }
    const { reason, ...said }: GivenReason = typeof detail === 'string' ? { reason: detail } : detail;
    this.#waiting.push({ at: this.#clock.now(), deviceNo, kind, detail: reason, said: codedIn(said) });
    if (this.#full === null) this.#writing = this.#writeLater(this.#writing);
    if (this.#closed || this.#waiting.length === groupMax) this.#full?.abort();
  }

  /** Writes what waits, and what comes later without a wait. Resolves when it is on disk. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#full?.abort();
    await this.#writing;
  }

  /** Waits for a group and for the group before it, then writes all that has come until then. */
  async #writeLater(before: Promise<void>): Promise<void> {
    const full = new AbortController();
    this.#full = full;
    await this.#clock.sleep(groupMs, full.signal).catch(() => {});
    await before;
    this.#full = null;
    for (let left = this.#waiting.length; left > 0; left -= groupMax)
      await this.#write(this.#waiting.splice(0, Math.min(left, groupMax)));
  }

  async #write(events: readonly DeviceEvent[]): Promise<void> {
    await this.#store.write.noteEvents({ events }).catch(error => {
      this.#counters.add('events_dropped', events.length);
      this.#log.warn({ events: events.length, error: String(error) }, 'device_log_not_stored');
    });
  }
}
