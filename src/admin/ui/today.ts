import { z } from '@hono/zod-openapi';
import type { Attendance } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Devices } from '../../devices/index.ts';
import { isBeforeLogin } from '../../platform/refusals.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { Services } from '../../services/index.ts';
import type { DayReads, DeviceReads, DirectoryStore, GatewayReads, PeriodReads, ReadPart } from '../../store/index.ts';
import { boxOfDevices, devicesChosen } from '../box-of-devices.ts';
import { operation, type Report, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { boxStatus } from '../status.ts';
import { refusedCall, refusedCallsOf } from './integrations.ts';
import { monthToClose } from './month-to-close.ts';
import { refusedDevices, refusedDevicesReport } from './refused-devices.ts';

const todayReport = z.object({
  day: z.string().describe('Of the site'),
  from: z.number().describe('First second of the day'),
  part_s: z.number().describe('How long one part of the ribbon is'),
  checkins: z.array(z.number()),
  people: z.number(),
  devices_of_box: z.number().nullable().describe('How many devices the site has that is asked for; null: all sites'),
  latest: z.array(
    z.object({
      id: z.number(),
      at: z.number(),
      ext_id: z.string(),
      name: z.string(),
      said: z.string().describe('How the device named somebody whom the organization does not know; else empty'),
      device_id: z.string(),
      device: z.string().describe('Its name; empty: it has none'),
    }),
  ),
  silent: z.array(z.object({ device_id: z.string(), name: z.string(), last_seen_at: z.number().nullable() })),
  refused: refusedDevicesReport.shape.rows.describe(
    'The newest five; as many as `status.devices.refused` counts in all',
  ),
  refused_calls: z
    .array(refusedCall.pick({ kind: true, caller: true, at: true, mistake: true, message: true, named: true }))
    .describe(
      'The last one of each program of which a call was refused within the last day, newest first; at most five',
    ),
  new_devices: z
    .array(z.object({ product_id: z.string(), refused: z.number() }))
    .describe('Products of which the last hour brought more new devices than are allowed'),
  month_to_close: z
    .string()
    .nullable()
    .describe('The last month, if nothing of it is closed on a site that has closed months before'),
  last_backup_at: z.number().nullable().describe('Null: none was made that the box knows of'),
  status: boxStatus.pick({ line: true, outbox: true, devices: true, disk: true, backup: true }),
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
    summary: 'Is it working: check-ins of the day, silent devices, who was turned away, what waits',
    query: z.object({ box: boxOfDevices.optional().describe('Check-ins and silent devices of one site alone') }),
    returns: 'The report',
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
  readonly admin: Pick<BoxAdmin, 'status' | 'backups'>;
  readonly store: ReadPart<DayReads & DeviceReads & GatewayReads & PeriodReads> & DirectoryStore;
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
    const [status, checkins, people, latest, lastSeen, backups, refused, unclosed] = await Promise.all([
      admin.status.report(),
      store.read.checkinCounts({ from, to, partSeconds, ...chosen }),
      store.read.checkinPeople({ from, to, ...chosen }),
      store.read.latestCheckins({ limit: 10, ...chosen }),
      store.read.lastSeen(),
      admin.backups.report(),
      refusedDevices({ store, clock }),
      monthToClose(store, day),
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
      month_to_close: unclosed,
      last_backup_at: backups.last_at,
      status: {
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
