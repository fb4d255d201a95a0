import { z } from '@hono/zod-openapi';
import { parseDeviceId } from '../../platform/device-id.ts';
import type { DirectoryStore, HealthStore, LogReads, ReadPart, Seq } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { boxOfDevices, devicesChosen } from '../box-of-devices.ts';
import { operation, type Report, type Running } from '../operation.ts';
import { deviceLog } from '../shapes.ts';

const logTail = z.object({
  rows: z
    .array(
      deviceLog.extend({ device: z.string().describe(described('Its name; empty: it has none', '其名称；空：没有')) }),
    )
    .describe(described('Newest first', '最新的在前')),
  before: z
    .number()
    .nullable()
    .describe(
      described(
        'Where the look goes on further back, even where nothing fitted; null: that was all',
        '继续往前查找的起点，即使这里没有符合的；null：已全部查完',
      ),
    ),
  newest: z.number().describe(described('Who follows asks for what is after it', '跟随最新日志时，只取此后的')),
  dropped: z
    .number()
    .describe(
      described(
        'Records that were dropped for want of room, since the store was made',
        '存储建立以来因空间不足而删除的记录数',
      ),
    ),
});
export type LogTailPage = Report<typeof logTail>;

const place = z.coerce.number<number>().int().nonnegative();
const word = z.string().min(1).max(200);

export const logOperations = {
  tail: operation({
    method: 'get',
    path: '/ui/logs',
    role: 'viewer',
    summary: described(
      'Device logs, newest first; `before` goes on further back, `after` answers only what is newer',
      '设备日志，最新的在前；`before` 继续向前，`after` 只取更新的',
    ),
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
    returns: described('The page', '一页'),
    answer: logTail,
  }),
};

/** Logs of devices from the newest back. */
export const logs = ({
  store,
}: {
  readonly store: ReadPart<LogReads> & DirectoryStore & HealthStore;
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
});
