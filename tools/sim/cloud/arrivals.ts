import { closeSync, openSync, writeSync } from 'node:fs';
import type { UnixMs } from '../../../src/runtime/clock.ts';

/** One record that the cloud accepted. */
export interface Arrival {
  readonly deviceId: string;
  readonly channel: 'device' | 'log';
  readonly topic: string;
  /** Empty for a log record. */
  readonly mid: string;
  /** The original text. */
  readonly payload: string;
  readonly at: UnixMs;
  readonly via: 'mqtt' | 'http' | 'batch';
}

/**
 * Arrived records, for each device in the order of arrival. Where a file is named, each record is
 * written to it before it is acknowledged, so that it survives when either side is killed.
 */
export class Arrivals {
  /** Keeps the newest `keep` of each device; `repeats` are recognized only among those. */
  readonly #keep: number;
  readonly #file: number | null;
  readonly #byDevice = new Map<string, { kept: Arrival[]; seen: Set<string>; total: number }>();
  received = 0;
  /** Same device, channel and bytes as something before. */
  repeats = 0;

  constructor(options: { keep?: number | undefined; file?: string | undefined }) {
    this.#keep = options.keep ?? Number.POSITIVE_INFINITY;
    this.#file = options.file === undefined ? null : openSync(options.file, 'a', 0o600);
  }

  add(arrival: Arrival): void {
    let device = this.#byDevice.get(arrival.deviceId);
    if (!device) {
      device = { kept: [], seen: new Set(), total: 0 };
      this.#byDevice.set(arrival.deviceId, device);
    }
    this.received++;
    device.total++;
    if (this.#keep > 0) {
      const key = arrival.channel + arrival.payload;
      if (device.seen.has(key)) this.repeats++;
      else device.seen.add(key);
      device.kept.push(arrival);
      if (device.kept.length > this.#keep) {
        const gone = device.kept.shift()!;
        device.seen.delete(gone.channel + gone.payload);
      }
    }
    if (this.#file !== null) writeSync(this.#file, `${JSON.stringify(arrival)}\n`);
  }

  /** In order of arrival, with repeats. */
  of(deviceId: string): readonly Arrival[] {
    return this.#byDevice.get(deviceId.toUpperCase())?.kept ?? [];
  }

  /** In the order in which each was first taken, without repeats. */
  firstOf(deviceId: string): Arrival[] {
    const seen = new Set<string>();
    return this.of(deviceId).filter(({ channel, payload }) => {
      const key = channel + payload;
      return !seen.has(key) && seen.add(key);
    });
  }

  countOf(deviceId: string): number {
    return this.#byDevice.get(deviceId.toUpperCase())?.total ?? 0;
  }

  devices(): string[] {
    return [...this.#byDevice.keys()];
  }

  all(): Arrival[] {
    return [...this.#byDevice.values()].flatMap(({ kept }) => kept);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }
}
