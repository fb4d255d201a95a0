import { z } from '@hono/zod-openapi';
import type { Devices } from '../../devices/index.ts';
import type { Device, DeviceNo, DeviceReads, DirectoryStore, GatewayReads, ReadPart } from '../../store/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { described } from '../../words/described.ts';
import { clockReport, clockShape } from '../clock.ts';
import { peopleData } from '../device.ts';
import type { Report } from '../operation.ts';
import { waitingForPeopleData } from '../status.ts';
import { boxStatus } from '../status-shapes.ts';
import {
  type DeviceFilter,
  type DeviceSort,
  devicePageOf,
  deviceState,
  matchingDevices,
  peopleDataOf,
} from './device-selection.ts';

export const deviceRow = z.object({
  device_id: z.string(),
  name: z.string(),
  product_id: z.string(),
  product: z
    .string()
    .describe(
      described('Name of the product; empty where it has none, or is gone', '产品的名称；没有名称或产品已删除时为空'),
    ),
  state: deviceState,
  last_seen_at: z.number().nullable(),
  clock: clockShape,
  waiting: z.number().describe(described('For the cloud', '等待云平台的')),
  today: z.number().describe(described('What it said since midnight', '今天零点以来所报的')),
  notes: z
    .array(z.string())
    .describe(
      described(
        'Of its last events, the kinds that good devices do not cause, newest first',
        '最近事件中正常设备不会引起的种类，最新的在前',
      ),
    ),
  people_data: peopleData,
});
export const deviceCountsReport = z.object({
  known: z.number(),
  refused: boxStatus.shape.devices.shape.refused,
  states: boxStatus.shape.devices.shape.states,
  people_data_waits: z
    .number()
    .describe(described("Devices that wait for approval to receive people's data", '等待批准接收人员数据的设备')),
  products: z.array(
    z.object({
      product_id: z.string(),
      name: z.string(),
      devices: z.number(),
      key_fits_nobody: z
        .boolean()
        .describe(
          described(
            "Only the cloud's word lets its devices in: the product key that the box has is probably mistyped",
            '其设备仅凭云平台的答复接入：网关上的产品密钥可能有误',
          ),
        ),
    }),
  ),
});
export type DeviceRow = Report<typeof deviceRow>;
export type DeviceCounts = Report<typeof deviceCountsReport>;

interface DeviceListQuery extends DeviceFilter {
  readonly sort: DeviceSort;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface DeviceParts {
  readonly store: ReadPart<DeviceReads & GatewayReads> & DirectoryStore;
  readonly upstream: Pick<Upstream, 'waiting'>;
  readonly devices: Pick<Devices, 'keyFitsNobody' | 'stateOf' | 'status'>;
}

/** Events of every day; any other kind is a device that does not keep to the protocol. */
const ordinary = new Set(['connected', 'disconnected', 'key_issued']);
const eventsLookedAt = 20;

/** A page of the devices that match, and how many do. */
export async function deviceRows(
  parts: DeviceParts,
  today: (deviceNo: DeviceNo) => number,
  { sort, cursor, limit, ...filter }: DeviceListQuery,
): Promise<{ rows: DeviceRow[]; cursor: string | null; total: number }> {
  const { store, upstream } = parts;
  const seen = await store.read.lastSeen();
  const { stateOf } = parts.devices;
  const waiting = upstream.waiting();
  const found = matchingDevices(parts, filter);
  const { page, cursor: next } = devicePageOf(parts, { seen, waiting, today }, found, { sort, cursor, limit });
  const rows = await Promise.all(
    page.map(
      async (device): Promise<DeviceRow> => ({
        device_id: device.deviceId,
        name: device.name,
        product_id: device.productId,
        product: store.directory.product(device.productId)?.name ?? '',
        state: stateOf(device),
        last_seen_at: seen.get(device.deviceNo)?.at ?? null,
        clock: clockReport(seen.get(device.deviceNo)),
        waiting: waiting.get(device.deviceNo) ?? 0,
        today: today(device.deviceNo),
        notes: await notesOf(parts, device),
        people_data: peopleDataOf(parts, device),
      }),
    ),
  );
  return { rows, cursor: next, total: found.length };
}

async function notesOf({ store }: Pick<DeviceParts, 'store'>, { deviceNo }: Device): Promise<string[]> {
  const events = await store.read.events(deviceNo, eventsLookedAt);
  return [...new Set(events.map(({ kind }) => kind).filter(kind => !ordinary.has(kind)))];
}

export async function deviceCounts(parts: DeviceParts): Promise<DeviceCounts> {
  const { directory } = parts.store;
  const { known, refused, states } = parts.devices.status();
  const ofProduct = new Map<string, number>();
  for (const { productId } of directory.devices()) ofProduct.set(productId, (ofProduct.get(productId) ?? 0) + 1);
  const products = [...directory.products()].map(product => ({
    product_id: product.productId,
    name: product.name,
    devices: ofProduct.get(product.productId) ?? 0,
    key_fits_nobody: parts.devices.keyFitsNobody(product),
  }));
  return { known, refused, states, people_data_waits: waitingForPeopleData(directory), products };
}
