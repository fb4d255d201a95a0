import './history.css';
import type { HistoryOf } from '../../../../src/admin/history.ts';
import { useLoaded } from '../../loaded.ts';
import { useInUrl } from '../../parts/in-url.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { bytes, clock, count, day, hourMinute, moment } from '../../parts/numbers.ts';
import { Band, Picture, Plot } from '../../parts/picture.tsx';
import { linePath, marksOf, niceTop, peakOf, runsOf, ticksOf, type Values } from '../../parts/plot.ts';
import { Head } from './head.tsx';
import { say } from './history-words.ts';

const hour = 3600;
/** A minute is kept when it is over. */
const notKeptYetSeconds = 120;
/** Two points for a pixel of a picture are the most that can be seen. */
const points = 480;
const spans = {
  day: { seconds: 24 * hour, tickSeconds: 4 * hour },
  week: { seconds: 7 * 24 * hour, tickSeconds: 24 * hour },
  month: { seconds: 30 * 24 * hour, tickSeconds: 5 * 24 * hour },
  year: { seconds: 365 * 24 * hour, tickSeconds: 61 * 24 * hour },
} as const;
type Span = keyof typeof spans;

/** In the order of the page: what its user asks first. Of `disk` the least is what matters. */
const shown: Readonly<Record<HistoryOf, (value: number) => string>> = {
  waiting: count,
  rate: value => `${value} /s`,
  acknowledgement: value => `${Math.round(value * 10) / 10} ms`,
  line: value => `${Math.round(value * 100)} %`,
  devices: value => count(Math.round(value * 10) / 10),
  disk: bytes,
  temperature: value => `${value} °C`,
};

/** History for operators, over a day to a year. */
export default function History() {
  const said = say.value;
  const { values, set } = useInUrl();
  const span: Span = values.span !== undefined && values.span in spans ? (values.span as Span) : 'day';
  const minute = Math.floor(now.value / 60_000) * 60;
  const over = { from: minute - spans[span].seconds, to: minute, points };
  return (
    <>
      <Head sentence={said.sentences[span]} />
      <fieldset class="bar spans" aria-label={said.span}>
        {(Object.keys(spans) as Span[]).map(one => (
          <button
            key={one}
            type="button"
            class="act"
            aria-pressed={one === span}
            onClick={() => set({ span: one === 'day' ? undefined : one })}
          >
            {said.spans[one]}
          </button>
        ))}
      </fieldset>
      <div class="history">
        {(Object.keys(shown) as HistoryOf[]).map(what => (
          <Chart key={what} what={what} over={over} tickSeconds={spans[span].tickSeconds} />
        ))}
      </div>
      <p class="quiet">{said.kept}</p>
    </>
  );
}

function Chart({
  what,
  over,
  tickSeconds,
}: {
  what: HistoryOf;
  over: { readonly from: number; readonly to: number; readonly points: number };
  tickSeconds: number;
}) {
  const said = say.value;
  const { loaded, reload } = useLoaded('/history', { what, ...over });
  const { data, problem } = loaded.value;
  if (!data) return <div class="chart-room">{problem && <ProblemNotice problem={problem} again={reload} />}</div>;
  const { values, step_s: stepSeconds, from } = data;
  const text = shown[what];
  const startOf = (step: number) => (from + step * stepSeconds) * 1000;
  const peak = peakOf(values);
  const low = peakOf(values.map(value => (value === null ? null : -value)));
  const isLow = what === 'disk' || what === 'line';
  const sentence =
    peak === null || low === null
      ? what === 'temperature' || what === 'waiting' || what === 'line'
        ? said.noneOf
        : said.none
      : isLow
        ? said.least(text(-low.value), moment(startOf(low.step)).slice(0, 16))
        : said.most(text(peak.value), moment(startOf(peak.step)).slice(0, 16));
  const top = what === 'line' ? 1 : niceTop(peak?.value ?? 0);
  const steps = values.length;
  return (
    <Picture
      title={said.titles[what]}
      sentence={sentence}
      steps={steps}
      timeOf={step => moment(startOf(step)).slice(0, 16)}
      inTable={step => values[step] !== null}
      series={[
        {
          title: said.titles[what],
          text: step => {
            const value = values[step] ?? null;
            return value === null ? said.off : text(value);
          },
        },
      ]}
      ticks={ticksOf(steps, step => tickAt(startOf(step), stepSeconds, tickSeconds))}
    >
      <Plot height={88} name={said.units[what]} marks={peak === null ? [] : marksOf(top, text)}>
        <path class="line" d={linePath(values, top, steps)} />
      </Plot>
      {peak !== null &&
        gapsOf(values, stepSeconds).map(([first, last]) => (
          <Band key={first} kind="off" from={first / steps} to={last / steps} />
        ))}
    </Picture>
  );
}

/** A label where a step holds a round time of the site: an hour of the day, or midnight. */
function tickAt(at: number, stepSeconds: number, tickSeconds: number): string | null {
  const [hours, minutes] = clock(at).split(':').map(Number) as [number, number];
  const ofDay = hours * hour + minutes * 60;
  if (tickSeconds < 24 * hour) return ofDay % tickSeconds < stepSeconds ? hourMinute(at) : null;
  if (ofDay >= stepSeconds) return null;
  const days = Math.floor(Date.parse(`${day(at)}T00:00:00Z`) / 86_400_000);
  return days % (tickSeconds / (24 * hour)) === 0 || stepSeconds > 24 * hour ? day(at).slice(5) : null;
}

/** Steps without a value; the last ones may not be kept yet. */
const gapsOf = (values: Values, stepSeconds: number) =>
  runsOf(values, value => value === null).filter(
    ([first, end]) => end < values.length || (end - first) * stepSeconds > notKeptYetSeconds + stepSeconds,
  );
