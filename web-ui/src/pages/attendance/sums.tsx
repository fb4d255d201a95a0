import { useSignal } from '@preact/signals';
import { isFound, type MonthFilter } from '../../../../src/platform/day-figures.ts';
import { query } from '../../api.ts';
import { dateName, monthName, weekdayOf } from './dates.ts';
import { DayMark, type MarkName } from './day-mark.tsx';
import { moveFocus } from './grid-keys.ts';
import { monthWords } from './month-words.ts';
import { PersonLink } from './person-link.tsx';
import {
  type DayFigures,
  type Figure,
  factsOf,
  figureNames,
  figureWords,
  hasFigure,
  hours,
  isOpen,
  markOf,
  overtimeOf,
  type ResultRow,
  wordsOf,
} from './results.ts';
import { said } from './words.ts';

/**
 * A month of people: a row each, with a mark for each day that opens it, and figures that lead to
 * the days that they come from. On a phone a person has the days that the filter finds, and the
 * calendar behind a button.
 */
export function Sums({
  rows,
  month,
  dates,
  show,
  open,
}: {
  rows: readonly ResultRow[];
  month: string;
  /** Of the month. */
  dates: readonly string[];
  /** The filters that chose the people. */
  show: readonly MonthFilter[];
  open: (row: ResultRow, day: string) => void;
}) {
  const text = monthWords.value;
  const expanded = useSignal<readonly string[]>([]);
  const columns = figures().filter(({ of }) => rows.some(row => of(row) !== ''));
  const isWanted = (row: ResultRow) => (day: DayFigures) =>
    show.length === 0 ? row.closed === null && isOpen(day) : show.some(filter => isFound[filter](factsOf(day)));
  const toggle = (key: string) => {
    const others = expanded.value.filter(one => one !== key);
    expanded.value = others.length < expanded.value.length ? others : [...others, key];
  };
  return (
    <>
      <div class="month-grid">
        <table class="sums" aria-label={text.summary(monthName(month))} onKeyDown={moveFocus}>
          <thead>
            <tr>
              <th scope="col">{text.person}</th>
              {dates.map(date => (
                <th key={date} scope="col" class={weekdayOf(date) % 6 === 0 ? 'day weekend' : 'day'}>
                  <abbr title={dateName(date)}>{Number(date.slice(8))}</abbr>
                </th>
              ))}
              <th scope="col" class="number">
                {text.days}
              </th>
              <th scope="col" class="number">
                {text.hours}
              </th>
              {columns.map(({ key, title }) => (
                <th key={key} scope="col" class="number">
                  {title}
                </th>
              ))}
              <th scope="col">{said.value.department}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => {
              const key = `${row.key} ${row.department_ext_id}`;
              return (
                <Row
                  key={key}
                  {...{ row, month, dates, columns, open }}
                  wanted={isWanted(row)}
                  isExpanded={expanded.value.includes(key)}
                  toggle={() => toggle(key)}
                />
              );
            })}
          </tbody>
        </table>
      </div>
      <Legend />
    </>
  );
}

function Row({
  row,
  month,
  dates,
  columns,
  wanted,
  open,
  isExpanded,
  toggle,
}: {
  row: ResultRow;
  month: string;
  dates: readonly string[];
  columns: readonly FigureColumn[];
  wanted: (day: DayFigures) => boolean;
  open: (row: ResultRow, day: string) => void;
  isExpanded: boolean;
  toggle: () => void;
}) {
  const text = monthWords.value;
  const byDate = new Map(row.marks.map(day => [day.date, day]));
  // One stop of the tab key for a row, and one for each day that is looked for; arrows reach the rest.
  const first = row.marks.find(({ state }) => state !== 'not_employed')?.date;
  return (
    <tr class={isExpanded ? 'expanded' : undefined}>
      <th scope="row">
        <PersonLink person={row} month={month} /> <span class="mono quiet">{row.employee_num}</span>
        <button
          type="button"
          class="act small calendar-button no-print"
          aria-expanded={isExpanded}
          aria-label={text.calendarOf(row.name)}
          onClick={toggle}
        >
          {text.calendar}
        </button>
      </th>
      {dates.map((date, place) => {
        const day = byDate.get(date);
        const isWanted = day !== undefined && wanted(day);
        return (
          <td
            key={date}
            class={classesOf(day, isWanted)}
            data-day={Number(date.slice(8))}
            style={place === 0 ? `--first: ${((weekdayOf(date) + 6) % 7) + 1}` : undefined}
          >
            {day && day.state !== 'not_employed' && (
              <Mark row={row} day={day} isStop={isWanted || date === first} open={open} />
            )}
          </td>
        );
      })}
      <td class="sum number" data-label={text.days}>
        {text.ofPlanned(row.sums.days.worked, row.sums.days.planned)}
      </td>
      <td class="sum number" data-label={text.hours}>
        <PersonMonthLink row={row} month={month}>
          {hours(row.sums.minutes.worked)}
        </PersonMonthLink>
      </td>
      {columns.map(({ key, title, of }) => (
        <td key={key} data-label={title} class={of(row) === '' ? 'none' : 'sum number'}>
          {of(row) !== '' && (
            <FigureLink row={row} month={month} figure={key} label={text.openFigure(title, row.name)}>
              {of(row)}
            </FigureLink>
          )}
        </td>
      ))}
      <td class="sum" data-label={said.value.department}>
        {row.department}
      </td>
    </tr>
  );
}

