import type { OpenAPIHono } from '@hono/zod-openapi';
import type { DeviceId } from '../platform/device-id.ts';
import type { Site } from '../platform/site.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { ProvisioningStore, SetupAttempt } from '../store/index.ts';
import type { GivenReason, Why } from '../words/sentences.ts';
import type { GattNames } from './bluetooth/gatt-application.ts';
import type { PlatformAbove } from './reach.ts';
import type { SetupMode } from './set-up.ts';
import type { Wifi } from './wifi/port.ts';
import type { SimulatedNetwork } from './wifi/simulated.ts';

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export interface ProvisioningOptions {
  readonly store: ProvisioningStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly device: {
    readonly deviceId: DeviceId;
    readonly sn: string;
    readonly model: string;
    readonly version: string;
    /** The platform's prefix: of names, and of the marker of protected passwords. */
    readonly vendor: string;
  };
  /**
   * The keys with which the box may be verified and a wifi password encrypted, in order of
   * preference.
   */
  readonly keys: () => readonly string[];
  readonly bluetooth: { readonly adapter: string | null; readonly names: GattNames } | null;
  /** Wifi; null if it is off, so that no phone sets up the box. */
  readonly wifi:
    | { readonly kind: 'networkmanager'; readonly interfaceName: string | null }
    | { readonly kind: 'simulated'; readonly networks: readonly SimulatedNetwork[] }
    | null;
  readonly hotspot: {
    /** Address of the hotspot's page; null without a hotspot. */
    readonly address: HostPort | null;
    /** Key of the hotspot; null if the box makes its own. */
    readonly key: string | null;
    readonly open: boolean;
  };
  /** For how long the box may be set up where it has another network. */
  readonly minutes: number;
  readonly button: { readonly file: string; readonly pressed: '0' | '1' } | null;
  /** Back to the factory state: the box is closed and opened again. */
  readonly resetAll: () => void;
  readonly broadcastTo: HostPort;
  readonly site: Pick<Site, 'locale'>;
  readonly platformAbove: PlatformAbove | null;
  /** Serves HTTP on an address of the box; throws where it cannot. */
  readonly listen: (address: HostPort, routes: OpenAPIHono) => Promise<AsyncDisposable & { readonly address: string }>;
}

/** The state of the box's own set-up. */
interface SetupState {
  readonly mode: SetupMode | 'off';
  readonly since: number | null;
  /** Why it waits, or what it tries. */
  readonly why: Why;
  /** The broadcast name, for Bluetooth and the hotspot. */
  readonly name: string;
  /** Address at which the hotspot's routes are served now. */
  readonly hotspot: string | null;
  /** Reason for which phones cannot find the box by Bluetooth; null if they can. */
  readonly bluetooth: GivenReason | null;
  readonly last: SetupAttempt | null;
}

export interface Provisioning extends AsyncDisposable {
  /** The radio, for setting up site devices too; null: off. */
  readonly wifi: Wifi | null;
  /** Routes served in the hotspot; null if wifi is off. */
  readonly routes: OpenAPIHono | null;
  /** Resolves when it is known whether the box is to be set up, and its hotspot is open if so. */
  readonly whenReady: Promise<void>;
  report(): SetupState;
  /** Forgets the network, and lets a phone set up the box again. Throws if wifi is off. */
  reset(): Promise<void>;
  /** Its name and password; null: open, or none was made yet. */
  hotspot(): Promise<{ readonly name: string; readonly key: string | null }>;
  /** Reports the password that the box makes for its first hotspot, to be shown once. */
  onNewHotspotKey(listener: (hotspot: { readonly name: string; readonly key: string }) => void): void;
}
