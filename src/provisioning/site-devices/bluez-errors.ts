import { SiteDeviceFailure } from './failure.ts';

/**
 * An error of D-Bus or BlueZ, as one of the failures that have a remedy. `doing` is what was tried,
 * such as `connect to VENDOR_FT1`.
 */
export function bluezFailure(error: unknown, doing: string): Error {
  if (error instanceof SiteDeviceFailure) return error;
  const { type = '', message = String(error) } = error as { type?: string; message?: string };
  const name = type.replace('org.freedesktop.DBus.Error.', '');
  switch (name) {
    case 'ServiceUnknown':
    case 'NameHasNoOwner':
    case 'Spawn.ExecFailed':
    case 'Spawn.ChildExited':
      return noBluetooth('no Bluetooth service (bluetoothd) runs');
    case 'AccessDenied':
      return new SiteDeviceFailure(
        'no_bluetooth',
        'this user may not use Bluetooth: put it into the group bluetooth, or run the box as its service',
      );
    case 'UnknownObject':
    case 'UnknownMethod':
    case 'UnknownInterface':
    case 'InvalidArgs':
      return adapterGone();
    case 'org.bluez.Error.NotReady':
      return adapterOff('the adapter');
    case 'org.bluez.Error.DoesNotExist':
      return adapterGone();
    default:
      return new SiteDeviceFailure(
        'refused',
        `cannot ${doing}: ${(message || type).slice(0, 200)}: move closer, see that no phone is connected to it, and restart the device if it goes on`,
      );
  }
}

export const noBus = (why: string): SiteDeviceFailure =>
  new SiteDeviceFailure(
    'no_bus',
    `the system bus (D-Bus), over which Bluetooth is used, is not there: ${why}: start dbus, or set up the device by its hotspot (--via hotspot)`,
  );

export const noBluetooth = (why: string): SiteDeviceFailure =>
  new SiteDeviceFailure(
    'no_bluetooth',
    `${why}: install bluez and start bluetooth.service, or set up the device by its hotspot (--via hotspot)`,
  );

export const noAdapter = (wanted: string | undefined): SiteDeviceFailure =>
  new SiteDeviceFailure(
    'no_adapter',
    wanted === undefined
      ? 'this machine has no Bluetooth adapter: plug one in, or set up the device by its hotspot (--via hotspot)'
      : `there is no Bluetooth adapter ${wanted}: plug it in, or correct provisioning.bluetooth_adapter`,
  );

export const adapterOff = (name: string): SiteDeviceFailure =>
  new SiteDeviceFailure(
    'adapter_off',
    `${name} is switched off: \`rfkill unblock bluetooth\` and \`bluetoothctl power on\` switch it on`,
  );

export const adapterGone = (): SiteDeviceFailure =>
  new SiteDeviceFailure('adapter_gone', 'the Bluetooth adapter was removed: plug it in again, then try again');

export const deviceGone = (): SiteDeviceFailure =>
  new SiteDeviceFailure(
    'gone',
    'the device has ended the connection: see that it is near and still in its set-up mode',
  );
