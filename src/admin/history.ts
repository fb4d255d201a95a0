import { z } from '@hono/zod-openapi';
import type { Clock } from '../runtime/clock.ts';
import { addPackedWaits, waitBuckets, waitOfShare } from '../runtime/wait-times.ts';
import {
  type DirectoryStore,
  type HistoryPoint,
  type HistoryReads,
  type HistoryRing,
  historyLength,
  historyStepMs,
  type ReadPart,
} from '../store/index.ts';
import { described } from '../words/described.ts';
import { knownDevice } from './known-device.ts';
import { operation, type Running } from './operation.ts';
import { refused } from './problem.ts';

/** How one value comes out of the minutes or hours of a step; null: there is none. */
type Sum = (points: readonly HistoryPoint[]) => number | null;

const of = (points: readonly HistoryPoint[], take: (point: HistoryPoint) => number | null): number[] =>
  points.map(take).filter(value => value !== null);
const largest = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values));
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const minutesIn = (points: readonly HistoryPoint[]): number => sum(points.map(({ minutes }) => minutes));

const sums = {
  waiting: points => largest(of(points, ({ waiting }) => waiting)),
  rate: points => sum(points.map(({ records }) => records)) / (minutesIn(points) * 60),
  acknowledgement: points => {
    const counts = new Float64Array(waitBuckets);
    for (const { waits } of points) addPackedWaits(waits, counts);
    return waitOfShare(counts, 0.99);
  },
  disk: points => {
    const free = of(points, ({ freeBytes }) => freeBytes);
    return free.length === 0 ? null : Math.min(...free);
  },
  temperature: points => {
    const tenths = largest(of(points, ({ temperatureTenths }) => temperatureTenths));
    return tenths === null ? null : tenths / 10;
  },
  line: points => {
    const seconds = of(points, ({ lineSeconds }) => lineSeconds);
    return seconds.length === 0 ? null : sum(seconds) / (minutesIn(points) * 60);
  },
  devices: points => sum(points.map(({ online }) => online)) / minutesIn(points),
} as const satisfies Record<string, Sum>;
export type HistoryOf = keyof typeof sums;
const kinds = Object.keys(sums) as [HistoryOf, ...HistoryOf[]];

const pointsMax = 2000;
const deviceDaysMax = 62;
const dayMs = 24 * 3600_000;
/** Of an hour each over two weeks. */
const clockParts = 14 * 24;

const history = z.object({
  what: z.enum(kinds),
  step_s: z.number().describe(described('How long a step is', '每段的长度')),
  from: z.number().describe(described('When the first step begins, in seconds', '第一段的起点，秒')),
  values: z
    .array(z.number().nullable())
    .describe(
      described(
        'Of each step the most that waited, the records in a second, the milliseconds that 99 of 100 acknowledgements kept, the least that was free, the highest temperature, the share of the time in which the line was up, the devices that were online on average. Null: the box did not run, or has no such figure',
        '每段中：等待的最多记录数、每秒记录数、100 次应答中 99 次所用的毫秒数以内、最少剩余空间、最高温度、线路接通的比例、平均在线设备数。null：网关未运行，或没有这项数据',
      ),
    ),
});

const deviceHours = z.object({
  device_id: z.string(),
  from: z.number().describe(described('When the first hour begins, in seconds', '第一个小时的起点，秒')),
  hours: z
    .array(z.number().nullable())
    .describe(
      described(
        'The share of each hour in which it was online; null: the box did not run',
        '每小时在线的比例；null：网关未运行',
      ),
    ),
});

const deviceClock = z.object({
  device_id: z.string(),
  from: z.number().describe(described('When the first part begins, in seconds', '第一段的起点，秒')),
  part_s: z.number().describe(described('How long a part is', '每段的长度')),
  low_ms: z
    .array(z.number().nullable())
    .describe(
      described(
        "How far its clock is ahead of the box's at least; null: no record came",
        '其时钟比网关至少快多少；null：没有记录',
      ),
    ),
  high_ms: z
    .array(z.number().nullable())
    .describe(described('And at most; null: not known either', '最多快多少；null：也不明')),
  late_ms: z
    .array(z.number().nullable())
    .describe(
      described('For how long the record that was longest on its way was so, at least', '在途最久的记录至少用了多久'),
    ),
});

