import { z } from '@hono/zod-openapi';
import type { DirectoryStore, ForwardingReads, ReadPart } from '../../store/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { described } from '../../words/described.ts';
import { noWhy, whyIn } from '../../words/sentences.ts';
import { attendanceReport } from '../attendance-shapes.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import { parkedReport, parkedRow } from '../parked.ts';
import type { BoxAdmin } from '../port.ts';
import { sentenceShape } from '../problem.ts';
import { servicesReport } from '../services.ts';
import { boxStatus } from '../status-shapes.ts';

const syncReport = z.object({
  status: boxStatus.pick({ line: true, outbox: true }),
  devices: z
    .array(
      z.object({
        device_id: z.string(),
        name: z.string(),
        waiting: z.number(),
        why: z
          .string()
          .describe(
            described(
              "Of its own session at the cloud: why it does not get through; empty where it does, or shares the box's",
              '它自己在云平台的会话未能接通的原因；接通或共用网关的会话时为空',
            ),
          ),
        ...sentenceShape,
      }),
    )
    .describe(described('Those for which most waits, at most 50', '等待最多的设备，最多 50 台')),
  devices_waiting: z.number().describe(described('How many devices have something that waits', '有内容等待的设备数')),
  organization: attendanceReport.pick({
    authority: true,
    mirror: true,
    writes: true,
    conflicts: true,
    uncertain_matches: true,
    missing: true,
  }),
  services: servicesReport.shape.waiting,
});
const parkedPage = z.object({
  rows: z.array(
    parkedRow.extend({ device: z.string().describe(described('Its name; empty: it has none', '其名称；空：没有')) }),
  ),
  cursor: z.number().nullable(),
});
export type SyncReport = Report<typeof syncReport>;
export type ParkedPage = Report<typeof parkedPage>;

const devicesShown = 50;

export const syncOperations = {
  report: operation({
    method: 'get',
    path: '/sync',
    role: 'viewer',
    summary: described(
      'What waits for the cloud: of devices, of the organization, of the public services',
      '等待云平台的内容：设备记录、组织架构、公共服务',
    ),
    returns: described('The report', '报告'),
    answer: syncReport,
  }),
  parked: operation({
    method: 'get',
    path: '/sync/parked',
    role: 'viewer',
    summary: described(
      'What the cloud refused for good, in the order of receipt, a page at a time',
      '被云平台拒收的记录，按收到的顺序，分页',
    ),
    query: z.object({
      cursor: z.coerce.number<number>().int().min(0).default(0),
      limit: z.coerce.number<number>().int().min(1).max(500).default(50),
    }),
    returns: described('The page', '一页'),
    answer: parkedPage,
  }),
};

export const sync = ({
  admin,
  store,
  upstream,
}: {
  readonly admin: Pick<BoxAdmin, 'status' | 'attendance' | 'services'>;
  readonly store: ReadPart<ForwardingReads> & DirectoryStore;
  readonly upstream: Pick<Upstream, 'waiting' | 'deviceUplink'>;
}): Running<typeof syncOperations> => ({
  async report(_ = {}, call = byCommand) {
    const [{ line, outbox }, { authority, mirror, writes, conflicts, uncertain_matches, missing }, services] =
      await Promise.all([admin.status.report(), admin.attendance.report({}, call), admin.services.report()]);
    const waiting = [...upstream.waiting()].sort(([, one], [, other]) => other - one);
    return {
      status: { line, outbox },
      devices: waiting.slice(0, devicesShown).map(([deviceNo, count]) => {
        const device = store.directory.deviceByNo(deviceNo);
        return {
          device_id: device?.deviceId ?? `#${deviceNo}`,
          name: device?.name ?? '',
          waiting: count,
          ...whyIn(upstream.deviceUplink(deviceNo) ?? noWhy),
        };
      }),
      devices_waiting: waiting.length,
      organization: { authority, mirror, writes, conflicts, uncertain_matches, missing },
      services: services.waiting,
    };
  },
  async parked({ cursor, limit }) {
    const found = await store.read.parkedPage({ after: cursor, limit: limit + 1 });
    const rows = found.slice(0, limit).map(row => ({
      ...parkedReport(store.directory, row),
      device: store.directory.deviceByNo(row.deviceNo)?.name ?? '',
    }));
    return { rows, cursor: found.length > limit ? rows.at(-1)!.seq : null };
  },
});
