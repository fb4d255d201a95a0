import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { conflictsFor } from '../attendance-report.ts';
import type { AdminEnvironment, Role } from '../guard.ts';
import type { AttendanceReport, ParkedReport } from '../port.ts';
import type { ServicesReport } from '../services.ts';
import type { BoxStatus } from '../status-report.ts';
import type { UiParts } from './parts.ts';

export interface SyncReport {
  readonly status: Pick<BoxStatus, 'line' | 'outbox'>;
  /** Those for which most waits, at most 50. */
  readonly devices: readonly {
    readonly device_id: string;
    readonly name: string;
    readonly waiting: number;
    /**
     * Of its own session at the cloud: why it does not get through; empty where it does, or shares
     * the box's.
     */
    readonly why: string;
  }[];
  /** How many devices have something that waits. */
  readonly devices_waiting: number;
  readonly organization: Pick<AttendanceReport, 'authority' | 'mirror' | 'writes' | 'conflicts'>;
  readonly services: ServicesReport['waiting'];
}

export interface ParkedPage {
  readonly rows: readonly ParkedReport[];
  readonly cursor: number | null;
}

const devicesShown = 50;

const answers = (description: string) => ({
  200: { description, content: { 'application/json': { schema: z.any() } } },
});
const syncRoute = createRoute({
  method: 'get',
  path: '/sync',
  summary: 'What waits for the cloud: of devices, of the organization, of the public services',
  responses: answers('The report'),
});
const parkedPageRoute = createRoute({
  method: 'get',
  path: '/sync/parked',
  summary: 'What the cloud refused for good, in the order of receipt, a page at a time',
  request: {
    query: z.object({
      cursor: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(500).default(50),
    }),
  },
  responses: answers('The page'),
});

export function syncRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  app.openapi(syncRoute, async context => context.json(await syncReport(parts, context.get('caller').role), 200));
  app.openapi(parkedPageRoute, async context => {
    const { cursor, limit } = context.req.valid('query');
    return context.json(await parkedPage(parts, cursor, limit), 200);
  });
}

async function syncReport({ admin, store, upstream }: UiParts, role: Role): Promise<SyncReport> {
  const [{ line, outbox }, { authority, mirror, writes, conflicts }, services] = await Promise.all([
    admin.status(),
    admin.attendance(),
    admin.services.report(),
  ]);
  const waiting = [...upstream.waiting()].sort(([, one], [, other]) => other - one);
  return {
    status: { line, outbox },
    devices: waiting.slice(0, devicesShown).map(([deviceNo, count]) => {
      const device = store.directory.deviceByNo(deviceNo);
      return {
        device_id: device?.deviceId ?? `#${deviceNo}`,
        name: device?.name ?? '',
        waiting: count,
        why: upstream.deviceUplink(deviceNo)?.why ?? '',
      };
    }),
    devices_waiting: waiting.length,
    organization: { authority, mirror, writes, conflicts: conflictsFor(role, conflicts) },
    services: services.waiting,
  };
}

async function parkedPage({ store }: UiParts, after: number, limit: number): Promise<ParkedPage> {
  const found = await store.read.parkedPage({ after, limit: limit + 1 });
  const rows = found.slice(0, limit).map(
    ({ seq, deviceNo, parkedAt, code, reason, sendAgain }): ParkedReport => ({
      seq,
      device_id: store.directory.deviceByNo(deviceNo)?.deviceId ?? `#${deviceNo}`,
      parked_at: parkedAt,
      code,
      reason,
      send_again: sendAgain,
    }),
  );
  return { rows, cursor: found.length > limit ? rows.at(-1)!.seq : null };
}
