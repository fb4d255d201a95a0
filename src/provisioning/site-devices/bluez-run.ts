import type { Clock } from '../../runtime/clock.ts';
import type { Reason } from '../../words/sentences.ts';

/** Objects of BlueZ by path, interface and property, as one call returns them. */
export type BluezObjects = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Property>>>>>>;

interface Property {
  readonly value: unknown;
}

/**
 * A run's connection to BlueZ, which is lost for good when the bus, the service or the adapter
 * goes.
 */
export interface BluezRun {
  readonly clock: Clock;
  readonly adapterPath: string;
  readonly bluetooth: import('node-ble').Bluetooth;
  objects(): Promise<BluezObjects>;
  /** Never resolves; rejects when nothing more can be had of this run. */
  readonly lost: Promise<never>;
  /** Called for devices that are removed from the bus. */
  onRemoved(path: string, listener: () => void): void;
  /** Bounds a call: BlueZ and D-Bus may leave one unanswered. */
  call<T>(doing: Reason, ms: number, work: Promise<T>, signal?: AbortSignal): Promise<T>;
}
