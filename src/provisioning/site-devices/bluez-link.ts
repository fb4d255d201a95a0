import type { Adapter, GattCharacteristic } from 'node-ble';
import { bluetoothActs, siteDeviceFailures } from '../../words/site-devices.ts';
import { deviceGone } from './bluez-errors.ts';
import type { BluezObjects, BluezRun } from './bluez-run.ts';
import type { Channel } from './channel.ts';
import { SiteDeviceFailure } from './failure.ts';
import {
  chooseProfile,
  type FoundCharacteristic,
  type FoundService,
  type GattProfile,
  pieceBytes,
  writesWithoutResponse,
} from './gatt-profile.ts';
import type { Connected } from './radio.ts';

const callMs = 10_000;
const connectMs = 20_000;
const connectTries = 2;
const closeMs = 3000;

interface Wanted {
  readonly address: string;
  readonly profiles: { readonly remembered: GattProfile | null; readonly configured: GattProfile };
  readonly signal: AbortSignal;
}

/**
 * Connects to a device that was just seen, chooses its characteristics, and subscribes to the one
 * that notifies.
 */
export async function connectBluez(
  run: BluezRun,
  adapter: Adapter,
  { address, profiles, signal }: Wanted,
): Promise<Connected> {
  const { call } = run;
  const doing = bluetoothActs.say('connect_to', { address });
  const device = await call(doing, callMs, adapter.getDevice(address), signal);
  const path = `${run.adapterPath}/dev_${address.replaceAll(':', '_').toUpperCase()}`;
  await using parts = new AsyncDisposableStack();
  // Disconnects also after a connect timed out: BlueZ would go on with it.
  parts.defer(() => call(bluetoothActs.say('disconnect'), closeMs, device.disconnect()).catch(() => {}));

  const { promise: left, resolve: leave } = Promise.withResolvers<Error>();
  device.on('disconnect', () => leave(deviceGone()));
  run.onRemoved(path, () => leave(deviceGone()));
  run.lost.catch(leave);

  for (let tries = 1; ; tries++) {
    try {
      await call(doing, connectMs, device.connect(), signal);
      break;
    } catch (error) {
      // A first connection is often aborted by the radio itself; a permanent error comes again.
      const passing = error instanceof SiteDeviceFailure && error.code === 'refused' && tries < connectTries;
      if (!passing || signal.aborted) throw error;
    }
  }
  const gone = left.then(error => Promise.reject(error));
  gone.catch(() => {});
  const server = await call(
    bluetoothActs.say('read_services_of', { address }),
    connectMs,
    Promise.race([device.gatt(), gone]),
    signal,
  );
  const services = servicesOf(await call(bluetoothActs.say('read_services'), callMs, run.objects(), signal), path);
  const chosen = chooseProfile(services, profiles);
  if (!chosen)
    throw new SiteDeviceFailure(
      'no_profile',
      siteDeviceFailures.say('device_without_service', {
        address,
        services: services.map(({ uuid }) => uuid).join(', '),
      }),
    );
  const { profile, write: found } = chosen;
  const service = await server.getPrimaryService(profile.service);
  const write = await service.getCharacteristic(profile.write);
  const notify = profile.notify === profile.write ? write : await service.getCharacteristic(profile.notify);
  let listener: (packet: Uint8Array) => void = () => {};
  notify.on('valuechanged', value => listener(value));
  await call(
    bluetoothActs.say('listen_to', { address }),
    callMs,
    Promise.race([notify.startNotifications(), gone]),
    signal,
  );
  parts.defer(() => call(bluetoothActs.say('stop_listening'), closeMs, notify.stopNotifications()).catch(() => {}));

  const held = parts.move();
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= held.disposeAsync();
    return closed;
  };
  const channel: Channel = {
    gone: left,
    onPacket: heard => {
      listener = heard;
    },
    write: bytes => writePieces(bytes, pieceBytes(found.mtu), piece => send(write, found, piece, run, gone)),
    [Symbol.asyncDispose]: close,
  };
  return { channel, profile, [Symbol.asyncDispose]: close };
}

async function writePieces(
  bytes: Uint8Array,
  size: number,
  write: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) await write(bytes.subarray(at, at + size));
}

const send = (
  characteristic: GattCharacteristic,
  found: FoundCharacteristic,
  piece: Uint8Array,
  { call }: BluezRun,
  gone: Promise<never>,
): Promise<void> => {
  const bytes = Buffer.from(piece);
  const written = writesWithoutResponse(found)
    ? characteristic.writeValueWithoutResponse(bytes)
    : characteristic.writeValueWithResponse(bytes);
  return call(bluetoothActs.say('write_to_device'), callMs, Promise.race([written, gone]));
};

function servicesOf(objects: BluezObjects, device: string): FoundService[] {
  const services = new Map<string, FoundService & { characteristics: FoundCharacteristic[] }>();
  const paths = Object.keys(objects)
    .filter(path => path.startsWith(`${device}/`))
    .sort();
  for (const path of paths) {
    const service = objects[path]!['org.bluez.GattService1'];
    if (service) services.set(path, { uuid: String(service.UUID?.value).toLowerCase(), characteristics: [] });
    const characteristic = objects[path]!['org.bluez.GattCharacteristic1'];
    if (!characteristic) continue;
    const mtu = characteristic.MTU?.value;
    services.get(path.slice(0, path.lastIndexOf('/')))?.characteristics.push({
      uuid: String(characteristic.UUID?.value).toLowerCase(),
      flags: (characteristic.Flags?.value as string[] | undefined) ?? [],
      mtu: typeof mtu === 'number' ? mtu : null,
    });
  }
  return [...services.values()];
}
