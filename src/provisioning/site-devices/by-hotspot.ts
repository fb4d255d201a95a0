import { namesDevice } from '../../platform/broadcast-name.ts';
import { parseDeviceId } from '../../platform/device-id.ts';
import { whyOf, withWhy } from '../../words/sentences.ts';
import { siteDeviceFailures } from '../../words/site-devices.ts';
import { type Joined, type Wifi, type WifiNetwork, WifiUnavailable } from '../wifi/port.ts';
import { modelIn, type RunContext, readName } from './context.ts';
import { type FoundDevice, type OnEvent, type SeenNetwork, stepOf, type Target } from './events.ts';
import { SiteDeviceFailure } from './failure.ts';
import { HotspotClient, type HotspotIdentity } from './hotspot.ts';

/** A device whose hotspot endpoints answer. */
interface ReachedHotspot extends AsyncDisposable {
  readonly client: HotspotClient;
  readonly identity: HotspotIdentity;
  /** From serial number and product; the serial number alone where the product is not known. */
  readonly deviceId: string;
  readonly name: string;
  /** Goes back to the box's own network. Again does nothing. */
  leave(): Promise<void>;
}

const usable = async ({ wifi, radioTaken }: RunContext): Promise<Wifi> => {
  if (!wifi) throw new SiteDeviceFailure('no_wifi', siteDeviceFailures.say('wifi_off_here'));
  if (radioTaken()) throw new SiteDeviceFailure('no_wifi', siteDeviceFailures.say('wifi_taken_by_set_up'));
  const why = await wifi.whyNot();
  if (why !== null) throw new SiteDeviceFailure('no_wifi', why);
  return wifi;
};

/** An error of wifi, as the end of the run. */
const unavailable = (error: unknown): never => {
  throw error instanceof WifiUnavailable ? new SiteDeviceFailure('no_wifi', error.said) : error;
};

/** Networks that the box itself sees; none where it cannot look. */
export async function networksInReach(context: RunContext, signal: AbortSignal): Promise<readonly WifiNetwork[]> {
  try {
    return await (await usable(context)).scan(signal);
  } catch (error) {
    if (error instanceof SiteDeviceFailure || error instanceof WifiUnavailable) return [];
    throw error;
  }
}

/** Networks that the box sees and a device can be told to join: no hotspot of a device. */
export async function networksForDevices(context: RunContext, signal: AbortSignal): Promise<SeenNetwork[]> {
  const networks = await networksInReach(context, signal);
  return networks
    .filter(({ ssid, bytes }) => bytes === undefined && readName(context, ssid) === null)
    .map(({ ssid, security, quality }) => ({ ssid, security, quality }));
}

export async function scanHotspots(context: RunContext, signal: AbortSignal): Promise<FoundDevice[]> {
  const wifi = await usable(context);
  const networks = await wifi.scan(signal).catch(unavailable);
  return networks
    .filter(({ ssid }) => readName(context, ssid) !== null)
    .map(({ ssid, quality }) => ({ name: ssid, address: '', quality, via: 'hotspot' }));
}

/**
 * Joins the hotspot of the device, unless its endpoints can be reached already, and identifies it.
 */
export async function reachByHotspot(
  context: RunContext,
  target: Target,
  onEvent: OnEvent,
  signal: AbortSignal,
): Promise<ReachedHotspot> {
  await using parts = new AsyncDisposableStack();
  const { clock } = context;
  let name = '';
  let client: HotspotClient;
  if (target.host) client = new HotspotClient(target.host, clock);
  else {
    const wifi = await usable(context);
    name = await joinHotspot(context, wifi, target, onEvent, signal);
    parts.defer(async () => {
      await wifi
        .forget('passing')
        .catch(error => context.log.warn({ error: String(error) }, 'device_hotspot_not_left'));
      onEvent(stepOf('back', 'left_hotspot', { ssid: name }));
    });
    client = new HotspotClient(context.hotspotAt(name), clock);
  }
  onEvent(stepOf('asking', 'asking_who'));
  const identity = await client.query(signal);
  const deviceId = idOf(context, identity, name);
  onEvent(stepOf('identified', 'identified_as', { device: deviceId, model: identity.model }));
  const wanted = parseDeviceId(target.target);
  if (wanted.ok && parseDeviceId(deviceId).ok && deviceId.toUpperCase() !== wanted.value)
    throw new SiteDeviceFailure(
      'not_found',
      siteDeviceFailures.say('device_other_there', { target: target.target, other: deviceId }),
    );
  const held = parts.move();
  const leave = () => held.disposeAsync();
  return { client, identity, deviceId, name, leave, [Symbol.asyncDispose]: leave };
}

async function joinHotspot(
  context: RunContext,
  wifi: Wifi,
  { target, hotspotKey = '', leave = false }: Target,
  onEvent: OnEvent,
  signal: AbortSignal,
): Promise<string> {
  onEvent(stepOf('looking', 'looking_for_hotspot', { target }));
  const networks = await wifi.scan(signal).catch(unavailable);
  const id = parseDeviceId(target);
  const found = networks.find(({ ssid }) => {
    const read = readName(context, ssid);
    return ssid === target || (id.ok && read !== null && namesDevice(read, id.value));
  });
  if (!found) {
    const names = networks.map(({ ssid }) => ssid).filter(ssid => readName(context, ssid) !== null);
    throw new SiteDeviceFailure(
      'not_found',
      siteDeviceFailures.say('hotspot_not_heard', { target, heard: names.join(', ') }),
    );
  }
  if (!context.hasWire() && (await wifi.hasNetwork())) {
    if (!leave) throw new SiteDeviceFailure('would_leave', siteDeviceFailures.say('only_network_needed'));
    onEvent(stepOf('leaving', 'leaving_own_network'));
  }
  onEvent(stepOf('connecting', 'joining_hotspot', { ssid: found.ssid }));
  const joined: Joined = await wifi.join({ ...found, key: hotspotKey }, { keep: false, signal }).catch(unavailable);
  if (joined.ok) return found.ssid;
  await wifi.forget('passing').catch(() => {});
  throw new SiteDeviceFailure(
    'not_joined',
    siteDeviceFailures.say(found.security === 'none' ? 'open_hotspot_not_joined' : 'hotspot_not_joined', {
      ...withWhy(whyOf(joined.why)),
      ssid: found.ssid,
    }),
  );
}

/**
 * A hotspot reports serial number and model (SPEC 4.3); the product is found by the name, else by
 * the model.
 */
function idOf(context: RunContext, { sn, model }: HotspotIdentity, name: string): string {
  if (sn === '' || parseDeviceId(sn).ok) return sn;
  const read = readName(context, name);
  const products = [...context.store.directory.products()];
  const product =
    read?.kind === 'device'
      ? context.store.directory.product(read.productId)
      : products.find(one => one.model === (model || modelIn(context, name)) || one.productId === model);
  return product ? `${product.productId}_${sn}` : sn;
}
