import { type Reason, whyOf, withWhy } from '../../words/sentences.ts';
import { siteDeviceFailures } from '../../words/site-devices.ts';
import { SiteDeviceFailure } from './failure.ts';

/**
 * An error of D-Bus or BlueZ, as one of the failures that have a remedy. `doing`: an entry of
 * `bluetoothActs`.
 */
export function bluezFailure(error: unknown, doing: Reason): Error {
  if (error instanceof SiteDeviceFailure) return error;
  const { type = '', message = String(error) } = error as { type?: string; message?: string };
  const name = type.replace('org.freedesktop.DBus.Error.', '');
  switch (name) {
    case 'ServiceUnknown':
    case 'NameHasNoOwner':
    case 'Spawn.ExecFailed':
    case 'Spawn.ChildExited':
      return new SiteDeviceFailure('no_bluetooth', siteDeviceFailures.say('bluetooth_not_running'));
    case 'AccessDenied':
      return new SiteDeviceFailure('no_bluetooth', siteDeviceFailures.say('bluetooth_not_permitted'));
    case 'UnknownObject':
    case 'UnknownMethod':
    case 'UnknownInterface':
    case 'InvalidArgs':
      return adapterGone();
    case 'org.bluez.Error.NotReady':
      return adapterOff('');
    case 'org.bluez.Error.DoesNotExist':
      return adapterGone();
    default:
      return new SiteDeviceFailure(
        'refused',
        siteDeviceFailures.say('bluetooth_refused', {
          ...withWhy(whyOf(doing)),
          error: (message || type).slice(0, 200),
        }),
      );
  }
}

export const noBus = (error: string): SiteDeviceFailure =>
  new SiteDeviceFailure('no_bus', siteDeviceFailures.say('system_bus_missing', { error }));

export const bluetoothEnded = (): SiteDeviceFailure =>
  new SiteDeviceFailure('no_bluetooth', siteDeviceFailures.say('bluetooth_ended'));

export const noAdapter = (wanted: string | undefined): SiteDeviceFailure =>
  new SiteDeviceFailure(
    'no_adapter',
    wanted === undefined
      ? siteDeviceFailures.say('no_bluetooth_adapter')
      : siteDeviceFailures.say('bluetooth_adapter_missing', { adapter: wanted }),
  );

/** `adapter`: empty where its name is not known. */
export const adapterOff = (adapter: string): SiteDeviceFailure =>
  new SiteDeviceFailure('adapter_off', siteDeviceFailures.say('bluetooth_adapter_off', { adapter }));

export const adapterGone = (): SiteDeviceFailure =>
  new SiteDeviceFailure('adapter_gone', siteDeviceFailures.say('bluetooth_adapter_removed'));

export const deviceGone = (): SiteDeviceFailure =>
  new SiteDeviceFailure('gone', siteDeviceFailures.say('device_hung_up'));
