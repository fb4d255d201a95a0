import type { Channel } from './channel.ts';
import type { GattProfile } from './gatt-profile.ts';

/** A device that a scan found. */
export interface Sighting {
  /** `C8:00:00:00:00:01`; empty: not a Bluetooth device. */
  readonly address: string;
  readonly name: string;
  /** Percent; null: unknown. */
  readonly quality: number | null;
  /** UUIDs of services that it advertises. */
  readonly services: readonly string[];
}

export interface Connected extends AsyncDisposable {
  readonly channel: Channel;
  readonly profile: GattProfile;
}

/**
 * A Bluetooth adapter for the length of one run. Everything rejects with a `SiteDeviceFailure` that
 * says what to do.
 */
export interface Radio extends AsyncDisposable {
  /** Scans until `enough` returns true or `ms` have passed; `enough` gets what was found so far. */
  scan(ms: number, enough: (heard: readonly Sighting[]) => boolean, signal: AbortSignal): Promise<readonly Sighting[]>;
  connect(
    address: string,
    profiles: { readonly remembered: GattProfile | null; readonly configured: GattProfile },
    signal: AbortSignal,
  ): Promise<Connected>;
}

/** Opens the radio for one run; nothing of Bluetooth is loaded before. */
export type OpenRadio = (signal: AbortSignal) => Promise<Radio>;
