import { z } from '@hono/zod-openapi';
import type { Attendance } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Devices } from '../../devices/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { Services } from '../../services/index.ts';
import type {
  Device,
  DeviceReads,
  DirectoryStore,
  GatewayReads,
  GrantReads,
  OrganizationReads,
  PeopleReads,
  PersonRow,
  ReadPart,
  Seq,
  SignedCallReads,
  StatementReads,
} from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { operation, type Report, type Running } from '../operation.ts';
import { refusalReport } from '../status.ts';
import { loginRefusal } from '../status-shapes.ts';
import { type CallerReport, callerReport } from './callers.ts';
import { deviceState } from './device-selection.ts';
import { refusedCall, refusedCallsOf } from './integrations.ts';
import { refusedDevices } from './refused-devices.ts';
import { questionOf } from './search-question.ts';

/** Of each group, so that all of them fit on a screen. */
const groupMax = 6;
/** Matching people that are put in order; the best are shown. */
const peopleLookedAt = 50;

const searchReport = z.object({
  about: z
    .string()
    .describe(
      described('What the question is about, without the words of the question', '问题所指的内容，不含提问的词'),
    ),
  asks_why: z.boolean().describe(described('It asks why something was refused', '问的是为什么被拒绝')),
  refused_devices: z.array(
    loginRefusal.extend({
      device: z.string().describe(described('Its name; empty: it has none', '其名称；空：没有')),
      let_in_at: z
        .number()
        .nullable()
        .describe(described('When it was let in since; null: it was not', '此后接入的时间；null：尚未接入')),
    }),
  ),
  refused_calls: z.array(
    refusedCall.pick({
      kind: true,
      caller: true,
      at: true,
      mistake: true,
      message: true,
      named: true,
      count: true,
      address: true,
    }),
  ),
  people: z.array(z.object({ ext_id: z.string(), name: z.string(), employee_num: z.string(), department: z.string() })),
  day: z.string().nullable().describe(described('The day that was named with a person', '与人员一同给出的日期')),
  devices: z.array(z.object({ device_id: z.string(), name: z.string(), state: deviceState })),
  callers: z.array(callerReport.pick({ kind: true, id: true, name: true })),
  records: z.array(
    z.object({
      seq: z.number(),
      kind: z.enum(['checkin', 'access', 'message', 'log']),
      device_id: z.string(),
      device: z.string(),
      at: z.number().describe(described('When it was received', '收到的时间')),
    }),
  ),
  more: z
    .array(z.enum(['people', 'devices']))
    .describe(described(`Groups of which more than ${groupMax} match`, `有 ${groupMax} 条以上符合的类别`)),
});
export type SearchReport = Report<typeof searchReport>;

export const searchOperations = {
  search: operation({
    method: 'get',
    path: '/search',
    role: 'viewer',
    summary: described(
      `People, devices, callers, records and refusals by a name, an id, or a question such as "why was D0014 refused"; at most ${groupMax} of each`,
      `按名称、编号或问题（如“D0014 为什么被拒绝”）搜索人员、设备、程序、记录和拒绝，每类最多 ${groupMax} 条`,
    ),
    query: z.object({ q: z.string().max(100).default('') }),
    returns: described('What was found, the best first', '搜索结果，最符合的在前'),
    answer: searchReport,
  }),
};

interface SearchParts {
  /** Pages were opened from this address lately. */
  readonly isBrowser?: (address: string) => boolean;
  readonly store: ReadPart<
    DeviceReads &
      GatewayReads &
      Pick<PeopleReads, 'people'> &
      Pick<StatementReads, 'receipt'> &
      Pick<OrganizationReads, 'attendanceCaller'> &
      Pick<SignedCallReads, 'app'> &
      Pick<GrantReads, 'oauthClient'>
  > &
    DirectoryStore;
  readonly attendance: Pick<Attendance, 'status'>;
  readonly services: Pick<Services, 'refusedCalls'>;
  readonly devices: Pick<Devices, 'stateOf'>;
  readonly clock: Clock;
  readonly config: Pick<Config, 'site'>;
}

