import type { OpenAPIHono } from '@hono/zod-openapi';
import { broadcastName } from '../platform/broadcast-name.ts';
import type { DeviceId } from '../platform/device-id.ts';
import { encodeFrame, frameCommand } from '../platform/frame.ts';
import { encodeSetupResult, type SetupResult } from '../platform/setup-result.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { ProvisioningStore } from '../store/index.ts';
import type { GattNames, Written } from './bluetooth/gatt-application.ts';
import { openPeripheral } from './bluetooth/peripheral.ts';
import { watchButton } from './button.ts';
import { FrameReader } from './frame-reader.ts';
import { makeHotspotKey } from './hotspot/key.ts';
import { hotspotRoutes, settingsOf } from './hotspot/routes.ts';
import { answerPhone } from './phone-dialogue.ts';
import type { PlatformAbove } from './reach.ts';
import { resultBroadcast } from './result-broadcast.ts';
import { SetUp, type SetupMode } from './set-up.ts';
import { hasDefaultRoute, networkManagerWifi } from './wifi/networkmanager.ts';
import { nowhere, type Wifi, WifiUnavailable } from './wifi/port.ts';
import { type SimulatedNetwork, simulatedWifi } from './wifi/simulated.ts';

interface HostPort {
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
  /** Null: off; then the box is not set up by a phone at all. */
  readonly wifi:
    | { readonly kind: 'networkmanager'; readonly interfaceName: string | null }
    | { readonly kind: 'simulated'; readonly networks: readonly SimulatedNetwork[] }
    | null;
  readonly hotspot: {
    /** Null: no hotspot. */
    readonly address: HostPort | null;
    /** Null: the box makes its own. */
    readonly key: string | null;
    readonly open: boolean;
  };
  /** For how long the box may be set up where it has another network. */
  readonly minutes: number;
  readonly button: { readonly file: string; readonly pressed: '0' | '1' } | null;
  /** Back to the factory state: the box is closed and opened again. */
  readonly resetAll: () => void;
  readonly broadcastTo: HostPort;
  readonly locale: string;
  readonly platformAbove: PlatformAbove | null;
  /** Serves HTTP on an address of the box; throws where it cannot. */
  readonly listen: (address: HostPort, routes: OpenAPIHono) => Promise<AsyncDisposable & { readonly address: string }>;
}

/** The state of the box's own set-up. */
export interface SetupState {
  readonly mode: SetupMode | 'off';
  readonly since: number | null;
  /** Why it waits, or what it tries. */
  readonly why: string;
  /** The broadcast name, for Bluetooth and the hotspot. */
  readonly name: string;
  /** Address at which the hotspot's routes are served now. */
  readonly hotspot: string | null;
  /** Null: phones can find the box by Bluetooth. Otherwise why not. */
  readonly bluetooth: string | null;
  readonly last: {
    readonly status: number;
    readonly error: number | null;
    readonly says: string;
    readonly ssid: string;
    readonly at: number;
  } | null;
}

export interface Provisioning extends AsyncDisposable {
  /** The radio, for setting up site devices too; null: off. */
  readonly wifi: Wifi | null;
  /** What is served in the hotspot; null: wifi is off. */
  readonly routes: OpenAPIHono | null;
  /** Resolves when it is known whether the box is to be set up, and its hotspot is open if so. */
  readonly settled: Promise<void>;
  report(): SetupState;
  /** Forgets the network, and lets a phone set up the box again. Throws if wifi is off. */
  reset(): Promise<void>;
  /** Its name and password; null: open, or none was made yet. */
  hotspot(): Promise<{ readonly name: string; readonly key: string | null }>;
  /** Reports the password that the box makes for its first hotspot, to be shown once. */
  onNewHotspotKey(told: (hotspot: { readonly name: string; readonly key: string }) => void): void;
}

const frameReadersMax = 8;
const bareNotification = 20;
/** What GATT puts before the value of a notification. */
const notificationOverhead = 3;
const bindTries = 10;
const bindAgainMs = 500;

