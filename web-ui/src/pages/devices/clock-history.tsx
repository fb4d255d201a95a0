import { useLoaded } from '../../loaded.ts';
import { useEvery } from '../../parts/every.ts';
import { clock, day, moment, span } from '../../parts/numbers.ts';
import { Picture, Plot } from '../../parts/picture.tsx';
import { barsPath, marksOf, niceTop, peakOf, rangesPath, ticksOf } from '../../parts/plot.ts';
import { clockHistoryWords } from './clock-history-words.ts';

const days = 14;
const refreshMs = 5 * 60_000;
const lateMs = 60_000;

/**
 * How late the records of a device came, and between which bounds its clock was, over two weeks:
 * one is no proof of the other.
 */
export function ClockHistory({ id }: { id: string }) {
  const said = clockHistoryWords.value;
  const { loaded, reload } = useLoaded('/devices/{id}/clock', { id, days });
  useEvery(refreshMs, reload);
  const { data } = loaded.value;
  if (!data) return <div class="clock-room" />;
  const { low_ms: low, high_ms: high, late_ms: late } = data;
  const steps = late.length;
  const startOf = (step: number) => (data.from + step * data.part_s) * 1000;
  const latest = peakOf(late);
  if (latest === null) return <p class="quiet">{said.none}</p>;
  const most = Math.max(latest.value, 1000);
  const reach = niceTop(
    Math.max(1000, ...low.map(value => Math.abs(value ?? 0)), ...high.map(value => Math.abs(value ?? 0))),
  );
  const signed = (ms: number) => `${ms < 0 ? '−' : '+'}${span(Math.abs(ms))}`;
  return (
    <Picture
      title={said.title}
      sentence={
        latest.value > lateMs ? said.late(span(latest.value), moment(startOf(latest.step)).slice(0, 16)) : said.never
      }
      steps={steps}
      timeOf={step => moment(startOf(step)).slice(0, 16)}
      inTable={step => late[step] !== null}
      series={[
        { title: said.lateness, text: step => (late[step] == null ? '' : span(late[step])) },
        {
          title: said.offset,
          text: step => {
            const [from, to] = [low[step] ?? null, high[step] ?? null];
            return from === null
              ? ''
              : to === null
                ? said.atLeast(signed(from))
                : said.between(signed(from), signed(to));
          },
        },
      ]}
      ticks={ticksOf(steps, step => {
        const at = startOf(step);
        return clock(at).startsWith('00') &&
          step < steps - 20 &&
          Math.floor(Date.parse(`${day(at)}T00:00:00Z`) / 86_400_000) % 2 === 0
          ? day(at).slice(5)
          : null;
      })}
    >
      <Plot height={44} name={said.lateness} marks={marksOf(niceTop(most), span, true)}>
        <path class="bars" d={barsPath(late, niceTop(most))} />
      </Plot>
      <Plot
        height={64}
        name={said.offset}
        marks={[
          { at: 0, text: `+${span(reach)}` },
          { at: 1, text: `−${span(reach)}` },
        ]}
      >
        <path class="line before" d="M0 50H1000" />
        <path class="ranges" d={rangesPath(low, high, reach)} />
      </Plot>
    </Picture>
  );
}
