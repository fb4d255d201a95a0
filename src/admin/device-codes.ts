import { z } from '@hono/zod-openapi';
import { type DeviceId, type ProductId, parseDeviceId, parseProductId, productOf } from '../platform/device-id.ts';
import { limits } from '../platform/limits.ts';
import type { Naming } from '../platform/naming.ts';
import { ok, type Parsed, refuse } from '../platform/parsed.ts';
import { type CodeWish, type DeviceCode, deviceCode, type Label } from '../provisioning/index.ts';
import { described } from '../words/described.ts';
import type { DevicePage } from './device-list.ts';
import type { NamingReport } from './naming.ts';
import type { Report } from './operation.ts';
import type { BoxAdmin } from './port.ts';

type Box = Pick<BoxAdmin, 'naming' | 'devices'>;
type Listed = DevicePage['devices'][number];

const pageDevices = 1000;

/** The QR code of a device: its text, and what stands in it. */
export const deviceCodeReport = z.object({
  content: z.string(),
  form: z.string(),
  device_id: z
    .string()
    .nullable()
    .describe(
      described('Null: the code is for devices that cannot show their ids', 'null：此二维码用于无法显示编号的设备'),
    ),
  product_id: z.string(),
  model: z.string(),
  app_type: z
    .string()
    .nullable()
    .describe(described('Null in the legacy forms, and so is `app_id`', '旧格式中为 null，`app_id` 也是')),
  app_id: z.string().nullable(),
  func_type: z.string(),
  status: z.number().nullable(),
  broadcast_name: z.string(),
});
type CodeReport = Report<typeof deviceCodeReport>;

/**
 * The code of a device, which need not be registered, of a product that must be known. A product_id
 * alone: that of its devices that cannot show their ids (SPEC 2.4), in form 1.
 */
export function codeOf(naming: NamingReport, text: string, wish: CodeWish = {}): Parsed<DeviceCode> {
  const { form, ...rest } = wish;
  const named = parseProductId(text);
  if (named.ok && (form ?? '1') === '1') {
    const known = productIn(naming, named.value);
    if (!known) return refuse('unknown_product', named.value);
    return ok(deviceCode(namingOf(naming), { deviceId: null, productId: named.value, model: known.model }, rest));
  }
  const id = parseDeviceId(text);
  if (!id.ok) return id;
  const product = productIn(naming, productOf(id.value));
  if (!product) return refuse('unknown_product', productOf(id.value));
  return ok(deviceCode(namingOf(naming), { deviceId: id.value, model: product.model }, wish));
}

/** As the commands and the admin API show it. */
export const codeReport = (code: DeviceCode): CodeReport => ({
  content: code.content,
  form: code.form,
  device_id: code.deviceId,
  product_id: code.productId,
  model: code.model,
  app_type: code.appType,
  app_id: code.appId,
  func_type: code.funcType,
  status: code.status,
  broadcast_name: code.broadcastName,
});

/**
 * Labels of these devices, in the order in which they are named, or else of all that are registered
 * (of a product). A device without a name has that of its product. At most 2000.
 */
export async function labelsOf(
  box: Box,
  wanted: { readonly deviceIds: readonly string[]; readonly productId?: string },
): Promise<Parsed<Label[]>> {
  const naming = await box.naming.report();
  const { deviceIds, productId } = wanted;
  if (productId !== undefined && !productIn(naming, productId))
    return refuse('unknown_product', productId.slice(0, 80));
  if (deviceIds.length > limits.labelsMax) return refuse('too_many_labels');
  const named: Listed[] = [];
  for (const text of deviceIds) {
    const code = codeOf(naming, text);
    if (!code.ok) return code;
    const { deviceId, productId: product_id, model } = code.value;
    named.push({ device_id: deviceId ?? product_id, product_id, model, name: '' });
  }
  const registered = new Map<string, Listed>();
  for await (const device of registeredOf(box, productId)) {
    registered.set(device.device_id, device);
    if (named.length === 0 && registered.size > limits.labelsMax) return refuse('too_many_labels');
  }
  const listed = named.length > 0 ? named.map(one => registered.get(one.device_id) ?? one) : [...registered.values()];
  return listed.length === 0 ? refuse('no_labels') : ok(listed.map(one => labelOf(naming, one)));
}

async function* registeredOf(box: Box, product: string | undefined): AsyncGenerator<Listed> {
  let cursor: string | undefined;
  do {
    const page = await box.devices.list({ product, cursor, limit: pageDevices });
    yield* page.devices;
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
}

function labelOf(naming: NamingReport, { device_id, product_id, model, name }: Listed): Label {
  const isProduct = device_id === product_id;
  const { content, broadcastName } = isProduct
    ? deviceCode(namingOf(naming), { deviceId: null, productId: product_id as ProductId, model })
    : deviceCode(namingOf(naming), { deviceId: device_id as DeviceId, model });
  return {
    name: name || productIn(naming, product_id)?.name || product_id,
    deviceId: isProduct ? null : device_id,
    broadcastName,
    content,
  };
}

const productIn = ({ products }: NamingReport, id: string) =>
  products.find(({ product_id }) => product_id === (id.toUpperCase() as ProductId));

const namingOf = ({ vendor, qr_base_url, app_type, app_id, locale }: NamingReport): Naming => ({
  vendor,
  qrBaseUrl: qr_base_url,
  appType: app_type,
  appId: app_id,
  locale,
});
