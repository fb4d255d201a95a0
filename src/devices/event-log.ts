import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { RateWindows } from '../runtime/rate-windows.ts';
import type { DeviceNo, GatewayStore } from '../store/index.ts';
import type { Counters } from './counters.ts';
import type { Session } from './session.ts';

/**
 * More than a device in trouble causes, and few enough that a hostile one fills neither the disk
 * nor the writer's queue.
 */
const perMinute = 60;

/**
 * Logs what happened to a device, for its page. Writes at most 60 events a minute for each device.
 */
export class EventLog {
  readonly #store: Pick<GatewayStore, 'write'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #counters: Counters;
  readonly #written = new RateWindows<DeviceNo>(perMinute, 60_000);

  constructor(options: { store: Pick<GatewayStore, 'write'>; clock: Clock; log: Log; counters: Counters }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#counters = options.counters;
  }

  note({ deviceNo, device }: Pick<Session, 'deviceNo' | 'device'>, kind: string, detail: string): void {
    this.#counters.add(kind);
    if (!this.#written.take(deviceNo, this.#clock.monotonic())) {
      this.#counters.add('events_dropped');
      return;
    }
    this.#store.write
      .noteEvents({ events: [{ at: this.#clock.now(), deviceNo, kind, detail }] })
      .catch(error =>
        this.#log.warn(
          { device: device.deviceId, kind, error: String(error) },
          'an event of a device could not be stored',
        ),
      );
  }
}
