import { z } from '@hono/zod-openapi';
import type { Attendance } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Devices } from '../../devices/index.ts';
import { isBeforeLogin } from '../../platform/refusals.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { Services } from '../../services/index.ts';
import type { DayReads, DeviceReads, DirectoryStore, GatewayReads, ReadPart } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { boxOfDevices, devicesChosen } from '../box-of-devices.ts';
import { operation, type Report, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { boxStatus } from '../status-shapes.ts';
import { refusedCall, refusedCallsOf } from './integrations.ts';
import { refusedDevices, refusedDevicesReport } from './refused-devices.ts';

const todayReport = z.object({
  day: z.string().describe(described('Of the site', '站点的')),
  from: z.number().describe(described('First second of the day', '当天的第一秒')),
  part_s: z.number().describe(described('How long one part of the ribbon is', '每段的长度')),
  checkins: z.array(z.number()),
  people: z.number(),
  devices_of_box: z
    .number()
    .nullable()
    .describe(
      described(
        'How many devices the site has that is asked for; null: all sites',
        '所查询站点的设备数；null：全部站点',
      ),
    ),
  latest: z.array(
    z.object({
      id: z.number(),
      at: z.number(),
      ext_id: z.string(),
      name: z.string(),
      said: z
        .string()
        .describe(
          described(
            'How the device named somebody whom the organization does not know; else empty',
            '组织中没有的人员，为设备所报的名称；否则为空',
          ),
        ),
      device_id: z.string(),
      device: z.string().describe(described('Its name; empty: it has none', '其名称；空：没有')),
    }),
  ),
  silent: z.array(z.object({ device_id: z.string(), name: z.string(), last_seen_at: z.number().nullable() })),
  refused: refusedDevicesReport.shape.rows.describe(
    described(
      'The newest five; as many as `status.devices.refused` counts in all',
      '最新的五个；总数见 `status.devices.refused`',
    ),
  ),
  refused_calls: z
    .array(refusedCall.pick({ kind: true, caller: true, at: true, mistake: true, message: true, named: true }))
    .describe(
      described(
        'The last one of each program of which a call was refused within the last day, newest first; at most five',
        '最近一天内调用被拒绝的各程序的最后一次，最新的在前；最多五个',
      ),
    ),
  new_devices: z
    .array(z.object({ product_id: z.string(), refused: z.number() }))
    .describe(
      described(
        'Products of which the last hour brought more new devices than are allowed',
        '最近一小时内新设备超过允许数量的产品',
      ),
    ),
  status: boxStatus.pick({ standing: true, line: true, outbox: true, devices: true, disk: true, backup: true }),
});
export type TodayReport = Report<typeof todayReport>;

const partSeconds = 30 * 60;
const silentShown = 10;
const refusedShown = 5;
const callsWithinMs = 24 * 3600_000;

export const todayOperations = {
  report: operation({
    method: 'get',
    path: '/today',
    role: 'viewer',
    summary: described(
      'Is it working: check-ins of the day, silent devices, who was turned away, what waits',
      '当天概况：打卡、离线设备、被拒绝的设备、等待上传的记录',
    ),
    query: z.object({
      box: boxOfDevices
        .optional()
        .describe(described('Check-ins and silent devices of one site alone', '仅一个站点的打卡与离线设备')),
    }),
    returns: described('The report', '报告'),
    answer: todayReport,
  }),
};

export const today = ({
  admin,
  store,
  clock,
  config,
  devices,
  attendance,
  services,
}: {
  readonly admin: Pick<BoxAdmin, 'status'>;
  readonly store: ReadPart<DayReads & DeviceReads & GatewayReads> & DirectoryStore;
  readonly clock: Clock;
  readonly config: Pick<Config, 'site'>;
  readonly devices: Pick<Devices, 'newDevices' | 'stateOf'>;
  readonly attendance: Pick<Attendance, 'status'>;
  readonly services: Pick<Services, 'refusedCalls'>;
}): Running<typeof todayOperations> => ({
  async report({ box } = {}) {
    const { day, from, to } = dayOf(clock.now(), config.site.timezone);
    const chosen = devicesChosen(store.directory, box);
    const { deviceNos } = chosen;
    const [status, checkins, people, latest, lastSeen, refused] = await Promise.all([
      admin.status.report(),
      store.read.checkinCounts({ from, to, partSeconds, ...chosen }),
      store.read.checkinPeople({ from, to, ...chosen }),
      store.read.latestCheckins({ limit: 10, ...chosen }),
      store.read.lastSeen(),
      refusedDevices({ store, clock }),
    ]);
    const silent = [...store.directory.devices()]
      .filter(device => (deviceNos?.has(device.deviceNo) ?? true) && devices.stateOf(device) === 'silent')
      .map(({ deviceId, name, deviceNo }) => ({
        device_id: deviceId,
        name,
        last_seen_at: lastSeen.get(deviceNo)?.at ?? null,
      }))
      .sort((one, other) => (other.last_seen_at ?? 0) - (one.last_seen_at ?? 0));
    return {
      day,
      from,
      part_s: partSeconds,
      checkins,
      people,
      devices_of_box: deviceNos?.size ?? null,
      latest: latest.map(({ id, at, extId, name, said, deviceId, device }) => ({
        ...{ id, at, name, said, device },
        ext_id: extId,
        device_id: deviceId,
      })),
      silent: silent.slice(0, silentShown),
      refused: refused.rows.filter(({ code }) => !isBeforeLogin(code)).slice(0, refusedShown),
      refused_calls: lastOfEach(
        refusedCallsOf({ attendance, services }).filter(({ at }) => at > clock.now() - callsWithinMs),
      ),
      new_devices: devices
        .newDevices()
        .filter(({ refused }) => refused > 0)
        .map(({ productId, refused }) => ({ product_id: productId, refused })),
      status: {
        standing: status.standing,
        ...{ line: status.line, outbox: status.outbox, devices: status.devices },
        ...{ disk: status.disk, backup: status.backup },
      },
    };
  },
});

/** Of each program the last call that was refused; calls are newest first. */
function lastOfEach(calls: ReturnType<typeof refusedCallsOf>): TodayReport['refused_calls'] {
  const last = new Map<string, TodayReport['refused_calls'][number]>();
  for (const { kind, caller, at, mistake, message, named } of calls)
    if (!last.has(`${kind} ${caller}`)) last.set(`${kind} ${caller}`, { kind, caller, at, mistake, message, named });
  return [...last.values()].slice(0, refusedShown);
}
