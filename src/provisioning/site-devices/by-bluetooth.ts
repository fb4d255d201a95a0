import { namesDevice } from '../../platform/broadcast-name.ts';
import { parseDeviceId, productOf } from '../../platform/device-id.ts';
import type { DeviceInfo } from '../../platform/setup-payloads.ts';
import type { PasswordForm } from '../../platform/wifi-password.ts';
import type { DevicePeer } from '../../store/index.ts';
import { siteDeviceFailures } from '../../words/site-devices.ts';
import { modelIn, type RunContext, readName } from './context.ts';
import { Dialogue } from './dialogue.ts';
import { type FoundDevice, type OnEvent, stepOf } from './events.ts';
import { SiteDeviceFailure } from './failure.ts';
import type { GattProfile } from './gatt-profile.ts';
import { knownProfiles } from './gatt-profile.ts';
import type { Connected, Radio, Sighting } from './radio.ts';

/** How long to search for a named device. */
const findMs = 30_000;

/** A site device that has identified itself, with the connection to it. */
interface Reached extends AsyncDisposable {
  readonly info: DeviceInfo;
  readonly sighting: Sighting;
  readonly dialogue: Dialogue;
  readonly profile: GattProfile;
  /** As its model understood it the last time; null: not known. */
  readonly rememberedForm: PasswordForm | null;
}

async function openRadio({ openRadio: open }: RunContext, signal: AbortSignal): Promise<Radio> {
  if (open) return open(signal);
  throw new SiteDeviceFailure('off', siteDeviceFailures.say('bluetooth_off_here'));
}

/**
 * Devices whose name begins with the vendor prefix, or that tell of a service over which they may
 * be spoken to.
 */
export async function scanBluetooth(context: RunContext, ms: number, signal: AbortSignal): Promise<FoundDevice[]> {
  await using radio = await openRadio(context, signal);
  const heard = await radio.scan(ms, () => false, signal);
  const known = new Set([context.gatt.service, ...knownProfiles.map(one => one.service)]);
  return heard
    .filter(one => readName(context, one.name) !== null || one.services.some(uuid => known.has(uuid)))
    .map(({ name, address, quality }) => ({ name, address, quality, via: 'bluetooth' }));
}

/**
 * Finds the device, connects, and identifies it. If several could match a device id, each is asked.
 */
export async function reachByBluetooth(
  context: RunContext,
  target: string,
  onEvent: OnEvent,
  signal: AbortSignal,
): Promise<Reached> {
  await using parts = new AsyncDisposableStack();
  const radio = parts.use(await openRadio(context, signal));
  onEvent(stepOf('looking', 'looking_for', { target }));
  const candidates = await find(context, radio, target, signal);
  const wanted = parseDeviceId(target);
  let other = '';
  for (const sighting of candidates) {
    const { name, address } = sighting;
    onEvent(stepOf('connecting', 'connecting_to', { name, address }));
    const model = modelIn(context, name);
    const peer = model === null ? null : await context.store.read.devicePeer(model);
    const link = await radio.connect(address, { remembered: peer, configured: context.gatt }, signal);
    const reached = await introduce(context, link, sighting, onEvent, signal).catch(async error => {
      await link[Symbol.asyncDispose]();
      throw error;
    });
    if (wanted.ok && reached.info.deviceId.toUpperCase() !== wanted.value) {
      other = reached.info.deviceId;
      onEvent(stepOf('note', 'device_is_another', { name, other, wanted: wanted.value }));
      await link[Symbol.asyncDispose]();
      continue;
    }
    parts.use(link);
    const held = parts.move();
    return { ...reached, [Symbol.asyncDispose]: () => held.disposeAsync() };
  }
  throw new SiteDeviceFailure('not_found', siteDeviceFailures.say('device_other_of_name', { target, other }));
}

async function introduce(
  context: RunContext,
  { channel, profile }: Connected,
  sighting: Sighting,
  onEvent: OnEvent,
  signal: AbortSignal,
): Promise<Omit<Reached, typeof Symbol.asyncDispose>> {
  onEvent(stepOf('asking', 'asking_who'));
  const dialogue = new Dialogue(channel, context.clock);
  const info = await dialogue.info(signal);
  onEvent(stepOf('identified', 'identified_as', { device: info.deviceId, model: info.model }));
  const before = info.model === '' ? null : await context.store.read.devicePeer(info.model);
  await remember(context, before, { model: info.model, ...profile, passwordForm: before?.passwordForm ?? 'fold' });
  return { info, sighting, dialogue, profile, rememberedForm: before?.passwordForm ?? null };
}

/** The profile that worked is kept for the next device of the model. */
export async function remember({ store, log }: RunContext, before: DevicePeer | null, peer: DevicePeer): Promise<void> {
  if (peer.model === '') return;
  const same = before && (Object.keys(peer) as (keyof DevicePeer)[]).every(field => before[field] === peer[field]);
  if (same) return;
  // A full disk is no reason not to set up a device.
  await store.write
    .rememberDevicePeer(peer)
    .catch(error => log.warn({ error: String(error) }, 'model_reach_not_stored'));
}

async function find(context: RunContext, radio: Radio, target: string, signal: AbortSignal): Promise<Sighting[]> {
  const id = parseDeviceId(target);
  const product = id.ok ? context.store.directory.product(productOf(id.value)) : undefined;
  const isNamed = (name: string): boolean => {
    const read = readName(context, name);
    return id.ok && read !== null && namesDevice(read, id.value);
  };
  const exactly = ({ name, address }: Sighting): boolean =>
    name === target || address.toUpperCase() === target.toUpperCase() || isNamed(name);
  const heard = await radio.scan(findMs, all => all.some(exactly), signal);
  const found = heard.filter(exactly);
  if (found.length > 0) return found;
  // A device that could not tell its id in its name has its model there (SPEC 2.3).
  const byModel = product
    ? heard.filter(one => modelIn(context, one.name) === product.model && readName(context, one.name)?.kind === 'model')
    : [];
  if (byModel.length > 0) return byModel;
  const names = heard.map(({ name }) => name).filter(name => readName(context, name) !== null);
  throw new SiteDeviceFailure(
    'not_found',
    siteDeviceFailures.say('device_not_heard', {
      target,
      seconds: findMs / 1000,
      heard: names.slice(0, 10).join(', '),
    }),
  );
}
