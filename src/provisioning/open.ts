import type { OpenAPIHono } from '@hono/zod-openapi';
import { broadcastName } from '../platform/broadcast-name.ts';
import type { SetupResult } from '../platform/setup-result.ts';
import { radioFaults } from '../words/own-network.ts';
import { type GivenReason, whyOf } from '../words/sentences.ts';
import { openPeripheral } from './bluetooth/peripheral.ts';
import { watchButton } from './button.ts';
import { makeHotspotKey } from './hotspot/key.ts';
import { hotspotRoutes } from './hotspot/routes.ts';
import { Phones } from './phones.ts';
import type { HostPort, Provisioning, ProvisioningOptions } from './port.ts';
import { resultBroadcast } from './result-broadcast.ts';
import { SetUp } from './set-up.ts';
import { hasDefaultRoute } from './wifi/network-place.ts';
import { networkManagerWifi } from './wifi/networkmanager.ts';
import { WifiUnavailable } from './wifi/port.ts';
import { simulatedWifi } from './wifi/simulated.ts';

const { say } = radioFaults;
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
    opened.defer(() => wifi.closeHotspot().catch(error => log.debug({ error: error.message }, 'no_hotspot_to_close')));
    const listener = opened.use(await listenSoon(options, address, routes, signal));
    hotspotAddress = listener.address;
    opened.defer(() => {
      hotspotAddress = null;
    });
    return opened.move();
  };

  let bluetoothWhyNot: () => GivenReason | null = () => say('own_bluetooth_not_needed');
  const openBluetooth = ({ adapter, names }: NonNullable<ProvisioningOptions['bluetooth']>) => {
    const phones = new Phones(options, setUp, frames => peripheral.notify(frames));
    const peripheral = openPeripheral({ name, names, adapter, clock, log, written: what => phones.written(what) });
    bluetoothWhyNot = () => peripheral.whyNot;
    return {
      notifyResult: (result: SetupResult) => phones.notifyResult(result),
      async [Symbol.asyncDispose]() {
        bluetoothWhyNot = () => say('own_bluetooth_not_needed');
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
    site: options.site,
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
    whenReady: setUp.whenReady,
    report: () => ({
      ...setUp.state,
      name,
      hotspot: hotspotAddress,
      bluetooth: bluetooth ? bluetoothWhyNot() : say('own_bluetooth_off'),
    }),
    reset: () => setUp.reset(),
    hotspot: async () => ({ name, key: await knownKey(options) }),
    onNewHotspotKey: listener => {
      tellKey = listener;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
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
      if (left === 0) throw new WifiUnavailable(say('own_hotspot_not_served', { error: (error as Error).message }));
    }
    await clock.sleep(bindAgainMs, signal);
  }
}

const knownKey = async ({ store, hotspot }: ProvisioningOptions): Promise<string | null> =>
  hotspot.open ? null : (hotspot.key ?? (await store.read.hotspotKey()));

/**
 * Key of the hotspot; null for an open one. A box without a key makes its own; a simulated radio
 * needs none.
 */
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
  whenReady: Promise.resolve(),
  report: () => ({
    mode: 'off',
    since: null,
    why: whyOf(say('wifi_off')),
    name,
    hotspot: null,
    bluetooth: say('own_bluetooth_off'),
    last: null,
  }),
  reset: async () => {
    throw new WifiUnavailable(say('wifi_off'));
  },
  hotspot: async () => ({ name, key: null }),
  onNewHotspotKey: () => {},
  [Symbol.asyncDispose]: async () => {},
});
