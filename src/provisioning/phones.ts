import { encodeFrame, frameCommand } from '../platform/frame.ts';
import { encodeSetupResult, type SetupResult } from '../platform/setup-result.ts';
import { whyOf, withWhy } from '../words/sentences.ts';
import type { Written } from './bluetooth/gatt-application.ts';
import { FrameReader } from './frame-reader.ts';
import { settingsOf } from './hotspot/routes.ts';
import { answerPhone } from './phone-dialogue.ts';
import type { ProvisioningOptions } from './port.ts';
import type { SetUp } from './set-up.ts';
import { nowhere } from './wifi/port.ts';

const frameReadersMax = 8;

const bareNotification = 20;

/** Bytes that GATT puts before the value of a notification. */
const notificationOverhead = 3;

/** The dialogues with phones: a frame reader for each of them, since their packets interleave. */
export class Phones {
  readonly #options: ProvisioningOptions;
  readonly #setUp: SetUp;
  readonly #notify: (bytes: Uint8Array) => void;
  readonly #readers = new Map<string, FrameReader>();
  #piece = bareNotification;

  constructor(options: ProvisioningOptions, setUp: SetUp, notify: (bytes: Uint8Array) => void) {
    this.#options = options;
    this.#setUp = setUp;
    this.#notify = notify;
  }

  written({ bytes, from, mtu }: Written): void {
    if (mtu !== null) this.#piece = Math.max(bareNotification, mtu - notificationOverhead);
    let reader = this.#readers.get(from);
    if (!reader) {
      // Phones come and go under ever new addresses: the oldest is forgotten.
      const [oldest] = this.#readers.keys();
      if (this.#readers.size >= frameReadersMax && oldest !== undefined) this.#readers.delete(oldest);
      reader = new FrameReader();
      this.#readers.set(from, reader);
    }
    const { clock, device, keys, log } = this.#options;
    const desk = {
      deviceId: device.deviceId,
      model: device.model,
      marker: `${device.vendor}@`,
      keys: async () => keys(),
      take: (settings: Parameters<typeof settingsOf>[0]) => this.#take(settings),
    };
    for (const read of reader.push(bytes, clock.monotonic()))
      answerPhone(read, desk, log).then(
        answer => answer && this.#send(answer),
        error => log.error({ error: (error as Error).stack }, 'phone_message_failed'),
      );
  }

  /** Under command 0x03, on the channel on which the settings came (decision 62). */
  notifyResult(result: SetupResult): void {
    this.#send(encodeFrame({ command: frameCommand.wifi, payload: encodeSetupResult(result) }));
  }

  /** Settings that cannot be tried are refused at once, without leaving the hotspot. */
  #take(settings: Parameters<typeof settingsOf>[0]): void {
    const { device, log } = this.#options;
    const read = settingsOf(settings, this.#setUp.networks().networks);
    const refused = (error: -3 | -4) =>
      this.notifyResult({ deviceId: device.deviceId, model: device.model, status: -2, error, message: '', ...nowhere });
    if ('problem' in read) {
      log.warn({ ssid: settings.ssid }, 'bluetooth_settings_not_usable', withWhy(whyOf(read.problem)));
      refused(-3);
    } else if (!this.#setUp.take(read.settings)) {
      if (this.#setUp.state.mode !== 'trying') refused(-4);
    }
  }

  #send(frame: Uint8Array): void {
    for (let at = 0; at < frame.length; at += this.#piece) this.#notify(frame.subarray(at, at + this.#piece));
  }
}
