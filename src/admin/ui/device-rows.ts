import { z } from '@hono/zod-openapi';
import type { Devices } from '../../devices/index.ts';
import { type DeviceState, deviceStates } from '../../platform/device-state.ts';
import {
  type Device,
  type DeviceNo,
  type DeviceReads,
  type DirectoryStore,
  type GatewayReads,
  type PeopleDataState,
  peopleDataState,
  type ReadPart,
} from '../../store/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { clockReport, clockShape } from '../clock.ts';
import { peopleData } from '../device.ts';
import type { Report } from '../operation.ts';
import { boxStatus, waitingForPeopleData } from '../status.ts';

export const deviceState = z
  .enum(deviceStates)
  .describe(
    'never: it has not been here yet; held_back: away because the box takes nothing at the moment (a full disk), or did not until a quarter of an hour ago; refused: within the last day, and not let in since; elsewhere: behind a box below',
  );

export const deviceRow = z.object({
  device_id: z.string(),
  name: z.string(),
  product_id: z.string(),
  product: z.string().describe('Name of the product; empty where it has none, or is gone'),
  state: deviceState,
  last_seen_at: z.number().nullable(),
  clock: clockShape,
  waiting: z.number().describe('For the cloud'),
  today: z.number().describe('What it said since midnight'),
  notes: z.array(z.string()).describe('Of its last events, the kinds that good devices do not cause, newest first'),
  people_data: peopleData,
});
export const deviceCountsReport = z.object({
  known: z.number(),
  refused: boxStatus.shape.devices.shape.refused,
  states: boxStatus.shape.devices.shape.states,
  people_data_waits: z.number().describe("Devices that wait for approval to receive people's data"),
  products: z.array(
    z.object({
      product_id: z.string(),
      name: z.string(),
      devices: z.number(),
      key_fits_nobody: z
        .boolean()
        .describe("Only the cloud's word lets its devices in: the product key that the box has is probably mistyped"),
    }),
  ),
});
export type DeviceRow = Report<typeof deviceRow>;
export type DeviceCounts = Report<typeof deviceCountsReport>;

interface DeviceListQuery {
  readonly search?: string | undefined;
  readonly state?: DeviceState | undefined;
  readonly product?: string | undefined;
  readonly people_data?: PeopleDataState | undefined;
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

/** Ordered by id, so that the last id of a page says where the next one goes on. */
export async function deviceRows(
  parts: DeviceParts,
  today: (deviceNo: DeviceNo) => number,
  { search, state, product, people_data: peopleData, cursor, limit }: DeviceListQuery,
): Promise<{ rows: DeviceRow[]; cursor: string | null }> {
  const { store, upstream } = parts;
  const wanted = search?.trim().toLowerCase() ?? '';
  const inProduct = product?.toUpperCase();
  const found = [...store.directory.devices()].filter(
    device =>
      device.deviceId > (cursor ?? '') &&
      (peopleData === undefined || peopleDataOf(parts, device) === peopleData) &&
      (inProduct === undefined || device.productId === inProduct) &&
      (wanted === '' || device.deviceId.toLowerCase().includes(wanted) || device.name.toLowerCase().includes(wanted)),
  );
  const seen = await store.read.lastSeen();
  const { stateOf } = parts.devices;
  const shown = found
    .filter(device => state === undefined || stateOf(device) === state)
    .sort((one, other) => (one.deviceId < other.deviceId ? -1 : 1));
  const waiting = upstream.waiting();
  const page = shown.slice(0, limit);
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
  return { rows, cursor: shown.length > limit ? page.at(-1)!.deviceId : null };
}

const peopleDataOf = ({ store }: Pick<DeviceParts, 'store'>, device: Device): PeopleDataState =>
  peopleDataState(device, store.directory.product(device.productId));

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
