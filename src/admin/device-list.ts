import { z } from '@hono/zod-openapi';
import type { Directory, DirectoryStore } from '../store/index.ts';
import { described } from '../words/described.ts';
import { type Asked, operation, type Report, resource } from './operation.ts';

const devicePage = z.object({
  devices: z
    .array(
      z.object({
        device_id: z.string(),
        product_id: z.string(),
        name: z.string(),
        model: z.string().describe(described('That of its product', '其产品的')),
      }),
    )
    .describe(described('Ordered by id', '按编号排列')),
  cursor: z
    .string()
    .nullable()
    .describe(described('Where the next page goes on; null: this was the last', '下一页的起点；null：这是最后一页')),
});
export type DevicePage = Report<typeof devicePage>;

const deviceListOperations = {
  list: operation({
    method: 'get',
    path: '/devices',
    role: 'viewer',
    summary: described(
      'The registered devices by id, a page at a time; `cursor` goes on where the page ended',
      '按编号列出已登记的设备，分页；用 `cursor` 继续下一页',
    ),
    query: z.object({
      product: z.string().optional(),
      cursor: z.string().optional(),
      limit: z.coerce.number<number>().int().min(1).max(1000).default(200),
    }),
    returns: described('The page', '一页'),
    answer: devicePage,
  }),
};

/**
 * Ordered by device id, so that the last id of a page says where the next one goes on, whatever is
 * registered in between.
 */
function devicePageOf(
  directory: Directory,
  { product, cursor, limit }: Asked<typeof deviceListOperations.list>,
): DevicePage {
  const found = [...directory.devices()]
    .filter(
      ({ productId, deviceId }) => (product?.toUpperCase() ?? productId) === productId && deviceId > (cursor ?? ''),
    )
    .sort((one, other) => (one.deviceId < other.deviceId ? -1 : 1));
  const devices = found.slice(0, limit).map(({ deviceId, productId, name }) => ({
    device_id: deviceId,
    product_id: productId,
    name,
    model: directory.product(productId)?.model ?? productId,
  }));
  return { devices, cursor: found.length > limit ? devices.at(-1)!.device_id : null };
}

const running = ({ store }: { readonly store: DirectoryStore }) => ({
  list: async (query: Asked<typeof deviceListOperations.list>) => devicePageOf(store.directory, query),
});

export const devicesResource = resource(deviceListOperations, running, running);