/**
 * Bluetooth, hotspot and wifi of the box itself. Nothing here keeps the box from starting: it waits
 * for what is missing.
 */
export async function openProvisioning(options: ProvisioningOptions): Promise<Provisioning> {
  const { clock, log, device } = options;
  await using parts = new AsyncDisposableStack();
  const name = broadcastName({ vendor: device.vendor, deviceId: device.deviceId });
  const { wifi: kind } = options;
  if (kind === null) return switchedOff(name);
  const wifi = parts.use(
    kind.kind === 'simulated'
      ? simulatedWifi(kind.networks, clock)
      : networkManagerWifi({ interfaceName: kind.interfaceName, otherWay: hasDefaultRoute, clock, log }),
  );
  let tellKey: Parameters<Provisioning['onNewHotspotKey']>[0] = () => {};

  let hotspotAddress: string | null = null;
  const openHotspot = async (address: HostPort, signal: AbortSignal): Promise<AsyncDisposable> => {
    await using opened = new AsyncDisposableStack();
    const key = await hotspotKey(options, made => tellKey({ name, key: made }));
    await wifi.openHotspot({ name, key, address: `${address.host}/24` }, signal);
    opened.defer(() => wifi.closeHotspot().catch(error => log.debug({ error: error.message }, 'no hotspot to close')));
    const listener = opened.use(await listenSoon(options, address, routes, signal));
    hotspotAddress = listener.address;
    opened.defer(() => {
      hotspotAddress = null;
    });
    return opened.move();
  };

  let bluetoothWhyNot: () => string | null = () => 'it is off, or nothing is to be set up';
  const openBluetooth = ({ adapter, names }: NonNullable<ProvisioningOptions['bluetooth']>) => {
    const phones = new Phones(options, setUp, frames => peripheral.notify(frames));
    const peripheral = openPeripheral({ name, names, adapter, clock, log, written: what => phones.written(what) });
    bluetoothWhyNot = () => peripheral.whyNot;
    return {
      notifyResult: (result: SetupResult) => phones.notifyResult(result),
      async [Symbol.asyncDispose]() {
        bluetoothWhyNot = () => 'nothing is to be set up';
        await peripheral[Symbol.asyncDispose]();
      },
    };
  };

  const { address } = options.hotspot;
  const { bluetooth } = options;
  const setUp: SetUp = parts.use(
    new SetUp({
      ...options,
      wifi,
      openHotspot: address && (signal => openHotspot(address, signal)),
      openBluetooth: bluetooth && (() => openBluetooth(bluetooth)),
      broadcast: resultBroadcast({ target: options.broadcastTo, clock, log }),
    }),
  );
  const routes = hotspotRoutes({
    desk: {
      device: { sn: device.sn, model: device.model, version: device.version },
      networks: () => setUp.networks(),
      lastAttempt: () => setUp.state.last,
      take: settings => setUp.take(settings),
    },
    clock,
    locale: options.locale,
  });
  if (options.button)
    parts.use(
      watchButton({
        ...options.button,
        clock,
        log,
        held: what => void (what === 'all' ? options.resetAll() : setUp.reset()),
      }),
    );

  const opened = parts.move();
  return {
    wifi,
    routes,
    settled: setUp.settled,
    report: () => ({
      ...setUp.state,
      name,
      hotspot: hotspotAddress,
      bluetooth: bluetooth ? bluetoothWhyNot() : 'it is off in the config',
    }),
    reset: () => setUp.reset(),
    hotspot: async () => ({ name, key: await knownKey(options) }),
    onNewHotspotKey: told => {
      tellKey = told;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The dialogues with phones: a frame reader for each of them, since their packets interleave. */
class Phones {
  readonly #options: ProvisioningOptions;
  readonly #setUp: SetUp;
  readonly #notify: (bytes: Uint8Array) => void;
  readonly #readers = new Map<string, FrameReader>();
  #piece = bareNotification;

  constructor(options: ProvisioningOptions, setUp: SetUp, notify: (bytes: Uint8Array) => void) {
    this.#options = options;
    this.#setUp = setUp;
    this.#notify = notify;
  }

  written({ bytes, from, mtu }: Written): void {
    if (mtu !== null) this.#piece = Math.max(bareNotification, mtu - notificationOverhead);
    let reader = this.#readers.get(from);
    if (!reader) {
      // Phones come and go under ever new addresses: the oldest is forgotten.
      const [oldest] = this.#readers.keys();
      if (this.#readers.size >= frameReadersMax && oldest !== undefined) this.#readers.delete(oldest);
      reader = new FrameReader();
      this.#readers.set(from, reader);
    }
    const { clock, device, keys, log } = this.#options;
    const desk = {
      deviceId: device.deviceId,
      model: device.model,
      marker: `${device.vendor}@`,
      keys: async () => keys(),
      take: (settings: { ssid: string; key: string }) => this.#take(settings),
    };
    for (const read of reader.push(bytes, clock.monotonic()))
      answerPhone(read, desk, log).then(
        answer => answer && this.#send(answer),
        error => log.error({ error: (error as Error).stack }, 'a phone could not be answered'),
      );
  }

  /** Under command 0x03, on the channel on which the settings came (decision 62). */
  notifyResult(result: SetupResult): void {
    this.#send(encodeFrame({ command: frameCommand.wifi, payload: encodeSetupResult(result) }));
  }

  /** Settings that cannot be tried are refused at once, without leaving the hotspot. */
  #take(settings: { readonly ssid: string; readonly key: string }): void {
    const { device, log } = this.#options;
    const read = settingsOf(settings, this.#setUp.networks().networks);
    const refused = (error: -3 | -4) =>
      this.notifyResult({ deviceId: device.deviceId, model: device.model, status: -2, error, message: '', ...nowhere });
    if ('problem' in read) {
      log.warn({ ssid: settings.ssid }, `wifi settings over Bluetooth cannot be used: ${read.problem}`);
      refused(-3);
    } else if (!this.#setUp.take(read.settings)) {
      if (this.#setUp.state.mode !== 'trying') refused(-4);
    }
  }

  #send(frame: Uint8Array): void {
    for (let at = 0; at < frame.length; at += this.#piece) this.#notify(frame.subarray(at, at + this.#piece));
  }
}

/** NetworkManager has opened the hotspot, and its address comes a moment later. */
async function listenSoon(
  { listen, clock }: ProvisioningOptions,
  address: HostPort,
  routes: OpenAPIHono,
  signal: AbortSignal,
): ReturnType<ProvisioningOptions['listen']> {
  for (let left = bindTries; ; left--) {
    try {
      return await listen(address, routes);
    } catch (error) {
      // A port that is taken, or an address that this machine does not have, is logged and tried
      // again.
      if (left === 0) throw new WifiUnavailable((error as Error).message);
    }
    await clock.sleep(bindAgainMs, signal);
  }
}

const knownKey = async ({ store, hotspot }: ProvisioningOptions): Promise<string | null> =>
  hotspot.open ? null : (hotspot.key ?? (await store.read.hotspotKey()));

/** Null: open. A box without one makes its own; a simulated radio needs none. */
async function hotspotKey(options: ProvisioningOptions, made: (key: string) => void): Promise<string | null> {
  if (options.hotspot.open || options.wifi?.kind === 'simulated') return null;
  const known = await knownKey(options);
  if (known !== null) return known;
  const key = makeHotspotKey();
  await options.store.write.keepHotspotKey({ key, at: options.clock.now() });
  made(key);
  return key;
}

const switchedOff = (name: string): Provisioning => ({
  wifi: null,
  routes: null,
  settled: Promise.resolve(),
  report: () => ({
    mode: 'off',
    since: null,
    why: 'provisioning.wifi is off in the config',
    name,
    hotspot: null,
    bluetooth: 'it is off in the config',
    last: null,
  }),
  reset: async () => {
    throw new Error('provisioning.wifi is off in the config: there is no network to reset');
  },
  hotspot: async () => ({ name, key: null }),
  onNewHotspotKey: () => {},
  [Symbol.asyncDispose]: async () => {},
});
