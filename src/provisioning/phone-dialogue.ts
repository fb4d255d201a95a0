import { signatureNumber, signatureText } from '../platform/device-signature.ts';
import { encodeFrame, type Frame, frameCommand, frameError } from '../platform/frame.ts';
import { textBytes } from '../platform/length-prefixed.ts';
import { explainRefusal } from '../platform/refusals.ts';
import {
  decodeSignatureRequest,
  decodeWifiRequest,
  encodeDeviceInfo,
  encodeFrameError,
  encodeSignatureReply,
} from '../platform/setup-payloads.ts';
import { readSsid, type Ssid } from '../platform/ssid.ts';
import { openPassword } from '../platform/wifi-password.ts';
import type { Log } from '../runtime/log.ts';
import type { Read } from './frame-reader.ts';

interface PhoneDesk {
  readonly deviceId: string;
  readonly model: string;
  /** `VENDOR@` */
  readonly marker: string;
  /**
   * The first one signs; each may have encrypted a wifi password. Empty: the box has no key, and
   * reports that when one is needed.
   */
  keys(): Promise<readonly string[]>;
  /** Takes wifi settings. The outcome follows later, over Bluetooth and by broadcast. */
  take(settings: Ssid & { readonly key: string }): void;
}

/**
 * The box's reply to a frame that a phone wrote (SPEC 4.4, 5.4); null: none. A password that no key
 * opens is ignored, as SPEC 5.4 says: the phone gets no reply, the log has the reason.
 */
export async function answerPhone(read: Read, desk: PhoneDesk, log: Log): Promise<Uint8Array | null> {
  if ('fault' in read) return errorFrame(read.fault, read.said.reason);
  const { command, payload } = read.frame;
  switch (command) {
    case frameCommand.deviceInfo:
      // SPEC's sample shows a signature request under 0x01: its payload tells, and the reply uses
      // the same command.
      return payload.every(byte => byte === 0)
        ? encodeFrame({ command, payload: encodeDeviceInfo(desk) })
        : sign(read.frame, desk, log);
    case frameCommand.signature:
      return sign(read.frame, desk, log);
    case frameCommand.wifi:
      return takeWifi(payload, desk, log);
    case frameCommand.business:
      log.debug({ bytes: payload.length }, 'bluetooth_business_data');
      return null;
    default:
      return errorFrame(frameError.unknownCommand, `unknown command 0x${command.toString(16).padStart(2, '0')}`);
  }
}

const errorFrame = (code: number, message: string): Uint8Array =>
  encodeFrame({ command: frameCommand.error, payload: encodeFrameError({ code, message }) });

async function sign({ command, payload }: Frame, desk: PhoneDesk, log: Log): Promise<Uint8Array> {
  const random = decodeSignatureRequest(payload);
  if (!random.ok) return errorFrame(frameError.parse, random.refusal.detail);
  const [key] = await desk.keys();
  if (key === undefined) {
    log.warn({}, 'no_key_for_signature');
    return errorFrame(frameError.unknownCommand, 'the box has no key to sign with');
  }
  const signature = textBytes(signatureText(signatureNumber(desk.deviceId, random.value, key)));
  return encodeFrame({ command, payload: encodeSignatureReply({ signature, ...desk }) });
}

async function takeWifi(payload: Uint8Array, desk: PhoneDesk, log: Log): Promise<Uint8Array | null> {
  const request = decodeWifiRequest(payload);
  if (!request.ok) return errorFrame(frameError.parse, explainRefusal(request.refusal).reason);
  const { ssid, protectedPassword } = request.value;
  const name = readSsid(ssid);
  if (protectedPassword.length === 0) {
    desk.take({ ...name, key: '' });
    return null;
  }
  const opened = openPassword(protectedPassword, { marker: desk.marker, keys: await desk.keys() });
  if (!opened) {
    log.warn({ ssid: name.ssid }, 'bluetooth_settings_ignored', { marker: desk.marker });
    return null;
  }
  log.info({ ssid: name.ssid, form: opened.form }, 'bluetooth_settings_sent');
  desk.take({ ...name, key: opened.password });
  return null;
}
