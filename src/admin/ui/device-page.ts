import { parseDeviceId } from '../../platform/device-id.ts';
import { parseEnvelope } from '../../platform/envelope.ts';
import { type Device, type LogRow, type PeopleDataState, peopleDataState, type Seq } from '../../store/index.ts';
import type { DeviceReport } from '../port.ts';
import { keyOf, refusalReport } from '../reports.ts';
import { type DeviceStateName, statesOf } from './device-rows.ts';
import type { UiParts } from './parts.ts';

export interface DevicePageReport
  extends Pick<DeviceReport, 'device_id' | 'name' | 'last_seen_at' | 'clock_skew_s' | 'key' | 'line' | 'refusals'> {
  readonly product_id: string;
  readonly product: string;
  /** Without its product neither its code nor its labels can be made. */
  readonly product_known: boolean;
  readonly model: string;
  readonly state: DeviceStateName;
  /** When it came, or left; null where its events do not tell. */
  readonly since: number | null;
  /** Why it left, in the words of the gateway. */
  readonly why: string;
  /** From where it logged in the last time, as its event says. */
  readonly address: string;
  readonly first_seen_at: number;
  /**
   * The box below that its records come through; `here`: it comes itself. Null: nobody has brought
   * it yet.
   */
  readonly belongs_to: string | null;
  /** Until when the product key is accepted although it has a key of its own. */
  readonly product_key_until: number | null;
  readonly waiting: number;
  readonly today: number;
  readonly events: DeviceReport['events'];
  /** Whether it is told of people; `none`: devices of its product never are. */
  readonly people_data: PeopleDataState;
  /** Messages that wait for it, the oldest first; what is in them is not shown. */
  readonly inbox: {
    readonly count: number;
    readonly messages: readonly {
      readonly id: number;
      readonly put_at: number;
      readonly action: number | null;
      readonly bytes: number;
    }[];
  };
}

export type LogLine = Pick<LogRow, 'seq' | 'received_at' | 'text' | 'truncated' | 'repaired' | 'clamped'>;
export type DeviceTodayOf = (deviceNo: Device['deviceNo']) => number;

const eventsShown = 50;
const refusalsShown = 20;
const inboxShown = 20;
const inboxBytes = 1 << 20;

export function deviceOf({ store }: UiParts, text: string): Device | undefined {
  const id = parseDeviceId(text);
  return id.ok ? store.directory.device(id.value) : undefined;
}

export async function devicePage(parts: UiParts, device: Device, today: DeviceTodayOf): Promise<DevicePageReport> {
  const { store, upstream, clock } = parts;
  const { deviceNo } = device;
  const [refusals, seen, events, inbox, inboxCount] = await Promise.all([
    store.read.refusals({ clientId: device.deviceId, limit: refusalsShown }),
    store.read.seen(deviceNo),
    store.read.events(deviceNo, eventsShown),
    store.read.inbox(deviceNo, { limit: inboxShown, bytesMax: inboxBytes }),
    store.read.inboxCount(deviceNo),
  ]);
  const heard = new Set(seen ? [deviceNo] : []);
  const state = (await statesOf(parts, heard, [device]))(device);
  const moved = events.find(({ kind }) => kind === (state === 'online' ? 'connected' : 'disconnected'));
  const product = store.directory.product(device.productId);
  const line = upstream.deviceUplink(deviceNo);
  const until = device.productKeyUntil;
  return {
    device_id: device.deviceId,
    name: device.name,
    product_id: device.productId,
    product: product?.name ?? '',
    product_known: product !== undefined,
    model: product?.model ?? '',
    state,
    since: moved?.at ?? null,
    why: state === 'online' ? '' : (moved?.detail ?? ''),
    address: events.find(({ kind }) => kind === 'connected')?.detail ?? '',
    first_seen_at: device.firstSeenAt,
    belongs_to: device.belongsTo,
    last_seen_at: seen?.at ?? null,
    clock_skew_s: seen?.clockSkewSeconds ?? null,
    key: keyOf(device),
    product_key_until: until !== null && until > clock.now() ? until : null,
    line: line && { state: line.state, since: line.since, why: line.why, next_try_at: line.nextTryAt },
    refusals: refusals.map(refusalReport),
    waiting: upstream.waiting().get(deviceNo) ?? 0,
    today: today(deviceNo),
    people_data: peopleDataState(device, product),
    events: events.map(({ at, kind, detail }) => ({ at, kind, detail })),
    inbox: {
      count: inboxCount,
      messages: inbox.map(({ id, putAt, payload }) => {
        const envelope = parseEnvelope(payload);
        return { id, put_at: putAt, action: envelope.ok ? envelope.value.action : null, bytes: payload.length };
      }),
    },
  };
}

/** Oldest first, as a log is read; `after`: only what came since. */
export async function lastLogs({ store }: UiParts, { deviceNo }: Device, limit: number, after?: number) {
  const rows = await store.read.lastLogs(deviceNo, {
    limit,
    ...(after === undefined ? {} : { after: after as Seq }),
  });
  return rows.reverse().map(
    ({ seq, received_at, text, truncated, repaired, clamped }): LogLine => ({
      ...{ seq, received_at, text, truncated, repaired, clamped },
    }),
  );
}
