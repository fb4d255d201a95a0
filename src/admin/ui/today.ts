import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { dayOf } from '../../runtime/day-bounds.ts';
import type { AdminEnvironment } from '../guard.ts';
import type { BoxStatus, RefusalReport } from '../status-report.ts';
import type { UiParts } from './parts.ts';

export interface TodayReport {
  /** Of the site. */
  readonly day: string;
  /** First second of the day, and how long one part of the ribbon is. */
  readonly from: number;
  readonly part_s: number;
  readonly checkins: readonly number[];
  readonly people: number;
  readonly latest: readonly {
    readonly id: number;
    readonly at: number;
    readonly ext_id: string;
    readonly name: string;
    readonly device_id: string;
  }[];
  readonly silent: readonly {
    readonly device_id: string;
    readonly name: string;
    readonly last_seen_at: number | null;
  }[];
  readonly refused: readonly RefusalReport[];
  /** Products of which the last hour brought more new devices than are allowed. */
  readonly new_devices: readonly { readonly product_id: string; readonly refused: number }[];
  /** Null: none was made that the box knows of. */
  readonly last_backup_at: number | null;
  readonly status: Pick<BoxStatus, 'line' | 'outbox' | 'devices' | 'disk'>;
}

const partSeconds = 30 * 60;
const silentShown = 10;

const todayRoute = createRoute({
  method: 'get',
  path: '/today',
  summary: 'Is it working: check-ins of the day, silent devices, who was turned away, what waits',
  responses: { 200: { description: 'The report', content: { 'application/json': { schema: z.any() } } } },
});

export function todayRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  app.openapi(todayRoute, async context => context.json(await todayReport(parts), 200));
}

async function todayReport({ admin, store, clock, config, devices, isOnline }: UiParts): Promise<TodayReport> {
  const { day, from, to } = dayOf(clock.now(), config.site.timezone);
  const [status, checkins, people, latest, lastSeen, lastBackupAt] = await Promise.all([
    admin.status(),
    store.read.checkinCounts({ from, to, partSeconds }),
    store.read.checkinPeople({ from, to }),
    store.read.latestCheckins({ limit: 10 }),
    store.read.lastSeen(),
    admin.lastBackupAt(),
  ]);
  const silent = [...store.directory.devices()]
    .filter(device => !isOnline(device) && !device.blocked && !devices.isHeldBack(device.deviceNo))
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
    latest: latest.map(({ id, at, extId, name, deviceId }) => ({ id, at, ext_id: extId, name, device_id: deviceId })),
    silent: silent.slice(0, silentShown),
    refused: status.refusals,
    new_devices: devices
      .newDevices()
      .filter(({ refused }) => refused > 0)
      .map(({ productId, refused }) => ({ product_id: productId, refused })),
    last_backup_at: lastBackupAt,
    status: { line: status.line, outbox: status.outbox, devices: status.devices, disk: status.disk },
  };
}
