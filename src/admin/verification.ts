import { z } from '@hono/zod-openapi';
import { parseDeviceId, productOf } from '../platform/device-id.ts';
import { signatureForm, signatureNumber } from '../platform/device-signature.ts';
import { isModelKnown } from '../platform/product-model.ts';
import type { Clock } from '../runtime/clock.ts';
import { type GuessCounts, GuessWindows } from '../runtime/guess-windows.ts';
import type { Directory, DirectoryStore, SharedStore } from '../store/index.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import { byCommand, operation, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';

/** Wrong answers that one caller gets in a minute for one device. */
const wrongForDeviceMax = 10;

/** Wrong answers that one caller gets in a minute for all device ids that the box does not know. */
const wrongForUnknownMax = 60;

const verificationOperations = {
  verify: operation({
    method: 'post',
    path: '/devices/verify',
    role: 'viewer',
    audited: described('verified the signature of a device', '核验设备签名'),
    summary: described(
      'Whether a device has the key of its product, by its signature of SPEC 5.4: for apps that met it by Bluetooth',
      '根据规范 5.4 的签名核验设备是否持有其产品的密钥，供通过蓝牙发现设备的应用使用',
    ),
    body: z.object({
      device_id: z
        .string()
        .max(64)
        .describe(described('As the device sent it: what it signed', '与设备所发的相同：其签名的内容')),
      model: z
        .string()
        .max(64)
        .describe(described('As the device sent it; in any letter case', '与设备所发的相同；不区分大小写')),
      random: z
        .string()
        .min(1)
        .max(255)
        .describe(described('What the app sent with command 0x02', '应用用命令 0x02 发送的内容')),
      signature: z
        .string()
        .min(1)
        .max(16)
        .describe(
          described(
            'CRC32 over device_id-random-product_key: 8 hex digits, or decimal',
            'device_id-random-product_key 的 CRC32：8 位十六进制，或十进制',
          ),
        ),
    }),
    returns: described(
      'Yes or no: no for an unknown product, and for another model than the one that the product was given',
      '是或否：产品未知，或与产品已设型号不同时，也为否',
    ),
    answer: z.object({ genuine: z.boolean() }),
    failures: {
      429: described(
        'Too many wrong signatures for this device: try again later',
        '此设备的签名错误次数过多：请稍后再试',
      ),
    },
  }),
};

const verificationAdmin = (
  directory: Directory,
  clock: Clock,
  counts: GuessCounts,
): Running<typeof verificationOperations> => {
  const guesses = new Guesses(clock, counts);
  return {
    async verify({ device_id, model, random, signature }, call = byCommand) {
      const id = parseDeviceId(device_id);
      const of = {
        caller: call.caller.actor,
        deviceId: id.ok ? id.value : '',
        isKnown: id.ok && directory.device(id.value) !== undefined,
      };
      const waitMs = guesses.waitMs(of);
      if (waitMs > 0)
        throw refused(
          429,
          'too_many_guesses',
          `too many wrong signatures for ${id.ok ? id.value : 'what is no device id'}: try again later`,
          { retryAfterSeconds: Math.ceil(waitMs / 1000) },
        );
      const product = id.ok ? directory.product(productOf(id.value)) : undefined;
      const isModel = product && (!isModelKnown(product) || product.model.toUpperCase() === model.toUpperCase());
      const genuine =
        product !== undefined &&
        isModel === true &&
        signatureForm(Buffer.from(signature), signatureNumber(device_id, Buffer.from(random), product.productKey)) !==
          null;
      call.subject(
        id.ok
          ? auditSubjects.say(genuine ? 'genuine' : 'not_genuine', { device: id.value })
          : auditSubjects.say('no_device_id'),
      );
      if (!genuine) guesses.noteWrong(of);
      return { genuine };
    },
  };
};

interface Guess {
  readonly caller: string;
  readonly deviceId: string;
  readonly isKnown: boolean;
}

/**
 * Counts wrong signatures by caller and device, so that neither the guesses of another caller nor
 * those for another device slow down a right one. The ids that the box does not know share an
 * allowance besides, or each made-up id would bring another one.
 */
class Guesses {
  readonly #clock: Clock;
  readonly #ofDevice: GuessWindows;
  readonly #ofUnknown: GuessWindows;

  constructor(clock: Clock, counts: GuessCounts) {
    const windowMs = 60_000;
    this.#ofDevice = new GuessWindows({ name: 'device signature', limit: wrongForDeviceMax, windowMs }, counts);
    this.#ofUnknown = new GuessWindows({ name: 'unknown devices', limit: wrongForUnknownMax, windowMs }, counts);
    this.#clock = clock;
  }

  /** Milliseconds until the caller may ask for this device again; 0: now. */
  waitMs({ caller, deviceId, isKnown }: Guess): number {
    const now = this.#clock.monotonic();
    const waitMs = this.#ofDevice.wait(`${caller}\0${deviceId}`, now);
    return isKnown ? waitMs : Math.max(waitMs, this.#ofUnknown.wait(caller, now));
  }

  noteWrong({ caller, deviceId, isKnown }: Guess): void {
    const now = this.#clock.monotonic();
    this.#ofDevice.take(`${caller}\0${deviceId}`, now);
    if (!isKnown) this.#ofUnknown.take(caller, now);
  }
}

const running = ({ store, clock }: { readonly store: DirectoryStore & SharedStore; readonly clock: Clock }) =>
  verificationAdmin(store.directory, clock, store.shared.guesses);

export const verificationResource = resource(verificationOperations, running, running);
