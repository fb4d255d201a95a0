import { type CalendarKind, Plans } from '../../../src/attendance/schedules/plan.ts';
import type { Punch, ScheduleRules } from '../../../src/attendance/schedules/result.ts';
import type { ClockBounds } from '../../../src/platform/device-clock.ts';
import type { Stints } from '../../../src/platform/stints.ts';
import { addDays, dayNumber } from '../../../src/runtime/calendar-date.ts';
import { type WallTime, wallTime } from '../../../src/runtime/wall-time.ts';
import type { DayOverride, DeviceNo, Leave, RosterRule } from '../../../src/store/index.ts';
import { seededRandom } from '../../support/clock.ts';
import { shifts } from './example-site.ts';

/**
 * A site over a season, made from a seed: shifts of every kind, rotas, holidays, leave, people who
 * come and go, forgotten and repeated punches, corrections; a terminal whose clock drifts, a box that
 * was off for a day, a line that was cut for three.
 */

export interface RawCorrection {
  readonly id: number;
  readonly kind: 'add' | 'set_aside' | 'undo';
  readonly checkInId: number;
  readonly at: number;
  readonly state: 'asked' | 'approved' | 'refused';
  readonly reverses: number | null;
}

export interface RandomPerson {
  readonly extId: string;
  /** In order: up to which date the person stood where. */
  readonly places: readonly { readonly to: string; readonly chain: readonly string[] }[];
  readonly employment: Stints | null;
  readonly leaves: readonly Pick<Leave, 'from' | 'to' | 'state'>[];
  readonly corrections: readonly RawCorrection[];
  /** In the order of receipt. */
  readonly punches: readonly Pick<Punch, 'id' | 'at' | 'deviceNo' | 'receivedAt' | 'clock'>[];
  readonly reportedUntil: number;
}

export interface RandomSite {
  readonly zone: string;
  readonly from: string;
  readonly to: string;
  readonly now: number;
  readonly rules: ScheduleRules;
  readonly shifts: typeof shifts;
  readonly rosterRules: readonly RosterRule[];
  readonly overrides: readonly DayOverride[];
  readonly calendar: Readonly<Record<string, CalendarKind>>;
  readonly people: readonly RandomPerson[];
}

function chances(seed: number) {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return {
    below,
    isOne: (chance: number): boolean => random() < chance,
    between: (low: number, high: number): number => low + below(high - low + 1),
    of: <T>(all: readonly T[]): T => all[below(all.length)]!,
  };
}
type Chances = ReturnType<typeof chances>;

const week = (code: string) => [code, code, code, code, code, null, null];

/** Each has its own plan; the cycles begin on a Monday. */
const departments: Readonly<Record<string, readonly (string | null)[]>> = {
  office: week('X'),
  sales: week('D'),
  nights: ['N', 'N', 'N', 'N', 'N', null, null],
  guards: ['K', null, 'E'],
  rota: ['N', 'N', null, null],
  changing: ['D', 'N', null],
  kitchen: week('S'),
  line: ['C', 'C', 'C', null],
  lab: week('F'),
  packing: week('P'),
  planning: week('R'),
  early: ['G', 'G', 'G', 'G', null],
};
const names = Object.keys(departments);
/** Its clock runs ahead by two seconds a day, and then some. */
const drifting = 4 as DeviceNo;

export function randomSite(
  seed: number,
  {
    people,
    days,
    from,
    zone,
    rules,
  }: { people: number; days: number; from: string; zone: string; rules: ScheduleRules },
): RandomSite {
  const chance = chances(seed);
  const wall = wallTime(zone);
  const dates = Array.from({ length: days }, (_, index) => addDays(from, index));
  const to = dates.at(-1)!;
  // A day under way, so that some slots are running and some to come.
  const now = wall.instant(to, 15 * 60 + 20) * 1000;
  const calendar: Record<string, CalendarKind> = {};
  for (const date of dates) {
    if (/-10-0[1-3]$|-09-25$/.test(date)) calendar[date] = 'legal_holiday';
    if (/-10-0[4-7]$|-09-2[67]$/.test(date)) calendar[date] = 'rest';
    if (/-09-20$|-10-10$/.test(date)) calendar[date] = 'makeup';
  }
  const site = { zone, from, to, now, rules, shifts, calendar };
  const rosterRules = rosterOf(chance, people, dates);
  const overrides = overridesOf(chance, people, dates);
  const plans = new Plans({ shifts, rules: rosterRules, overrides, calendar: date => calendar[date] ?? null });
  const all = Array.from({ length: people }, (_, index) => randomPerson(chance, index, { plans, dates, wall, now }));
  return { ...site, rosterRules, overrides, people: all };
}

