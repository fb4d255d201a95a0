import type { ClientInterface } from 'dbus-next';
import { qualityPercent } from '../../platform/wifi-security.ts';
import type { Clock } from '../../runtime/clock.ts';
import { within } from '../../runtime/within.ts';
import { whyOf, withWhy } from '../../words/sentences.ts';
import { bluetoothActs, siteDeviceFailures } from '../../words/site-devices.ts';
import { adapterGone, adapterOff, bluetoothEnded, bluezFailure, noAdapter, noBus } from './bluez-errors.ts';
import { connectBluez } from './bluez-link.ts';
import type { BluezObjects, BluezRun } from './bluez-run.ts';
import { SiteDeviceFailure } from './failure.ts';
import { busOf } from './node-ble-internals.ts';
import type { OpenRadio, Radio, Sighting } from './radio.ts';

type ObjectManager = ClientInterface & { GetManagedObjects(): Promise<BluezObjects> };

/** Interface of the two objects that are used, so that no introspection is needed. */
const managerXml = `<node><interface name="org.freedesktop.DBus.ObjectManager">
  <method name="GetManagedObjects"><arg type="a{oa{sa{sv}}}" direction="out"/></method>
  <signal name="InterfacesRemoved"><arg type="o"/><arg type="as"/></signal></interface></node>`;

const daemonXml = `<node><interface name="org.freedesktop.DBus">
  <signal name="NameOwnerChanged"><arg type="s"/><arg type="s"/><arg type="s"/></signal></interface></node>`;

const callMs = 10_000;

const lookMs = 500;

/** A call of D-Bus without an answer ends there by itself as well; closing must not wait for it. */
const closeMs = 3000;

/**
 * The central, over node-ble. Each run has a D-Bus connection of its own and ends it, and reads all
 * devices in one call, not one by one: the match rules that node-ble leaves behind are bounded.
 */
export const bluezRadio =
  ({ adapter, clock }: { readonly adapter: string | undefined; readonly clock: Clock }): OpenRadio =>
  async signal => {
    const { createBluetooth } = await import('node-ble');
    const { bluetooth, destroy } = createBluetooth();
    const bus = busOf(bluetooth);
    const { promise: lost, reject: lose } = Promise.withResolvers<never>();
    lost.catch(() => {});
    // Without a listener an error of the bus would end the process.
    bus.on('error', (error: Error & { code?: string }) => lose(noBus(error.code ?? error.message)));
    const removed = new Map<string, () => void>();

    const call: BluezRun['call'] = (doing, ms, work, while_) =>
      within(
        ms,
        clock,
        Promise.race([work.catch(error => Promise.reject(bluezFailure(error, doing))), lost]),
        () =>
          new SiteDeviceFailure(
            'refused',
            siteDeviceFailures.say('bluetooth_no_answer', { ...withWhy(whyOf(doing)), seconds: ms / 1000 }),
          ),
        while_,
      );
    try {
      const bluez = await call(
        bluetoothActs.say('reach_system_bus'),
        callMs,
        bus.getProxyObject('org.bluez', '/', managerXml),
        signal,
      );
      const manager = bluez.getInterface<ObjectManager>('org.freedesktop.DBus.ObjectManager');
      const daemon = (
        await call(
          bluetoothActs.say('reach_system_bus'),
          callMs,
          bus.getProxyObject('org.freedesktop.DBus', '/org/freedesktop/DBus', daemonXml),
          signal,
        )
      ).getInterface('org.freedesktop.DBus');
      daemon.on('NameOwnerChanged', (name, _before, now) => {
        if (name === 'org.bluez' && now === '') lose(bluetoothEnded());
      });
      const objects = () => manager.GetManagedObjects();
      const adapterPath = adapterIn(
        await call(bluetoothActs.say('ask_bluetooth_service'), callMs, objects(), signal),
        adapter,
      );
      manager.on('InterfacesRemoved', (path: unknown, interfaces: unknown) => {
        if (path === adapterPath && (interfaces as string[]).includes('org.bluez.Adapter1')) lose(adapterGone());
        removed.get(path as string)?.();
      });
      const run: BluezRun = {
        clock,
        adapterPath,
        bluetooth,
        objects,
        lost,
        onRemoved: (path, listener) => void removed.set(path, listener),
        call,
      };
      return radioOf(run, destroy);
    } catch (error) {
      destroy();
      throw error;
    }
  };

/** The path of the adapter that is wanted, or of the first one that is on. */
function adapterIn(objects: BluezObjects, wanted: string | undefined): string {
  const adapters = Object.keys(objects)
    .filter(path => objects[path]!['org.bluez.Adapter1'])
    .filter(path => wanted === undefined || path === `/org/bluez/${wanted}`)
    .sort();
  if (adapters.length === 0) throw noAdapter(wanted);
  const on = adapters.find(path => objects[path]!['org.bluez.Adapter1']!.Powered?.value === true);
  if (on === undefined) throw adapterOff(adapters[0]!.slice('/org/bluez/'.length));
  return on;
}

function radioOf(run: BluezRun, destroy: () => void): Radio {
  const { clock, adapterPath, call } = run;
  const adapter = () => run.bluetooth.getAdapter(adapterPath.slice('/org/bluez/'.length));
  return {
    async scan(ms, enough, signal) {
      const own = await call(bluetoothActs.say('use_adapter'), callMs, adapter(), signal);
      // Another program may be looking already: its search serves as well.
      const started = await call(bluetoothActs.say('look_for_devices'), callMs, own.startDiscovery(), signal).then(
        () => true,
        error => (/already in progress|InProgress/.test(String(error)) ? false : Promise.reject(error)),
      );
      try {
        const end = clock.monotonic() + ms;
        for (;;) {
          const heard = sightings(
            await call(bluetoothActs.say('look_for_devices'), callMs, run.objects(), signal),
            adapterPath,
          );
          const left = end - clock.monotonic();
          if (left <= 0 || enough(heard)) return heard;
          await Promise.race([clock.sleep(Math.min(lookMs, left), signal), run.lost]);
        }
      } finally {
        // Connecting while looking fails on many adapters.
        if (started) await call(bluetoothActs.say('stop_looking'), closeMs, own.stopDiscovery()).catch(() => {});
      }
    },
    connect: async (address, profiles, signal) =>
      connectBluez(run, await call(bluetoothActs.say('use_adapter'), callMs, adapter(), signal), {
        address,
        profiles,
        signal,
      }),
    async [Symbol.asyncDispose]() {
      destroy();
    },
  };
}

/** Devices that are in range now: BlueZ also lists known ones, without a signal strength. */
function sightings(objects: BluezObjects, adapterPath: string): Sighting[] {
  const heard: Sighting[] = [];
  for (const [path, interfaces] of Object.entries(objects)) {
    const device = interfaces['org.bluez.Device1'];
    if (!device || !path.startsWith(`${adapterPath}/`)) continue;
    const rssi = device.RSSI?.value;
    if (rssi === undefined && device.Connected?.value !== true) continue;
    heard.push({
      address: String(device.Address?.value ?? ''),
      name: String(device.Name?.value ?? ''),
      quality: rssi === undefined ? null : qualityPercent(String(rssi)),
      services: (device.UUIDs?.value as string[] | undefined) ?? [],
    });
  }
  return heard.sort((one, other) => (other.quality ?? 0) - (one.quality ?? 0));
}
