import type { Duplex } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ActionTable } from '../platform/actions.ts';
import type { ProductId } from '../platform/device-id.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { DeviceNo, GatewayName, GatewayStore, Store } from '../store/index.ts';
import type { NewDevicesReport } from './new-devices.ts';
import type { UpstreamView } from './upstream-view.ts';

/** The keys of CONTRACT 2 `limits` that hold at both gateways. */
interface DeviceLimits {
  readonly logPerSecond: number;
  readonly logPerDay: number;
  readonly logBytes: number;
  readonly messageBytes: number;
  readonly inboxMessages: number;
}

export interface DevicesOptions {
  readonly store: GatewayStore & Pick<Store, 'journal' | 'directory' | 'health' | 'onHealthChange' | 'catchUp'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly actions: ActionTable;
  readonly timeZone: string;
  readonly limits: DeviceLimits;
  /** Disconnect a device for a publish to any foreign topic, not only another device's. */
  readonly strict: boolean;
  /** Features are kept here and never forwarded (`features.upstream: off`). */
  readonly featuresStay: boolean;
  /** Whether messages are taken off the bytes in front of the broker (`mqtt/framing.ts`). */
  readonly mqttFraming: boolean;
  readonly upstream: UpstreamView;
  /** Devices of one product that the product key alone makes known in any hour. */
  readonly newDevicesPerHour: number;
  /** What boxes are, as devices (`box.product_id`). */
  readonly boxProductId: string;
}

/** The device gateway: two gateways, MQTT and HTTP, under the same rules. */
export interface Devices extends AsyncDisposable {
  /** An MQTT connection, after its TLS handshake. */
  handleMqtt(stream: Duplex, from: { readonly address: string; readonly loggedIn: () => void }): void;
  /** SPEC 4.2 and the batch endpoint, to be mounted on the HTTPS listener. */
  readonly routes: OpenAPIHono<{ Bindings: HttpBindings }>;
  /**
   * An envelope of the box for a device: true when it is handed over, false when it waits in the
   * inbox.
   */
  deliver(deviceNo: DeviceNo, payload: Uint8Array): Promise<boolean>;
  /** Called when a device has taken what waited for it. */
  onTaken(listener: (deviceNo: DeviceNo) => void): void;
  /**
   * An envelope from the cloud: handed over or in the inbox when it resolves. An activation's key
   * is learned on the way.
   */
  fromCloud(deviceNo: DeviceNo, payload: Uint8Array): Promise<void>;
  isOnline(deviceNo: DeviceNo): boolean;
  /** Its device id in the case in which it logged in here last; in upper case before it has. */
  idAsWritten(deviceNo: DeviceNo): string;
  onPresence(listener: (deviceNo: DeviceNo, online: boolean) => void): void;
  /** Lets new devices of a product in for an hour, however many; resolves with the end of it. */
  letNewDevicesIn(productId: ProductId): Promise<UnixMs>;
  /**
   * Products of which new devices were refused in the last hour, or are let in without a limit now.
   */
  newDevices(): readonly NewDevicesReport[];
  kick(deviceNo: DeviceNo, why: string): void;
  /** A handshake that failed: the device may not have this box's trust store. */
  noteTlsFailure(gateway: GatewayName, address: string, error: Error): void;
  /**
   * Away because the store takes nothing, or did not until a quarter of an hour ago: not silent.
   */
  isHeldBack(deviceNo: DeviceNo): boolean;
  status(): {
    readonly known: number;
    readonly online: number;
    readonly refused: number;
    readonly held_back: number;
  };
  /** A connection that was closed because there are too many that have not logged in. */
  noteTooMany(gateway: GatewayName, address: string, why: string): void;
  /** An HTTP request that was ended because its client kept the box waiting. */
  noteSlowRequest(): void;
  /**
   * Called with an HTTP connection when a device shows a session on it, again whenever it shows
   * another.
   */
  onHttpLogin(listener: (connection: object) => void): void;
  counters(): Readonly<Record<string, number>>;
}