const classesOf = (day: DayFigures | undefined, isWanted: boolean): string =>
  ['day', (day?.kind === 'rest' || day?.kind === 'legal_holiday') && 'off', isWanted && 'wanted']
    .filter(Boolean)
    .join(' ');

function Mark({
  row,
  day,
  isStop,
  open,
}: {
  row: ResultRow;
  day: DayFigures;
  isStop: boolean;
  open: (row: ResultRow, day: string) => void;
}) {
  const label = monthWords.value.dayLabel(row.name, dateName(day.date), wordsOf(day));
  if (row.ext_id === '')
    return (
      <span role="img" aria-label={label} title={label}>
        <DayMark mark={markOf(day)} />
      </span>
    );
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      tabIndex={isStop ? undefined : -1}
      onClick={() => open(row, day.date)}
    >
      <DayMark mark={markOf(day)} />
    </button>
  );
}

interface FigureColumn {
  readonly key: Figure;
  readonly title: string;
  /** Empty: none. */
  readonly of: (row: ResultRow) => string;
}

function figures(): readonly FigureColumn[] {
  const text = monthWords.value;
  const many = (count: number): string => (count === 0 ? '' : String(count));
  const span = (minutes: number): string => (minutes === 0 ? '' : hours(minutes));
  const times = (count: number, minutes: number): string => (count === 0 ? '' : text.times(count, minutes));
  const of: Readonly<Record<Figure, FigureColumn['of']>> = {
    missing_in: ({ sums }) => many(sums.counts.missing_in),
    missing_out: ({ sums }) => many(sums.counts.missing_out),
    absent: ({ sums }) => many(sums.days.absent),
    late: ({ sums }) => times(sums.counts.late, sums.minutes.late),
    early: ({ sums }) => times(sums.counts.early, sums.minutes.early),
    overtime: ({ sums }) => span(overtimeOf(sums.minutes)),
    leave: ({ sums }) => span(sums.minutes.leave),
  };
  return figureNames.map(key => ({ key, title: figureWords(key), of: of[key] }));
}

const PersonMonthLink = ({ row, month, children }: { row: ResultRow; month: string; children: string }) =>
  row.ext_id === '' ? (
    <span>{children}</span>
  ) : (
    <a href={`/attendance/person/${encodeURIComponent(row.ext_id)}${query({ month })}`}>{children}</a>
  );

/** To the day, where the figure comes from one; else to those days of the person's month. */
function FigureLink({
  row,
  month,
  figure,
  label,
  children,
}: {
  row: ResultRow;
  month: string;
  figure: Figure;
  label: string;
  children: string;
}) {
  const [day, another] = row.marks.filter(one => hasFigure(figure, one));
  if (row.ext_id === '') return <span>{children}</span>;
  const asked = day && !another ? { day: day.date } : { month, show: figure };
  return (
    <a
      href={`/attendance/person/${encodeURIComponent(row.ext_id)}${query(asked)}`}
      aria-label={`${children}: ${label}`}
    >
      {children}
    </a>
  );
}

const named: readonly MarkName[] = [
  'ok',
  'late',
  'missing_in',
  'missing_out',
  'absent',
  'leave',
  'extra',
  'not_known_yet',
  'off',
];

const Legend = () => (
  <ul class="legend" aria-label={monthWords.value.legend}>
    {named.map(mark => (
      <li key={mark}>
        <DayMark mark={mark} /> {monthWords.value.states[mark]}
      </li>
    ))}
  </ul>
);
