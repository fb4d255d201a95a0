import type { Config } from '../config/index.ts';
import type { Devices } from '../devices/index.ts';
import { type Intake, UnauthenticatedConnections } from '../listeners/index.ts';
import { connectionBounds, loweredTo, openFilesMax } from '../operations/index.ts';
import { parseAddress } from '../runtime/address.ts';
import { parseAddressList } from '../runtime/address-list.ts';
import type { Log } from '../runtime/log.ts';
import { programIntake } from './events.ts';

/**
 * After a power cut all terminals behind one address reconnect at once; each logs in within a
 * second or two.
 */
const unauthenticatedPerAddress = 256;

/**
 * How many clients may connect over MQTT and over HTTP: as many as the limit of open files allows.
 * Connections without a login have a lower bound.
 */
export function openIntakes(
  config: Config,
  devices: Devices,
  log: Log,
): Readonly<Record<'mqtt' | 'http' | 'programs', Intake>> {
  const openFiles = openFilesMax();
  const overHttp = parseAddress(config.listen.https) !== null;
  const withPrograms = parseAddress(config.listen.events) !== null;
  const bounds = connectionBounds(openFiles, config.upstream?.mode === 'per-device', overHttp, withPrograms);
  const devicesMax = loweredTo(bounds);
  if (devicesMax !== null)
    log.warn({ openFiles, devicesMax, overHttp }, 'devices_limited_by_open_files', { devicesMax, openFiles });
  const proxies = parseAddressList(config.listen.proxies ?? '') ?? undefined;
  const intakeOf = (gateway: 'mqtt' | 'http', connectionsMax: number): Intake => ({
    unauthenticated: new UnauthenticatedConnections(
      {
        ofOneAddress: unauthenticatedPerAddress,
        loggingIn: bounds.loggingIn,
        inAll: bounds.unauthenticated,
        devices: bounds.devices,
      },
      (address, why) => devices.noteTooMany(gateway, address, why),
    ),
    connectionsMax,
    proxies,
    full: address => devices.noteTooMany(gateway, address, `${connectionsMax} in all`),
  });
  return {
    mqtt: intakeOf('mqtt', bounds.ofMqtt),
    http: intakeOf('http', bounds.ofHttp),
    programs: programIntake(bounds.programs, address =>
      devices.noteTooMany('mqtt', address, 'connections of programs'),
    ),
  };
}
