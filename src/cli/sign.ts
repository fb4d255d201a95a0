import { randomBytes } from 'node:crypto';
import { parseDeviceId, productOf } from '../platform/device-id.ts';
import {
  attendanceSignature,
  attendanceStringToSign,
  mqttPassword,
  mqttStringToSign,
  serviceSignature,
  serviceStringToSign,
} from '../platform/signature.ts';
import { realClock } from '../runtime/real-world.ts';
import { type Call, CommandFailed, flag, type Run, textOption, WrongUsage } from './command.ts';
import { textOf } from './text-of.ts';

/** `sign mqtt`: the password of SPEC 5.1 and the string that is hashed, with the key masked. */
export const signMqtt: Run = async call => {
  const written = textOption(call, 'device');
  if (written === undefined)
    throw new WrongUsage('--device is missing: write the device id, such as --device FACE-T1_A0001');
  const id = parseDeviceId(written);
  if (!id.ok)
    throw new WrongUsage(`--device "${written}": no device id: {product_id}_{device_sn}, letters, digits and hyphens`);
  const productId = written.slice(0, productOf(id.value).length);
  const parts = { deviceId: written, productId, accessKey: readKey(call) };
  const masked = mqttStringToSign({ ...parts, accessKey: '********' });
  const password = mqttPassword(parts);
  const shown = {
    client_id: written,
    user_name: productId,
    password,
    string_to_sign: flag(call, 'show-key') ? mqttStringToSign(parts) : masked,
    key_characters: [...parts.accessKey].length,
  };
  if (flag(call, 'json')) return call.print(`${JSON.stringify(shown, null, 2)}\n`);
  await call.print(
    [
      `ClientID        ${shown.client_id}`,
      `UserName        ${shown.user_name}`,
      `Password        ${shown.password}`,
      `string signed   ${shown.string_to_sign}`,
      `                MD5 of these UTF-8 bytes in lower-case hex; the key has ${shown.key_characters} characters`,
      '',
    ].join('\n'),
  );
};

/**
 * `sign attendance`: the headers of SPEC 5.7 and the string that is signed, with the secret masked.
 */
export const signAttendance: Run = async call => {
  const appKey = textOption(call, 'app-key');
  if (appKey === undefined) throw new WrongUsage('--app-key is missing: write the App-Key of the caller');
  const path = (textOption(call, 'path') ?? '/v2.0/cloudappapi').split('?')[0]!;
  if (!path.startsWith('/'))
    throw new WrongUsage(`--path "${path}": write the path alone, such as /v2.0/employee/query`);
  const timestamp = textOption(call, 'timestamp') ?? String(realClock.now());
  if (!/^\d{13}$/.test(timestamp)) throw new WrongUsage(`--timestamp "${timestamp}": write milliseconds, 13 digits`);
  const parts = { path, timestamp, appKey, appSecret: readKey(call) };
  const signed = attendanceStringToSign(flag(call, 'show-key') ? parts : { ...parts, appSecret: '********' });
  const shown = {
    'App-Key': appKey,
    'App-Timestamp': timestamp,
    'App-Sig': attendanceSignature(parts),
    string_to_sign: signed,
    secret_characters: [...parts.appSecret].length,
  };
  if (flag(call, 'json')) return call.print(`${JSON.stringify(shown, null, 2)}\n`);
  await call.print(
    [
      `App-Key         ${appKey}`,
      `App-Timestamp   ${timestamp}`,
      `App-Sig         ${shown['App-Sig']}`,
      `string signed   ${signed}`,
      `                MD5 of these UTF-8 bytes in lower-case hex; the secret has ${shown.secret_characters} characters`,
      '',
    ].join('\n'),
  );
};

/** `sign psp`: the headers of SPEC 5.6 and the string that is signed, with the key masked. */
export const signPsp: Run = async call => {
  const appId = textOption(call, 'app-id');
  if (appId === undefined) throw new WrongUsage('--app-id is missing: write the app_id of the caller');
  const timestamp = textOption(call, 'timestamp') ?? String(realClock.now());
  if (!/^\d{13}$/.test(timestamp)) throw new WrongUsage(`--timestamp "${timestamp}": write milliseconds, 13 digits`);
  const nonce = textOption(call, 'nonce') ?? randomBytes(3).toString('hex');
  const parts = { appId, appKey: readKey(call), nonce, timestamp };
  const signed = serviceStringToSign(flag(call, 'show-key') ? parts : { ...parts, appKey: '********' });
  const shown = {
    app_id: appId,
    timestamp,
    nonce,
    sig: serviceSignature(parts),
    string_to_sign: signed,
    key_characters: [...parts.appKey].length,
  };
  if (flag(call, 'json')) return call.print(`${JSON.stringify(shown, null, 2)}\n`);
  await call.print(
    [
      `app_id          ${appId}`,
      `timestamp       ${timestamp}`,
      `nonce           ${nonce}`,
      `sig             ${shown.sig}`,
      `string signed   ${signed}`,
      `                MD5 of these UTF-8 bytes in lower-case hex; the key has ${shown.key_characters} characters`,
      '',
    ].join('\n'),
  );
};

/**
 * From a file or standard input, never from a flag (CONTRACT 1). A line end at the end is removed.
 */
export function readKey(call: Call, option = 'key-file'): string {
  const file = textOption(call, option);
  let key: string;
  try {
    if (file === undefined && call.stdin.isTTY) call.tell('the key, and then Enter and Ctrl-D:');
    key = textOf(call, file ?? '-').replace(/\r?\n$/, '');
  } catch (error) {
    throw new CommandFailed(`${file ?? 'standard input'}: the key cannot be read: ${(error as Error).message}`);
  }
  if (key === '')
    throw new CommandFailed(
      `${file ?? 'standard input'}: no key: write it to standard input, or name its file with --${option}`,
    );
  return key;
}
