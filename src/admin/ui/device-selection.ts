import { z } from '@hono/zod-openapi';
import type { Devices } from '../../devices/index.ts';
import { type DeviceState, deviceStates } from '../../platform/device-state.ts';
import {
  type BoxChoice,
  type Device,
  type DeviceNo,
  type DeviceSeen,
  type DirectoryStore,
  isOfBox,
  type PeopleDataState,
  peopleDataState,
} from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { boxOfDevices } from '../box-of-devices.ts';
import { peopleData } from '../device.ts';

/** Which devices a list shows and a change of many is about, and the order of the list. */

export const deviceState = z
  .enum(deviceStates)
  .describe(
    described(
      'never: it has not been here yet; held_back: away because the box takes nothing at the moment (a full disk), or did not until a quarter of an hour ago; refused: within the last day, and not let in since; elsewhere: behind a box below',
      'never：从未连接；held_back：因网关暂不接收（磁盘已满）而离线，或一刻钟前如此；refused：最近一天内被拒绝且尚未接入；elsewhere：在下级网关之后',
    ),
  );

/** The filters of the list. */
export const deviceFilter = {
  search: z.string().max(100).optional().describe(described('In the id or the name', '编号或名称中的文字')),
  state: deviceState.optional(),
  product: z.string().max(16).optional(),
  people_data: peopleData.optional(),
  box: boxOfDevices.optional(),
};

const sortColumns = ['id', 'name', 'product', 'state', 'seen', 'waiting', 'today'] as const;
type SortColumn = (typeof sortColumns)[number];
export const deviceSort = z
  .enum(sortColumns.flatMap(column => [column, `-${column}`] as const))
  .default('id')
  .describe(
    described('By which column; with a minus sign from the greatest to the least', '按哪一列排序；前加减号为从大到小'),
  );
export type DeviceSort = z.output<typeof deviceSort>;

export interface DeviceFilter {
  readonly search?: string | undefined;
  readonly state?: DeviceState | undefined;
  readonly product?: string | undefined;
  readonly people_data?: PeopleDataState | undefined;
  readonly box?: BoxChoice | undefined;
}

interface Parts {
  readonly store: DirectoryStore;
  readonly devices: Pick<Devices, 'stateOf'>;
}

export const peopleDataOf = ({ store }: Pick<Parts, 'store'>, device: Device): PeopleDataState =>
  peopleDataState(device, store.directory.product(device.productId));

/** In no order. */
export function matchingDevices(
  parts: Parts,
  { search, state, product, people_data: wantedPeopleData, box }: DeviceFilter,
): Device[] {
  const wanted = search?.trim().toLowerCase() ?? '';
  const inProduct = product?.toUpperCase();
  const { stateOf } = parts.devices;
  return [...parts.store.directory.devices()].filter(
    device =>
      (wantedPeopleData === undefined || peopleDataOf(parts, device) === wantedPeopleData) &&
      (box === undefined || isOfBox(device, box)) &&
      (inProduct === undefined || device.productId === inProduct) &&
      (wanted === '' || device.deviceId.toLowerCase().includes(wanted) || device.name.toLowerCase().includes(wanted)) &&
      (state === undefined || stateOf(device) === state),
  );
}

/** Other facts on which the order depends. */
interface SortFacts {
  readonly seen: ReadonlyMap<DeviceNo, DeviceSeen>;
  readonly waiting: ReadonlyMap<DeviceNo, number>;
  readonly today: (deviceNo: DeviceNo) => number;
}

type Key = string | number;

/** Names in the order of their pinyin and of the numbers in them: Gate 2 before Gate 10. */
const { compare: compareText } = new Intl.Collator('zh-CN', { numeric: true });
const compareKeys = (one: Key, other: Key): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : compareText(String(one), String(other));
const compareIds = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const keys: Readonly<Record<SortColumn, (parts: Parts, facts: SortFacts, device: Device) => Key>> = {
  id: () => 0,
  name: (_, __, { name, deviceId }) => name || deviceId,
  product: ({ store }, _, { productId }) => store.directory.product(productId)?.name || productId,
  state: ({ devices }, _, device) => deviceStates.indexOf(devices.stateOf(device)),
  seen: (_, { seen }, { deviceNo }) => seen.get(deviceNo)?.at ?? 0,
  waiting: (_, { waiting }, { deviceNo }) => waiting.get(deviceNo) ?? 0,
  today: (_, { today }, { deviceNo }) => today(deviceNo),
};

/**
 * A page of these devices. The cursor holds what the last row was sorted by and its id, so that the
 * next page goes on there, whatever was registered or removed in between. A cursor that was made
 * for another order begins again somewhere; it throws nothing.
 */
export function devicePageOf(
  parts: Parts,
  facts: SortFacts,
  devices: readonly Device[],
  { sort, cursor, limit }: { readonly sort: DeviceSort; readonly cursor?: string | undefined; readonly limit: number },
): { page: readonly Device[]; cursor: string | null } {
  const down = sort.startsWith('-');
  const column = (down ? sort.slice(1) : sort) as SortColumn;
  const sign = down ? -1 : 1;
  const keyOf = (device: Device) => keys[column](parts, facts, device);
  const keyed = devices.map(device => ({ device, id: device.deviceId as string, key: keyOf(device) }));
  const compare = (one: { key: Key; id: string }, other: { key: Key; id: string }) =>
    sign * (compareKeys(one.key, other.key) || compareIds(one.id, other.id));
  const place = cursor === undefined || cursor === '' ? null : placeOf(cursor, column);
  const shown = (place ? keyed.filter(one => compare(one, place) > 0) : keyed).sort(compare);
  const page = shown.slice(0, limit);
  const last = page.at(-1);
  return {
    page: page.map(({ device }) => device),
    cursor: last && shown.length > limit ? (column === 'id' ? last.id : JSON.stringify([last.key, last.id])) : null,
  };
}

function placeOf(cursor: string, column: SortColumn): { key: Key; id: string } {
  if (column === 'id') return { key: 0, id: cursor };
  try {
    const [key, id] = JSON.parse(cursor) as unknown[];
    if ((typeof key === 'string' || typeof key === 'number') && typeof id === 'string') return { key, id };
  } catch {}
  return { key: cursor, id: '' };
}
