import { type BusAnswer, BusRefused, type BusSignal, type SystemBus } from '../../bus/index.ts';

/** UUIDs of the service and of its two characteristics (config: provisioning.gatt). */
export interface GattNames {
  readonly service: string;
  readonly write: string;
  readonly notify: string;
}

/**
 * Where BlueZ finds what the box offers: one service, a characteristic to write to, one that
 * notifies, and the advertisement.
 */
export const gattPaths = {
  root: '/org/gatehouse/setup',
  service: '/org/gatehouse/setup/service0',
  write: '/org/gatehouse/setup/service0/char0',
  notify: '/org/gatehouse/setup/service0/char1',
  advertisement: '/org/gatehouse/setup/advertisement0',
} as const;

export interface Written {
  readonly bytes: Uint8Array;
  /** From BlueZ: the writer; empty if unknown. */
  readonly from: string;
  /** The largest write of the connection; null if BlueZ does not report it. */
  readonly mtu: number | null;
}

interface GattApplication extends Disposable {
  /** To the subscribers. */
  notify(bytes: Uint8Array): void;
}

const serviceInterface = 'org.bluez.GattService1';
const characteristicInterface = 'org.bluez.GattCharacteristic1';
const advertisementInterface = 'org.bluez.LEAdvertisement1';

/**
 * The objects of BlueZ's GATT API: it calls their methods, and receives notifications as changed
 * properties.
 */
export function gattApplication(
  bus: SystemBus,
  {
    name,
    names,
    written,
  }: { readonly name: string; readonly names: GattNames; readonly written: (what: Written) => void },
): GattApplication {
  const objects = describe(bus, name, names);
  const served = bus.serve(gattPaths.root, call => answer(call));

  function answer(call: BusSignal): BusAnswer {
    const { path, interface: on, member, body } = call;
    if (on === 'org.freedesktop.DBus.ObjectManager' && member === 'GetManagedObjects' && path === gattPaths.root) {
      const { [gattPaths.advertisement]: _, ...managed } = objects;
      return { signature: 'a{oa{sa{sv}}}', body: [managed] };
    }
    if (on === 'org.freedesktop.DBus.Properties') return propertiesAnswer(objects[path], member, body);
    if (on === advertisementInterface && member === 'Release') return nothing;
    if (on !== characteristicInterface) return null;
    if (path === gattPaths.write && member === 'WriteValue') {
      written(readWritten(body));
      return nothing;
    }
    if (path === gattPaths.notify) {
      if (member === 'StartNotify' || member === 'StopNotify' || member === 'Confirm') return nothing;
      if (member === 'ReadValue') return { signature: 'ay', body: [Buffer.alloc(0)] };
    }
    throw new BusRefused('org.bluez.Error.NotSupported', `${member} is not for this characteristic`);
  }

  return {
    notify(bytes) {
      bus.emit(gattPaths.notify, 'org.freedesktop.DBus.Properties', 'PropertiesChanged', 'sa{sv}as', [
        characteristicInterface,
        { Value: bus.variant('ay', Buffer.from(bytes)) },
        [],
      ]);
    },
    [Symbol.dispose]: () => served[Symbol.dispose](),
  };
}

type Described = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
const nothing: BusAnswer = { signature: '', body: [] };

function describe(bus: SystemBus, name: string, names: GattNames): Described {
  const characteristic = (uuid: string, ...flags: string[]) => ({
    [characteristicInterface]: {
      UUID: bus.variant('s', uuid),
      Service: bus.variant('o', gattPaths.service),
      Flags: bus.variant('as', flags),
    },
  });
  return {
    [gattPaths.service]: {
      [serviceInterface]: { UUID: bus.variant('s', names.service), Primary: bus.variant('b', true) },
    },
    [gattPaths.write]: characteristic(names.write, 'write', 'write-without-response'),
    [gattPaths.notify]: characteristic(names.notify, 'notify'),
    [gattPaths.advertisement]: {
      [advertisementInterface]: {
        Type: bus.variant('s', 'peripheral'),
        ServiceUUIDs: bus.variant('as', [names.service]),
        LocalName: bus.variant('s', name),
      },
    },
  };
}

function propertiesAnswer(
  object: Described[string] | undefined,
  member: string,
  [on, name]: readonly unknown[],
): BusAnswer {
  const properties = object?.[String(on)];
  if (!properties) throw new BusRefused('org.freedesktop.DBus.Error.UnknownInterface', `there is no ${on} here`);
  if (member === 'GetAll') return { signature: 'a{sv}', body: [properties] };
  const value = member === 'Get' ? properties[String(name)] : undefined;
  if (value === undefined)
    throw new BusRefused('org.freedesktop.DBus.Error.UnknownProperty', `there is no ${name} here`);
  return { signature: 'v', body: [value] };
}

function readWritten([value, options]: readonly unknown[]): Written {
  const { device, mtu } = (options ?? {}) as { device?: unknown; mtu?: unknown };
  return {
    bytes: Uint8Array.from(value as Iterable<number>),
    from: typeof device === 'string' ? device : '',
    mtu: typeof mtu === 'number' ? mtu : null,
  };
}
