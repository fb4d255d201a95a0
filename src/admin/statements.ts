import { z } from '@hono/zod-openapi';
import { type DayStatement, type DeviceStatement, StatementLog } from '../attendance/index.ts';
import { clockStates } from '../platform/device-clock.ts';
import { parseDeviceId } from '../platform/device-id.ts';
import { isDay } from '../runtime/calendar-date.ts';
import type { DirectoryStore } from '../store/index.ts';
import { described } from '../words/described.ts';
import { operation, type Report, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';

const shared = {
  no: z.number().describe(described('The number of the day in the chain', '当天在链中的编号')),
  day: z.string(),
  said: z.number().describe(described('By the device: box + refused + missing', '设备所报：网关 + 被拒 + 缺失')),
  box: z
    .number()
    .describe(described('Stored on the disk of the box, without repeats', '写入网关磁盘的记录数，不含重复')),
  refused: z.number().describe(described('Answered with 400', '应答为 400 的')),
  missing: z.number().describe(described('Of its own numbers, those that never came', '设备自己的编号中从未收到的')),
  repeats: z.number(),
  cloud: z
    .number()
    .nullable()
    .describe(
      described(
        'Confirmed by the cloud on this day, also of earlier days; null: no cloud',
        '当天由云平台确认的，也包括以前日期的；null：没有云平台',
      ),
    ),
  parked: z.number().describe(described('Refused by the cloud for good on this day', '当天被云平台拒收的')),
  brought: z
    .number()
    .describe(
      described('Brought forward: waited for the cloud when the day began', '上日结转：当天开始时等待云平台的'),
    ),
  waiting: z
    .number()
    .describe(
      described('Carried forward: waited for the cloud when the day ended', '结转次日：当天结束时等待云平台的'),
    ),
} as const;

const boxStatement = z.object({
  kind: z.literal('day'),
  ...shared,
  timezone: z.string(),
  made_at: z.number(),
  after_seq: z.number(),
  through_seq: z
    .number()
    .describe(
      described(
        'The day is the stretch of the journal behind after_seq, up to here',
        '当天为流水中 after_seq 之后到此处的一段',
      ),
    ),
  dropped: z
    .number()
    .describe(described('Records of that stretch that the journal no longer held', '该段中流水已不保存的记录')),
  damaged: z.number().describe(described('Segments of it that could not be read', '其中无法读取的分段')),
  devices: z.number(),
});

const deviceStatement = z.object({
  kind: z.literal('device'),
  ...shared,
  device: z.string(),
  said_by: z
    .enum(['its numbers', 'records received'])
    .describe(
      described(
        'Whether the ids of its records count, so that a missing one shows',
        '其记录的编号是否连续，从而能看出缺失',
      ),
    ),
  refused_messages: z.number().optional(),
  unreadable: z.number().optional().describe(described('Messages that are not JSON', '不是 JSON 的消息')),
  numbers: z
    .object({
      from: z.number(),
      to: z.number(),
      gaps: z.array(z.tuple([z.number(), z.number()])).describe(described('The first 20', '最前面的 20 个')),
      earlier: z.number().describe(described('Records with a number before `from`', '编号小于 `from` 的记录')),
      restarted: z.boolean().describe(described('It began again at 0 or 1', '重新从 0 或 1 开始')),
    })
    .optional(),
  last_number: z.number().nullable(),
  repeated: z
    .array(z.tuple([z.number(), z.number()]))
    .optional()
    .describe(
      described(
        'The seq of a message with a record that was stored before, and the seq of that one; the first 20',
        '含有之前已保存记录的消息的 seq，以及那一条的 seq；最前面的 20 个',
      ),
    ),
  first: z.number().nullable().describe(described("By the device's clock, in seconds", '按设备的时钟，秒')),
  last: z.number().nullable(),
  late: z.number().describe(described('Arrived more than 60 s late', '迟到超过 60 秒')),
  late_most_s: z.number().optional(),
  earlier_days: z
    .record(z.string(), z.number())
    .optional()
    .describe(described('Arrived for earlier days: how many for each', '属于以前日期的：每天多少')),
  clock: z.object({
    state: z.enum(clockStates),
    offset_s: z.number().nullable(),
    within_s: z.number().nullable(),
  }),
  lost: z
    .number()
    .optional()
    .describe(
      described(
        'Carried forward the day before, and neither confirmed nor parked nor waiting any more',
        '前一天结转，而既未确认、未被拒收，也不再等待',
      ),
    ),
  cloud_seq: z.number().nullable(),
});

const chain = {
  hash: z.string().nullable().describe(described('Null: the day is not over', 'null：当天尚未结束')),
  previous: z.string().nullable(),
} as const;
const boxLine = z.object({ ...chain, statement: boxStatement });
const deviceLine = z.object({ ...chain, statement: deviceStatement });
export type BoxStatementLine = Report<typeof boxLine>;
export type DeviceStatementLine = Report<typeof deviceLine>;

const headShape = z.object({ no: z.number(), day: z.string(), hash: z.string() });
export const statementHead = headShape
  .nullable()
  .describe(
    described(
      'The newest daily statement, and the head of their chain: keep it elsewhere too. Null: there is none yet',
      '最新的对账单，为其链头：请在别处也保存一份。null：还没有',
    ),
  );

const verdict = z.object({
  holds: z.boolean(),
  broken: z.object({ day: z.string(), why: z.string() }).nullable(),
  days: z.number(),
  statements: z.number(),
  first: headShape.omit({ hash: true }).nullable(),
  last: headShape.nullable(),
  found: z
    .string()
    .nullable()
    .describe(described('The day of the statement with the hash that was asked for', '含所问哈希的对账单的日期')),
});
export type StatementVerdictReport = Report<typeof verdict>;

const dayText = z.string().refine(isDay, 'not a day such as 2026-11-20');
const deviceText = z.string().max(80);
const deviceName = z
  .string()
  .describe(described('Of the device that was asked for, today; empty: it has none', '所问设备的当天情况；空：没有'));

const statementOperations = {
  month: operation({
    method: 'get',
    path: '/statements',
    role: 'viewer',
    ofWholeTables: true,
    summary: described(
      'The daily statements of a month, of the box or of one device, newest first; today as it stands now',
      '网关或一台设备某月的对账单，最新的在前；当天为目前情况',
    ),
    query: z.object({
      month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/),
      device_id: deviceText.optional(),
    }),
    returns: described('The statements', '对账单'),
    answer: z.object({
      device_name: deviceName,
      days: z.array(z.object({ ...chain, statement: z.union([boxStatement, deviceStatement]) })),
    }),
  }),
  day: operation({
    method: 'get',
    path: '/statements/{day}',
    role: 'viewer',
    ofWholeTables: true,
    summary: described(
      'The statement of a day: of the box, and of one device or of all',
      '某天的对账单：网关的，以及一台或全部设备的',
    ),
    params: z.object({ day: dayText }),
    query: z.object({ device_id: deviceText.optional() }),
    returns: described('The statements', '对账单'),
    answer: z.object({ device_name: deviceName, head: statementHead, box: boxLine, devices: z.array(deviceLine) }),
    failures: { 404: described('There is no statement of that day', '当天没有对账单') },
  }),
  verify: operation({
    method: 'get',
    path: '/statement-chain',
    role: 'viewer',
    summary: described(
      'Computes the chain of all daily statements again, and names the first day that does not hold',
      '重新计算所有对账单的哈希链，指出第一个不符的日期',
    ),
    query: z.object({
      head: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional()
        .describe(described('A hash that was kept elsewhere: is it in the chain?', '在别处保存的哈希：是否在链中')),
    }),
    returns: described('The verdict', '结论'),
    answer: verdict,
  }),
};

