import type { SignatureReply } from '../../platform/setup-payloads.ts';
import type { SetupResult } from '../../platform/setup-result.ts';
import type { DeviceSetup } from '../../store/index.ts';
import { type Reason, whyOf, withWhy } from '../../words/sentences.ts';
import { signatureFindings } from '../../words/site-device-steps.ts';
import { siteDeviceFailures, siteDeviceRuns } from '../../words/site-devices.ts';
import { reachByBluetooth, scanBluetooth } from './by-bluetooth.ts';
import { networksForDevices, reachByHotspot, scanHotspots } from './by-hotspot.ts';
import { productFor, type RunContext, type SiteDevicesOptions } from './context.ts';
import {
  type FoundDevice,
  type InfoOutcome,
  messageOf,
  type OnEvent,
  type ScanRequest,
  type SeenNetwork,
  stepOf,
  type Target,
  type VerifyOutcome,
  type Via,
  type WifiOutcome,
  type WifiSettings,
} from './events.ts';
import { SiteDeviceFailure } from './failure.ts';
import { ResultListener } from './result-listener.ts';
import { checkSettings, note, setWifiByBluetooth, setWifiByHotspot } from './set-wifi.ts';
import { checkSignature, type NamedKey } from './signature-check.ts';
import { bounded } from './waits.ts';

/** Set-up of devices around the box that are not in a network yet, as the phone app does it. */
export interface SiteDevices extends AsyncDisposable {
  scan(
    request: ScanRequest,
    onEvent: OnEvent,
    signal?: AbortSignal,
  ): Promise<{ readonly devices: readonly FoundDevice[] }>;
  /**
   * Networks that the box sees, the strongest first; none where it cannot look. Takes up to 12 s.
   */
  networks(signal?: AbortSignal): Promise<readonly SeenNetwork[]>;
  info(target: Target, onEvent: OnEvent, signal?: AbortSignal): Promise<InfoOutcome>;
  /** Whether the device has the key of its product (SPEC 5.4). */
  verify(target: Target, onEvent: OnEvent, signal?: AbortSignal): Promise<VerifyOutcome>;
  setWifi(settings: WifiSettings, onEvent: OnEvent, signal?: AbortSignal): Promise<WifiOutcome>;
  /** The last result that each device announced, the newest first. */
  results(limit: number): Promise<DeviceSetup[]>;
  onResult(listener: (result: SetupResult) => void): void;
  /** Where results are listened for; 0: nowhere. */
  readonly resultPort: number;
}

const scanSecondsMax = 120;
const scanSecondsDefault = 10;
/** Each a good deal longer than its parts may take together. */
const infoMs = 120_000;
const wifiMs = 300_000;

/** 16 of 62 characters, as many as a phone sends (docs/decisions/provisioning.md). */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const randomCharacters = 16;

