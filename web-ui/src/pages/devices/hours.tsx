import { useLoaded } from '../../loaded.ts';
import { useEvery } from '../../parts/every.ts';
import { clock, day, moment } from '../../parts/numbers.ts';
import { Band, Picture, Plot } from '../../parts/picture.tsx';
import { barsPath, marksOf, runsOf, ticksOf } from '../../parts/plot.ts';
import { hoursWords } from './hours-words.ts';

const days = 14;
const hourMs = 3_600_000;
const refreshMs = 5 * 60_000;

/** For how much of each hour a device was online, over two weeks. */
export function DeviceHours({ id }: { id: string }) {
  const said = hoursWords.value;
  const { loaded, reload } = useLoaded('/devices/{id}/hours', { id, days });
  useEvery(refreshMs, reload);
  const { data } = loaded.value;
  if (!data) return <div class="hours-room" />;
  const { hours } = data;
  const startOf = (step: number) => data.from * 1000 + step * hourMs;
  // Hours before the history began are no gap.
  const first = hours.findIndex(hour => hour !== null);
  const gaps = runsOf(hours, hour => hour === null).filter(([from, to]) => from > first && to < hours.length);
  return (
    <Picture
      title={said.title}
      sentence={sentenceOf(hours, startOf)}
      steps={hours.length}
      timeOf={step => moment(startOf(step)).slice(0, 16)}
      inTable={step => hours[step] !== null}
      series={[
        {
          title: said.online,
          text: step => {
            const share = hours[step] ?? null;
            return share === null ? said.off : `${Math.round(share * 100)} %`;
          },
        },
      ]}
      ticks={ticksOf(hours.length, step =>
        clock(startOf(step)).startsWith('00') && step < hours.length - 20 && isEven(startOf(step))
          ? day(startOf(step)).slice(5)
          : null,
      )}
    >
      <Plot height={60} name={said.scale} marks={marksOf(1, value => `${value * 100} %`, true)}>
        <path class="bars" d={barsPath(hours, 1)} />
      </Plot>
      {gaps.map(([from, to]) => (
        <Band key={from} kind="off" from={from / hours.length} to={to / hours.length} />
      ))}
    </Picture>
  );
}

/** Every second day has room for its date. */
const isEven = (at: number): boolean => Math.floor(Date.parse(`${day(at)}T00:00:00Z`) / (24 * hourMs)) % 2 === 0;

function sentenceOf(hours: readonly (number | null)[], startOf: (step: number) => number): string {
  const said = hoursWords.value;
  const known = hours.filter(hour => hour !== null);
  // The hour that runs says nothing yet of a device that is new.
  if (known.length < 2) return said.none;
  const share = known.reduce((sum, hour) => sum + hour, 0) / known.length;
  if (share > 0.995) return said.always;
  let longest = { from: 0, hours: 0 };
  let from = 0;
  for (const [step, hour] of hours.entries()) {
    if (hour === null || hour >= 0.5) from = step + 1;
    else if (step + 1 - from > longest.hours) longest = { from, hours: step + 1 - from };
  }
  const first = hours.findIndex(hour => hour !== null);
  const percent = String(Math.round(share * 100));
  const text = first === 0 ? said.share(percent) : said.shareSince(percent, moment(startOf(first)).slice(0, 16));
  return longest.hours === 0
    ? text
    : text + said.longest(moment(startOf(longest.from)).slice(0, 16), String(longest.hours));
}
