import { WhenInput } from '../../parts/when-field.tsx';
import './day-picture.css';
import { useEffect } from 'preact/hooks';
import type { DayArrivalsReport } from '../../../../src/admin/ui/day-arrivals.ts';
import type { DayPictureReport } from '../../../../src/admin/ui/day-picture.ts';
import { listen } from '../../live.ts';
import { useLoaded } from '../../loaded.ts';
import { useEvery } from '../../parts/every.ts';
import { useInUrl } from '../../parts/in-url.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { count, day as dayOf, hourMinute } from '../../parts/numbers.ts';
import { Band, Picture, Plot } from '../../parts/picture.tsx';
import {
  areaPath,
  barsPath,
  linePath,
  marksOf,
  niceTop,
  peakOf,
  stepsAreaPath,
  stepsPath,
  ticksOf,
} from '../../parts/plot.ts';
import { DeviceStrip, StripRoom } from './device-strip.tsx';
import { queuePeak } from './queue-peak.ts';
import { say } from './words.ts';

const refreshMs = 30_000;
/** After a check-in: a burst is one look. */
const soonMs = 2000;
const arrivalsRefreshMs = 60_000;
const daysBack = 56;
const dayMs = 86_400_000;

export interface DayCounts {
  readonly checkins: number;
  readonly people: number;
}

/**
 * The upper half of Today: a day as a picture, with the way to the days before it; of all sites, or
 * of one, whose schedules nobody knows.
 */
export function DayPicture({
  known,
  box,
  counted,
}: {
  known: number;
  box?: string;
  /** The check-ins and people of today, as they are drawn; null while another day is. */
  counted?: (today: DayCounts | null) => void;
}) {
  const { values, set } = useInUrl();
  const today = dayOf(now.value);
  const day = values.day ?? today;
  const { loaded, reload } = useLoaded('/day', { day: values.day, box });
  const schedules = useLoaded('/day/arrivals', { day: values.day });
  useEvery(arrivalsRefreshMs, schedules.reload);
  useEffect(() => {
    let soon: ReturnType<typeof setTimeout> | null = null;
    const timer = setInterval(reload, refreshMs);
    const leave = listen('checkin', () => {
      // The report may be of another site.
      if (box !== undefined) return;
      soon ??= setTimeout(() => {
        soon = null;
        reload();
      }, soonMs);
    });
    return () => {
      leave();
      clearInterval(timer);
      if (soon !== null) clearTimeout(soon);
    };
  }, [reload, box]);
  const { data, problem } = loaded.value;
  useEffect(() => {
    counted?.(data?.day === today ? { checkins: totalOf(data), people: data.people } : null);
  }, [data, today, counted]);
  const go = (wanted: string) => set({ day: wanted >= today ? undefined : wanted });
  const isComing = !problem && (!data || schedules.loaded.value.data === null) && !schedules.loaded.value.problem;
  return (
    <div class="day-picture" aria-busy={isComing}>
      {problem && <ProblemNotice problem={problem} again={reload} />}
      {data ? (
        <Drawn
          picture={data}
          arrivals={
            box === undefined && schedules.loaded.value.data?.day === data.day ? schedules.loaded.value.data : null
          }
          isToday={data.day === today}
        />
      ) : (
        <div class="picture-room" aria-busy="true" />
      )}
      <Days day={day} today={today} go={go} />
      {data ? <DeviceStrip picture={data} box={box} /> : <StripRoom known={known} />}
    </div>
  );
}

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);

/** Back and forth over the days. */
function Days({ day, today, go }: { day: string; today: string; go: (day: string) => void }) {
  const said = say.value;
  return (
    <fieldset class="days" aria-label={said.day}>
      <button type="button" class="act" onClick={() => go(shifted(day, -1))}>
        {said.earlier}
      </button>
      <WhenInput
        kind="date"
        aria-label={said.day}
        value={day}
        max={today}
        onChange={event => event.currentTarget.value !== '' && go(event.currentTarget.value)}
      />
      <button type="button" class="act" disabled={day >= today} onClick={() => go(shifted(day, 1))}>
        {said.later}
      </button>
      <input
        type="range"
        aria-label={said.daysBack}
        aria-valuetext={day}
        min={-daysBack}
        max={0}
        value={-Math.min(daysBack, daysBetween(day, today))}
        onInput={event => go(shifted(today, Number(event.currentTarget.value)))}
      />
      <button type="button" class="act" disabled={day >= today} onClick={() => go(today)}>
        {said.today}
      </button>
    </fieldset>
  );
}

