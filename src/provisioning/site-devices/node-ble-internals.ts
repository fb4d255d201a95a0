import type { MessageBus } from 'dbus-next';
import type { Bluetooth } from 'node-ble';

/**
 * Undocumented part of node-ble that is used here, in one place: its connection to the system bus.
 * It reports errors of that connection to nobody, so that one would end the process; it introspects
 * each object that it is asked for and leaves a match rule behind for it, of which the bus allows
 * 512; and it does not say when an adapter or a device is removed. The bus itself is asked for all
 * of that. test/provisioning/node-ble-internals.test.ts fails when a new version moves it.
 */
export const busOf = (bluetooth: Bluetooth): MessageBus => (bluetooth as unknown as { readonly dbus: MessageBus }).dbus;