/** Operations on statements; `today` is null for a stopped box. */
export interface Statements {
  readonly log: StatementLog;
  readonly today: (() => Promise<{ box: DayStatement; devices: readonly DeviceStatement[] }>) | null;
}

const open = <S>(statement: S) => ({ hash: null, previous: null, statement });

const statementAdmin = (
  { log, today }: Statements,
  directory: DirectoryStore['directory'],
): Running<typeof statementOperations> => {
  const nameOf = (text: string | undefined): string => {
    const id = parseDeviceId(text ?? '');
    return (id.ok && directory.device(id.value)?.name) || '';
  };

  const ofToday = async (device: string | undefined) => {
    const found = await today?.();
    if (!found) return null;
    const devices = found.devices.filter(one => device === undefined || one.device === device);
    return { box: open(found.box), devices: devices.map(open) };
  };

  return {
    async month({ month, device_id: device }) {
      const days: { hash: string | null; previous: string | null; statement: DayStatement | DeviceStatement }[] = [];
      const now = await ofToday(device);
      const take = (found: { box: (typeof days)[number]; devices: readonly (typeof days)[number][] }) => {
        const line = device === undefined ? found.box : found.devices[0];
        if (line) days.push(line);
      };
      if (now?.box.statement.day.startsWith(month)) take(now);
      for (const day of (await log.days(month)).reverse()) {
        const found = await log.read(day, device);
        if (found) take(found);
      }
      return { device_name: nameOf(device), days };
    },

    async day({ day, device_id: device }) {
      const now = await log.read(day, device);
      const found = now ?? (await ofToday(device));
      if (!found || found.box.statement.day !== day) throw refused(404, 'unknown', `there is no statement of ${day}`);
      if (device !== undefined && found.devices.length === 0)
        throw refused(404, 'unknown', `the statement of ${day} does not list ${device}`);
      const head = await log.head();
      return { device_name: nameOf(device), head: head && { no: head.no, day: head.day, hash: head.hash }, ...found };
    },

    verify: ({ head } = {}) => log.verify(head ?? null),
  };
};

type StatementStore = ConstructorParameters<typeof StatementLog>[1];

export const statementsResource = resource(
  statementOperations,
  ({ store, statements }: { readonly store: DirectoryStore; readonly statements: Statements }) =>
    statementAdmin(statements, store.directory),
  ({ store, dataDir }: { readonly store: StatementStore & DirectoryStore; readonly dataDir: string }) =>
    statementAdmin({ log: new StatementLog(dataDir, store), today: null }, store.directory),
);
