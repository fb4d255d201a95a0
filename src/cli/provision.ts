import type { ProvisionAdmin, ProvisionLine, ProvisionResultReport } from '../admin/index.ts';
import { type BoxClient, BoxEnded } from '../admin-client/index.ts';
import { parseAddress } from '../runtime/address.ts';
import { realClock } from '../runtime/real-world.ts';
import { type Call, CommandFailed, flag, numberOption, type Run, textOption, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { textOf } from './text-of.ts';
import { ago, table } from './wording.ts';

type Wifi = Parameters<ProvisionAdmin['wifi']>[0];

/** `provision scan`: devices nearby that wait to be set up. */
export const provisionScan: Run = async call => {
  const via = viaOf(call);
  const seconds = numberOption(call, 'seconds', 10, 1, 120);
  const outcome = await go(call, box => box.lines('post', '/provision/scan', { seconds, via }));
  if (flag(call, 'json')) return printJson(call, outcome);
  if (outcome.devices.length === 0) {
    await call.print('no device was heard: see that it is near, has power, and is in its set-up mode\n');
    return;
  }
  const rows = outcome.devices.map(({ name, address, quality, via: by }) => [
    name || '(no name)',
    address || '-',
    quality === null ? '-' : `${quality} %`,
    by,
  ]);
  await call.print(table(['name', 'address', 'signal', 'via'], rows));
};

/** `provision info TARGET`: id and model of the device. */
export const provisionInfo: Run = async call => {
  const info = await go(call, box => box.lines('post', '/provision/info', targetOf(call)));
  if (flag(call, 'json')) return printJson(call, info);
  const known = info.product_known ? '' : '  (its product is not known here: add it to the site file and apply it)';
  await call.print(
    [
      `device id  ${info.device_id || '(not told)'}${known}`,
      `model      ${info.model || '(not told)'}`,
      ...(info.version ? [`version    ${info.version}`] : []),
      ...(info.networks ?? []).map(
        ({ ssid, utf8, security, quality }, index) =>
          `${index === 0 ? 'it sees' : '       '}    ${ssid} (${security}${quality === null ? '' : `, ${quality} %`}${utf8 ? '' : ', not in UTF-8: rename it in the router'})`,
      ),
      '',
    ].join('\n'),
  );
};

/**
 * `provision verify TARGET`: whether the device has the key of its product; exit status 1 if not.
 */
export const provisionVerify: Run = async call => {
  const outcome = await go(call, box => box.lines('post', '/provision/verify', targetOf(call)));
  if (flag(call, 'json')) await printJson(call, outcome);
  else await call.print(`${outcome.device_id}: ${outcome.genuine ? 'genuine' : 'NOT verified'}: ${outcome.message}\n`);
  return outcome.genuine ? 0 : 1;
};

/**
 * `provision wifi TARGET --ssid S`: sets the device's network; exit status 1 if it does not join.
 */
export const provisionWifi: Run = async call => {
  const ssid = textOption(call, 'ssid');
  if (ssid === undefined) throw new WrongUsage('--ssid is missing: write the name of the network');
  const asks = targetOf(call);
  const security = textOption(call, 'security') as Wifi['security'];
  const form = textOption(call, 'form') as Wifi['form'];
  const key = security === 'none' ? '' : secret(call, 'key-file', 'the wifi password; nothing for an open network');
  const outcome = await go(call, box => box.lines('post', '/provision/wifi', { ...asks, ssid, key, security, form }));
  if (flag(call, 'json')) await printJson(call, outcome);
  else await call.print(`${outcome.message}\n`);
  return outcome.configured ? 0 : 1;
};

/** `provision results`: the results that devices announced last. */
export const provisionResults: Run = async call => {
  await using box = await findBox(call);
  const { results } = await box.get('/provision/results', { limit: numberOption(call, 'limit', 50, 1, 2000) });
  if (flag(call, 'json')) return printJson(call, results);
  if (results.length === 0) {
    await call.print('no device has announced a result\n');
    return;
  }
  await call.print(results.map(line).join(''));
};

const line = ({ device_id, model, at, via, message, address }: ProvisionResultReport): string =>
  `${device_id} (${model || 'model not told'}), ${ago(at, realClock.now())}, by ${via}${address === '0.0.0.0' ? '' : `, at ${address}`}: ${message}\n`;

const printJson = (call: Call, value: unknown): Promise<void> => call.print(`${JSON.stringify(value, null, 2)}\n`);

/** One run on the box; its steps go to standard error. Ctrl-C ends the run there as well. */
async function go<Outcome>(
  call: Call,
  run: (box: BoxClient) => AsyncIterable<ProvisionLine<Outcome>>,
): Promise<Outcome> {
  await using box = await findBox(call);
  for await (const step of run(box)) {
    if ('event' in step) call.tell(step.event.message);
    else if ('outcome' in step) return step.outcome;
    else throw new CommandFailed(step.failure.message);
  }
  throw new BoxEnded();
}

function viaOf(call: Call) {
  return textOption(call, 'via') as 'bluetooth' | 'hotspot' | undefined;
}

function targetOf(call: Call): Parameters<ProvisionAdmin['info']>[0] {
  const written = textOption(call, 'host');
  const host = written === undefined ? undefined : parseAddress(written);
  if (written !== undefined && !host) throw new WrongUsage(`--host "${written}": write host:port`);
  const target = call.arguments[0] ?? '';
  if (target === '' && !host)
    throw new WrongUsage(
      'TARGET is missing: write a name of `gatehouse provision scan`, a Bluetooth address or a device id',
    );
  const via = viaOf(call);
  const keyFile = textOption(call, 'hotspot-key-file');
  return {
    target,
    ...(via ? { via } : {}),
    ...(host ? { host } : {}),
    ...(keyFile === undefined ? {} : { hotspotKey: fileText(call, keyFile) }),
    ...(flag(call, 'leave') ? { leave: true } : {}),
  };
}

/** From a file or standard input, never from a flag (CONTRACT 1). */
function secret(call: Call, option: string, what: string): string {
  const file = textOption(call, option);
  if (file === undefined && call.stdin.isTTY) call.tell(`${what}, and then Enter and Ctrl-D:`);
  return fileText(call, file ?? '-');
}

function fileText(call: Call, file: string): string {
  try {
    return textOf(call, file).replace(/\r?\n$/, '');
  } catch (error) {
    throw new CommandFailed(`${file === '-' ? 'standard input' : file}: cannot be read: ${(error as Error).message}`);
  }
}
