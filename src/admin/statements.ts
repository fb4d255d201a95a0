import { z } from '@hono/zod-openapi';
import { type DayStatement, type DeviceStatement, StatementLog } from '../attendance/index.ts';
import { clockStates } from '../platform/device-clock.ts';
import { parseDeviceId } from '../platform/device-id.ts';
import { isDay } from '../runtime/calendar-date.ts';
import type { DirectoryStore } from '../store/index.ts';
import { operation, type Report, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';

const shared = {
  no: z.number().describe('The number of the day in the chain'),
  day: z.string(),
  said: z.number().describe('By the device: box + refused + missing'),
  box: z.number().describe('Stored on the disk of the box, without repeats'),
  refused: z.number().describe('Answered with 400'),
  missing: z.number().describe('Of its own numbers, those that never came'),
  repeats: z.number(),
  cloud: z.number().nullable().describe('Confirmed by the cloud on this day, also of earlier days; null: no cloud'),
  parked: z.number().describe('Refused by the cloud for good on this day'),
  brought: z.number().describe('Brought forward: waited for the cloud when the day began'),
  waiting: z.number().describe('Carried forward: waited for the cloud when the day ended'),
} as const;

const boxStatement = z.object({
  kind: z.literal('day'),
  ...shared,
  timezone: z.string(),
  made_at: z.number(),
  after_seq: z.number(),
  through_seq: z.number().describe('The day is the stretch of the journal behind after_seq, up to here'),
  dropped: z.number().describe('Records of that stretch that the journal no longer held'),
  damaged: z.number().describe('Segments of it that could not be read'),
  devices: z.number(),
});

const deviceStatement = z.object({
  kind: z.literal('device'),
  ...shared,
  device: z.string(),
  said_by: z
    .enum(['its numbers', 'records received'])
    .describe('Whether the ids of its records count, so that a missing one shows'),
  refused_messages: z.number().optional(),
  unreadable: z.number().optional().describe('Messages that are not JSON'),
  numbers: z
    .object({
      from: z.number(),
      to: z.number(),
      gaps: z.array(z.tuple([z.number(), z.number()])).describe('The first 20'),
      earlier: z.number().describe('Records with a number before `from`'),
      restarted: z.boolean().describe('It began again at 0 or 1'),
    })
    .optional(),
  last_number: z.number().nullable(),
  repeated: z
    .array(z.tuple([z.number(), z.number()]))
    .optional()
    .describe('The seq of a message with a record that was stored before, and the seq of that one; the first 20'),
  first: z.number().nullable().describe("By the device's clock, in seconds"),
  last: z.number().nullable(),
  late: z.number().describe('Arrived more than 60 s late'),
  late_most_s: z.number().optional(),
  earlier_days: z.record(z.string(), z.number()).optional().describe('Arrived for earlier days: how many for each'),
  clock: z.object({
    state: z.enum(clockStates),
    offset_s: z.number().nullable(),
    within_s: z.number().nullable(),
  }),
  lost: z
    .number()
    .optional()
    .describe('Carried forward the day before, and neither confirmed nor parked nor waiting any more'),
  cloud_seq: z.number().nullable(),
});

const chain = {
  hash: z.string().nullable().describe('Null: the day is not over'),
  previous: z.string().nullable(),
} as const;
const boxLine = z.object({ ...chain, statement: boxStatement });
const deviceLine = z.object({ ...chain, statement: deviceStatement });
export type BoxStatementLine = Report<typeof boxLine>;
export type DeviceStatementLine = Report<typeof deviceLine>;

const headShape = z.object({ no: z.number(), day: z.string(), hash: z.string() });
export const statementHead = headShape
  .nullable()
  .describe('The newest daily statement, and the head of their chain: keep it elsewhere too. Null: there is none yet');

const verdict = z.object({
  holds: z.boolean(),
  broken: z.object({ day: z.string(), why: z.string() }).nullable(),
  days: z.number(),
  statements: z.number(),
  first: headShape.omit({ hash: true }).nullable(),
  last: headShape.nullable(),
  found: z.string().nullable().describe('The day of the statement with the hash that was asked for'),
});
export type StatementVerdictReport = Report<typeof verdict>;

const dayText = z.string().refine(isDay, 'not a day such as 2026-11-20');
const deviceText = z.string().max(80);
const deviceName = z.string().describe('Of the device that was asked for, today; empty: it has none');

const statementOperations = {
  month: operation({
    method: 'get',
    path: '/statements',
    role: 'viewer',
    ofWholeTables: true,
    summary: 'The daily statements of a month, of the box or of one device, newest first; today as it stands now',
    query: z.object({
      month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/),
      device_id: deviceText.optional(),
    }),
    returns: 'The statements',
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
    summary: 'The statement of a day: of the box, and of one device or of all',
    params: z.object({ day: dayText }),
    query: z.object({ device_id: deviceText.optional() }),
    returns: 'The statements',
    answer: z.object({ device_name: deviceName, head: statementHead, box: boxLine, devices: z.array(deviceLine) }),
    failures: { 404: 'There is no statement of that day' },
  }),
  verify: operation({
    method: 'get',
    path: '/statement-chain',
    role: 'viewer',
    summary: 'Computes the chain of all daily statements again, and names the first day that does not hold',
    query: z.object({
      head: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional()
        .describe('A hash that was kept elsewhere: is it in the chain?'),
    }),
    returns: 'The verdict',
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
