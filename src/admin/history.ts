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
  step_s: z.number().describe('How long a step is'),
  from: z.number().describe('When the first step begins, in seconds'),
  values: z
    .array(z.number().nullable())
    .describe(
      'Of each step the most that waited, the records in a second, the milliseconds that 99 of 100 acknowledgements kept, the least that was free, the highest temperature, the share of the time in which the line was up, the devices that were online on average. Null: the box did not run, or has no such figure',
    ),
});

const deviceHours = z.object({
  device_id: z.string(),
  from: z.number().describe('When the first hour begins, in seconds'),
  hours: z
    .array(z.number().nullable())
    .describe('The share of each hour in which it was online; null: the box did not run'),
});

const deviceClock = z.object({
  device_id: z.string(),
  from: z.number().describe('When the first part begins, in seconds'),
  part_s: z.number().describe('How long a part is'),
  low_ms: z
    .array(z.number().nullable())
    .describe("How far its clock is ahead of the box's at least; null: no record came"),
  high_ms: z.array(z.number().nullable()).describe('And at most; null: not known either'),
  late_ms: z
    .array(z.number().nullable())
    .describe('For how long the record that was longest on its way was so, at least'),
});

export const historyOperations = {
  report: operation({
    method: 'get',
    path: '/history',
    role: 'viewer',
    summary: 'How the box fared: by the minute for 48 hours, by the hour for 400 days',
    query: z.object({
      what: z.enum(kinds),
      from: z.coerce
        .number<number>()
        .int()
        .min(0)
        .optional()
        .describe('In seconds; a day before the end if it is left out'),
      to: z.coerce.number<number>().int().min(0).optional().describe('In seconds; now if it is left out'),
      points: z.coerce.number<number>().int().min(1).max(pointsMax).default(600).describe('How many steps at most'),
    }),
    returns: 'The steps, oldest first',
    answer: history,
    failures: { 422: 'The span has no length' },
  }),
  device: operation({
    method: 'get',
    path: '/devices/{id}/hours',
    role: 'viewer',
    summary: 'For how much of each hour a device was online',
    params: z.object({ id: z.string() }),
    query: z.object({ days: z.coerce.number<number>().int().min(1).max(deviceDaysMax).default(14) }),
    returns: 'The hours, oldest first; the last one runs',
    answer: deviceHours,
    failures: { 404: 'No such device' },
  }),
  clock: operation({
    method: 'get',
    path: '/devices/{id}/clock',
    role: 'viewer',
    summary: 'What the records of a device said of its clock and of their delay, over the last days',
    params: z.object({ id: z.string() }),
    query: z.object({ days: z.coerce.number<number>().int().min(1).max(deviceDaysMax).default(14) }),
    returns: 'The parts, oldest first',
    answer: deviceClock,
    failures: { 404: 'No such device' },
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
