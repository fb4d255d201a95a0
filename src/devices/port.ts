import type { Duplex } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ActionTable } from '../platform/actions.ts';
import type { ProductId } from '../platform/device-id.ts';
import type { DeviceState, DeviceStateCounts } from '../platform/device-state.ts';
import type { Site } from '../platform/site.ts';
import type { Clock, UnixMs, UnixSeconds } from '../runtime/clock.ts';
import type { Direct } from '../runtime/direct.ts';
import type { KnownTime } from '../runtime/known-time.ts';
import type { Log } from '../runtime/log.ts';
import type {
  ClaimStore,
  Device,
  DeviceNo,
  DirectoryStore,
  FleetWrites,
  GatewayName,
  GatewayStore,
  HealthStore,
  JournalStore,
  Product,
  SharedStore,
  Store,
  WritePart,
} from '../store/index.ts';
import type { Reason } from '../words/sentences.ts';
import type { BackupsBelow } from './http/backups.ts';
import type { HolderStore } from './http/box-holders.ts';
import type { NewDevicesReport } from './new-devices.ts';
import type { UpstreamView } from './upstream-view.ts';
import type { DeviceUsedTwice } from './used-twice.ts';

/** The config keys under `limits` that apply at both gateways (CONTRACT 2). */
interface DeviceLimits {
  readonly logPerSecond: number;
  readonly logPerDay: number;
  readonly logBytes: number;
  readonly messageBytes: number;
  readonly inboxMessages: number;
}

export interface DevicesOptions {
  readonly store: GatewayStore &
    JournalStore &
    DirectoryStore &
    HealthStore &
    HolderStore &
    ClaimStore &
    SharedStore &
    WritePart<FleetWrites> &
    Pick<Store, 'onHealthChange' | 'catchUp' | 'level' | 'processes'>;
  readonly clock: Clock;
  readonly time: KnownTime;
  readonly log: Log;
  readonly actions: ActionTable;
  readonly site: Pick<Site, 'timezone'>;
  readonly limits: DeviceLimits;
  /** Disconnect a device that publishes to any foreign topic, not only to another device's. */
  readonly strict: boolean;
  /** Features stay here and are never forwarded (`features.upstream: off`). */
  readonly featuresStay: boolean;
  /**
   * Whether unreadable messages without a `from` stay here: they would go up in the session of the
   * box, where `from` alone says who sent it (mode gateway).
   */
  readonly unnamedStay: boolean;
  readonly upstream: UpstreamView;
  /** How many devices of one product the product key alone may introduce in an hour. */
  readonly newDevicesPerHour: number;
  /** The product id of boxes as devices (`box.product_id`). */
  readonly boxProductId: string;
  /** Logs of boxes below are not forwarded: the cloud may not know boxes (mode per-device). */
  readonly boxLogsStay: boolean;
  /** Where backups of boxes below are kept. */
  readonly backupsBelow: BackupsBelow;
}

/** CONTRACT 7. */
export interface DevicesStatus {
  /** As many as `states` adds up to. */
  readonly known: number;
  readonly online: number;
  readonly held_back: number;
  /** Device ids that were refused within the last day and not let in since, known or not. */
  readonly refused: number;
  readonly states: DeviceStateCounts;
}

/** The device gateways, MQTT and HTTP, with the same rules. */
export interface Devices extends AsyncDisposable {
  /** Takes over an MQTT connection after its TLS handshake. */
  handleMqtt(stream: Duplex, from: { readonly address: string; readonly loggedIn: () => void }): void;
  /** The routes of SPEC 4.2 and the batch endpoint, to be mounted on the HTTPS listener. */
  readonly routes: OpenAPIHono<{ Bindings: HttpBindings }>;
  /** Serves what devices that are logged in call all the time. */
  readonly direct: Direct;
  /**
   * Sends an envelope of the box to a device. Resolves to true when it was handed over, to false
   * when it waits in the inbox.
   */
  deliver(deviceNo: DeviceNo, payload: Uint8Array): Promise<boolean>;
  /** Called when a device has taken what waited for it. */
  onTaken(listener: (deviceNo: DeviceNo) => void): void;
  /**
   * Passes on an envelope from the cloud; resolves when it was handed over or is in the inbox.
   * Stores the key of an activation on the way.
   */
  fromCloud(deviceNo: DeviceNo, payload: Uint8Array): Promise<void>;
  /** In a region: at whichever process. */
  isOnline(deviceNo: DeviceNo): boolean;
  /** Whether it has a session of this process. */
  isHere(deviceNo: DeviceNo): boolean;
  /** Its device id in the case in which it logged in here last; in upper case before it has. */
  idAsWritten(deviceNo: DeviceNo): string;
  /** Now, as devices may be told; 0 while the box does not know the time. */
  stamp(): UnixSeconds;
  /** Called when a device has come to this process, or has left it. */
  onPresence(listener: (deviceNo: DeviceNo, online: boolean) => void): void;
  /** The same at whichever process of a region. */
  onPresenceAnywhere(listener: (deviceNo: DeviceNo, online: boolean) => void): void;
  /**
   * Accepts any number of new devices of a product for an hour; resolves with the end of that hour.
   */
  letNewDevicesIn(productId: ProductId): Promise<UnixMs>;
  /** Products that had new devices refused in the last hour, or accept them without a limit now. */
  newDevices(): readonly NewDevicesReport[];
  /** Ids that more than one device logs in with at this process, over MQTT, at the moment. */
  usedTwice(): readonly DeviceUsedTwice[];
  kick(deviceNo: DeviceNo, why: Reason): void;
  /** Notes a failed handshake: the device may not have this box's trust store. */
  noteTlsFailure(gateway: GatewayName, address: string, error: Error): void;
  stateOf(device: Device): DeviceState;
  /** Only the cloud's word lets devices of this product in: its key here is probably mistyped. */
  keyFitsNobody(product: Product): boolean;
  status(): DevicesStatus;
  /** Notes a connection that was closed because too many have not logged in. */
  noteTooMany(gateway: GatewayName, address: string, why: string): void;
  /** Notes an HTTP request that was ended because its client kept the box waiting. */
  noteSlowRequest(): void;
  /**
   * Called with an HTTP connection when a device first uses a session on it, and when it uses
   * another.
   */
  onHttpLogin(listener: (connection: object) => void): void;
  counters(): Readonly<Record<string, number>>;
}
