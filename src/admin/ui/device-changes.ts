import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type SiteFile, siteIssue, siteSchema } from '../../config/index.ts';
import { parseDeviceId, parseProductId } from '../../platform/device-id.ts';
import { limits } from '../../platform/limits.ts';
import { isConfirmed } from '../../store/index.ts';
import type { AdminEnvironment } from '../guard.ts';
import { problem } from '../problem.ts';
import { deviceOf } from './device-page.ts';
import type { UiParts } from './parts.ts';

const json = <Schema extends z.ZodType>(schema: Schema) => ({ content: { 'application/json': { schema } } });
const answers = { 200: { description: 'Done', content: { 'application/json': { schema: z.any() } } } };
const id = z.string().max(80);

const changeDeviceRoute = createRoute({
  method: 'put',
  path: '/devices/{id}',
  summary:
    'Names, blocks or lets in a device, or gives it the key that it has; it may be one that has not been here yet',
  request: {
    params: z.object({ id }),
    body: json(
      z.strictObject({
        name: z.string().trim().max(100).optional(),
        blocked: z.boolean().optional(),
        access_key: z.string().trim().min(1).max(256).optional(),
      }),
    ),
  },
  responses: answers,
});
const acceptRoute = createRoute({
  method: 'post',
  path: '/devices/{id}/accept-product-key',
  summary: 'Lets the product key in for 15 min beside the key of the device: after a factory reset',
  request: { params: z.object({ id }) },
  responses: answers,
});
const productRoute = createRoute({
  method: 'put',
  path: '/products/{id}',
  summary: 'Adds a product, so that its devices are let in; or changes what is told of one',
  request: {
    params: z.object({ id: z.string().max(80) }),
    body: json(
      z.strictObject({
        product_key: z.string().trim().min(1).max(256).optional(),
        name: z.string().trim().max(100).optional(),
        model: z.string().trim().max(64).optional(),
        access: z.enum(['mqtt', 'http', 'both']).optional(),
      }),
    ),
  },
  responses: answers,
});

const admitNewRoute = createRoute({
  method: 'post',
  path: '/products/{id}/admit-new',
  summary:
    'Lets new devices of a product in for an hour, however many (`admission.new_devices_per_hour`): for the day of installation. For the role staff.',
  request: { params: z.object({ id: z.string().max(80) }) },
  responses: answers,
});

/**
 * What a person changes about devices and products: each as a site file of one entry, so that the
 * same rules hold.
 */
export function deviceChangeRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  const { devices, store, clock } = parts;

  app.openapi(changeDeviceRoute, async context => {
    const parsed = parseDeviceId(context.req.valid('param').id);
    if (!parsed.ok) return problem(context, 400, 'bad_device_id', 'that is no device id') as never;
    const deviceId = parsed.value;
    context.set('subject', deviceId);
    const change = told(context.req.valid('json'));
    const before = deviceOf(parts, deviceId);
    // To name a device that came by itself is not to approve it: it goes on waiting for that.
    if (before && !before.listed && before.peopleData === null && !isConfirmed(before))
      await store.write.setPeopleData({ deviceNos: [before.deviceNo], word: 'waits' });
    // One that is not in the site file yet keeps its name and whether it is blocked when it comes
    // into it.
    const kept = before ? { name: before.name, blocked: before.blocked } : {};
    const refused = await apply(context, parts, { devices: [{ device_id: deviceId, ...kept, ...change }] });
    if (refused) return refused as never;
    const device = deviceOf(parts, deviceId);
    if (change.blocked === true && device) devices.kick(device.deviceNo, 'blocked by an administrator');
    return context.json({ done: true }, 200);
  });

  app.openapi(acceptRoute, async context => {
    const device = deviceOf(parts, context.req.valid('param').id);
    if (!device) return problem(context, 404, 'unknown', 'there is no such device') as never;
    context.set('subject', device.deviceId);
    const until = clock.now() + limits.productKeyWindowMs;
    await store.write.openProductKeyWindow({ deviceNo: device.deviceNo, until });
    return context.json({ until }, 200);
  });

  app.openapi(admitNewRoute, async context => {
    const parsed = parseProductId(context.req.valid('param').id);
    const product = parsed.ok ? store.directory.product(parsed.value) : undefined;
    if (!product) return problem(context, 404, 'unknown', 'there is no such product') as never;
    context.set('subject', `new devices of ${product.productId} for an hour`);
    return context.json({ until: await devices.letNewDevicesIn(product.productId) }, 200);
  });

  app.openapi(productRoute, async context => {
    const parsed = parseProductId(context.req.valid('param').id);
    if (!parsed.ok) return problem(context, 400, 'bad_product_id', 'that is no product id') as never;
    context.set('subject', parsed.value);
    const { model, ...change } = told(context.req.valid('json'));
    const product = { product_id: parsed.value, ...change, ...(model ? { model } : {}) };
    const refused = await apply(context, parts, { products: [product] });
    if (refused) return refused as never;
    return context.json({ done: true }, 200);
  });
}

/** Null: it is done. Otherwise the answer that says where and why not. */
async function apply(context: Context, { admin }: UiParts, site: SiteFile): Promise<Response | null> {
  const parsed = siteSchema.safeParse(site);
  const outcome = parsed.success
    ? await admin.apply({ site: parsed.data, prune: false, dryRun: false })
    : { ok: false as const, problems: parsed.error.issues.flatMap(siteIssue) };
  if (outcome.ok) return null;
  const why = outcome.problems.map(({ path, reason }) => `${path.at(-1)}: ${reason}`).join('; ');
  return problem(context, 422, 'refused', why, outcome.problems);
}

const told = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