function rosterOf(chance: Chances, people: number, dates: readonly string[]): RosterRule[] {
  const rule = (id: number, more: Partial<RosterRule>): RosterRule => ({
    id,
    target: { kind: 'site' },
    cycle: week('D'),
    anchor: '2026-01-05',
    from: '2000-01-01',
    to: null,
    recordedAt: id,
    recordedBy: 'anna',
    ...more,
  });
  const rules = [rule(1, {})];
  for (const name of names)
    rules.push(rule(rules.length + 1, { target: { kind: 'department', extId: name }, cycle: departments[name]! }));
  for (let changed = 0; changed < people / 10; changed++) {
    const target = { kind: 'person', extId: `p${chance.below(people)}` } as const;
    const first = chance.of(dates);
    const last = chance.isOne(0.5) ? addDays(first, chance.between(5, 40)) : null;
    // Recorded after the days from which it holds.
    rules.push(rule(rules.length + 1, { target, cycle: departments[chance.of(names)]!, from: first, to: last }));
  }
  return rules;
}

function overridesOf(chance: Chances, people: number, dates: readonly string[]): DayOverride[] {
  const kinds: readonly DayOverride['what'][] = [
    { kind: 'rest' },
    { kind: 'workday' },
    { kind: 'legal_holiday' },
    { kind: 'makeup', weekday: 3 },
    { kind: 'shift', code: 'D' },
    { kind: 'shift', code: 'N' },
  ];
  const targets = (): DayOverride['target'] =>
    chance.of<DayOverride['target']>([
      { kind: 'site' },
      { kind: 'department', extId: 'plant' },
      { kind: 'department', extId: chance.of(names) },
      { kind: 'person', extId: `p${chance.below(people)}` },
      { kind: 'person', extId: `p${chance.below(people)}` },
    ]);
  return Array.from({ length: 40 }, (_, index) => ({
    id: index + 1,
    date: chance.of(dates),
    target: targets(),
    what: chance.of(kinds),
    reason: '',
  }));
}

interface Surroundings {
  readonly plans: Plans;
  readonly dates: readonly string[];
  readonly wall: WallTime;
  readonly now: number;
}

/** Joins, leaves, or leaves and is back. */
function employmentOf(chance: Chances, dates: readonly string[]): Stints {
  const kind = chance.below(3);
  const day = chance.of(dates);
  if (kind === 0) return { from: day, to: null, earlier: [] };
  if (kind === 1) return { from: null, to: day, earlier: [] };
  return { from: addDays(day, 1 + chance.below(20)), to: null, earlier: [{ from: null, to: day }] };
}

function randomPerson(chance: Chances, index: number, around: Surroundings): RandomPerson {
  const { plans, dates, wall, now } = around;
  const extId = `p${index}`;
  const department = names[index % names.length]!;
  const deviceNo = (1 + (index % 5)) as DeviceNo;
  const employment = chance.isOne(0.1) ? employmentOf(chance, dates) : null;
  const forever = { to: '9999-12-31', chain: [department, 'plant'] };
  const moves = chance.isOne(0.2) ? [chance.of(dates), chance.of(dates)].sort() : [];
  const places = [...moves.map(to => ({ to, chain: [chance.of(names), 'plant'] })), forever];
  const person = { extId, places, employment };
  const plan = plans.of(person, addDays(dates[0]!, -5), addDays(dates.at(-1)!, 5));
  const times: number[] = [];
  // Somebody who has left may still try the door.
  for (const { date, shift } of plans.of({ ...person, employment: null }, dates[0]!, dates.at(-1)!).days.values()) {
    const isEmployed = plan.days.get(date)!.kind !== 'not_employed';
    if (!isEmployed && !chance.isOne(0.1)) continue;
    if (chance.isOne(0.03)) continue;
    for (const { on, off } of shift?.segments ?? []) {
      const lateBy = chance.isOne(0.08) ? chance.between(3, 150) : chance.between(-18, 4);
      const staysFor = chance.isOne(0.12) ? chance.between(20, 190) : chance.between(-6, 25);
      if (!chance.isOne(0.02)) times.push(wall.instant(date, on + lateBy) + chance.below(60));
      if (!chance.isOne(0.03)) times.push(wall.instant(date, off + staysFor) + chance.below(60));
      if (chance.isOne(0.2)) times.push(wall.instant(date, on + chance.between(60, 400)) + chance.below(60));
    }
    if (shift?.kind === 'free')
      for (const ofDay of [9, 12, 13, 19]) times.push(wall.instant(date, ofDay * 60 + chance.between(-40, 40)));
    const worksExtra = shift === null && chance.isOne(0.06);
    if (worksExtra) for (const ofDay of [10, 15]) times.push(wall.instant(date, ofDay * 60 + chance.below(50)));
    if (chance.isOne(0.02)) times.push(wall.instant(date, chance.below(1440)) + chance.below(60));
  }
  for (const at of [...times]) if (chance.isOne(0.05)) times.push(at + chance.between(3, 90));
  // Terminal 5 has been silent since the evening before last.
  const reportedUntil = deviceNo === 5 ? now - 40 * 3600_000 : now;
  const punches = times
    .filter(at => at * 1000 < reportedUntil)
    .map((at, place) => punchAt(at, index * 10_000 + place, deviceNo, around))
    .sort((one, other) => one.receivedAt - other.receivedAt || one.id - other.id);
  return {
    ...person,
    punches,
    leaves: leavesOf(chance, dates),
    corrections: correctionsOf(chance, index, punches, dates, wall),
    reportedUntil,
  };
}

