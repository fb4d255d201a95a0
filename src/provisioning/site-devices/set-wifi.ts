import { type DeviceId, parseDeviceId } from '../../platform/device-id.ts';
import type { SetupResult } from '../../platform/setup-result.ts';
import { type Ssid, ssidBytesMax } from '../../platform/ssid.ts';
import { type PasswordForm, passwordForms, protectPassword } from '../../platform/wifi-password.ts';
import { keyProblem, type ScannedSecurity } from '../../platform/wifi-security.ts';
import { type Reason, whyOf, withWhy } from '../../words/sentences.ts';
import { siteDeviceOutcomes } from '../../words/site-device-steps.ts';
import { siteDeviceFailures } from '../../words/site-devices.ts';
import { reachByBluetooth, remember } from './by-bluetooth.ts';
import { networksInReach, reachByHotspot } from './by-hotspot.ts';
import { productFor, type RunContext } from './context.ts';
import { messageOf, type OnEvent, type ProvisionEvent, stepOf, type WifiOutcome, type WifiSettings } from './events.ts';
import { SiteDeviceFailure } from './failure.ts';
import { awaitOutcome, type Heard, outcomeMs } from './outcome.ts';

/**
 * Refuses a name that is no UTF-8 in the air, by those that were seen: a device is told names as
 * text (SPEC 4.3, 4.4), and would look for the network of other bytes.
 */
function refuseOtherBytes(name: string, seen: readonly Ssid[]): void {
  const named = seen.filter(({ ssid }) => ssid === name);
  if (named.length === 0 || named.some(({ bytes }) => bytes === undefined)) return;
  throw new SiteDeviceFailure('not_utf8', siteDeviceFailures.say('ssid_not_utf8', { ssid: name }));
}

/** Refuses before anything is sent what no network takes. */
export function checkSettings({ ssid, key, security }: WifiSettings): void {
  const bytes = Buffer.byteLength(ssid);
  if (bytes === 0 || bytes > ssidBytesMax)
    throw new SiteDeviceFailure('bad_request', siteDeviceFailures.say('ssid_length', { max: ssidBytesMax, bytes }));
  if (ssid.includes('\ufffd'))
    throw new SiteDeviceFailure('not_utf8', siteDeviceFailures.say('ssid_characters_lost', { ssid }));
  checkKey(security, key);
}

function checkKey(security: ScannedSecurity | undefined, key: string): void {
  const problem = keyProblem(security, key);
  if (problem !== null)
    throw new SiteDeviceFailure('bad_request', siteDeviceFailures.say('wifi_password_unfit', withWhy(whyOf(problem))));
}

/**
 * SPEC 4.4, 4.5, 5.4: settings over Bluetooth, the password protected, the result over Bluetooth or
 * UDP.
 */
export async function setWifiByBluetooth(
  context: RunContext,
  settings: WifiSettings,
  onEvent: OnEvent,
  signal: AbortSignal,
): Promise<WifiOutcome> {
  // The bytes of ASCII are the same in every encoding of names.
  if (/[^ -~]/.test(settings.ssid)) refuseOtherBytes(settings.ssid, await networksInReach(context, signal));
  await using device = await reachByBluetooth(context, settings.target, onEvent, signal);
  const { info, dialogue, profile, rememberedForm } = device;
  const product = productFor(context, info.deviceId);
  if (!product && settings.key !== '')
    throw new SiteDeviceFailure(
      'unknown_product',
      siteDeviceFailures.say('device_product_unknown', { device: info.deviceId }),
    );
  const form = settings.form ?? rememberedForm ?? 'fold';
  const protectedPassword = product
    ? protectPassword(settings.key, { marker: `${context.vendor}@`, key: product.productKey, form })
    : new Uint8Array();
  const watch = watchFor(context, info.deviceId);
  using _udp = watch;
  onEvent(
    settings.key === ''
      ? stepOf('sending', 'sending_open', { ssid: settings.ssid })
      : stepOf('sending', 'sending_protected', { ssid: settings.ssid, form }),
  );
  const over = new AbortController();
  try {
    const bluetooth = dialogue.wifi(
      { ssid: Buffer.from(settings.ssid), protectedPassword },
      {
        signal: AbortSignal.any([signal, over.signal]),
        onSilence: () =>
          onEvent(
            settings.key === ''
              ? stepOf('silence', 'silent_after_open')
              : stepOf('silence', 'silent_after_protected', { form: otherForm(form) }),
          ),
      },
    );
    const heard = await awaitOutcome(context, { ...watch, bluetooth }, onEvent, signal);
    if (heard.result && heard.by === 'bluetooth') await note(context, watch.deviceId, heard.result, 'bluetooth');
    const outcome = outcomeOf(heard, info, settings.key === '' ? null : form);
    if (outcome.configured)
      await remember(context, await context.store.read.devicePeer(info.model), {
        model: info.model,
        ...pathsOf(profile),
        passwordForm: form,
      });
    onEvent(endOf(outcome));
    return outcome;
  } finally {
    over.abort();
  }
}

