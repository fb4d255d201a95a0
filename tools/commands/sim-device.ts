import { text as readAll } from 'node:stream/consumers';
import {
  type Call,
  CommandFailed,
  flag,
  numberOption,
  type Run,
  textOption,
  WrongUsage,
} from '../../src/cli/command.ts';
import { number } from '../../src/cli/wording.ts';
import { readSiteFile } from '../../src/config/index.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { type Shape, type SimDevicesOptions, startSimDevices } from '../sim/index.ts';
import { fileText, setUpFirst } from './sim-hotspot.ts';

const reportEveryMs = 5000;

/** `sim device`: terminals that behave, until Ctrl-C or until each has said its `--records`. */
export const simDevice: Run = async call => {
  const site = siteOf(call);
  const product = site?.product ?? textOption(call, 'product');
  if (product === undefined) throw new WrongUsage('--product is missing, or a --site that has products');
  const url = urlOf(call);
  const insecure = flag(call, 'insecure');
  const caFile = textOption(call, 'ca');
  const keyFile = textOption(call, 'key-file');
  const productKey =
    keyFile === undefined ? (site?.productKey ?? (await readAll(call.stdin)).trim()) : fileText(call, keyFile).trim();
  if (productKey === '')
    throw new CommandFailed('no product key was given: name a --key-file, or write it to standard input');
  const records = textOption(call, 'records');
  const model = textOption(call, 'model') ?? site?.model;
  const firstSerial = textOption(call, 'serial');
  if (insecure) call.tell('certificates are not checked (--insecure): anybody could be at the other end');

  const stopped = stopAsked();
  const options: SimDevicesOptions = {
    clock: realClock,
    random: realRandom,
    url,
    insecure,
    product,
    productKey,
    count: numberOption(call, 'count', 1, 1, 100_000),
    rate: decimalOption(call, 'rate', 0.5),
    logs: decimalOption(call, 'logs', 0),
    shape: (textOption(call, 'shape') ?? 'steady') as Shape,
    activate: flag(call, 'activate'),
    ...(caFile === undefined ? {} : { ca: fileText(call, caFile) }),
    ...(model === undefined ? {} : { model }),
    ...(site ? { people: site.people } : {}),
    ...(firstSerial === undefined ? {} : { firstSerial }),
    ...(records === undefined ? {} : { recordsMax: numberOption(call, 'records', 1, 1) }),
    onEvent: event => {
      if (event.kind === 'connected') call.tell(`${event.deviceId} connected`);
      if (event.kind === 'left') call.tell(`${event.deviceId} is off: ${event.why}; it tries again in 3 to 5 s`);
    },
  };
  await using devices =
    textOption(call, 'hotspot') === undefined ? startSimDevices(options) : await setUpFirst(call, options, stopped);
  if (!devices) return 0;
  const wanted = records === undefined ? Number.POSITIVE_INFINITY : Number(records) * devices.deviceIds.length;
  const report = () => {
    const { connected, said, acknowledged, repeats } = devices.stats();
    return `${connected} connected, said ${number(said)}, acknowledged ${number(acknowledged)}, said again ${number(repeats)}\n`;
  };
  let over = false;
  void stopped.then(() => {
    over = true;
  });
  while (!over && devices.stats().acknowledged < wanted) {
    for (let waited = 0; waited < reportEveryMs && !over && devices.stats().acknowledged < wanted; waited += 100)
      await realClock.sleep(100);
    await call.print(report());
  }
  return 0;
};

/** The people of `--site` and the product of their terminals. Null: it is not given. */
function siteOf(call: Call) {
  const file = textOption(call, 'site');
  if (file === undefined) return null;
  const { products = [], employees = [], departments = [] } = readSiteFile(file, call.cwd).site;
  const named = textOption(call, 'product');
  const product = products.find(({ product_id: id, product_key: key }) => (named ?? id) === id && key !== undefined);
  if (employees.length === 0) throw new CommandFailed(`${file}: has no employees who could punch`);
  return {
    product: named ?? product?.product_id,
    productKey: product?.product_key,
    model: product?.model,
    people: employees.map(one => ({
      extId: one.ext_id,
      name: one.name,
      employeeNum: one.employee_num ?? '',
      department: departments.find(({ ext_id: id }) => id === one.department?.ext_id)?.name ?? '',
    })),
  };
}

function urlOf(call: Call): string {
  const chosen = (['mqtts', 'mqtt', 'https', 'http'] as const).filter(name => textOption(call, name) !== undefined);
  if (chosen.length !== 1) throw new WrongUsage('write where to connect: one of --mqtts, --mqtt, --https, --http');
  const scheme = chosen[0]!;
  const place = textOption(call, scheme)!;
  const url = place.includes('://') ? place : `${scheme}://${place}`;
  if (!URL.canParse(url) || !url.startsWith(`${scheme}:`))
    throw new WrongUsage(`--${scheme} "${place}": write host:port`);
  return url;
}

export function decimalOption(call: Call, name: string, byDefault: number): number {
  const written = textOption(call, name);
  if (written === undefined) return byDefault;
  const value = /^\d+(\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
  if (!(value <= 10_000)) throw new WrongUsage(`--${name} "${written}": write a number from 0 to 10000`);
  return value;
}

/** Resolves on the first SIGINT or SIGTERM. */
export const stopAsked = (): Promise<void> =>
  new Promise(resolve => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
