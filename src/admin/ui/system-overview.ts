import { z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { programVersion } from '../../runtime/version.ts';
import type { HealthStore, RoomStore, WearStore } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { whyIn } from '../../words/sentences.ts';
import { byCommand, operation, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { sentenceShape } from '../problem.ts';
import { wear, wearReport } from '../wear-report.ts';

const systemReport = z.object({
  version: z.string(),
  environment: z.enum(['test', 'production']),
  uptime_ms: z.number(),
  now: z.number().describe(described("The box's clock when it answered", '网关应答时的时钟')),
  timezone: z.string(),
  ntp: z
    .boolean()
    .nullable()
    .describe(
      described(
        'Whether the system says that the network sets its clock; null: it says nothing of it',
        '系统是否说明由网络校时；null：没有说明',
      ),
    ),
  disk: z.object({
    used_bytes: z.number(),
    free_bytes: z.number(),
    state: z.string(),
    why: z.string(),
    ...sentenceShape,
    days_left: z
      .number()
      .nullable()
      .describe(
        described(
          'Until something has to be dropped, at the rate of the last week; null: too early to say, or nothing grows',
          '按最近一周的速度到必须删除内容为止；null：为时尚早，或没有增长',
        ),
      ),
    grows: z
      .boolean()
      .nullable()
      .describe(
        described('Null: too early to say, before there is a day of measuring', 'null：为时尚早，测量不足一天'),
      ),
    wear,
  }),
  memory_bytes: z.number(),
  ports: z
    .object({ mqtts: z.number().nullable(), https: z.number().nullable() })
    .describe(described('On which devices connect; null: that listener is off', '设备连接的地址；null：该端口已关闭')),
  data_dir: z.string().nullable().describe(described('For admins alone', '仅供管理员')),
  backup: z
    .object({
      last_at: z.number().nullable(),
      has_recovery_key: z.boolean().describe(described('Backups can be made', '可以备份')),
    })
    .nullable()
    .describe(described('Null in a region', '区域为 null')),
});

export const overviewOperations = {
  report: operation({
    method: 'get',
    path: '/system',
    role: 'viewer',
    summary: described('Version, uptime, clock, disk and memory of the box', '网关的版本、运行时间、时钟、磁盘和内存'),
    returns: described('The report', '报告'),
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
  readonly config: Pick<Config, 'environment' | 'site' | 'storage' | 'store' | 'data_dir'>;
  /** Whether the network sets the clock of the system; null: it says nothing of it. */
  clockSynchronized(): Promise<boolean | null>;
  /** Those that are in force: port 0 of the config has become another. */
  ports(): { readonly mqtts: number | null; readonly https: number | null };
}): Running<typeof overviewOperations> {
  const since = clock.monotonic();
  return {
    async report(_ = {}, call = byCommand) {
      const health = store.health();
      const { state, usedBytes, freeBytes } = health;
      const room = store.room();
      const uptime = clock.monotonic() - since;
      const isRegion = config.store.engine === 'postgres';
      const backups = isRegion ? null : await admin.backups.report();
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
          ...whyIn(health),
          days_left: room.daysLeft,
          grows: room.bytesPerDay === null ? null : room.bytesPerDay > 0,
          wear: wearReport(store.wear(), config.storage.endurance_tb),
        },
        memory_bytes: process.memoryUsage().rss,
        ports: ports(),
        data_dir: call.caller.role === 'admin' ? config.data_dir : null,
        backup: backups && { last_at: backups.last_at, has_recovery_key: backups.recovery_key !== null },
      };
    },
  };
}