function punchAt(at: number, id: number, deviceNo: DeviceNo, { dates, wall }: Surroundings) {
  const date = wall.dateOf(at);
  const day = dayNumber(date) - dayNumber(dates[0]!);
  const ahead = deviceNo === drifting ? 40 + 2 * Math.max(0, day) : 0;
  // The box was off on day 20, and the line of terminal 2 was cut from day 40 to 42.
  const cutFor = day === 20 ? 1 : deviceNo === 2 && day >= 40 && day < 43 ? 43 - day : 0;
  const receivedAt = (cutFor > 0 ? wall.instant(addDays(date, cutFor), 9 * 60) : at) * 1000 + 300;
  const clock: ClockBounds | null =
    deviceNo === drifting ? { lowMs: ahead * 1000 - 900, highMs: ahead * 1000 + 800 } : null;
  return { id, at: at + ahead, deviceNo, receivedAt, clock };
}

function leavesOf(chance: Chances, dates: readonly string[]): RandomPerson['leaves'] {
  if (!chance.isOne(0.4)) return [];
  return Array.from({ length: chance.between(1, 3) }, () => {
    const date = chance.of(dates);
    const [from, to] = chance.of([
      ['T00:00', `${addDays(date, 1)}T00:00`],
      ['T09:00', `${date}T12:00`],
      ['T13:00', `${date}T18:00`],
      ['T10:30', `${date}T11:45`],
      ['T14:00', `${date}T16:00`],
      ['T20:00', `${addDays(date, 1)}T02:00`],
      ['T00:00', `${addDays(date, 3)}T12:00`],
    ] as const);
    return {
      from: `${date}${from}`,
      to,
      state: chance.of(['approved', 'approved', 'approved', 'asked', 'withdrawn'] as const),
    };
  });
}

function correctionsOf(
  chance: Chances,
  index: number,
  punches: RandomPerson['punches'],
  dates: readonly string[],
  wall: WallTime,
): RawCorrection[] {
  const corrections: RawCorrection[] = [];
  const state = () => chance.of(['approved', 'approved', 'asked', 'refused'] as const);
  for (let made = 0; made < 4; made++) {
    if (!chance.isOne(0.5)) continue;
    const id = index * 100 + made + 1;
    const aside = punches.length > 0 && chance.isOne(0.5) ? chance.of(punches) : null;
    const at = aside ? aside.at : wall.instant(chance.of(dates), chance.of([540, 1080, 1320, 1800]));
    const checkInId = aside ? aside.id : 5_000_000 + id;
    corrections.push({ id, kind: aside ? 'set_aside' : 'add', checkInId, at, state: state(), reverses: null });
  }
  const approved = corrections.find(one => one.state === 'approved');
  if (approved && chance.isOne(0.3))
    corrections.push({ ...approved, id: index * 100 + 50, kind: 'undo', state: state(), reverses: approved.id });
  return corrections;
}

/** Punches as the store gives them: with those that corrections added, and marks of what is set aside. */
export function correctedPunches({ punches, corrections }: RandomPerson): Punch[] {
  const undone = new Set(
    corrections.flatMap(one => (one.kind === 'undo' && one.state === 'approved' ? [one.reverses] : [])),
  );
  const inForce = corrections.filter(one => one.state === 'approved' && !undone.has(one.id));
  const asides = new Map(inForce.flatMap(one => (one.kind === 'set_aside' ? [[one.checkInId, one.id]] : [])));
  return [
    ...punches.map(
      (one): Punch => ({
        ...one,
        checkType: 'fa',
        source: 'device',
        isSetAside: asides.has(one.id),
        workDate: null,
        correctionId: asides.get(one.id) ?? null,
      }),
    ),
    ...corrections
      .filter(one => one.kind === 'add' && one.state === 'approved')
      .map(
        (one): Punch => ({
          id: one.checkInId,
          at: one.at,
          deviceNo: -1 as DeviceNo,
          checkType: 'reissue',
          receivedAt: one.at * 1000,
          clock: null,
          source: 'added',
          isSetAside: undone.has(one.id),
          workDate: null,
          correctionId: one.id,
        }),
      ),
  ];
}
