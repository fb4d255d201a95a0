import { z } from '@hono/zod-openapi';
import { stillRefused } from '../../devices/index.ts';
import { parseDeviceId, productOf } from '../../platform/device-id.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { DeviceReads, DirectoryStore, GatewayReads, ReadPart } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import type { Report } from '../operation.ts';
import { refusalReport } from '../status.ts';
import { loginRefusal } from '../status-shapes.ts';

const refusedDevice = loginRefusal.extend({
  device_id: z
    .string()
    .nullable()
    .describe(described('Null: what was sent is no device id', 'null：所发的不是设备 ID')),
  product_id: z.string().nullable(),
  product_known: z.boolean(),
  device_known: z.boolean(),
  remedy: z
    .enum(['admit_new', 'add_product', 'set_key', 'accept_product_key', 'unblock', 'list_box', 'none'])
    .describe(
      described(
        'What helps: the product is to be added, or its own key set, or the product key accepted once more, or it is blocked here, or new devices let in, or it is a box that is to be listed',
        '解决办法：添加产品、设置设备自己的密钥、再次接受产品密钥、恢复被停用的设备、允许新设备，或登记该网关',
      ),
    ),
});
export const refusedDevicesReport = z.object({ rows: z.array(refusedDevice), more: z.boolean() });
/** A login that was refused within the last day, and was not let in since. */
export type RefusedDevice = Report<typeof refusedDevice>;

/** How many of the newest refusals are searched. */
const lookedAt = 500;
const shownMax = 100;
const wrongKey = new Set<string>([
  'wrong_password',
  'cloud_refused',
  'key_of_other_environment',
  'password_is_the_key',
  'password_padded',
  'password_without_device_id',
  'password_of_other_device',
]);

/**
 * Newest first; one line for each client id and reason. `about`: only those whose client id or
 * address contains it, without case; a whole client id is found among all refusals that are kept.
 * A browser that refuses the certificate of the box is no device.
 */
export async function refusedDevices(
  {
    store,
    clock,
    isBrowser = () => false,
  }: {
    readonly store: ReadPart<DeviceReads & GatewayReads> & DirectoryStore;
    readonly clock: Clock;
    /** Pages were opened from this address lately. */
    readonly isBrowser?: (address: string) => boolean;
  },
  { about = '', max = shownMax }: { readonly about?: string; readonly max?: number } = {},
): Promise<{ rows: RefusedDevice[]; more: boolean }> {
  const now = clock.now();
  const needle = about.toLowerCase();
  const ofClient = parseDeviceId(about).ok ? await store.read.refusals({ clientId: about, limit: max }) : [];
  const found = ofClient.length > 0 ? ofClient : await store.read.refusals({ limit: lookedAt });
  const refusals = found.filter(
    note =>
      (needle === '' || note.clientId.toLowerCase().includes(needle) || note.address.includes(needle)) &&
      stillRefused(note, store.directory, now) &&
      !(note.code === 'tls' && note.door === 'http' && isBrowser(note.address)),
  );
  const rows: RefusedDevice[] = [];
  for (const note of refusals) {
    const id = parseDeviceId(note.clientId);
    const device = id.ok ? store.directory.device(id.value) : undefined;
    // A device that has connected since is no longer refused. A box logs in before each refused
    // batch, so it stays in the list until it is listed.
    const asBox = note.code === 'box_not_listed' || note.code === 'box_used_twice';
    if (!asBox && device && ((await store.read.lastConnected(device.deviceNo)) ?? 0) > note.at) continue;
    const product = id.ok ? store.directory.product(productOf(id.value)) : undefined;
    if (rows.length === max) return { rows, more: true };
    rows.push({
      ...refusalReport(note),
      device_id: id.ok ? id.value : null,
      product_id: id.ok ? productOf(id.value) : null,
      product_known: product !== undefined,
      device_known: device !== undefined,
      remedy: remedyOf(note.code, { product: product !== undefined, device: device !== undefined }),
    });
  }
  return { rows, more: false };
}

function remedyOf(
  code: string,
  known: { readonly product: boolean; readonly device: boolean },
): RefusedDevice['remedy'] {
  if (code === 'unknown_product') return 'add_product';
  if (code === 'box_not_listed') return 'list_box';
  if (!known.product) return 'none';
  if (code === 'too_many_new_devices') return 'admit_new';
  if (code === 'blocked') return known.device ? 'unblock' : 'none';
  if (code === 'old_key_after_activation') return known.device ? 'accept_product_key' : 'none';
  return wrongKey.has(code) ? 'set_key' : 'none';
}
