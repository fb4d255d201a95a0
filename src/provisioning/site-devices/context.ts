import { type BroadcastName, readBroadcastName } from '../../platform/broadcast-name.ts';
import { type DeviceId, parseDeviceId, productOf } from '../../platform/device-id.ts';
import type { SetupResult } from '../../platform/setup-result.ts';
import type { Clock, Random } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { DirectoryStore, Product, ProvisioningStore } from '../../store/index.ts';
import type { Wifi } from '../wifi/port.ts';
import type { GattProfile } from './gatt-profile.ts';
import type { HotspotAddress } from './hotspot.ts';
import type { OpenRadio } from './radio.ts';

export interface SiteDevicesOptions {
  readonly store: ProvisioningStore & DirectoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** `VENDOR`: the prefix of names (SPEC 2.3) and, with `@`, the marker of passwords (SPEC 5.4). */
  readonly vendor: string;
  /** Radio; null if Bluetooth is off. */
  readonly openRadio: OpenRadio | null;
  readonly gatt: GattProfile;
  /** Wifi of the box; null if it is off. */
  readonly wifi: Wifi | null;
  /** The box is in its own set-up, and its wifi with it. */
  readonly radioTaken: () => boolean;
  /** Where the endpoints of a hotspot of this name are. */
  readonly hotspotAt: (ssid: string) => HotspotAddress;
  /** The box has a network by wire: it stays reachable while its wifi is elsewhere. */
  readonly hasWire: () => boolean;
  /** Where results are listened for; null: nowhere. */
  readonly resultListen: { readonly host: string; readonly port: number } | null;
  readonly ownDeviceId: string;
  readonly isOnline: (deviceId: DeviceId) => boolean;
}

/** Context that the steps of a run share. */
export interface RunContext extends SiteDevicesOptions {
  /** Receives the results of SPEC 4.5 over UDP. */
  readonly onUdp: (deviceId: string, listener: (result: SetupResult) => void) => Disposable;
}

/** The product of a device id as a device writes it; undefined: unknown here, or no device id. */
export function productFor({ store }: RunContext, deviceId: string): Product | undefined {
  const id = parseDeviceId(deviceId);
  return id.ok ? store.directory.product(productOf(id.value)) : undefined;
}

/** Parses a broadcast name (SPEC 2.3); null: not of this platform. */
export const readName = ({ store, vendor }: RunContext, name: string): BroadcastName | null =>
  readBroadcastName(name, { vendor, products: store.directory.products() });

/** The model that a name contains, or that of its product. Null: neither. */
export function modelIn(context: RunContext, name: string): string | null {
  const read = readName(context, name);
  if (read === null) return null;
  return read.kind === 'model' ? read.model : (context.store.directory.product(read.productId)?.model ?? null);
}
