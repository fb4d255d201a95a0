import { once } from 'node:events';
import type { ClientInterface } from 'dbus-next';
import type { Bluetooth } from 'node-ble';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { busOf } from '../../src/provisioning/site-devices/node-ble-internals.ts';
import { suiteWithBus, TestBus } from '../support/dbus.ts';
import { until } from '../support/until.ts';

type Daemon = ClientInterface & { GetId(): Promise<string>; NameHasOwner(name: string): Promise<boolean> };

/** The daemon of the bus, asked over the connection of node-ble. */
const daemonOf = async (bluetooth: Bluetooth): Promise<Daemon> =>
  (await busOf(bluetooth).getProxyObject('org.freedesktop.DBus', '/org/freedesktop/DBus')).getInterface<Daemon>(
    'org.freedesktop.DBus',
  );

/**
 * What is used of node-ble that its types do not show. When a new version of it makes one of these
 * fail, `bluez.ts` must be looked at before the version is taken.
 */

const before = process.env.DBUS_SYSTEM_BUS_ADDRESS;

afterEach(() => {
  if (before === undefined) delete process.env.DBUS_SYSTEM_BUS_ADDRESS;
  else process.env.DBUS_SYSTEM_BUS_ADDRESS = before;
});

test('that the bus is not there is heard on the connection', async () => {
  process.env.DBUS_SYSTEM_BUS_ADDRESS = 'unix:path=/nowhere/bus';
  const { createBluetooth } = await import('node-ble');
  const [error] = await once(busOf(createBluetooth().bluetooth), 'error');
  expect(error).toMatchObject({ code: 'ENOENT' });
});

suiteWithBus('the connection of node-ble to the bus', () => {
  let bus: TestBus;
  beforeEach(async () => {
    bus = await TestBus.open();
    process.env.DBUS_SYSTEM_BUS_ADDRESS = bus.address;
  });
  afterEach(() => bus[Symbol.asyncDispose]());

  test('answers calls that go around node-ble', async () => {
    const { createBluetooth } = await import('node-ble');
    const { bluetooth, destroy } = createBluetooth();
    expect(await (await daemonOf(bluetooth)).GetId()).toMatch(/^[0-9a-f]{32}$/);
    destroy();
  });

  test('is the one that node-ble ends', async () => {
    const { createBluetooth } = await import('node-ble');
    const [one, other] = [createBluetooth(), createBluetooth()];
    await daemonOf(one.bluetooth);
    const { name } = busOf(one.bluetooth) as unknown as { readonly name: string };
    const asked = await daemonOf(other.bluetooth);
    expect(await asked.NameHasOwner(name)).toBe(true);
    one.destroy();
    await until('it is off the bus', async () => !(await asked.NameHasOwner(name)));
    other.destroy();
  });
});
