import { z } from '@hono/zod-openapi';
import { parseDeviceId } from '../../platform/device-id.ts';
import { lineLevels, type RecentLines } from '../../runtime/recent-lines.ts';
import type { DirectoryStore, HealthStore, LogReads, ReadPart, Seq } from '../../store/index.ts';
import { boxOfDevices, devicesChosen } from '../box-of-devices.ts';
import { operation, type Report, type Running } from '../operation.ts';
import { deviceLog } from '../shapes.ts';

const recentLine = z.object({
  no: z.number().describe('From 1, rising'),
  at: z.number(),
  level: z.enum(lineLevels),
  part: z.string().describe('Which part of the box says it; empty: the box itself'),
  message: z.string(),
  fields: z.array(z.string()).describe('What goes with it, `name=value` each'),
});
const logTail = z.object({
  rows: z
    .array(deviceLog.extend({ device: z.string().describe('Its name; empty: it has none') }))
    .describe('Newest first'),
  before: z
    .number()
    .nullable()
    .describe('Where the look goes on further back, even where nothing fitted; null: that was all'),
  newest: z.number().describe('Who follows asks for what is after it'),
  dropped: z.number().describe('Records that were dropped for want of room, since the store was made'),
});
const systemLogReport = z.object({
  lines: z.array(recentLine).describe('Newest first'),
});
export type LogTailPage = Report<typeof logTail>;
export type SystemLogReport = Report<typeof systemLogReport>;

const place = z.coerce.number<number>().int().nonnegative();
const word = z.string().min(1).max(200);

export const logOperations = {
  tail: operation({
    method: 'get',
    path: '/ui/logs',
    role: 'viewer',
    summary: 'Device logs, newest first; `before` goes on further back, `after` answers only what is newer',
    query: z.object({
      device_id: word.optional(),
      box: boxOfDevices.optional(),
      model: word.optional(),
      sn: word.optional(),
      text: word.optional(),
      from: z.coerce.number<number>().int().optional(),
      to: z.coerce.number<number>().int().optional(),
      before: place.optional(),
      after: place.optional(),
      limit: z.coerce.number<number>().int().min(1).max(500).default(100),
    }),
    returns: 'The page',
    answer: logTail,
  }),
  system: operation({
    method: 'get',
    path: '/ui/system-log',
    role: 'viewer',
    summary: 'The last 500 lines that the box itself has said since it was started, newest first',
    query: z.object({ level: z.enum(lineLevels).default('info'), after: place.optional() }),
    returns: 'The lines',
    answer: systemLogReport,
  }),
};

/** Logs of devices from the newest back, and those of the box itself. */
export const logs = ({
  store,
  systemLog,
}: {
  readonly store: ReadPart<LogReads> & DirectoryStore & HealthStore;
  /** Its last lines. */
  readonly systemLog: RecentLines;
}): Running<typeof logOperations> => ({
  async tail({ device_id, box, before, after, ...rest }) {
    const dropped = Object.values(store.health().dropped).reduce((sum, count) => sum + count, 0);
    const id = device_id === undefined ? null : parseDeviceId(device_id);
    const device = id?.ok ? store.directory.device(id.value) : undefined;
    if (id !== null && !device) return { rows: [], before: null, newest: 0, dropped };
    const tail = await store.read.logTail({
      ...rest,
      before: before as Seq | undefined,
      after: after as Seq | undefined,
      deviceNo: device?.deviceNo,
      ...devicesChosen(store.directory, box),
    });
    const rows = tail.rows.map(({ deviceNo, ...row }) => ({
      ...row,
      device: store.directory.deviceByNo(deviceNo)?.name ?? '',
    }));
    return { rows, before: tail.before, newest: tail.newest, dropped };
  },
  system: async ({ level, after }) => ({ lines: systemLog.list({ level, ...(after === undefined ? {} : { after }) }) }),
});
