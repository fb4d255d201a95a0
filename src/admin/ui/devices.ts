import { z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import { actionTable } from '../../platform/actions.ts';
import type {
  DeviceReads,
  DirectoryStore,
  ForwardingReads,
  GatewayReads,
  JournalStore,
  LogReads,
  ReadPart,
  Seq,
} from '../../store/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { described } from '../../words/described.ts';
import { ledgerReport, ledgerRow } from '../device.ts';
import { knownDevice } from '../known-device.ts';
import { operation, type Report, type Running } from '../operation.ts';
import { cursorText } from '../people-shapes.ts';
import { type DevicePageParts, devicePage, devicePageReport, lastLogs, logLine } from './device-page.ts';
import { deviceCounts, deviceCountsReport, deviceRow, deviceRows } from './device-rows.ts';
import { deviceFilter, deviceSort } from './device-selection.ts';
import { RecordsToday } from './records-today.ts';
import { refusedDevices, refusedDevicesReport } from './refused-devices.ts';

const traceRow = ledgerRow.extend({
  kind: z
    .string()
    .nullable()
    .describe(
      described(
        'What its action code means at this site; null: passed on unread',
        '其操作码在本站点的含义；null：不解读而转发',
      ),
    ),
});
export type TraceRow = Report<typeof traceRow>;

const params = z.object({ id: z.string().max(80) });
const failures = { 404: described('There is no such device', '没有此设备') };

export const deviceListOperations = {
  list: operation({
    method: 'get',
    path: '/device-list',
    role: 'viewer',
    summary: described(
      'Devices with their state and what waits, sorted, a page at a time; searched by id or name',
      '按编号列出设备、状态和等待上传的记录，分页；可按编号或名称搜索',
    ),
    query: z.object({
      ...deviceFilter,
      sort: deviceSort,
      cursor: z.string().max(400).optional(),
      limit: z.coerce.number<number>().int().min(1).max(500).default(50),
    }),
    returns: described('The page', '一页'),
    answer: z.object({
      rows: z.array(deviceRow),
      cursor: cursorText,
      total: z.number().describe(described('How many devices match', '符合的设备数')),
      as_of: z
        .number()
        .describe(
          described(
            'When they were read; a change of many takes it, to leave out what came later',
            '读取的时间；批量更改时带上它，以排除之后新增的',
          ),
        ),
    }),
  }),
  counts: operation({
    method: 'get',
    path: '/device-counts',
    role: 'viewer',
    summary: described('How many devices are in which state, and of which product', '各状态、各产品的设备数量'),
    returns: described('The counts', '数量'),
    answer: deviceCountsReport,
  }),
  refusedDevices: operation({
    method: 'get',
    path: '/refused-devices',
    role: 'viewer',
    summary: described(
      'Who was turned away within the last day and has not come in since: why, and what helps',
      '最近一天内被拒绝且尚未接入的设备：原因和处理办法',
    ),
    query: z.object({
      about: z
        .string()
        .max(100)
        .optional()
        .describe(described('Contained in the client id or the address', '客户端标识或地址中包含的文字')),
    }),
    returns: described('The refused logins, newest first', '被拒绝的登录，最新的在前'),
    answer: refusedDevicesReport,
  }),
  page: operation({
    method: 'get',
    path: '/devices/{id}/page',
    role: 'viewer',
    summary: described(
      'One device: its state and since when, what waits both ways, what happened to it',
      '一台设备的状态、双向等待的消息和事件',
    ),
    params,
    returns: described('The device', '设备'),
    answer: devicePageReport,
    failures,
  }),
  ledger: operation({
    method: 'get',
    path: '/devices/{id}/ledger',
    role: 'viewer',
    summary: described(
      'The records of a device, newest first, and where each of them is',
      '一台设备的记录，最新的在前，以及每条在何处',
    ),
    params,
    query: z.object({
      cursor: z.coerce.number<number>().int().positive().optional(),
      limit: z.coerce.number<number>().int().min(1).max(200).default(20),
    }),
    returns: described('The page', '一页'),
    answer: z.object({ rows: z.array(traceRow), cursor: z.number().nullable() }),
    failures,
  }),
  logs: operation({
    method: 'get',
    path: '/devices/{id}/logs',
    role: 'viewer',
    summary: described(
      'The last logs of a device, the newest last; `after`: only what came after this seq',
      '一台设备的最新日志，最新的在后；`after` 表示只取该序号之后的',
    ),
    params,
    query: z.object({
      after: z.coerce.number<number>().int().min(0).optional(),
      limit: z.coerce.number<number>().int().min(1).max(200).default(50),
    }),
    returns: described('The logs', '日志'),
    answer: z.object({ rows: z.array(logLine), cursor: z.null() }),
    failures,
  }),
};

interface DeviceListParts extends DevicePageParts {
  /** Pages were opened from this address lately. */
  readonly isBrowser?: (address: string) => boolean;
  readonly store: ReadPart<DeviceReads & GatewayReads & LogReads & ForwardingReads> & DirectoryStore & JournalStore;
  readonly upstream: Pick<Upstream, 'waiting' | 'deviceUplink' | 'standsAlone'>;
  readonly config: Pick<Config, 'site' | 'actions'>;
}

/** Operations of the pages about devices and refused ones. */
export function deviceList(parts: DeviceListParts): Running<typeof deviceListOperations> {
  const { store, upstream, config } = parts;
  const actions = actionTable(config.actions);
  const recordsToday = new RecordsToday(parts);

  return {
    async list(query) {
      const asOf = parts.clock.now();
      return { ...(await deviceRows(parts, await recordsToday.look(), query)), as_of: asOf };
    },
    counts: () => deviceCounts(parts),
    refusedDevices: ({ about = '' } = {}) => refusedDevices(parts, { about }),
    page: async ({ id }) => devicePage(parts, knownDevice(parts, id), await recordsToday.look()),
    async ledger({ id, cursor, limit }) {
      const device = knownDevice(parts, id);
      const found = await store.read.ledger(device.deviceNo, {
        limit: limit + 1,
        ...(cursor === undefined ? {} : { before: cursor as Seq }),
      });
      const rows = found.slice(0, limit).map(row => ({
        ...ledgerReport(row, upstream.standsAlone),
        kind: actions.nameOf(row.action) ?? null,
      }));
      return { rows, cursor: found.length > limit ? rows.at(-1)!.seq : null };
    },
    logs: async ({ id, limit, after }) => ({
      rows: await lastLogs(parts, knownDevice(parts, id), limit, after),
      cursor: null,
    }),
  };
}
