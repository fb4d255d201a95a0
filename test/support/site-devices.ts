import { Variant } from 'dbus-next';
import {
  bluezRadio,
  openSiteDevices,
  type SiteDevices,
  type SiteDevicesOptions,
} from '../../src/provisioning/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { HandClock, seededRandom } from './clock.ts';
import { type MockService, ourTemplate, type TestBus } from './dbus.ts';
import { aProduct, applied, aStore, type TemporaryStore } from './store.ts';

export const address = 'C8:00:00:00:00:01';

/** Simulated bluetoothd with one adapter on this bus. */
export async function aBluetooth(bus: TestBus): Promise<MockService> {
  const bluez = await bus.mock(ourTemplate('bluez5_gatehouse'));
  await bluez.control('AddAdapter', 'ss', 'hci0', 'box');
  return bluez;
}

/** A terminal that waits to be set up; `SiteDevice` of the template describes it. */
export async function inRange(
  bluez: MockService,
  { at = address, name = 'VENDOR_FACE-T1__A0001', ...options }: Record<string, string | number> = {},
): Promise<void> {
  const variants = Object.fromEntries(
    Object.entries({ key: 's3cret-of-the-product', ...options }).map(([key, value]) => [
      key,
      new Variant(typeof value === 'number' ? 'q' : 's', value),
    ]),
  );
  await bluez.control('AddSiteDevice', 'sssa{sv}', 'hci0', at, name, variants);
}

export interface SetUp extends AsyncDisposable {
  readonly devices: SiteDevices;
  readonly clock: HandClock;
  readonly store: TemporaryStore['store'];
  /** The messages of the runs, in order. */
  readonly said: string[];
  readonly onEvent: (event: { readonly step: string; readonly message: string }) => void;
  readonly online: Set<string>;
}

/** The part under test, on a store of its own, with a clock that stands still. */
export async function aSetUp(change: Partial<SiteDevicesOptions> = {}): Promise<SetUp> {
  const clock = new HandClock();
  const store = await aStore();
  await applied(store.store, {
    products: [aProduct(), aProduct({ product_id: 'GATE-2', product_key: 'other', model: 'G2' })],
  });
  const online = new Set<string>();
  const devices = await openSiteDevices({
    store: store.store,
    clock,
    random: seededRandom(1),
    log: silentLog,
    vendor: 'VENDOR',
    openRadio: bluezRadio({ adapter: undefined, clock }),
    gatt: {
      service: '0000abcd-0000-1000-8000-00805f9b34fb',
      write: '0000abce-0000-1000-8000-00805f9b34fb',
      notify: '0000abcf-0000-1000-8000-00805f9b34fb',
    },
    wifi: null,
    radioTaken: () => false,
    hotspotAt: () => ({ host: '127.0.0.1', port: 9 }),
    hasWire: () => true,
    resultListen: null,
    ownDeviceId: 'GATEHOUSE_000001',
    isOnline: id => online.has(id),
    ...change,
  });
  const said: string[] = [];
  return {
    devices,
    clock,
    store: store.store,
    said,
    onEvent: ({ step, message }) => said.push(`${step}: ${message}`),
    online,
    async [Symbol.asyncDispose]() {
      await devices[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}
