import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Call, CommandFailed, textOption, WrongUsage } from '../../src/cli/command.ts';
import { parseAddress } from '../../src/config/index.ts';
import { parseDeviceId } from '../../src/platform/device-id.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { type SimDevices, type SimDevicesOptions, startSimDevices, startSimHotspot } from '../sim/index.ts';

/** How long the device tries to reach the platform before it reports that it cannot. */
const platformMs = 15_000;

/**
 * `sim device --hotspot`: a terminal that connects only after it was given a network. Null: it was
 * stopped before that.
 */
export async function setUpFirst(
  call: Call,
  options: SimDevicesOptions,
  stopped: Promise<void>,
): Promise<SimDevices | null> {
  if (options.count !== 1) throw new WrongUsage('--hotspot is of one device: leave --count out');
  const address = (option: string, byDefault: string) => {
    const written = textOption(call, option) ?? byDefault;
    const parsed = parseAddress(written);
    if (!parsed) throw new WrongUsage(`--${option} "${written}": write host:port`);
    return parsed;
  };
  const ssid = textOption(call, 'network');
  if (ssid === undefined) throw new WrongUsage('--network is missing: write the name of the network that there is');
  const keyFile = textOption(call, 'network-key-file');
  const id = parseDeviceId(`${options.product}_${options.firstSerial ?? 'A0001'}`);
  if (!id.ok) throw new WrongUsage('--product and --serial make no device id');

  let devices: SimDevices | null = null;
  const connect = async () => {
    devices ??= startSimDevices(options);
    const end = realClock.monotonic() + platformMs;
    while (devices.stats().connected === 0 && realClock.monotonic() < end) await realClock.sleep(50);
    return devices.stats().connected > 0;
  };
  const listen = address('hotspot', '');
  await using hotspot = await startSimHotspot({
    clock: realClock,
    listen,
    deviceId: id.value,
    model: options.model ?? options.product,
    network: { ssid, key: keyFile === undefined ? '' : fileText(call, keyFile).replace(/\r?\n$/, '') },
    resultTo: address('result', '255.255.255.255:24333'),
    connect,
    onEvent: message => call.tell(`${id.value}: ${message}`),
  }).catch(error => {
    throw new CommandFailed(
      `--hotspot ${listen.host}:${listen.port} cannot be listened on: ${(error as NodeJS.ErrnoException).code}: choose another address`,
    );
  });
  await Promise.race([hotspot.configured, stopped]);
  return devices;
}

export function fileText(call: Call, file: string): string {
  try {
    return readFileSync(resolve(call.cwd, file), 'utf8');
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
