import { encodeFrame, type Frame, frameCommand, frameError } from '../../platform/frame.ts';
import {
  type DeviceInfo,
  decodeDeviceInfo,
  decodeFrameError,
  decodeSignatureReply,
  encodeWifiRequest,
  type SignatureReply,
  type WifiRequest,
} from '../../platform/setup-payloads.ts';
import { decodeSetupResult, type SetupResult } from '../../platform/setup-result.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Reason, whyOf, withWhy } from '../../words/sentences.ts';
import { deviceFrameErrors, frameFaults, siteDeviceFailures } from '../../words/site-devices.ts';
import { FrameReader } from '../frame-reader.ts';
import type { Channel } from './channel.ts';
import { SiteDeviceFailure } from './failure.ts';

/**
 * How long a device may take to answer. After this a wifi request counts as ignored, too
 * (docs/decisions/provisioning.md).
 */
const answerMs = 10_000;

/** Which command the signature was asked for and answered with: SPEC 4.4 prints both. */
interface Signed extends SignatureReply {
  readonly askedBy: number;
  readonly answeredBy: number;
}

/** A device's error reply (SPEC 7.5). */
class DeviceError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const errorWords: Readonly<Record<number, Reason>> = {
  [frameError.parse]: deviceFrameErrors.say('frame_not_parsed'),
  [frameError.checksum]: deviceFrameErrors.say('frame_checksum_wrong'),
  [frameError.unknownCommand]: deviceFrameErrors.say('frame_command_unknown'),
};

/**
 * Speaks the frames of SPEC 4.4 as the phone app does. One request at a time; unsolicited frames
 * are dropped.
 */
export class Dialogue {
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #reader = new FrameReader();
  #waiting: ((frame: Frame) => void) | null = null;
  /** Replies came that could not be read, so the device is not silent. */
  #garbled: Reason | null = null;

  constructor(channel: Channel, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
    channel.onPacket(packet => {
      for (const read of this.#reader.push(packet, clock.monotonic()))
        if ('frame' in read) this.#waiting?.(read.frame);
        else this.#garbled = read.said;
    });
  }

  async info(signal?: AbortSignal): Promise<DeviceInfo> {
    const question = { command: frameCommand.deviceInfo, payload: new Uint8Array() };
    try {
      return await this.#ask(question, signal, ({ command, payload }) => {
        if (command !== frameCommand.deviceInfo) return null;
        const info = decodeDeviceInfo(payload);
        return info.ok ? info.value : null;
      });
    } catch (error) {
      throw explained(error);
    }
  }

  /**
   * A device that does not know command 0x02 is asked again with 0x01, as in the sample frame of
   * SPEC 4.4.
   */
  async signature(random: Uint8Array, signal?: AbortSignal): Promise<Signed> {
    const ask = (askedBy: number) =>
      this.#ask({ command: askedBy, payload: random }, signal, ({ command, payload }): Signed | null => {
        if (command !== frameCommand.signature && command !== frameCommand.deviceInfo) return null;
        const reply = decodeSignatureReply(payload);
        return reply.ok ? { ...reply.value, askedBy, answeredBy: command } : null;
      });
    try {
      return await ask(frameCommand.signature);
    } catch (error) {
      if (!(error instanceof DeviceError) || error.code !== frameError.unknownCommand) throw explained(error);
      return ask(frameCommand.deviceInfo).catch(again => Promise.reject(explained(again)));
    }
  }

  /**
   * Sends the wifi settings and resolves with the result, which may take a device a minute or two:
   * `signal` limits it. `onSilence` is called once when nothing has come for 10 s, as of a device
   * whose key or form does not fit (SPEC 5.4: the message is ignored).
   */
  async wifi(
    request: WifiRequest,
    { signal, onSilence }: { signal: AbortSignal; onSilence: () => void },
  ): Promise<SetupResult> {
    const over = new AbortController();
    this.#clock.sleep(answerMs, AbortSignal.any([signal, over.signal])).then(onSilence, () => {});
    try {
      const frame = { command: frameCommand.wifi, payload: encodeWifiRequest(request) };
      const read = ({ command, payload }: Frame) => {
        if (command !== frameCommand.wifi) return null;
        const result = decodeSetupResult(payload);
        return result.ok ? result.value : null;
      };
      return await this.#ask(frame, signal, read, Number.POSITIVE_INFINITY);
    } catch (error) {
      throw explained(error);
    } finally {
      over.abort();
    }
  }

  /** Asks twice where the frame or its answer was garbled on the way. */
  async #ask<T>(
    frame: Frame,
    signal: AbortSignal | undefined,
    read: (frame: Frame) => T | null,
    ms = answerMs,
  ): Promise<T> {
    try {
      return await this.#exchange(frame, signal, ms, read);
    } catch (error) {
      const again =
        error instanceof DeviceError
          ? error.code === frameError.checksum || error.code === frameError.parse
          : error instanceof SiteDeviceFailure && error.code === 'garbled';
      if (!again) throw error;
      return await this.#exchange(frame, signal, ms, read);
    }
  }

  async #exchange<T>(
    frame: Frame,
    signal: AbortSignal | undefined,
    ms: number,
    read: (frame: Frame) => T | null,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    promise.catch(() => {});
    this.#garbled = null;
    this.#waiting = received => {
      if (received.command === frameCommand.error) {
        const decoded = decodeFrameError(received.payload);
        const { code, message } = decoded.ok ? decoded.value : { code: -1, message: '' };
        return reject(new DeviceError(code, message.slice(0, 80)));
      }
      const value = read(received);
      if (value !== null) resolve(value);
      else {
        const command = `0x${received.command.toString(16).padStart(2, '0')}`;
        this.#garbled = frameFaults.say('frame_no_answer', { command });
      }
    };
    const over = new AbortController();
    const ending = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    if (Number.isFinite(ms))
      this.#clock.sleep(ms, ending).then(
        () => reject(this.#silence(ms)),
        () => {},
      );
    signal?.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
    void this.#channel.gone.then(reject);
    try {
      signal?.throwIfAborted();
      await Promise.race([this.#channel.write(encodeFrame(frame)), promise]);
      return await promise;
    } finally {
      over.abort();
      this.#waiting = null;
    }
  }

  #silence(ms: number): SiteDeviceFailure {
    return this.#garbled
      ? new SiteDeviceFailure('garbled', siteDeviceFailures.say('device_answer_garbled', withWhy(whyOf(this.#garbled))))
      : new SiteDeviceFailure('silent', siteDeviceFailures.say('device_silent', { seconds: ms / 1000 }));
  }
}

/** The device's reply, in words that may leave this module. */
function explained(error: unknown): unknown {
  if (!(error instanceof DeviceError)) return error;
  const why = errorWords[error.code] ?? deviceFrameErrors.say('frame_error', { error: error.code });
  return new SiteDeviceFailure(
    'device_error',
    siteDeviceFailures.say('device_error_reply', { ...withWhy(whyOf(why)), message: error.message }),
  );
}
