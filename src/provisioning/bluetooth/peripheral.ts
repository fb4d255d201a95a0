import { BusUnavailable, busFault, connectSystemBus, type SystemBus } from '../../bus/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { aborted } from '../../runtime/within.ts';
import { radioFaults } from '../../words/own-network.ts';
import { type GivenReason, type Reason, whyOf, withWhy } from '../../words/sentences.ts';
import { type GattNames, gattApplication, gattPaths, type Written } from './gatt-application.ts';

const { say } = radioFaults;
const bluez = 'org.bluez';
const adapterInterface = 'org.bluez.Adapter1';
const gattManager = 'org.bluez.GattManager1';
const advertisingManager = 'org.bluez.LEAdvertisingManager1';
/** Room for a name in a scan response. */
const nameBytesMax = 29;
const tryAgainMs = 5000;

interface PeripheralOptions {
  /**
   * The broadcast name (SPEC 2.3). Over 29 bytes do not fit an advertisement: then it is cut, as
   * apps expect of long names.
   */
  readonly name: string;
  readonly names: GattNames;
  /** Adapter, such as `hci0`; null for the first that can do it. */
  readonly adapter: string | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly written: (what: Written) => void;
}

/** The box as a Bluetooth device that phones find and write to, until it is disposed. */
interface Peripheral extends AsyncDisposable {
  /** Reason for which the box cannot be found, tried again every few seconds; null if it can. */
  readonly whyNot: GivenReason | null;
  /** To the subscribers, if there are any. */
  notify(bytes: Uint8Array): void;
}

/**
 * Offers the service as long as it can: BlueZ or its adapter may be missing at first, go away, or
 * refuse, and come back.
 */
export function openPeripheral(options: PeripheralOptions): Peripheral {
  const { clock, log } = options;
  const closing = new AbortController();
  let whyNot: GivenReason | null = say('own_bluetooth_starting');
  let notify: (bytes: Uint8Array) => void = () => {};

  const run = async () => {
    while (!closing.signal.aborted) {
      try {
        using bus = await connectSystemBus(clock);
        await using offered = await offer(bus, options);
        notify = bytes => offered.notify(bytes);
        whyNot = null;
        log.info({ name: options.name, adapter: offered.adapter }, 'bluetooth_offered');
        const why = await Promise.race([offered.ended, aborted(closing.signal).then(() => null)]);
        if (why !== null) throw new BusUnavailable(why);
      } catch (error) {
        const fault = busFault('BlueZ', error);
        if (fault === null) throw error;
        if (fault.reason !== whyNot?.reason && !closing.signal.aborted)
          log.warn({}, 'bluetooth_not_offered', { ...withWhy(whyOf(fault)), seconds: tryAgainMs / 1000 });
        whyNot = fault;
      }
      notify = () => {};
      if (!closing.signal.aborted) await clock.sleep(tryAgainMs, closing.signal).catch(() => {});
    }
  };
  const ended = run();

  return {
    get whyNot() {
      return whyNot;
    },
    notify: bytes => notify(bytes),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await ended;
    },
  };
}

interface Offered extends AsyncDisposable {
  readonly adapter: string;
  /** Resolves with the reason when it cannot be found any longer. */
  readonly ended: Promise<Reason>;
  notify(bytes: Uint8Array): void;
}

async function offer(bus: SystemBus, { name, names, adapter, written }: PeripheralOptions): Promise<Offered> {
  await using parts = new AsyncDisposableStack();
  const path = await findAdapter(bus, adapter);
  const ended = Promise.withResolvers<Reason>();
  bus.gone.then(() => ended.resolve(say('bus_lost')));
  parts.use(
    await bus.signals(
      bluez,
      "interface='org.freedesktop.DBus.ObjectManager',member='InterfacesRemoved'",
      ({ body }) => {
        if (body[0] === path) ended.resolve(say('own_adapter_removed', { adapter: nameOf(path) }));
      },
    ),
  );
  parts.use(
    await bus.signals(
      'org.freedesktop.DBus',
      `interface='org.freedesktop.DBus',member='NameOwnerChanged'`,
      ({ body }) => {
        if (body[0] === bluez && body[2] === '') ended.resolve(say('bluez_stopped'));
      },
    ),
  );
  const powered = await bus.property(bluez, path, adapterInterface, 'Powered');
  if (powered !== true)
    await bus.call({
      service: bluez,
      path,
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Set',
      signature: 'ssv',
      body: [adapterInterface, 'Powered', bus.variant('b', true)],
    });
  const application = parts.use(gattApplication(bus, { name: shortened(name), names, written }));
  const register = async (on: string, member: string, undo: string, object: string) => {
    await bus.call({ service: bluez, path, interface: on, member, signature: 'oa{sv}', body: [object, {}] });
    // After the adapter or BlueZ has gone there is nothing to undo.
    parts.defer(() =>
      bus.call({ service: bluez, path, interface: on, member: undo, signature: 'o', body: [object] }, 2000).then(
        () => {},
        () => {},
      ),
    );
  };
  await register(gattManager, 'RegisterApplication', 'UnregisterApplication', gattPaths.root);
  await register(advertisingManager, 'RegisterAdvertisement', 'UnregisterAdvertisement', gattPaths.advertisement);
  const registered = parts.move();
  return {
    adapter: path,
    ended: ended.promise,
    notify: bytes => application.notify(bytes),
    [Symbol.asyncDispose]: () => registered.disposeAsync(),
  };
}

/** The adapter of this name, or the first that can advertise a service. Throws `BusUnavailable`. */
async function findAdapter(bus: SystemBus, wanted: string | null): Promise<string> {
  const adapters = [...(await bus.objects(bluez))].filter(([, interfaces]) => adapterInterface in interfaces);
  if (adapters.length === 0) throw new BusUnavailable(say('own_adapter_none'));
  const named = wanted === null ? adapters : adapters.filter(([path]) => path.endsWith(`/${wanted}`));
  if (named.length === 0)
    throw new BusUnavailable(
      say('own_adapter_missing', { adapter: wanted!, others: adapters.map(([path]) => nameOf(path)).join(', ') }),
    );
  const able = named.find(([, interfaces]) => advertisingManager in interfaces);
  if (!able) throw new BusUnavailable(say('own_adapter_too_old'));
  return able[0];
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function shortened(name: string): string {
  const bytes = Buffer.from(name, 'utf8');
  return bytes.length <= nameBytesMax
    ? name
    : bytes
        .subarray(0, nameBytesMax)
        .toString('utf8')
        .replace(/\uFFFD$/, '');
}
