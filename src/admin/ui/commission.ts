import { z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import { parseDeviceId } from '../../platform/device-id.ts';
import { parseQrContent } from '../../platform/qr-content.ts';
import { explainRefusal } from '../../platform/refusals.ts';
import { programVersion } from '../../runtime/version.ts';
import type { Device, DirectoryStore, ReadPart, SupportReads } from '../../store/index.ts';
import { operation, type Report, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { refused } from '../problem.ts';
import { productRegistration } from '../shapes.ts';

const commissionReport = z
  .object({
    box_id: z.string(),
    version: z.string(),
    site: z.string(),
    bluetooth: z.boolean().describe('Whether the box looks for devices by Bluetooth'),
    wifi: z.boolean().describe('Whether the box looks for devices by wifi'),
    products: z.array(z.object({ product_id: z.string(), name: z.string(), model: z.string() })),
  })
  .describe('What an installer has to know of the box');
const qrReadReport = z
  .object({
    form: z.string(),
    device_id: z.string().nullable().describe('Null: the device cannot show its id, and is to be asked for it'),
    product_id: z.string().nullable(),
    model: z.string().nullable(),
    status: z.number().nullable(),
    product_known: z.boolean().describe('The product is one of the site'),
    registration: productRegistration.nullable().describe('Of the product, where it is known'),
  })
  .describe('What stands in a QR code (SPEC 2.4)');
const walkReport = z.object({
  punches: z
    .array(
      z.object({
        kind: z.enum(['checkin', 'access']),
        at: z.number(),
        receivedAt: z.number(),
        deviceId: z.string(),
        name: z.string().describe('Empty: nobody whom the organization knows'),
      }),
    )
    .describe('In the order of receipt'),
  cursor: z.string().describe('Where the next look goes on'),
  online: z.array(z.string()).describe('Of the devices that were named, those that are connected'),
  proved: z.array(z.string()).describe('Of them, those that logged in with a password made with their key'),
});
export type CommissionReport = Report<typeof commissionReport>;
export type WalkReport = Report<typeof walkReport>;

const punchesMax = 200;

export const commissionOperations = {
  report: operation({
    method: 'get',
    path: '/ui/commission',
    role: 'viewer',
    summary: 'What an installer has to know of the box: its id, the products, which ways to devices are open',
    returns: 'The report',
    answer: commissionReport,
  }),
  qrRead: operation({
    method: 'get',
    path: '/qr-read',
    role: 'viewer',
    summary: 'What stands in the text of a QR code (SPEC 2.4)',
    query: z.object({ text: z.string().min(1).max(4096) }),
    returns: 'What was read',
    answer: qrReadReport,
    failures: { 422: 'It is no QR code of a device' },
  }),
  walk: operation({
    method: 'get',
    path: '/ui/walk',
    role: 'viewer',
    summary:
      'What terminals have reported since `cursor`, and which of the named devices are online; without a cursor, from now on',
    query: z.object({
      cursor: z
        .string()
        .regex(/^\d{1,15}\.\d{1,15}$/)
        .optional(),
      device: z.union([z.string(), z.array(z.string()).max(200)]).optional(),
    }),
    returns: 'The punches',
    answer: walkReport,
  }),
};

/** Operations of the page Commission beyond the runs of /provision. */
export const commission = ({
  admin,
  store,
  config,
  isOnline,
}: {
  readonly admin: Pick<BoxAdmin, 'naming'>;
  readonly store: ReadPart<SupportReads> & DirectoryStore;
  readonly config: Pick<Config, 'box' | 'site' | 'provisioning'>;
  isOnline(device: Device): boolean;
}): Running<typeof commissionOperations> => ({
  async report() {
    const { products } = await admin.naming.report();
    return {
      box_id: `${config.box.product_id}_${config.box.device_sn}`,
      version: programVersion,
      site: config.site.name,
      bluetooth: config.provisioning.bluetooth !== 'off',
      wifi: config.provisioning.wifi !== 'off',
      products,
    };
  },
  async qrRead({ text }) {
    const read = parseQrContent(text);
    if (!read.ok) throw refused(422, read.refusal.code, explainRefusal(read.refusal));
    const { form, deviceId, productId, model, status } = read.value;
    const product = productId === null ? undefined : store.directory.product(productId);
    return {
      form,
      device_id: deviceId,
      product_id: productId,
      model,
      status,
      product_known: product !== undefined,
      registration: product?.registration ?? null,
    };
  },
  async walk({ cursor, device = [] } = {}) {
    const [checkin, access] = cursor?.split('.').map(Number) ?? [];
    const after = checkin === undefined || access === undefined ? null : { checkin, access };
    const { punches, place } = await store.read.punchesSince(after, punchesMax);
    const named = typeof device === 'string' ? [device] : device;
    const online = named.filter(text => {
      const id = parseDeviceId(text);
      const known = id.ok ? store.directory.device(id.value) : undefined;
      return known !== undefined && isOnline(known);
    });
    const proved = online.filter(text => {
      const id = parseDeviceId(text);
      // The cloud's word is no proof of the key that is known here.
      return id.ok && store.directory.device(id.value)?.presentedPassword === null;
    });
    return { punches, cursor: `${place.checkin}.${place.access}`, online, proved };
  },
});
