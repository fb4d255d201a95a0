import type { SetupResult } from '../../platform/setup-result.ts';
import type { PasswordForm } from '../../platform/wifi-password.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { StorePart } from './part.ts';

/** How the box itself joined its network. */
export interface NetworkSetup {
  /** `reset`: its network is to be forgotten before it is set up again. */
  readonly state: 'new' | 'done' | 'reset';
  readonly changedAt: UnixMs;
  /** The network that it is in; empty: none by wifi. */
  readonly ssid: string;
  readonly last: SetupAttempt | null;
}

export interface SetupAttempt {
  /** SPEC 3.4. */
  readonly status: number;
  /** SPEC 7.6; null with status 0. */
  readonly error: number | null;
  /** One sentence for a person. */
  readonly message: string;
  readonly ssid: string;
  readonly at: UnixMs;
}

/** The last result that a site device announced (SPEC 4.5). */
export interface DeviceSetup extends SetupResult {
  readonly via: 'udp' | 'bluetooth' | 'hotspot';
  readonly at: UnixMs;
}

/** How devices of a model are reached over Bluetooth, as found out the last time. */
export interface DevicePeer {
  readonly model: string;
  readonly service: string;
  readonly write: string;
  readonly notify: string;
  readonly passwordForm: PasswordForm;
}

export interface ProvisioningWrites {
  noteNetworkSetup(input: Omit<NetworkSetup, 'last'>): void;
  noteSetupAttempt(input: SetupAttempt): void;
  keepHotspotKey(input: { key: string; at: UnixMs }): void;
  /** Kept for at most 2000 devices: the least recent one is dropped. */
  noteDeviceSetup(input: DeviceSetup): void;
  rememberDevicePeer(input: DevicePeer): void;
}

export interface ProvisioningReads {
  /** Null before the first start. */
  networkSetup(): Promise<NetworkSetup | null>;
  hotspotKey(): Promise<string | null>;
  /** The most recent first. */
  deviceSetups(limit: number): Promise<DeviceSetup[]>;
  deviceSetup(deviceId: string): Promise<DeviceSetup | null>;
  devicePeer(model: string): Promise<DevicePeer | null>;
}

export type ProvisioningStore = StorePart<ProvisioningReads, ProvisioningWrites>;
