import type { ShiftFacts } from '../../../../src/admin/ui/plan-shapes.ts';
import { minuteText } from '../../../../src/platform/shifts.ts';
import { said } from './words.ts';

const dayMinutes = 1440;

/** A shift over the hours of its day, and of the next one if it ends there. The words stand beside it. */
export function ShiftBar({ shift }: { shift: ShiftFacts }) {
  const end = Math.max(dayMinutes, ...shift.segments.map(({ off }) => off));
  const width = end > dayMinutes ? 2 * dayMinutes : dayMinutes;
  const hours = Array.from({ length: width / 360 + 1 }, (_, index) => index * 360);
  return (
    <div class="shift-bar" aria-hidden="true">
      <svg viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" x={0} y={30} width={width} height={40} />
        {shift.segments.map(({ on, off }) => (
          <rect key={on} class="work" x={on} y={14} width={off - on} height={72} />
        ))}
        {shift.breaks.map(({ from, to }) => (
          <rect key={from} class="break" x={from} y={14} width={to - from} height={72} />
        ))}
        {hours.map(at => (
          <line key={at} class={at % dayMinutes === 0 ? 'midnight' : 'tick'} x1={at} x2={at} y1={0} y2={100} />
        ))}
      </svg>
      <div class="hours">
        {hours.map(at => (
          <span key={at}>{(at / 60) % 24}</span>
        ))}
      </div>
    </div>
  );
}

/** `09:00–18:00, break 12:00–13:00`, and that it ends the next day. */
export function timesWords(shift: ShiftFacts): string {
  const text = said.value;
  if (shift.kind === 'free') return text.freeTimes(hoursWords(shift.required_minutes));
  const parts = shift.segments.map(
    ({ on, off }) => `${minuteText(on)}–${minuteText(off)}${off > dayMinutes ? ` ${text.nextDay}` : ''}`,
  );
  const breaks = shift.breaks.map(({ from, to }) => text.breakWords(`${minuteText(from)}–${minuteText(to)}`));
  return [...parts, ...breaks].join(text.comma);
}

export const hoursWords = (minutes: number): string =>
  minutes % 60 === 0 ? said.value.hours(minutes / 60) : said.value.hoursMinutes(Math.floor(minutes / 60), minutes % 60);
