import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { clockSynchronized } from '../../operations/index.ts';
import { programVersion } from '../../runtime/version.ts';
import type { AdminEnvironment } from '../guard.ts';
import { wearReport } from '../wear-report.ts';
import type { UiParts } from './parts.ts';
import type { SystemReport } from './system-reports.ts';

const systemRoute = createRoute({
  method: 'get',
  path: '/system',
  summary: 'Version, uptime, clock, disk and memory of the box',
  responses: { 200: { description: 'The report', content: { 'application/json': { schema: z.any() } } } },
});

export function overviewRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  const { admin, store, clock, config } = parts;
  const since = clock.monotonic();
  app.openapi(systemRoute, async context => {
    const { state, why, usedBytes, freeBytes } = store.health();
    const room = store.room();
    const uptime = clock.monotonic() - since;
    const report: SystemReport = {
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
      data_dir: context.get('caller').role === 'admin' ? config.data_dir : null,
      last_backup_at: await admin.lastBackupAt(),
      has_recovery_key: (await admin.recoveryKey()) !== null,
    };
    return context.json(report, 200);
  });
}
