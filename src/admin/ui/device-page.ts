import { z } from '@hono/zod-openapi';
import { parseEnvelope } from '../../platform/envelope.ts';
import { limits } from '../../platform/limits.ts';
import { isOpenWindow } from '../../platform/open-window.ts';
import { isModelKnown } from '../../platform/product-model.ts';
import type { Clock } from '../../runtime/clock.ts';
import {
  type Device,
  type DeviceReads,
  type ForwardingReads,
  type GatewayReads,
  type LogReads,
  peopleDataState,
  type ReadPart,
  type Seq,
} from '../../store/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { described } from '../../words/described.ts';
import { noWhy, whyIn } from '../../words/sentences.ts';
import { clockReport } from '../clock.ts';
import { deviceReport, happenedReport, keyOf, peopleData } from '../device.ts';
import type { Report } from '../operation.ts';
import { reasonShape, sentenceShape } from '../problem.ts';
import { productRegistration } from '../shapes.ts';
import { refusalReport } from '../status.ts';
import { unreadableOf } from '../unreadable.ts';
import type { DeviceParts } from './device-rows.ts';
import { deviceState } from './device-selection.ts';

export const devicePageReport = deviceReport
  .pick({
    device_id: true,
    name: true,
    last_seen_at: true,
    clock: true,
    unreadable: true,
    key: true,
    line: true,
    refusals: true,
    events: true,
    waiting: true,
  })
  .extend({
    product_id: z.string(),
    product: z.string(),
    product_known: z
      .boolean()
      .describe(
        described(
          'Without its product neither its code nor its labels can be made',
          '没有其产品，无法生成二维码和标签',
        ),
      ),
    model: z.string(),
    registration: productRegistration.nullable(),
    state: deviceState,
    since: z
      .number()
      .nullable()
      .describe(
        described('When it came, or left; null where its events do not tell', '上线或离线的时间；事件中没有时为 null'),
      ),
    why: z.string().describe(described('Why it left, in the words of the gateway', '离线的原因，按设备接入的说法')),
    ...sentenceShape,
    address: z
      .object(reasonShape)
      .nullable()
      .describe(described('From where it logged in the last time, as its event says', '最近一次登录的地址，按其事件')),
    first_seen_at: z.number(),
    belongs_to: z
      .string()
      .nullable()
      .describe(
        described(
          'The box below that its records come through; here: it comes itself. Null: nobody has brought it yet',
          '其记录经过的下级网关；here：直接连接。null：还没有网关带来它',
        ),
      ),
    product_key_until: z
      .number()
      .nullable()
      .describe(
        described(
          'Until when the product key is accepted although it has a key of its own',
          '设备已有自己的密钥时，仍接受产品密钥的截止时间',
        ),
      ),
    today: z.number(),
    people_data: peopleData,
    inbox: z
      .object({
        count: z.number(),
        messages: z.array(
          z.object({ id: z.number(), put_at: z.number(), action: z.number().nullable(), bytes: z.number() }),
        ),
      })
      .describe(
        described(
          'Messages that wait for it, the oldest first; what is in them is not shown',
          '等待它领取的消息，最早的在前；不显示内容',
        ),
      ),
  });
export const logLine = z.object({
  seq: z.number(),
  received_at: z.number(),
  text: z.string(),
  truncated: z.boolean(),
  repaired: z.boolean(),
  clamped: z.boolean(),
});
export type DevicePageReport = Report<typeof devicePageReport>;
export type LogLine = Report<typeof logLine>;

export interface DevicePageParts extends DeviceParts {
  readonly store: DeviceParts['store'] & ReadPart<DeviceReads & GatewayReads & Pick<ForwardingReads, 'record'>>;
  readonly upstream: Pick<Upstream, 'waiting' | 'deviceUplink'>;
  readonly clock: Clock;
}
type DeviceTodayOf = (deviceNo: Device['deviceNo']) => number;

const eventsShown = 50;
const refusalsShown = 20;
const inboxShown = 20;
const inboxBytes = 1 << 20;

export async function devicePage(
  parts: DevicePageParts,
  device: Device,
  today: DeviceTodayOf,
): Promise<DevicePageReport> {
  const { store, upstream, clock } = parts;
  const { deviceNo } = device;
  const [refusals, seen, events, inbox, inboxCount] = await Promise.all([
    store.read.refusals({ clientId: device.deviceId, limit: refusalsShown }),
    store.read.seen(deviceNo),
    store.read.events(deviceNo, eventsShown),
    store.read.inbox(deviceNo, { limit: inboxShown, bytesMax: inboxBytes }),
    store.read.inboxCount(deviceNo),
  ]);
  const state = parts.devices.stateOf(device);
  const moved = events.find(({ kind }) => kind === (state === 'online' ? 'connected' : 'disconnected'));
  const connected = events.find(({ kind }) => kind === 'connected');
  const product = store.directory.product(device.productId);
  const line = upstream.deviceUplink(deviceNo);
  const until = device.productKeyUntil;
  return {
    device_id: device.deviceId,
    name: device.name,
    product_id: device.productId,
    product: product?.name ?? '',
    product_known: product !== undefined,
    model: product && isModelKnown(product) ? product.model : '',
    registration: product?.registration ?? null,
    state,
    since: moved?.at ?? null,
    ...(state === 'online' || !moved ? noWhy : { why: moved.detail, ...moved.said }),
    address: connected ? { reason: connected.detail, ...connected.said } : null,
    first_seen_at: device.firstSeenAt,
    belongs_to: device.belongsTo,
    last_seen_at: seen?.at ?? null,
    clock: clockReport(seen),
    unreadable: await unreadableOf(store.read, deviceNo),
    key: keyOf(device),
    product_key_until: isOpenWindow(until, limits.productKeyWindowMs, clock.now()) ? until : null,
    line: line && { state: line.state, since: line.since, ...whyIn(line), next_try_at: line.nextTryAt },
    refusals: refusals.map(refusalReport),
    waiting: upstream.waiting().get(deviceNo) ?? 0,
    today: today(deviceNo),
    people_data: peopleDataState(device, product),
    events: events.map(happenedReport),
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
export async function lastLogs(
  { store }: { readonly store: ReadPart<DeviceReads & LogReads> },
  { deviceNo }: Device,
  limit: number,
  after?: number,
) {
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