export async function openSiteDevices(options: SiteDevicesOptions): Promise<SiteDevices> {
  const { store, clock, random, log } = options;
  const waiting = new Map<string, (result: SetupResult) => void>();
  const listeners: ((result: SetupResult) => void)[] = [];
  const ending = new AbortController();
  const results = await ResultListener.open({
    address: options.resultListen,
    ownDeviceId: options.ownDeviceId,
    clock,
    log,
    onResult: result => {
      log.info(
        { device: result.deviceId, status: result.status, error: result.error, address: result.address },
        'device_result_received',
      );
      void note(options, result.deviceId as never, result, 'udp');
      waiting.get(result.deviceId)?.(result);
      for (const listener of listeners) listener(result);
    },
  });
  const context: RunContext = {
    ...options,
    onUdp(deviceId, listener) {
      results.expectNews(deviceId);
      waiting.set(deviceId, listener);
      return { [Symbol.dispose]: () => void waiting.delete(deviceId) };
    },
  };

  const signalsOf = (signal?: AbortSignal) => (signal ? AbortSignal.any([signal, ending.signal]) : ending.signal);
  let busy: { readonly what: Reason; readonly since: number; readonly over: Promise<unknown> } | null = null;
  /** One at a time: there is one radio. */
  const run = async <T>(
    what: Reason,
    ms: number,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    if (busy)
      throw new SiteDeviceFailure(
        'busy',
        siteDeviceFailures.say('run_busy', {
          ...withWhy(whyOf(busy.what)),
          seconds: Math.round((clock.monotonic() - busy.since) / 1000),
        }),
      );
    const working = bounded(clock, ms, what, signalsOf(signal), work);
    busy = { what, since: clock.monotonic(), over: working.catch(() => {}) };
    try {
      return await working;
    } finally {
      busy = null;
    }
  };
  const wayOf = ({ via, host }: Target): Via => (host ? 'hotspot' : (via ?? defaultWay(options)));

  return {
    scan: ({ seconds = scanSecondsDefault, via = defaultWay(options) }, onEvent, signal) => {
      const ms = Math.min(scanSecondsMax, Math.max(1, seconds)) * 1000;
      return run(siteDeviceRuns.say('run_scan'), ms + 30_000, signal, async within => {
        onEvent(
          via === 'bluetooth'
            ? stepOf('looking', 'looking_around', { seconds: ms / 1000 })
            : stepOf('looking', 'looking_for_hotspots'),
        );
        return {
          devices: via === 'bluetooth' ? await scanBluetooth(context, ms, within) : await scanHotspots(context, within),
        };
      });
    },

    networks: signal => networksForDevices(context, signalsOf(signal)),

    info: (target, onEvent, signal) =>
      run(siteDeviceRuns.say('run_info', named(target)), infoMs, signal, async within => {
        if (wayOf(target) === 'hotspot') return infoByHotspot(context, target, onEvent, within);
        await using device = await reachByBluetooth(context, target.target, onEvent, within);
        const { info, sighting } = device;
        return {
          device_id: info.deviceId,
          model: info.model,
          name: sighting.name,
          address: sighting.address,
          via: 'bluetooth',
          version: null,
          product_known: productFor(context, info.deviceId) !== undefined,
          networks: null,
        };
      }),

    verify: (target, onEvent, signal) =>
      run(siteDeviceRuns.say('run_verification', named(target)), infoMs, signal, async within => {
        if (wayOf(target) === 'hotspot')
          throw new SiteDeviceFailure('not_by_hotspot', siteDeviceFailures.say('verification_by_bluetooth_only'));
        await using device = await reachByBluetooth(context, target.target, onEvent, within);
        const text = Array.from({ length: randomCharacters }, () => alphabet[Math.floor(random() * alphabet.length)]);
        const asked = Buffer.from(text.join(''));
        onEvent(stepOf('asking', 'asking_signature'));
        const signed = await device.dialogue.signature(asked, within);
        const outcome = verified(context, signed, asked);
        onEvent({ step: 'result', message: outcome.message, code: outcome.code, params: outcome.params });
        return outcome;
      }),

    setWifi: (settings, onEvent, signal) =>
      run(siteDeviceRuns.say('run_wifi', named(settings)), wifiMs, signal, async within => {
        checkSettings(settings);
        const set = wayOf(settings) === 'hotspot' ? setWifiByHotspot : setWifiByBluetooth;
        return set(context, settings, onEvent, within);
      }),

    results: limit => store.read.deviceSetups(limit),
    onResult: listener => void listeners.push(listener),
    get resultPort() {
      return results.port;
    },
    async [Symbol.asyncDispose]() {
      ending.abort(new SiteDeviceFailure('too_long', siteDeviceFailures.say('run_box_stops')));
      await busy?.over;
      await results[Symbol.asyncDispose]();
    },
  };
}

const defaultWay = ({ openRadio }: SiteDevicesOptions): Via => (openRadio ? 'bluetooth' : 'hotspot');

const named = ({ target, host }: Target) => ({ target: target || (host ? `${host.host}:${host.port}` : '') });

async function infoByHotspot(
  context: RunContext,
  target: Target,
  onEvent: OnEvent,
  signal: AbortSignal,
): Promise<InfoOutcome> {
  await using device = await reachByHotspot(context, target, onEvent, signal);
  const networks = await device.client.list(signal);
  return {
    device_id: device.deviceId,
    model: device.identity.model,
    name: device.name,
    address: '',
    via: 'hotspot',
    version: device.identity.version,
    product_known: productFor(context, device.deviceId) !== undefined,
    networks: networks.map(({ ssid, bytes, security, written, quality }) => ({
      ssid,
      utf8: bytes === undefined,
      security: security ?? written,
      quality,
    })),
  };
}

function verified(context: RunContext, signed: SignatureReply, random: Uint8Array): VerifyOutcome {
  const product = productFor(context, signed.deviceId);
  const who = { device_id: signed.deviceId, model: signed.model };
  if (!product)
    return {
      ...who,
      genuine: false,
      key: null,
      form: null,
      ...messageOf(signatureFindings.say('signed_unknown_product', { device: signed.deviceId })),
    };
  const device = context.store.directory.device(signed.deviceId.toUpperCase() as never);
  const keys: NamedKey[] = [
    { name: 'product key', key: product.productKey },
    ...(device?.accessKey ? [{ name: 'device key' as const, key: device.accessKey }] : []),
  ];
  const others = [...context.store.directory.products()]
    .filter(one => one !== product)
    .map(({ productId, productKey: key }) => ({ productId, key }));
  const other = product.otherEnvironmentKey;
  const { key, form, said } = checkSignature({ ...signed, random }, keys, [
    ...others,
    ...(other ? [{ productId: product.productId, ofOtherEnvironment: true, key: other }] : []),
  ]);
  return { ...who, genuine: key !== null, key, form, ...messageOf(said) };
}