/** The parts of the day that are drawn: 6 to 22 o'clock, and wider where something was. */
function shownParts({ checkins, waiting, line_cuts: cuts, box_off: off, from, part_s }: DayPictureReport) {
  const perHour = 3600 / part_s;
  const busy = checkins
    .map((value, part) => (value > 0 || (waiting[part] ?? 0) > 0 ? part : -1))
    .filter(part => part >= 0);
  for (const stretch of [...cuts, ...off])
    busy.push(Math.floor((stretch.from - from) / part_s), Math.ceil((stretch.to - from) / part_s) - 1);
  const first = Math.max(0, Math.min(6 * perHour, ...busy));
  const last = Math.min(checkins.length, Math.max(22 * perHour, ...busy.map(part => part + 1)));
  const hour = (part: number, round: (value: number) => number) => round(part / perHour) * perHour;
  return { first: hour(first, Math.floor), last: Math.min(checkins.length, hour(last, Math.ceil)) };
}

/** How many people so far, part by part; null from `end` on. */
function soFar(values: readonly number[], end: number): readonly (number | null)[] {
  let sum = 0;
  return values.map((value, part) => {
    sum += value;
    return part < end ? sum : null;
  });
}

/** Expected and actual arrivals, part by part and added up; null if none are expected. */
function arrivalsOf(arrivals: DayArrivalsReport | null, { from, now: until, part_s: partSeconds }: DayPictureReport) {
  if (!arrivals?.expected || !arrivals.arrived) return null;
  const expected = soFar(arrivals.expected, arrivals.expected.length);
  const end = Math.ceil((until - from) / partSeconds);
  const arrived = soFar(arrivals.arrived, end);
  return { expected, arrived, came: arrived[end - 1] ?? 0, due: expected[end - 1] ?? 0, all: expected.at(-1) ?? 0 };
}

const arrivalsHeight = 118;
const checkinsHeight = 96;
/** One over the other: as high as a single picture where nothing is expected. */
const between = 20;

interface Drawing {
  readonly picture: DayPictureReport;
  readonly arrivals: DayArrivalsReport | null;
  readonly isToday: boolean;
}

