import { query } from '../../api.ts';
import { day as dayOf, hourMinute } from '../../parts/numbers.ts';
import { weekdayOf } from './dates.ts';
import { DayMark } from './day-mark.tsx';
import { monthWords } from './month-words.ts';
import {
  type Figure,
  hasFigure,
  hours,
  isOpen,
  markOf,
  overtimeOf,
  type ResultDay,
  type ResultRow,
  wordsOf,
} from './results.ts';
import { said } from './words.ts';

/** A person's month, a line for each day; `show`: only the days that a figure comes from. */
export function MonthSheet({ row, show }: { row: ResultRow; show: Figure | undefined }) {
  const text = monthWords.value;
  const days = show === undefined ? row.days : row.days.filter(day => hasFigure(show, day));
  const { minutes } = row.sums;
  return (
    <>
      <div class="scroll">
        <table class="sheet" aria-label={text.sheetTable(row.name)}>
          <thead>
            <tr>
              <th scope="col">{text.day}</th>
              <th scope="col" class="wide">
                {text.plan}
              </th>
              <th scope="col">{text.in}</th>
              <th scope="col">{text.out}</th>
              <th scope="col" class="bar-column">
                {text.bar}
              </th>
              <th scope="col" class="number">
                {text.worked}
              </th>
              <th scope="col" class="number wide">
                {text.overtime}
              </th>
              <th scope="col">{text.note}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(day => (
              <Line key={day.date} extId={row.ext_id} day={day} />
            ))}
          </tbody>
          {show === undefined && (
            <tfoot>
              <tr>
                <th scope="row">{text.total}</th>
                <td class="wide" />
                <td colSpan={2}>{text.ofPlanned(row.sums.days.worked, row.sums.days.planned)}</td>
                <td class="bar-column" />
                <td class="number">{hours(minutes.worked)}</td>
                <td class="number wide">{hours(overtimeOf(minutes))}</td>
                <td>{totals(row)}</td>
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      <p class="signature print-only">
        <span>{text.signature}</span>
        <span>{text.signatureDate}</span>
      </p>
    </>
  );
}

const totals = ({ sums }: ResultRow): string => {
  const text = monthWords.value;
  const { counts, minutes, days } = sums;
  return [
    counts.late > 0 ? `${text.late} ${text.times(counts.late, minutes.late)}` : '',
    counts.early > 0 ? `${text.early} ${text.times(counts.early, minutes.early)}` : '',
    counts.missing_in > 0 ? `${text.missingIn} ${counts.missing_in}` : '',
    counts.missing_out > 0 ? `${text.missingOut} ${counts.missing_out}` : '',
    days.absent > 0 ? `${text.absent} ${days.absent}` : '',
    minutes.leave > 0 ? `${text.leave} ${hours(minutes.leave)}` : '',
  ]
    .filter(part => part !== '')
    .join('; ');
};

function Line({ extId, day }: { extId: string; day: ResultDay }) {
  const isOff = day.kind === 'rest' || day.kind === 'legal_holiday';
  const many = day.segments.length > 1;
  const times = (pick: (segment: ResultDay['segments'][number]) => string) =>
    day.segments.map((segment, index) => <div key={index}>{pick(segment)}</div>);
  return (
    <tr class={isOff ? 'off' : undefined}>
      <th scope="row">
        <a href={`/attendance/person/${encodeURIComponent(extId)}${query({ day: day.date })}`}>
          {day.date.slice(5)} <small>{said.value.weekdays[weekdayOf(day.date)]}</small>
        </a>
      </th>
      <td class="mono wide">
        {day.segments.length === 0
          ? ''
          : times(({ planned_on, planned_off }) =>
              planned_on === null || planned_off === null
                ? (day.shift ?? '')
                : `${minuteOf(planned_on)}–${minuteOf(planned_off)}`,
            )}
      </td>
      <td class="mono">{times(segment => endOf(segment, 'in', day.date))}</td>
      <td class="mono">{times(segment => endOf(segment, 'out', day.date))}</td>
      <td class="bar-column">
        <Bar day={day} />
      </td>
      <td class="number">{day.minutes.worked > 0 || many ? hours(day.minutes.worked) : ''}</td>
      <td class="number wide">{overtimeOf(day.minutes) > 0 ? hours(overtimeOf(day.minutes)) : ''}</td>
      <td>
        {day.state !== 'none' && (
          <span class={isOpen(day) ? 'note warn' : 'note'}>
            <DayMark mark={markOf(day)} />{' '}
            {day.state === 'ok' && markOf(day) === 'ok' && day.flags.length === 0 && overtimeOf(day.minutes) === 0
              ? ''
              : wordsOf(day)}
          </span>
        )}
      </td>
    </tr>
  );
}

/** `08:52`, with the date where it is another one, and how it came about. */
const minuteOf = (at: number): string => hourMinute(at * 1000);
function endOf(segment: ResultDay['segments'][number], end: 'in' | 'out', date: string): string {
  const text = monthWords.value;
  const found = segment[end];
  if (!found) return segment.state === `missing_${end}` ? (end === 'in' ? text.noIn : text.noOut) : '';
  const other = dayOf(found.at * 1000) === date ? '' : '+1 ';
  return `${other}${minuteOf(found.at)}${found.source === 'added' ? ` ${text.addedMark}` : ''}`;
}

/** Planned above, actual below, over the 36 hours from the beginning of the date. */
function Bar({ day }: { day: ResultDay }) {
  const text = monthWords.value;
  const spans = day.segments.flatMap(segment =>
    segment.planned_on === null || segment.planned_off === null
      ? []
      : [[segment.planned_on, segment.planned_off] as const],
  );
  const actual = day.segments.flatMap(segment =>
    segment.in && segment.out ? [[segment.in.at, segment.out.at] as const] : [],
  );
  const alone = day.segments.flatMap(segment =>
    segment.in && !segment.out ? [segment.in.at] : !segment.in && segment.out ? [segment.out.at] : [],
  );
  const all = [...spans.flat(), ...actual.flat(), ...alone];
  if (all.length === 0) return null;
  const from = Math.min(...all) - 1800;
  const length = Math.max(Math.max(...all) + 1800 - from, 12 * 3600);
  const x = (at: number): number => ((at - from) / length) * 160;
  const said_ = (list: readonly (readonly [number, number])[]): string =>
    list.map(([on, off]) => `${minuteOf(on)}–${minuteOf(off)}`).join(', ') || '–';
  return (
    <svg
      class="plan-bar"
      viewBox="0 0 160 16"
      width="160"
      height="16"
      role="img"
      aria-label={text.barLabel(said_(spans), said_(actual))}
    >
      {spans.map(([on, off]) => (
        <rect key={on} class="planned" x={x(on)} y="1.5" width={x(off) - x(on)} height="13" />
      ))}
      {actual.map(([on, off]) => (
        <rect key={on} class="actual" x={x(on)} y="5" width={Math.max(1, x(off) - x(on))} height="6" />
      ))}
      {alone.map(at => (
        <path key={at} class="alone" d={`M${x(at)} 2v12`} />
      ))}
    </svg>
  );
}