export const historyOperations = {
  report: operation({
    method: 'get',
    path: '/history',
    role: 'viewer',
    summary: described(
      'How the box fared: by the minute for 48 hours, by the hour for 400 days',
      '网关的运行历史：48 小时内按分钟，400 天内按小时',
    ),
    query: z.object({
      what: z.enum(kinds),
      from: z.coerce
        .number<number>()
        .int()
        .min(0)
        .optional()
        .describe(described('In seconds; a day before the end if it is left out', '秒；缺省为结束前一天')),
      to: z.coerce
        .number<number>()
        .int()
        .min(0)
        .optional()
        .describe(described('In seconds; now if it is left out', '秒；缺省为现在')),
      points: z.coerce
        .number<number>()
        .int()
        .min(1)
        .max(pointsMax)
        .default(600)
        .describe(described('How many steps at most', '最多多少段')),
    }),
    returns: described('The steps, oldest first', '各段，最早的在前'),
    answer: history,
    failures: { 422: described('The span has no length', '时段的长度为零') },
  }),
  device: operation({
    method: 'get',
    path: '/devices/{id}/hours',
    role: 'viewer',
    summary: described('For how much of each hour a device was online', '设备每小时的在线时长'),
    params: z.object({ id: z.string() }),
    query: z.object({ days: z.coerce.number<number>().int().min(1).max(deviceDaysMax).default(14) }),
    returns: described('The hours, oldest first; the last one runs', '各小时，最早的在前；最后一个正在进行'),
    answer: deviceHours,
    failures: { 404: described('No such device', '没有此设备') },
  }),
  clock: operation({
    method: 'get',
    path: '/devices/{id}/clock',
    role: 'viewer',
    summary: described(
      'What the records of a device said of its clock and of their delay, over the last days',
      '最近若干天的记录所反映的设备时钟和延迟',
    ),
    params: z.object({ id: z.string() }),
    query: z.object({ days: z.coerce.number<number>().int().min(1).max(deviceDaysMax).default(14) }),
    returns: described('The parts, oldest first', '各段，最早的在前'),
    answer: deviceClock,
    failures: { 404: described('No such device', '没有此设备') },
  }),
};

export const historyAdmin = ({
  store,
  clock,
}: {
  readonly store: ReadPart<HistoryReads> & DirectoryStore;
  readonly clock: Clock;
}): Running<typeof historyOperations> => ({
  async report({ what, from, to, points }) {
    const now = clock.now();
    const end = Math.min(to === undefined ? now : to * 1000, now);
    const begin = Math.max(
      from === undefined ? end - dayMs : from * 1000,
      now - historyLength.hour * historyStepMs.hour,
    );
    if (begin >= end) throw refused(422, 'span', 'from: not before to, or longer ago than 400 days');
    const ring = ringFor(begin, now);
    const unit = historyStepMs[ring];
    const stepMs = Math.max(1, Math.ceil((end - begin) / points / unit)) * unit;
    const first = Math.floor(begin / stepMs) * stepMs;
    const steps: HistoryPoint[][] = Array.from({ length: Math.ceil((end - first) / stepMs) }, () => []);
    for (const point of await store.read.history({ ring, from: first, to: end }))
      steps[Math.floor((point.at - first) / stepMs)]?.push(point);
    return {
      what,
      step_s: stepMs / 1000,
      from: first / 1000,
      values: steps.map(points => (points.length === 0 ? null : rounded(sums[what](points)))),
    };
  },

  async device({ id, days }) {
    const { deviceNo, deviceId } = knownDevice({ store }, id);
    const now = clock.now();
    const hourMs = historyStepMs.hour;
    const from = Math.floor(now / hourMs - days * 24 + 1) * hourMs;
    const hours: (number | null)[] = Array.from({ length: days * 24 }, () => null);
    for (const { at, minutes, online } of await store.read.deviceHours({ deviceNo, from, to: now }))
      hours[(at - from) / hourMs] = rounded(Math.min(1, online / minutes));
    return { device_id: deviceId, from: from / 1000, hours };
  },

  async clock({ id, days }) {
    const { deviceNo, deviceId } = knownDevice({ store }, id);
    const now = clock.now();
    const partMs = (days * dayMs) / clockParts;
    const from = now - days * dayMs;
    const none = (): (number | null)[] => Array.from({ length: clockParts }, () => null);
    const [low, high, late] = [none(), none(), none()];
    for (const { part, lowMs, highMs, delayMs } of await store.read.deviceClockTrace({
      deviceNo,
      from,
      to: now,
      partMs,
    })) {
      low[part] = lowMs;
      high[part] = highMs;
      late[part] = Math.max(0, delayMs);
    }
    const start = { device_id: deviceId, from: Math.floor(from / 1000), part_s: partMs / 1000 };
    return { ...start, low_ms: low, high_ms: high, late_ms: late };
  },
});

/** The minutes while they reach back so far, else the hours. */
export const ringFor = (from: number, now: number): HistoryRing =>
  from >= now - historyLength.minute * historyStepMs.minute ? 'minute' : 'hour';

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 1000) / 1000);