function Drawn({ picture, arrivals, isToday }: Drawing) {
  const said = say.value;
  const { from, part_s: partSeconds, line_cuts: cuts, box_off: offs } = picture;
  const [dayBefore, weekBefore] = isToday ? [said.yesterday, said.lastWeek] : [said.dayBefore, said.weekBefore];
  const { first, last } = shownParts(picture);
  const steps = last - first;
  const shown = <T,>(values: readonly T[]): readonly T[] => values.slice(first, last);
  const checkins = shown(picture.checkins);
  const before = shown(picture.day_before);
  const week = shown(picture.week_before);
  const waiting = shown(picture.waiting);
  const people = arrivalsOf(arrivals, picture);
  const mostPeople = niceTop(people?.all ?? 0);
  const most = niceTop(Math.max(...checkins, ...before, ...week));
  const mostWaiting = peakOf(waiting)?.value ?? 0;
  const topWaiting = niceTop(mostWaiting);
  const startOf = (step: number) => from + (first + step) * partSeconds;
  const timeOf = (step: number) => hourMinute(startOf(step) * 1000);
  const placeOf = (at: number) => Math.max(0, Math.min(1, (at - startOf(0)) / (steps * partSeconds)));
  const touches = (stretches: DayPictureReport['line_cuts'], step: number) =>
    stretches.some(one => one.from < startOf(step + 1) && one.to > startOf(step));
  const hasCome = (step: number) => startOf(step) < picture.now;
  const numberAt = (values: readonly (number | null)[]) => (step: number) => {
    const value = values[step] ?? null;
    return value === null ? '' : count(value);
  };
  const stateAt = (step: number) =>
    [touches(cuts, step) && said.lineCut, touches(offs, step) && said.boxOff].filter(Boolean).join(' ');
  const bars = checkins.map((value, step) => (hasCome(step) ? value : null));
  return (
    <Picture
      title={isToday ? said.titleToday : said.title(picture.day)}
      sentence={sentenceOf(picture, isToday, people)}
      steps={steps}
      timeOf={timeOf}
      inTable={step =>
        checkins[step]! > 0 || (before[step] ?? 0) > 0 || (waiting[step] ?? 0) > 0 || stateAt(step) !== ''
      }
      series={[
        ...(people
          ? [
              { title: said.arrived, text: numberAt(shown(people.arrived)) },
              { title: said.expected, text: numberAt(shown(people.expected)) },
            ]
          : []),
        { title: said.checkins, text: step => (hasCome(step) ? count(checkins[step]!) : '') },
        { title: dayBefore, text: numberAt(before) },
        { title: weekBefore, text: numberAt(week) },
        ...(mostWaiting > 0 ? [{ title: said.waiting, text: numberAt(waiting) }] : []),
        ...(cuts.length + offs.length > 0 ? [{ title: said.state, text: stateAt }] : []),
      ]}
      ticks={ticksOf(steps, step =>
        (first + step) % ((3600 / partSeconds) * 2) === 0
          ? `${String(Math.floor((first + step) / (3600 / partSeconds))).padStart(2, '0')}:00`
          : null,
      )}
      legend={
        <>
          {people && <span class="key arrived">{said.arrived}</span>}
          {people && <span class="key expected">{said.expected}</span>}
          <span class="key today">{said.checkins}</span>
          <span class="key before">{dayBefore}</span>
          <span class="key week">{weekBefore}</span>
          {mostWaiting > 0 && <span class="key waiting">{said.waiting}</span>}
          {cuts.length > 0 && <span class="key cut">{said.lineCut}</span>}
          {offs.length > 0 && <span class="key off">{said.boxOff}</span>}
        </>
      }
    >
      {people && (
        <Plot height={arrivalsHeight} name={said.arrivedScale} marks={marksOf(mostPeople, count)}>
          <path class="people" d={stepsAreaPath(shown(people.arrived), mostPeople, steps)} />
          <path class="line arrived" d={stepsPath(shown(people.arrived), mostPeople, steps)} />
          <path class="line expected" d={stepsPath(shown(people.expected), mostPeople, steps)} />
        </Plot>
      )}
      <Plot
        height={people ? checkinsHeight : arrivalsHeight + between + checkinsHeight}
        name={said.checkinsScale(partSeconds / 60)}
        marks={marksOf(most, count)}
      >
        <path class="bars" d={barsPath(bars, most, steps)} />
        <path class="line before" d={linePath(before, most, steps)} />
        <path class="line before week" d={linePath(week, most, steps)} />
      </Plot>
      <Plot height={44} name={said.waitingScale} marks={mostWaiting > 0 ? marksOf(topWaiting, count, true) : []}>
        <path class="area" d={areaPath(waiting, topWaiting, steps)} />
        <path class="line waiting" d={linePath(waiting, topWaiting, steps)} />
      </Plot>
      {cuts.map(one => (
        <Band key={one.from} kind="cut" from={placeOf(one.from)} to={placeOf(one.to)} />
      ))}
      {offs.map(one => (
        <Band key={one.from} kind="off" from={placeOf(one.from)} to={placeOf(one.to)} />
      ))}
      {isToday && placeOf(picture.now) < 1 && <i class="now" style={{ left: `${placeOf(picture.now) * 100}%` }} />}
    </Picture>
  );
}

/** Cuts that are named one by one. */
const cutsNamed = 3;

/** Picture in words. */
function sentenceOf(picture: DayPictureReport, isToday: boolean, people: ReturnType<typeof arrivalsOf>): string {
  const said = say.value;
  const { from, part_s: partSeconds, checkins, line_cuts: cuts, box_off: offs } = picture;
  const at = (seconds: number) => hourMinute(seconds * 1000);
  const partAt = (step: number) => at(from + step * partSeconds);
  const spans = (all: DayPictureReport['line_cuts']) =>
    all.length > cutsNamed ? said.times(all.length) : all.map(one => `${at(one.from)}–${at(one.to)}`).join(said.comma);
  const total = totalOf(picture);
  const peak = peakOf(checkins);
  const parts = [
    total === 0 || peak === null
      ? isToday
        ? said.none
        : said.noneThen
      : said.most(count(total), count(picture.people), partAt(peak.step), count(peak.value)),
  ];
  if (people && people.due > 0)
    parts.push((isToday ? said.came : said.cameThen)(count(people.came), count(isToday ? people.due : people.all)));
  const queue = queuePeak(picture.waiting);
  if (queue)
    parts.push(
      said.queue(count(queue.value), partAt(queue.step)) +
        (queue.cleared === null ? said.stillQueued : said.cleared(partAt(queue.cleared))),
    );
  if (cuts.length > 0) parts.push(said.cut(spans(cuts)));
  if (offs.length > 0) parts.push(said.off(spans(offs)));
  return parts.join(said.joint);
}

const totalOf = ({ checkins }: DayPictureReport): number => checkins.reduce((sum, value) => sum + value, 0);
