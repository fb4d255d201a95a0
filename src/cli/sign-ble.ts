import { parseDeviceId } from '../platform/device-id.ts';
import { signatureNumber, signatureText } from '../platform/device-signature.ts';
import { randomBytesMax } from '../platform/setup-payloads.ts';
import { passwordForms, protectPassword } from '../platform/wifi-password.ts';
import { type Call, flag, type Run, textOption, WrongUsage } from './command.ts';
import { configOf } from './config-of.ts';
import { readKey } from './sign.ts';

/**
 * `sign ble`: the signature of SPEC 5.4 and the string that is signed, with the key masked; for a
 * wifi password also its bytes on the air.
 */
export const signBle: Run = async call => {
  const deviceId = textOption(call, 'device');
  if (deviceId === undefined)
    throw new WrongUsage('--device is missing: write the device id, such as --device FACE-T1_A0001');
  if (!parseDeviceId(deviceId).ok)
    throw new WrongUsage(`--device "${deviceId}": no device id: {product_id}_{device_sn}, letters, digits and hyphens`);
  const random = textOption(call, 'random');
  if (random === undefined || random === '')
    throw new WrongUsage('--random is missing: write the random string that the app sent');
  if (Buffer.byteLength(random) > randomBytesMax)
    throw new WrongUsage(`--random is too long: at most ${randomBytesMax} bytes`);
  const key = readKey(call, 'key-file');
  const number = signatureNumber(deviceId, Buffer.from(random), key);
  const shown = {
    device_id: deviceId,
    random,
    signature: signatureText(number),
    signature_number: number,
    string_to_sign: `${deviceId}-${random}-${flag(call, 'show-key') ? key : '********'}`,
    key_characters: [...key].length,
    ...wifiPassword(call, key),
  };
  if (flag(call, 'json')) return call.print(`${JSON.stringify(shown, null, 2)}\n`);
  const password = 'wifi_password' in shown ? shown.wifi_password : undefined;
  await call.print(
    [
      `signature       ${shown.signature}`,
      `                as a number ${number}`,
      `string signed   ${shown.string_to_sign}`,
      `                CRC-32 of these UTF-8 bytes, 8 lower-case hex digits; the key has ${shown.key_characters} characters`,
      ...(password
        ? [
            `wifi password   ${password.fold}  fold: each byte XORed with every byte of the key`,
            `                ${password.repeat}  repeat: the key laid along the bytes`,
            `                ${password.bytes} bytes: ${password.marker} and the password`,
          ]
        : []),
      '',
    ].join('\n'),
  );
};

/** The password in both readings of SPEC 5.4, in hex; nothing without a wifi password. */
function wifiPassword(call: Call, key: string) {
  if (textOption(call, 'wifi-key-file') === undefined) return {};
  const password = readKey(call, 'wifi-key-file');
  const marker = `${configOf(call).box.vendor}@`;
  const [fold, repeat] = passwordForms.map(form =>
    Buffer.from(protectPassword(password, { marker, key, form })).toString('hex'),
  );
  return { wifi_password: { marker, fold: fold!, repeat: repeat!, bytes: fold!.length / 2 } };
}