/** One search over what the box knows. What it returns holds no mobile number and no secret. */
export function search(parts: SearchParts): Running<typeof searchOperations> {
  const { store, clock, config } = parts;
  return {
    async search({ q }) {
      const { about, asksWhy, day, record } = questionOf(q, dayOf(clock.now(), config.site.timezone).day);
      const needle = about.toLowerCase();
      const isAsked = needle !== '';
      const [refusedNow, people, callers, receipt] = await Promise.all([
        isAsked || asksWhy ? refusedDevices(parts, { about: needle, max: groupMax }) : { rows: [] },
        isAsked && !asksWhy ? store.read.people({ text: about, limit: peopleLookedAt }) : [],
        isAsked ? callersWith(parts, about) : [],
        record === null ? null : store.read.receipt({ seq: record as Seq }),
      ]);
      const matching = isAsked ? ranked([...store.directory.devices()], needle, namesOfDevice) : [];
      const shownDevices = matching.slice(0, groupMax);
      const foundPeople = ranked(
        people.filter(({ extId }) => extId !== ''),
        needle,
        namesOfPerson,
      );
      const deviceName = (id: string | null) =>
        (id === null ? undefined : shownDevices.find(({ deviceId }) => deviceId === id))?.name ?? '';
      const letIn = asksWhy && refusedNow.rows.length === 0 ? await letInSince(parts, shownDevices) : [];
      return {
        about,
        asks_why: asksWhy,
        refused_devices: [
          ...refusedNow.rows.map(({ device_id, ...row }) => ({
            ...loginRefusal.parse(row),
            device: deviceName(device_id),
            let_in_at: null,
          })),
          ...letIn,
        ],
        refused_calls:
          isAsked || asksWhy
            ? refusedCallsOf(parts)
                .filter(call => [call.caller, call.address].some(text => text.toLowerCase().includes(needle)))
                .slice(0, groupMax)
                .map(({ kind, caller, at, mistake, message, named, count, address }) => ({
                  ...{ kind, caller, at, mistake, message, named, count, address },
                }))
            : [],
        people: foundPeople.slice(0, groupMax).map(row => ({
          ext_id: row.extId,
          name: row.name,
          employee_num: row.employeeNum,
          department: row.department || config.site.name,
        })),
        day,
        devices: shownDevices.map(device => ({
          device_id: device.deviceId,
          name: device.name,
          state: parts.devices.stateOf(device),
        })),
        callers,
        records: receipt && receipt.seq > 0 ? [recordOf(receipt, store.directory)] : [],
        more: [
          ...(foundPeople.length > groupMax ? (['people'] as const) : []),
          ...(matching.length > groupMax ? (['devices'] as const) : []),
        ],
      };
    },
  };
}

const namesOfDevice = ({ deviceId, name }: Device): string[] => [
  name,
  deviceId,
  deviceId.slice(deviceId.indexOf('_') + 1),
];
const namesOfPerson = ({ name, extId, employeeNum }: PersonRow): string[] => [name, employeeNum, extId];

/** Those of which a name contains the text: equal names first, then those that begin with it. */
function ranked<T>(all: readonly T[], needle: string, namesOf: (one: T) => readonly string[]): T[] {
  const groups: [T[], T[], T[], T[]] = [[], [], [], []];
  for (const one of all) {
    const places = namesOf(one).map(name => {
      const lower = name.toLowerCase();
      if (lower === needle) return 0;
      if (lower.startsWith(needle)) return 1;
      return lower.includes(needle) ? 2 : 3;
    });
    groups[Math.min(...places) as 0 | 1 | 2 | 3].push(one);
  }
  return [...groups[0], ...groups[1], ...groups[2]];
}

/** Programs with this very id, of each kind. */
async function callersWith({ store }: SearchParts, id: string): Promise<Pick<CallerReport, 'kind' | 'id' | 'name'>[]> {
  const [attendance, services, oauth] = await Promise.all([
    store.read.attendanceCaller(id),
    store.read.app(id),
    store.read.oauthClient(id),
  ]);
  return [
    ...(attendance ? [{ kind: 'attendance' as const, id, name: attendance.name }] : []),
    ...(services ? [{ kind: 'services' as const, id, name: services.name }] : []),
    ...(oauth ? [{ kind: 'oauth' as const, id, name: oauth.name }] : []),
  ];
}

/** The last refusal of devices that were let in since. */
async function letInSince(
  { store }: SearchParts,
  devices: readonly Device[],
): Promise<SearchReport['refused_devices']> {
  const found = await Promise.all(
    devices.map(async ({ deviceId, deviceNo, name }) => {
      const [[note], cameAt] = await Promise.all([
        store.read.refusals({ clientId: deviceId, limit: 1 }),
        store.read.lastConnected(deviceNo),
      ]);
      return note ? [{ ...refusalReport(note), device: name, let_in_at: cameAt }] : [];
    }),
  );
  return found.flat();
}

function recordOf(
  { seq, kind, deviceNo, receivedAt }: NonNullable<Awaited<ReturnType<StatementReads['receipt']>>>,
  directory: DirectoryStore['directory'],
): SearchReport['records'][number] {
  const device = directory.deviceByNo(deviceNo);
  return {
    ...{ seq, kind, at: receivedAt },
    device_id: device?.deviceId ?? `#${deviceNo}`,
    device: device?.name ?? '',
  };
}
