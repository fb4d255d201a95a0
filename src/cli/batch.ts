import { randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeSetupCode } from '../accounts/index.ts';
import { type Config, loadConfig, namingOf, writeIdentity, writeSite } from '../config/index.ts';
import { putFile } from '../operations/index.ts';
import { broadcastName } from '../platform/broadcast-name.ts';
import { type DeviceId, parseDeviceId } from '../platform/device-id.ts';
import { limits } from '../platform/limits.ts';
import { explainRefusal } from '../platform/refusals.ts';
import { boxLabelSheet, deviceCode, makeHotspotKey } from '../provisioning/index.ts';
import { byteOrderMark, csvLine, textCell } from '../runtime/csv.ts';
import { type Call, CommandFailed, numberOption, type Run, textOption, WrongUsage } from './command.ts';

interface BatchBox {
  readonly serial: string;
  readonly deviceId: DeviceId;
  readonly accessKey: string;
  readonly setupCode: string;
  readonly hotspotKey: string;
  /** The hotspot's, and the one under which Bluetooth finds it. */
  readonly name: string;
  readonly content: string;
}

/**
 * `batch --count N --out DIR`: an identity for each of N boxes, to be dropped on its card, and
 * their labels.
 */
export const batch: Run = async call => {
  const out = textOption(call, 'out');
  if (out === undefined) throw new WrongUsage('--out is missing: name a new folder');
  if (textOption(call, 'count') === undefined) throw new WrongUsage('--count is missing: say how many boxes');
  const config = configOfBoxes(call);
  const folder = resolve(call.cwd, out);
  const boxes = serials(call, numberOption(call, 'count', 1, 1, limits.labelsMax)).map(serial => boxOf(config, serial));
  openFolder(folder, out);
  const put = (name: string, text: string) => putFile(join(folder, name), text, { mode: 0o600, owner: null });
  for (const box of boxes) {
    mkdirSync(join(folder, box.serial), { mode: 0o700 });
    put(`${box.serial}/identity.yaml`, identityOf(config, box));
  }
  put('boxes.csv', table(boxes));
  put('site.yaml', siteAbove(config, boxes));
  const { model } = config.box;
  const labels = boxes.map(box => ({ ...box, name: `Gatehouse ${model}`, hotspotName: box.name }));
  let sheet = '';
  for await (const piece of boxLabelSheet(labels)) sheet += piece;
  put('labels.html', sheet);
  await call.print(
    `${out}: ${boxes.length} boxes, ${boxes[0]!.serial} to ${boxes.at(-1)!.serial}; print labels.html, and put the identity.yaml of each folder on the card of its box. All of it holds secrets: keep it safe\n`,
  );
};

function configOfBoxes(call: Call): Config {
  const file = textOption(call, 'config');
  const env = {
    GATEHOUSE_BOX__PRODUCT_ID: textOption(call, 'product-id'),
    GATEHOUSE_BOX__QR_BASE_URL: textOption(call, 'url'),
    GATEHOUSE_BOX__PRODUCT_KEY: keyFile(textOption(call, 'product-key-file')),
  };
  return loadConfig({ ...(file === undefined ? {} : { file }), env: env, cwd: call.cwd }).config;
}

const keyFile = (file: string | undefined): string | undefined => (file === undefined ? undefined : `file:${file}`);

const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const madeCharacters = 10;
/** The broadcast name ends with so many characters of the device id (SPEC 2.3). */
const tailCharacters = 6;

/** No two end alike: phones tell neighbours by the last six characters. */
function serials(call: Call, count: number): string[] {
  const first = textOption(call, 'first');
  if (first === undefined) {
    const tails = new Map<string, string>();
    while (tails.size < count) {
      const serial = Array.from({ length: madeCharacters }, () => alphabet[randomInt(alphabet.length)]).join('');
      tails.set(serial.slice(-tailCharacters), serial);
    }
    return [...tails.values()];
  }
  const [, head = '', digits] = /^(.*?)(\d{1,15})$/.exec(first.toUpperCase()) ?? [];
  if (digits === undefined)
    throw new WrongUsage(`--first "${first}": write one that ends with digits, such as A0001, to count on from`);
  const last = Number(digits) + count - 1;
  if (String(last).length > digits.length)
    throw new WrongUsage(`--first "${first}": ${count} boxes do not fit: write it with more zeros in front`);
  return Array.from(
    { length: count },
    (_, index) => head + String(Number(digits) + index).padStart(digits.length, '0'),
  );
}

/** Letters and digits alone: a sign at its beginning would be taken for a formula in boxes.csv. */
const newAccessKey = (): string => randomBytes(32).toString('hex');

function boxOf(config: Config, serial: string): BatchBox {
  const id = parseDeviceId(`${config.box.product_id}_${serial}`);
  if (!id.ok) throw new CommandFailed(explainRefusal(id.refusal).reason);
  const deviceId = id.value;
  const { content } = deviceCode(namingOf(config), { deviceId, model: config.box.model });
  const name = broadcastName({ vendor: config.box.vendor, deviceId });
  const secrets = { accessKey: newAccessKey(), setupCode: makeSetupCode(), hotspotKey: makeHotspotKey() };
  return { serial, deviceId, ...secrets, name, content };
}

/** Refuses to overwrite an earlier batch, of which labels may have been printed. */
function openFolder(folder: string, out: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length > 0)
    throw new CommandFailed(`${out}: there is something in it already: name a new folder, so that no batch is lost`);
}

const identityOf = ({ box: { product_id, product_key } }: Config, box: BatchBox): string =>
  writeIdentity({
    'box.product_id': product_id,
    'box.device_sn': box.serial,
    'box.access_key': box.accessKey,
    ...(product_key === undefined ? {} : { 'box.product_key': product_key }),
    'box.setup_code': box.setupCode,
    'provisioning.hotspot_key': box.hotspotKey,
  });

const table = (boxes: readonly BatchBox[]): string =>
  byteOrderMark +
  [
    ['serial', 'device_id', 'hotspot_name', 'hotspot_password', 'setup_code', 'access_key'],
    ...boxes.map(one => [one.serial, one.deviceId, one.name, one.hotspotKey, one.setupCode, one.accessKey]),
  ]
    .map(cells => csvLine(cells.map(textCell)))
    .join('');

/** For the box or platform above; the product's key only where it is known here. */
function siteAbove({ box }: Config, boxes: readonly BatchBox[]): string {
  const product = { product_id: box.product_id, product_key: box.product_key, name: 'Gatehouse', model: box.model };
  return writeSite({
    ...(box.product_key === undefined ? {} : { products: [product] }),
    devices: boxes.map(one => ({ device_id: one.deviceId, access_key: one.accessKey })),
    boxes: boxes.map(one => ({ box_id: one.deviceId })),
  });
}
