import { type CalendarKind, Plans } from '../../../src/attendance/schedules/plan.ts';
import { punchList } from '../../../src/attendance/schedules/punch-list.ts';
import {
  type DayResult,
  defaultRules,
  type Punch,
  type PunchUse,
  type Reported,
  type ScheduleRules,
  type SegmentResult,
} from '../../../src/attendance/schedules/result.ts';
import { marginDays, resultsOf } from '../../../src/attendance/schedules/results.ts';
import type { Shift, ShiftSegment } from '../../../src/platform/shifts.ts';
import type { Stint, Stints } from '../../../src/platform/stints.ts';
import { addDays } from '../../../src/runtime/calendar-date.ts';
import { type WallTime, wallTime } from '../../../src/runtime/wall-time.ts';
import type { DayOverride, DeviceNo, Leave, RosterRule } from '../../../src/store/index.ts';

/**
 * The examples of the research in its own short form: `08:55 / 06:00` are punches of a date and of
 * the next one; `08:55-06:00 480/480 L6` is a start, an end, minutes worked of those planned, and
 * whatever else is not nought.
 */

const clockTime = (text: string): number => {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text)!;
  return Number(hours) * 60 + Number(minutes);
};

const segment = (times: string, before: number, after: number): ShiftSegment => {
  const [on, off] = times.split('-').map(clockTime) as [number, number];
  return { on, off: off <= on ? off + 1440 : off, before, after, needIn: true, needOut: true };
};

const shift = (code: string, segments: readonly ShiftSegment[], more: Partial<Shift> = {}): Shift => ({
  code,
  name: code,
  validFrom: '0000-01-01',
  kind: 'fixed',
  segments,
  breaks: [],
  lateGrace: 5,
  earlyGrace: 5,
  flexLate: 0,
  flexEarly: 0,
  lateOffLateOn: [],
  requiredMinutes: 0,
  overtime: { before: false, after: true, min: 30, step: 30 },
  counting: 'first_last',
  ...more,
});

const noon = { breaks: [{ from: 720, to: 780, paid: false }] };
const day = [segment('09:00-18:00', 180, 360)];

export const shifts: readonly Shift[] = [
  shift('D', day, noon),
  shift('N', [segment('22:00-06:00', 120, 240)]),
  shift('S', [segment('08:00-12:00', 120, 180), segment('14:00-18:00', 120, 180)]),
  shift('C', [segment('08:00-16:00', 120, 240), segment('16:00-24:00', 120, 240)]),
  /** Y and Z follow each other over midnight, on two dates. */
  shift('Y', [segment('16:00-24:00', 120, 240)]),
  shift('Z', [segment('00:00-08:00', 120, 240)]),
  shift('X', day, { ...noon, kind: 'flexible', flexLate: 60, flexEarly: 60 }),
  shift('K', [segment('18:00-07:00', 60, 60)]),
  shift('E', [segment('14:00-20:00', 60, 60)]),
  /** D with punches in pairs. */
  shift('P', day, { ...noon, counting: 'pairs' }),
  /** D that begins 30 minutes later after an evening that was 60 minutes longer. */
  shift('R', day, { ...noon, lateOffLateOn: [{ stayed: 60, later: 30 }] }),
  /** A night that begins in the hour that a clock skips. */
  shift('G', [segment('02:30-10:30', 120, 240)]),
  shift('F', [], { kind: 'free', requiredMinutes: 480 }),
];

const week = (code: string): (string | null)[] => [code, code, code, code, code, null, null];

export interface Case {
  /** The first date; 16 November 2026 is a Monday. */
  readonly on?: string;
  readonly zone?: string;
  /** The clocks by which the punches are written, if they are others. */
  readonly punchedIn?: string;
  readonly rules?: Partial<ScheduleRules>;
  readonly roster?: readonly Partial<RosterRule>[];
  readonly overrides?: readonly Pick<DayOverride, 'date' | 'what'>[];
  readonly employment?: Stint & Partial<Stints>;
  readonly leave?: Pick<Leave, 'from' | 'to'>;
  readonly calendar?: Readonly<Record<string, CalendarKind>>;
  readonly clock?: Punch['clock'];
  /** Times of corrections that wait for approval. */
  readonly asked?: string;
  /** Local time of the site at which it is asked; absent: long after. */
  readonly now?: string;
  /** Since when a terminal is silent. */
  readonly silentSince?: string;
}

const silentTerminal = 3 as DeviceNo;

const rule = (more: Partial<RosterRule>): RosterRule => ({
  id: 1,
  target: { kind: 'site' },
  cycle: [],
  anchor: '2026-01-05',
  from: '2000-01-01',
  to: null,
  recordedAt: 0,
  recordedBy: 'anna',
  ...more,
});

/** `D D`: shifts of the first date and of those after it; `week D`: of Monday to Friday. */
const cycleOf = (plan: string, on: string): Partial<RosterRule> => {
  const [first, second] = plan.split(' ') as [string, string?];
  if (first === 'week') return { cycle: week(second!) };
  // No whole weeks, so that the holidays change nothing.
  const codes: (string | null)[] = plan.split(' ');
  return { cycle: [...codes, ...Array.from({ length: 29 - codes.length }, () => null)], anchor: on };
};

/**
 * `08:55 12:02:30`; `02:30'` is the second 02:30 of a night, `18:00+` was added, `09:40x` set aside,
 * `00:20<` moved to the date before its own, `00:20=` to its own, `23:50>` to the date after it.
 */
