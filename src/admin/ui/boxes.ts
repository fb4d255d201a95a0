import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { type DeviceId, parseDeviceId } from '../../platform/device-id.ts';
import type { AdminEnvironment } from '../guard.ts';
import { problem } from '../problem.ts';
import { deviceOf } from './device-page.ts';
import type { UiParts } from './parts.ts';

/** A box below whose batches are taken here (CONTRACT 5). */
export interface BoxBelowRow {
  readonly box_id: string;
  readonly name: string;
  readonly online: boolean;
  /** How many devices belong to it. */
  readonly devices: number;
}

const json = { 'application/json': { schema: z.any() } };
const answers = (description: string) => ({ 200: { description, content: json } });
const id = z.string().max(80);

const listRoute = createRoute({
  method: 'get',
  path: '/boxes',
  summary: 'The boxes below whose batches are taken here',
  responses: answers('The boxes'),
});
const putRoute = createRoute({
  method: 'put',
  path: '/boxes/{id}',
  summary: 'Approves a box below: its batches are taken from now on; or names it',
  request: {
    params: z.object({ id }),
    body: {
      required: true,
      content: { 'application/json': { schema: z.strictObject({ name: z.string().trim().max(100).optional() }) } },
    },
  },
  responses: answers('Done'),
});
const removeRoute = createRoute({
  method: 'delete',
  path: '/boxes/{id}',
  summary: 'Takes a box off the list: its batches are refused, its devices belong to the box that brings them next',
  request: { params: z.object({ id }) },
  responses: answers('Done'),
});
const moveRoute = createRoute({
  method: 'put',
  path: '/devices/{id}/box',
  summary: 'Says whose a device is: of a box below, or of this box (null). Only their records of it are taken',
  request: {
    params: z.object({ id }),
    body: {
      required: true,
      content: { 'application/json': { schema: z.strictObject({ box_id: z.string().max(80).nullable() }) } },
    },
  },
  responses: answers('Done'),
});

/** Boxes below, and which of them a device belongs to (CONTRACT 7). */
export function boxRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  const { admin, store, isOnline } = parts;
  const listed = (boxId: DeviceId) => store.directory.boxBelow(boxId) !== undefined;

  app.openapi(listRoute, async context => {
    const belonging = Map.groupBy(store.directory.devices(), ({ belongsTo }) => belongsTo);
    const rows = [...store.directory.boxesBelow()].map(({ boxId, name }): BoxBelowRow => {
      const device = store.directory.device(boxId);
      const online = device !== undefined && isOnline(device);
      return { box_id: boxId, name, online, devices: belonging.get(boxId)?.length ?? 0 };
    });
    return context.json({ rows }, 200);
  });

  app.openapi(putRoute, async context => {
    const parsed = parseDeviceId(context.req.valid('param').id);
    if (!parsed.ok) return problem(context, 400, 'bad_box_id', 'that is no box id: {product_id}_{device_sn}') as never;
    context.set('subject', parsed.value);
    const { name } = context.req.valid('json');
    const box = { box_id: parsed.value, ...(name === undefined ? {} : { name }) };
    const outcome = await admin.apply({ site: { boxes: [box] }, prune: false, dryRun: false });
    if (!outcome.ok)
      return problem(context, 422, 'refused', outcome.problems.map(({ reason }) => reason).join('; ')) as never;
    return context.json({ done: true }, 200);
  });

  app.openapi(removeRoute, async context => {
    const parsed = parseDeviceId(context.req.valid('param').id);
    if (!parsed.ok || !listed(parsed.value)) return problem(context, 404, 'unknown', 'there is no such box') as never;
    context.set('subject', parsed.value);
    await store.write.removeBoxBelow({ boxId: parsed.value });
    return context.json({ done: true }, 200);
  });

  app.openapi(moveRoute, async context => {
    const device = deviceOf(parts, context.req.valid('param').id);
    if (!device) return problem(context, 404, 'unknown', 'there is no such device') as never;
    const { box_id } = context.req.valid('json');
    const box = box_id === null ? null : parseDeviceId(box_id);
    if (box && (!box.ok || !listed(box.value)))
      return problem(context, 404, 'unknown_box', `${box_id} is not listed here: approve it first`) as never;
    const to = box?.ok ? box.value : 'here';
    context.set('subject', `${device.deviceId} to ${to === 'here' ? 'this box' : to}`);
    await store.write.moveDevice({ deviceNo: device.deviceNo, to });
    return context.json({ done: true }, 200);
  });
}
