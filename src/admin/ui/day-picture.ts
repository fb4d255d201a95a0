import { z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import type { UnixSeconds } from '../../runtime/clock.ts';
import { dayOf, wallTime } from '../../runtime/wall-time.ts';
import {
  type DayReads,
  type Device,
  type DeviceNo,
  type HistoryPoint,
  type HistoryReads,
  historyLength,
  historyStepMs,
  type ReadPart,
} from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { boxOfDevices, devicesChosen } from '../box-of-devices.ts';
import { ringFor } from '../history.ts';
import { operation, type Report, type Running } from '../operation.ts';
import { begunDay, dayQuery, noSuchDay } from './begun-day.ts';
import type { DeviceParts } from './device-rows.ts';
import { deviceState } from './device-selection.ts';

const stretch = z.object({ from: z.number(), to: z.number() });
type Stretch = z.output<typeof stretch>;

const dayPicture = z.object({
  day: z.string().describe(described('Of the site', '站点的')),
  from: z.number().describe(described('First second of the day', '当天的第一秒')),
  to: z.number().describe(described('First second of the next', '次日的第一秒')),
  now: z
    .number()
    .describe(
      described(
        'How far the day has come, in seconds; the end of a day that is over',
        '当天已到何时，秒；已过去的日期为其结束',
      ),
    ),
  part_s: z.number().describe(described('How long a part of the day is', '每段的长度')),
  checkins: z
    .array(z.number())
    .describe(described('In each part, by the time that the devices said', '每段的打卡数，按设备所报的时间')),
  people: z.number().describe(described('Of whom there are check-ins', '有打卡的人数')),
  day_before: z.array(z.number()).describe(described('The check-ins of the day before', '前一天的打卡')),
  week_before: z.array(z.number()).describe(described('The same of the day a week before', '一周前同一天的打卡')),
  waiting: z
    .array(z.number().nullable())
    .describe(
      described(
        'The most records that waited for the cloud in each part; null: the box did not run, has no cloud, or is a box below',
        '每段中等待云平台的最多记录数；null：网关未运行、没有云平台，或查询的是下级网关',
      ),
    ),
  line_cuts: z
    .array(stretch)
    .describe(
      described(
        'When the line was down; by the hour where the minutes are no longer kept',
        '线路中断的时段；按分钟的数据已不保存时按小时',
      ),
    ),
  box_off: z.array(stretch).describe(described('When the box did not run', '网关未运行的时段')),
  devices: z.array(
    z.object({
      device_id: z.string(),
      name: z.string(),
      state: deviceState
        .nullable()
        .describe(described('Now; null for a day that is over', '现在；已过去的日期为 null')),
      hours: z
        .array(z.number().nullable())
        .describe(described('The share of each hour in which it was online', '每小时在线的比例')),
    }),
  ),
  devices_left_out: z
    .number()
    .describe(
      described(
        'Those that were online most of the time, where there are too many to draw',
        '数量太多无法全部画出时，为在线时间最长的设备',
      ),
    ),
});
export type DayPictureReport = Report<typeof dayPicture>;

export const dayPictureOperations = {
  report: operation({
    method: 'get',
    path: '/day',
    role: 'viewer',
    ofWholeTables: true,
    summary: described(
      'A day as a picture: check-ins, what waited, when the line was cut or the box was off, its devices',
      '某一天的图：打卡、等待上传的记录、线路中断和网关停机的时段、设备',
    ),
    query: z.object({
      day: dayQuery,
      box: boxOfDevices.optional(),
    }),
    returns: described('The picture', '当天的图'),
    answer: dayPicture,
    failures: noSuchDay,
  }),
};

type Parts = Omit<DeviceParts, 'upstream'> & {
  readonly store: ReadPart<DayReads & HistoryReads>;
  readonly clock: { now(): number };
  readonly config: Pick<Config, 'site'>;
};

/** A minute with a smaller share of the line is a cut: half a minute may lie in two of them. */
const minuteUp = 0.8;
const partSeconds = 15 * 60;
const devicesMax = 200;
const daySeconds = 24 * 3600;

export const dayPictures = (parts: Parts): Running<typeof dayPictureOperations> => ({
  async report({ day: asked, box } = {}) {
    const { store, clock, config } = parts;
    const { timezone } = config.site;
    const today = dayOf(clock.now(), timezone);
    const day = begunDay(asked, today.day);
    const { from, to } = wallTime(timezone).dayBounds(day);
    const now = Math.min(to, Math.floor(clock.now() / 1000));
    const chosen = devicesChosen(store.directory, box);
    const isBelow = box !== undefined && box !== 'here';
    const countsOf = (daysAgo: number) => {
      const before = dayOf((from - daysAgo * daySeconds + daySeconds / 2) * 1000, timezone);
      return store.read.checkinCounts({ from: before.from, to: before.to, partSeconds, ...chosen });
    };
    const [checkins, people, dayBefore, weekBefore, lived, devices] = await Promise.all([
      countsOf(0),
      store.read.checkinPeople({ from, to, ...chosen }),
      countsOf(1),
      countsOf(7),
      isBelow ? ofBoxBelow(from, now) : livedIn(parts, from, now),
      isBelow ? noDevices : devicesOf(parts, { from, now, isToday: day === today.day, ...chosen }),
    ]);
    return {
      day,
      from,
      to,
      now,
      part_s: partSeconds,
      checkins,
      people,
      day_before: dayBefore,
      week_before: weekBefore,
      ...lived,
      ...devices,
    };
  },
});

/** Backlog, and times at which the line or the box was away. */
async function livedIn({ store, clock }: Parts, from: UnixSeconds, now: UnixSeconds) {
  const ring = ringFor(from * 1000, clock.now());
  const stepSeconds = historyStepMs[ring] / 1000;
  const span = { ring, from: from * 1000, to: now * 1000 };
  const points = await store.read.history(span);
  const waiting: (number | null)[] = Array.from({ length: Math.ceil((now - from) / partSeconds) }, () => null);
  for (const point of points) {
    const first = Math.max(0, Math.floor((point.at / 1000 - from) / partSeconds));
    const parts = Math.max(1, stepSeconds / partSeconds);
    for (let part = first; part < Math.min(waiting.length, first + parts); part++)
      if (point.waiting !== null) waiting[part] = Math.max(waiting[part] ?? 0, point.waiting);
  }
  const cuts = points.filter(point => (lineShareOf(point) ?? 1) < (ring === 'minute' ? minuteUp : 0.5));
  const alive = { ring, from: from * 1000 - historyLength.minute * historyStepMs.minute, to: from * 1000 };
  const isOlder = points.length > 0 && (await store.read.history({ ...alive, ring: 'hour' })).length > 0;
  return {
    waiting,
    line_cuts: joined(cuts, stepSeconds, from, now),
    box_off: gapsOf(points, stepSeconds, isOlder ? from : (points[0]?.at ?? now * 1000) / 1000, now),
  };
}

/**
 * Answer for a box below, which alone keeps its backlog, and whether it and its devices are online.
 */
const noDevices = { devices: [], devices_left_out: 0 };
const ofBoxBelow = (from: UnixSeconds, now: UnixSeconds): Awaited<ReturnType<typeof livedIn>> => ({
  waiting: Array.from({ length: Math.ceil((now - from) / partSeconds) }, () => null),
  line_cuts: [],
  box_off: [],
});

const lineShareOf = ({ lineSeconds, minutes }: HistoryPoint): number | null =>
  lineSeconds === null ? null : lineSeconds / (minutes * 60);

/** Points that follow each other as one stretch. */
function joined(points: readonly HistoryPoint[], stepSeconds: number, from: number, now: number): Stretch[] {
  const found: Stretch[] = [];
  for (const { at } of points) {
    const begin = at / 1000;
    const last = found.at(-1);
    if (last && begin <= last.to) last.to = begin + stepSeconds;
    else found.push({ from: begin, to: begin + stepSeconds });
  }
  return found.map(one => ({ from: Math.max(from, one.from), to: Math.min(now, one.to) }));
}

/**
 * Where at least two points are missing: one is lost when the box is started again, and the newest
 * is not kept yet.
 */
function gapsOf(points: readonly HistoryPoint[], stepSeconds: number, from: number, now: number): Stretch[] {
  const found: Stretch[] = [];
  let next = from;
  for (const at of [...points.map(point => point.at / 1000), now]) {
    if (at - next >= 2 * stepSeconds) found.push({ from: next, to: at });
    next = at + stepSeconds;
  }
  return found;
}

async function devicesOf(
  parts: Parts,
  {
    from,
    now,
    isToday,
    deviceNos,
  }: {
    readonly from: UnixSeconds;
    readonly now: UnixSeconds;
    readonly isToday: boolean;
    readonly deviceNos?: ReadonlySet<DeviceNo>;
  },
) {
  const { store } = parts;
  const devices = [...store.directory.devices()].filter(
    ({ firstSeenAt, deviceNo }) => firstSeenAt < now * 1000 && (deviceNos?.has(deviceNo) ?? true),
  );
  const kept = await store.read.onlineHours({ from: from * 1000, to: now * 1000 });
  const length = Math.ceil((now - from) / 3600);
  const rows = devices.map((device: Device) => {
    const hours: (number | null)[] = Array.from({ length }, () => null);
    let away = 0;
    for (const { at, minutes, online } of kept) {
      const hour = Math.floor((at / 1000 - from) / 3600);
      // A zone that is off by half an hour has its first hour before the day.
      if (hour < 0) continue;
      const share = Math.min(1, (online[device.deviceNo] ?? 0) / minutes);
      hours[hour] = Math.round(share * 100) / 100;
      away += 1 - share;
    }
    const { deviceId, name } = device;
    return { away, row: { device_id: deviceId, name, state: isToday ? parts.devices.stateOf(device) : null, hours } };
  });
  const drawn =
    rows.length <= devicesMax ? rows : rows.sort((one, other) => other.away - one.away).slice(0, devicesMax);
  return {
    devices: drawn.map(({ row }) => row).sort((one, other) => (one.device_id < other.device_id ? -1 : 1)),
    devices_left_out: rows.length - drawn.length,
  };
}
