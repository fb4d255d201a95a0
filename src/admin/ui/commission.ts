import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { parseDeviceId } from '../../platform/device-id.ts';
import { parseQrContent } from '../../platform/qr-content.ts';
import { explainRefusal } from '../../platform/refusals.ts';
import { programVersion } from '../../runtime/version.ts';
import type { Punch } from '../../store/index.ts';
import type { AdminEnvironment } from '../guard.ts';
import { failures, problem } from '../problem.ts';
import type { UiParts } from './parts.ts';

/** What an installer has to know of the box. */
export interface CommissionReport {
  readonly box_id: string;
  readonly version: string;
  readonly site: string;
  /** Whether the box looks for devices in this way. */
  readonly bluetooth: boolean;
  readonly wifi: boolean;
  readonly products: readonly { readonly product_id: string; readonly name: string; readonly model: string }[];
}

/** What stands in a QR code (SPEC 2.4). */
export interface QrReadReport {
  readonly form: string;
  /** Null: the device cannot show its id, and is to be asked for it. */
  readonly device_id: string | null;
  readonly product_id: string | null;
  readonly model: string | null;
  readonly status: number | null;
  /** The product is one of the site. */
  readonly product_known: boolean;
}

export interface WalkReport {
  /** In the order of receipt. */
  readonly punches: readonly Punch[];
  /** Where the next look goes on. */
  readonly cursor: string;
  /** Of the devices that were named, those that are connected. */
  readonly online: readonly string[];
}

const json = { 'application/json': { schema: z.any() } };
const punchesMax = 200;

const commissionRoute = createRoute({
  method: 'get',
  path: '/ui/commission',
  summary: 'What an installer has to know of the box: its id, the products, which ways to devices are open',
  responses: { 200: { description: 'The report', content: json } },
});
const qrReadRoute = createRoute({
  method: 'get',
  path: '/qr-read',
  summary: 'What stands in the text of a QR code (SPEC 2.4)',
  request: { query: z.object({ text: z.string().min(1).max(4096) }) },
  responses: { 200: { description: 'What was read', content: json }, ...failures },
});
const walkRoute = createRoute({
  method: 'get',
  path: '/ui/walk',
  summary:
    'What terminals have reported since `cursor`, and which of the named devices are online; without a cursor, from now on',
  request: {
    query: z.object({
      cursor: z
        .string()
        .regex(/^\d{1,15}\.\d{1,15}$/)
        .optional(),
      device: z.union([z.string(), z.array(z.string()).max(200)]).optional(),
    }),
  },
  responses: { 200: { description: 'The punches', content: json }, ...failures },
});

/** What the page that sets devices up asks beyond the runs of /provision. */
export function commissionRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  const { config, store, isOnline } = parts;
  const deviceOf = (text: string) => {
    const id = parseDeviceId(text);
    return id.ok ? store.directory.device(id.value) : undefined;
  };
  app.openapi(commissionRoute, async context => {
    const { products } = await parts.admin.naming();
    const report: CommissionReport = {
      box_id: `${config.box.product_id}_${config.box.device_sn}`,
      version: programVersion,
      site: config.site.name,
      bluetooth: config.provisioning.bluetooth !== 'off',
      wifi: config.provisioning.wifi !== 'off',
      products,
    };
    return context.json(report, 200);
  });
  app.openapi(qrReadRoute, context => {
    const read = parseQrContent(context.req.valid('query').text);
    if (!read.ok) return problem(context, 422, read.refusal.code, explainRefusal(read.refusal)) as never;
    const { form, deviceId, productId, model, status } = read.value;
    const report: QrReadReport = {
      form,
      device_id: deviceId,
      product_id: productId,
      model,
      status,
      product_known: productId !== null && store.directory.product(productId) !== undefined,
    };
    return context.json(report, 200);
  });
  app.openapi(walkRoute, async context => {
    const { cursor, device = [] } = context.req.valid('query');
    const [checkin, access] = cursor?.split('.').map(Number) ?? [];
    const after = checkin === undefined || access === undefined ? null : { checkin, access };
    const { punches, place } = await store.read.punchesSince(after, punchesMax);
    const named = typeof device === 'string' ? [device] : device;
    const online = named.filter(id => {
      const known = deviceOf(id);
      return known !== undefined && isOnline(known);
    });
    return context.json({ punches, cursor: `${place.checkin}.${place.access}`, online } satisfies WalkReport, 200);
  });
}