const pathsOf = ({ service, write, notify }: { service: string; write: string; notify: string }) => ({
  service,
  write,
  notify,
});

/**
 * SPEC 3.3: the list, the settings, and then the device leaves its hotspot and announces the result
 * by UDP.
 */
export async function setWifiByHotspot(
  context: RunContext,
  settings: WifiSettings,
  onEvent: OnEvent,
  signal: AbortSignal,
): Promise<WifiOutcome> {
  await using device = await reachByHotspot(context, settings, onEvent, signal);
  const { client, identity, deviceId } = device;
  onEvent(stepOf('asking', 'asking_networks'));
  const networks = await client.list(signal);
  refuseOtherBytes(settings.ssid, networks);
  const seen = networks.find(({ ssid, bytes }) => ssid === settings.ssid && bytes === undefined);
  if (!seen) onEvent(stepOf('note', 'device_does_not_see', { ssid: settings.ssid }));
  // Findings of the device win over the caller's word (docs/decisions/provisioning.md).
  const security = seen?.security ?? settings.security ?? (settings.key === '' ? 'none' : 'WPA2-PSK-AES');
  checkKey(security, settings.key);
  const watch = watchFor(context, deviceId);
  using _udp = watch;
  onEvent(stepOf('sending', 'sending_settings', { ssid: settings.ssid, security }));
  const authenc = seen && seen.security === security && seen.written !== '' ? seen.written : security;
  await client.set({ ssid: settings.ssid, authenc, key: settings.key }, signal);
  await device.leave();
  onEvent(stepOf('waiting', 'settings_taken'));
  const heard = await awaitOutcome(context, { ...watch, bluetooth: null }, onEvent, signal);
  const outcome = outcomeOf(heard, { deviceId, model: identity.model }, null);
  onEvent(endOf(outcome));
  return outcome;
}

/** Takes what the device announces from now on, not before. */
function watchFor(context: RunContext, written: string) {
  const id = parseDeviceId(written);
  const deviceId = id.ok ? id.value : null;
  const { promise: udp, resolve } = Promise.withResolvers<SetupResult>();
  const subscribed = deviceId === null ? null : context.onUdp(deviceId, resolve);
  const wasOnline = deviceId !== null && context.isOnline(deviceId);
  return { deviceId, udp, wasOnline, [Symbol.dispose]: () => subscribed?.[Symbol.dispose]() };
}

/** Stores the last result of a device. It is reported even if the disk is full. */
export async function note(
  { store, clock, log }: Pick<RunContext, 'store' | 'clock' | 'log'>,
  deviceId: DeviceId | null,
  result: SetupResult,
  via: 'udp' | 'bluetooth',
): Promise<void> {
  if (deviceId === null) return;
  await store.write
    .noteDeviceSetup({ ...result, deviceId, via, at: clock.now() })
    .catch(error => log.warn({ device: deviceId, error: String(error) }, 'device_result_not_stored'));
}

const otherForm = (form: PasswordForm): PasswordForm => passwordForms.find(one => one !== form)!;

const endOf = ({ online, message, code, params }: WifiOutcome): ProvisionEvent => ({
  step: online ? 'online' : 'result',
  message,
  code,
  params,
});

function outcomeOf(
  { result, by, online }: Heard,
  { deviceId, model }: { readonly deviceId: string; readonly model: string },
  form: PasswordForm | null,
): WifiOutcome {
  const status = result?.status ?? null;
  const error = result?.error ?? null;
  const configured = online || status === 0 || status === 1;
  const offersForm = form !== null && !online && (result === null || error === -3);
  const tryForm = offersForm ? otherForm(form) : null;
  return {
    device_id: deviceId.toUpperCase(),
    model,
    configured,
    online,
    status,
    error,
    heard: by,
    form,
    try_form: tryForm,
    ...messageOf(sayOutcome(deviceId.toUpperCase(), { result, online }, tryForm ?? '')),
  };
}

function sayOutcome(device: string, { result, online }: Pick<Heard, 'result' | 'online'>, form: string): Reason {
  const { say } = siteDeviceOutcomes;
  const seconds = outcomeMs / 1000;
  if (online) return say('device_online', { device });
  if (!result) return say('device_not_heard_of', { device, seconds, form });
  const { status, error } = result;
  if (status === 0) return say('device_not_here', { device, seconds });
  return say('device_result', { device, status, error: error ?? '', message: result.message.slice(0, 100), form });
}
