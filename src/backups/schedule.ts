import type { UnixMs } from '../runtime/clock.ts';
import { instantOf } from '../runtime/wall-time.ts';
import type { Schedule } from './settings.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Every weekday comes again within so many days. */
const lookDays = 9;

/** The first moment after `after` at which a backup is due. */
export function nextRun(schedule: Schedule, zone: Zone, after: UnixMs): UnixMs {
  const days = Array.from({ length: lookDays }, (_, index) => zone.dayOf(after + (index - 1) * dayMs));
  const due = runsOn([...new Set(days)], schedule, zone).filter(at => at > after);
  return Math.min(...due);
}

/**
 * The longest time between two runs of a week, in milliseconds: a backup that is twice as old is
 * too old.
 */
function intervalMs(schedule: Schedule): number {
  const minutes = schedule.days
    .flatMap(day => schedule.times.map(time => (day - 1) * 1440 + minuteOf(time)))
    .sort((a, b) => a - b);
  const gaps = minutes.map((at, index) => (minutes[index + 1] ?? minutes[0]! + 7 * 1440) - at);
  return Math.max(...gaps) * 60_000;
}

/** After so long without a good backup something is wrong: two runs were missed. */
export const tooOldMs = (schedule: Schedule): number => 2 * intervalMs(schedule) + hourMs;

function runsOn(days: readonly string[], { times, days: weekdays }: Schedule, zone: Zone): UnixMs[] {
  return days
    .filter(day => weekdays.includes(weekdayOf(day)))
    .flatMap(day => times.map(time => zone.instantOf(`${day}T${time}`)));
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Of a day `YYYY-MM-DD`: Monday is 1, Sunday 7. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00Z`).getUTCDay() || 7;

/** The days and wall times of a site. */
export class Zone {
  readonly #parts: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    const two = '2-digit';
    this.#parts = new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone, year: 'numeric', month: two, day: two, hour: two, minute: two, second: two },
      hourCycle: 'h23',
    });
  }

  /** `YYYY-MM-DD`. */
  dayOf(at: UnixMs): string {
    return this.#wall(at).slice(0, 10);
  }

  /** A time that the clocks skip moves forward; of one that comes twice it is the first. */
  instantOf(wall: string): UnixMs {
    return (instantOf(wall, at => this.#offsetSeconds(at)) ?? Number.NaN) * 1000;
  }

  #offsetSeconds(at: number): number {
    return Date.parse(`${this.#wall(at * 1000)}Z`) / 1000 - at;
  }

  #wall(at: UnixMs): string {
    const found = Object.fromEntries(this.#parts.formatToParts(at).map(({ type, value }) => [type, value]));
    return `${found.year}-${found.month}-${found.day}T${found.hour}:${found.minute}:${found.second}`;
  }
}