function punchesOf(text: string, on: string, wall: WallTime, clock: Punch['clock'] = null): Punch[] {
  return text.split('/').flatMap((ofDay, days) =>
    ofDay
      .trim()
      .split(/\s+/)
      .filter(one => one !== '')
      .map((one, place): Punch => {
        const seconds = Number(/^\d\d:\d\d:(\d\d)/.exec(one)?.[1] ?? 0);
        const date = addDays(on, days);
        const isSecond = one.includes("'");
        const at =
          (isSecond ? wall.shownAt(`${date}T${one.slice(0, 5)}`)[1]! : wall.instant(date, clockTime(one))) + seconds;
        const isAdded = one.includes('+');
        const isSetAside = one.includes('x');
        const moved = ['<', '=', '>'].indexOf(one.at(-1)!);
        return {
          id: days * 100 + place + 1,
          at,
          deviceNo: (isAdded ? -1 : 1 + (place % 2)) as DeviceNo,
          checkType: isAdded ? 'reissue' : 'fa',
          receivedAt: at * 1000,
          clock,
          source: isAdded ? 'added' : 'device',
          isSetAside,
          workDate: moved < 0 ? null : addDays(on, days + moved - 1),
          correctionId: isAdded || isSetAside || moved >= 0 ? 7 : null,
        };
      }),
  );
}

/** The results of as many dates as are asked for. */
export function dayResults(plan: string, punches: string, days: number, more: Case = {}): DayResult[] {
  const { on = '2026-11-16', zone = 'Asia/Shanghai' } = more;
  const wall = wallTime(zone);
  const [first, last] = [on, addDays(on, days - 1)];
  const roster = more.roster ?? [cycleOf(plan, on)];
  const plans = new Plans({
    shifts,
    rules: roster.map((one, place) => rule({ id: place + 1, ...one })),
    overrides: (more.overrides ?? []).map((one, place) => ({
      id: place + 1,
      target: { kind: 'site' },
      reason: '',
      ...one,
    })),
    calendar: date => more.calendar?.[date] ?? null,
  });
  const person = {
    extId: 'p1',
    places: [{ to: '9999-12-31', chain: ['hall', 'plant'] }],
    employment: more.employment ? { earlier: [], ...more.employment } : null,
  };
  const now = (more.now ? wall.read(more.now) : wall.instant(on, 30 * 1440)) * 1000;
  const reported: Reported = more.silentSince
    ? { until: wall.read(more.silentSince) * 1000, deviceNo: silentTerminal }
    : { until: now, deviceNo: null };
  return resultsOf({
    wall,
    from: first,
    to: last,
    plan: plans.of(person, addDays(first, -marginDays), addDays(last, marginDays)),
    punches: punchList(punchesOf(punches, on, wallTime(more.punchedIn ?? zone), more.clock ?? null)),
    asked: more.asked ? punchesOf(more.asked, on, wall) : [],
    leaves: more.leave ? [{ ...more.leave, state: 'approved' }] : [],
    reported: () => reported,
    now,
    rules: { ...defaultRules, ...more.rules },
  });
}

/** The days in the short form. */
export function shown(days: readonly DayResult[], zone = 'Asia/Shanghai'): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium' });
  const time = (at: number): string => format.format(at * 1000).replace(/:00$/, '');
  const minute = (at: number | undefined): string => (at === undefined ? '?' : format.format(at * 1000).slice(0, 5));
  const word = (text: string): string => text.replaceAll('_', ' ');

  const ofSegment = ({ in: start, out, state, minutes, flags, waitsFor }: SegmentResult): string => {
    const isThere = start !== null || out !== null;
    const figures = { L: minutes.late, Y: minutes.early, O: minutes.overtimeWorkday, H: minutes.overtimeHoliday };
    return [
      ...(isThere ? [`${minute(start?.at)}-${minute(out?.at)}`] : []),
      `${minutes.worked}/${minutes.planned}`,
      ...Object.entries(figures).flatMap(([name, value]) => (value > 0 ? [`${name}${value}`] : [])),
      ...(minutes.leave > 0 ? [`leave ${minutes.leave}`] : []),
      ...(state === 'ok' || state === 'leave' ? [] : [word(state)]),
      ...(waitsFor ? [`T-0${waitsFor.deviceNo} silent since ${time(waitsFor.since / 1000)}`] : []),
      ...flags.map(one => (one.minutes === null ? word(one.flag) : `${word(one.flag)} ${one.minutes}`)),
    ].join(' ');
  };
  const notesOf = (use: PunchUse, { segments }: DayResult): string[] => {
    const { punch, counted, role, reason, minutes, isSecondTime } = use;
    const of = use.segment === null ? undefined : segments[use.segment];
    if (punch.id === of?.in?.punchId && role === 'in')
      return punch.source === 'added' ? [`${time(counted)} added`] : [];
    if (punch.id === of?.out?.punchId && role === 'out')
      return punch.source === 'added' ? [`${time(counted)} added`] : [];
    const why = reason === null ? word(role) : role === 'unplaced' ? word(reason) : `${role} ${word(reason)}`;
    return [`${time(counted)}${isSecondTime ? ' (2nd)' : ''} ${minutes === null ? '' : `${minutes} min `}${why}`];
  };
  return days
    .map(result => {
      const { kind, segments, minutes, flags, punches } = result;
      const head =
        segments.length > 0
          ? segments.map(ofSegment).join(' + ')
          : [
              word(kind),
              ...(minutes.overtimeRest > 0 ? [`R${minutes.overtimeRest}`] : []),
              ...(minutes.overtimeHoliday > 0 ? [`H${minutes.overtimeHoliday}`] : []),
            ].join(' ');
      return [head, ...flags.map(({ flag }) => word(flag)), ...punches.flatMap(one => notesOf(one, result))].join('; ');
    })
    .join(' / ');
}
