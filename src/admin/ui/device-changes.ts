import { z } from '@hono/zod-openapi';
import { type SiteFile, siteIssue, siteSchema } from '../../config/index.ts';
import type { Devices } from '../../devices/index.ts';
import { parseDeviceId, parseProductId } from '../../platform/device-id.ts';
import { limits } from '../../platform/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type DeviceWrites, type DirectoryStore, isConfirmed, type WritePart } from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { deviceEnds } from '../../words/device-ends.ts';
import { deviceOf, knownDevice } from '../known-device.ts';
import { byCommand, operation, type Running } from '../operation.ts';
import { nameText } from '../people-shapes.ts';
import type { BoxAdmin } from '../port.ts';
import { refused } from '../problem.ts';
import { done } from '../shapes.ts';

const params = z.object({ id: z.string().max(80) });
const until = z.object({ until: z.number() });

export const deviceChangeOperations = {
  change: operation({
    method: 'put',
    path: '/devices/{id}',
    role: 'admin',
    audited: described('changed a device', '修改设备'),
    summary: described(
      'Names, blocks or lets in a device, or gives it the key that it has; it may be one that has not been here yet',
      '为设备命名、停用或恢复设备、设置其密钥；设备可以尚未连接过',
    ),
    params,
    body: z.strictObject({
      name: nameText.optional(),
      blocked: z.boolean().optional(),
      access_key: z.string().trim().min(1).max(256).optional(),
    }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: { 422: described('The site refuses it', '站点不接受') },
  }),
  acceptProductKey: operation({
    method: 'post',
    path: '/devices/{id}/accept-product-key',
    role: 'admin',
    audited: described('accepted the product key of a device for a while', '临时允许设备使用产品密钥'),
    summary: described(
      'Lets the product key in for 15 min beside the key of the device: after a factory reset',
      '15 分钟内除设备自己的密钥外也接受产品密钥，用于设备恢复出厂之后',
    ),
    params,
    returns: described('Done', '已完成'),
    answer: until,
    failures: { 404: described('There is no such device', '没有此设备') },
  }),
  admitNew: operation({
    method: 'post',
    path: '/products/{id}/admit-new',
    role: 'staff',
    audited: described('let new devices in for an hour', '允许新设备接入一小时'),
    summary: described(
      'Lets new devices of a product in for an hour, however many (`admission.new_devices_per_hour`): for the day of installation. For the role staff.',
      '一小时内不限数量地允许产品的新设备接入（不受 `admission.new_devices_per_hour` 限制），用于安装当天；需要考勤员权限',
    ),
    params,
    returns: described('Done', '已完成'),
    answer: until,
    failures: { 404: described('There is no such product', '没有此产品') },
  }),
  putProduct: operation({
    method: 'put',
    path: '/products/{id}',
    role: 'admin',
    audited: described('added or changed a product', '添加或修改产品'),
    summary: described(
      'Adds a product, so that its devices are let in; or changes what is told of one',
      '添加产品，使其设备可以接入；或修改产品',
    ),
    params,
    body: z.strictObject({
      product_key: z.string().trim().min(1).max(256).optional(),
      name: nameText.optional(),
      model: z.string().trim().max(64).optional(),
      access: z.enum(['mqtt', 'http', 'both']).optional(),
    }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: { 422: described('The site refuses it', '站点不接受') },
  }),
};

/**
 * Changes by a person to devices and products: each as a site file of one entry, so that the same
 * rules hold.
 */
export function deviceChanges(parts: {
  readonly admin: Pick<BoxAdmin, 'apply'>;
  readonly devices: Pick<Devices, 'kick' | 'letNewDevicesIn'>;
  readonly store: DirectoryStore & WritePart<DeviceWrites>;
  readonly clock: Clock;
}): Running<typeof deviceChangeOperations> {
  const { admin, devices, store, clock } = parts;

  return {
    async change({ id, ...values }, call = byCommand) {
      const parsed = parseDeviceId(id);
      if (!parsed.ok) throw refused(400, 'bad_device_id', 'that is no device id');
      const deviceId = parsed.value;
      call.subject(deviceId);
      const change = withoutUndefined(values);
      const before = deviceOf(parts, deviceId);
      // To name a device that came by itself is not to approve it: it goes on waiting for that.
      if (before && !before.listed && before.peopleData === null && !isConfirmed(before))
        await store.write.setPeopleData({ deviceNos: [before.deviceNo], word: 'waits' });
      // One that is not in the site file yet keeps its name and whether it is blocked when it comes
      // into it.
      const kept = before ? { name: before.name, blocked: before.blocked } : {};
      await apply(admin, { devices: [{ device_id: deviceId, ...kept, ...change }] });
      const device = deviceOf(parts, deviceId);
      if (change.blocked === true && device) devices.kick(device.deviceNo, deviceEnds.say('device_blocked'));
      return { done: true };
    },

    async acceptProductKey({ id }, call = byCommand) {
      const device = knownDevice(parts, id);
      call.subject(device.deviceId);
      const ends = clock.now() + limits.productKeyWindowMs;
      await store.write.openProductKeyWindow({ deviceNo: device.deviceNo, until: ends });
      return { until: ends };
    },

    async admitNew({ id }, call = byCommand) {
      const parsed = parseProductId(id);
      const product = parsed.ok ? store.directory.product(parsed.value) : undefined;
      if (!product) throw refused(404, 'unknown', 'there is no such product');
      call.subject(auditSubjects.say('new_devices', { product: product.productId }));
      return { until: await devices.letNewDevicesIn(product.productId) };
    },

    async putProduct({ id, ...values }, call = byCommand) {
      const parsed = parseProductId(id);
      if (!parsed.ok) throw refused(400, 'bad_product_id', 'that is no product id');
      call.subject(parsed.value);
      const { model, ...change } = withoutUndefined(values);
      await apply(admin, { products: [{ product_id: parsed.value, ...change, ...(model ? { model } : {}) }] });
      return { done: true };
    },
  };
}

/** Throws a refusal that says where and why not. */
async function apply(admin: Pick<BoxAdmin, 'apply'>, site: SiteFile): Promise<void> {
  const parsed = siteSchema.safeParse(site);
  const outcome = parsed.success
    ? await admin.apply({ site: parsed.data, prune: false, dryRun: false })
    : { ok: false as const, problems: parsed.error.issues.flatMap(siteIssue) };
  if (outcome.ok) return;
  const { problems } = outcome;
  const why = problems.map(({ path, reason }) => `${path.at(-1)}: ${reason}`).join('; ');
  throw refused(422, 'refused', why, { problems });
}

const withoutUndefined = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
