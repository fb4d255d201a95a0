import { z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { programVersion } from '../../runtime/version.ts';
import type { HealthStore, RoomStore, WearStore } from '../../store/index.ts';
import { byCommand, operation, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { wear, wearReport } from '../wear-report.ts';

const systemReport = z.object({
  version: z.string(),
  environment: z.enum(['test', 'production']),
  uptime_ms: z.number(),
  now: z.number().describe("The box's clock when it answered"),
  timezone: z.string(),
  ntp: z
    .boolean()
    .nullable()
    .describe('Whether the system says that the network sets its clock; null: it says nothing of it'),
  disk: z.object({
    used_bytes: z.number(),
    free_bytes: z.number(),
    state: z.string(),
    why: z.string(),
    days_left: z
      .number()
      .nullable()
      .describe(
        'Until something has to be dropped, at the rate of the last week; null: too early to say, or nothing grows',
      ),
    grows: z.boolean().nullable().describe('Null: too early to say, before there is a day of measuring'),
    wear,
  }),
  memory_bytes: z.number(),
  ports: z
    .object({ mqtts: z.number().nullable(), https: z.number().nullable() })
    .describe('On which devices connect; null: that listener is off'),
  data_dir: z.string().nullable().describe('For admins alone'),
  last_backup_at: z.number().nullable(),
  has_recovery_key: z.boolean().describe('Backups can be made'),
});

export const overviewOperations = {
  report: operation({
    method: 'get',
    path: '/system',
    role: 'viewer',
    summary: 'Version, uptime, clock, disk and memory of the box',
    returns: 'The report',
    answer: systemReport,
  }),
};

export function overview({
  admin,
  store,
  clock,
  config,
  clockSynchronized,
  ports,
}: {
  readonly admin: Pick<BoxAdmin, 'backups'>;
  readonly store: HealthStore & RoomStore & WearStore;
  readonly clock: Clock;
  readonly config: Pick<Config, 'environment' | 'site' | 'storage' | 'data_dir'>;
  /** Whether the network sets the clock of the system; null: it says nothing of it. */
  clockSynchronized(): Promise<boolean | null>;
  /** Those that are in force: port 0 of the config has become another. */
  ports(): { readonly mqtts: number | null; readonly https: number | null };
}): Running<typeof overviewOperations> {
  const since = clock.monotonic();
  return {
    async report(_ = {}, call = byCommand) {
      const { state, why, usedBytes, freeBytes } = store.health();
      const room = store.room();
      const uptime = clock.monotonic() - since;
      const backups = await admin.backups.report();
      return {
        version: programVersion,
        environment: config.environment,
        uptime_ms: Math.round(uptime),
        now: clock.now(),
        timezone: config.site.timezone,
        ntp: await clockSynchronized(),
        disk: {
          used_bytes: usedBytes,
          free_bytes: freeBytes,
          state,
          why,
          days_left: room.daysLeft,
          grows: room.bytesPerDay === null ? null : room.bytesPerDay > 0,
          wear: wearReport(store.wear(), config.storage.endurance_tb),
        },
        memory_bytes: process.memoryUsage().rss,
        ports: ports(),
        data_dir: call.caller.role === 'admin' ? config.data_dir : null,
        last_backup_at: backups.last_at,
        has_recovery_key: backups.recovery_key !== null,
      };
    },
  };
}
