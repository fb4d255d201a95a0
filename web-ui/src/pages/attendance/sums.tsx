import { useSignal } from '@preact/signals';
import { query } from '../../api.ts';
import { dateName, monthName, weekdayOf } from './dates.ts';
import { DayDialog } from './day-dialog.tsx';
import { DayMark, type MarkName } from './day-mark.tsx';
import { monthWords } from './month-words.ts';
import { PersonLink } from './person-link.tsx';
import {
  type DayFigures,
  daysWith,
  type Figure,
  hours,
  isOpen,
  markOf,
  overtimeOf,
  type ResultRow,
  wordsOf,
} from './results.ts';
import { said } from './words.ts';

/**
 * A month of people: what each worked, and every day as a mark. Every figure opens the days that it
 * comes from.
 */
export function Sums({ rows, month, changed }: { rows: readonly ResultRow[]; month: string; changed: () => void }) {
  const text = monthWords.value;
  const open = useSignal<{ readonly row: ResultRow; readonly day: string } | null>(null);
  const shown = open.value;
  return (
    <>
      <table class="sums" aria-label={text.summary(monthName(month))}>
        <thead>
          <tr>
            <th scope="col">{text.person}</th>
            <th scope="col">{said.value.number}</th>
            <th scope="col">{said.value.department}</th>
            <th scope="col">{text.days}</th>
            <th scope="col">{text.hours}</th>
            {figures().map(({ key, title }) => (
              <th key={key} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {rows.map(row => (
          <tbody key={`${row.key} ${row.department_ext_id}`}>
            <tr>
              <th scope="row">
                <PersonLink person={row} month={month} />
              </th>
              <td class="sum" data-label={said.value.number}>
                <span class="mono">{row.employee_num}</span>
              </td>
              <td class="sum" data-label={said.value.department}>
                {row.department}
              </td>
              <td class="sum" data-label={text.days}>
                {text.ofPlanned(row.sums.days.worked, row.sums.days.planned)}
              </td>
              <td class="sum" data-label={text.hours}>
                <PersonMonthLink row={row} month={month}>
                  {hours(row.sums.minutes.worked)}
                </PersonMonthLink>
              </td>
              {figures().map(({ key, title, of }) => (
                <td key={key} data-label={title} class={of(row) === '' ? 'none' : 'sum'}>
                  {of(row) !== '' && (
                    <FigureLink row={row} month={month} figure={key} label={text.openFigure(title, row.name)}>
                      {of(row)}
                    </FigureLink>
                  )}
                </td>
              ))}
            </tr>
            <tr>
              <td class="marks" colSpan={12}>
                <Strip
                  row={row}
                  open={day => {
                    open.value = { row, day };
                  }}
                />
              </td>
            </tr>
          </tbody>
        ))}
      </table>
      <Legend />
      {shown && (
        <DayDialog
          person={shown.row}
          day={shown.day}
          close={() => {
            open.value = null;
          }}
          changed={changed}
        />
      )}
    </>
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
  return [
    { key: 'late', title: text.late, of: ({ sums }) => times(sums.counts.late, sums.minutes.late) },
    { key: 'early', title: text.early, of: ({ sums }) => times(sums.counts.early, sums.minutes.early) },
    { key: 'missing_in', title: text.missingIn, of: ({ sums }) => many(sums.counts.missing_in) },
    { key: 'missing_out', title: text.missingOut, of: ({ sums }) => many(sums.counts.missing_out) },
    { key: 'absent', title: text.absent, of: ({ sums }) => many(sums.days.absent) },
    { key: 'overtime', title: text.overtime, of: ({ sums }) => span(overtimeOf(sums.minutes)) },
    { key: 'leave', title: text.leave, of: ({ sums }) => span(sums.minutes.leave) },
  ];
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
  const [day, another] = row.marks.filter(daysWith[figure]);
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

/** A mark for each day; one that a clerk has to look at opens the day. */
function Strip({ row, open }: { row: ResultRow; open: (day: string) => void }) {
  const first = row.marks[0];
  return (
    <ol class="strip" style={first && `--first: ${((weekdayOf(first.date) + 6) % 7) + 1}`}>
      {row.marks.map(day => (
        <li key={day.date} class={day.kind === 'rest' || day.kind === 'legal_holiday' ? 'off' : undefined}>
          <StripDay row={row} day={day} open={open} />
        </li>
      ))}
    </ol>
  );
}

function StripDay({ row, day, open }: { row: ResultRow; day: DayFigures; open: (day: string) => void }) {
  const label = monthWords.value.dayLabel(dateName(day.date), wordsOf(day));
  const inside = (
    <>
      <small aria-hidden="true">{Number(day.date.slice(8))}</small>
      <DayMark mark={markOf(day)} />
    </>
  );
  if (row.ext_id === '' || !isOpen(day))
    return (
      <span role="img" aria-label={label} title={label}>
        {inside}
      </span>
    );
  return (
    <button type="button" aria-label={label} title={label} onClick={() => open(day.date)}>
      {inside}
    </button>
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

export const Legend = () => (
  <ul class="legend" aria-label={monthWords.value.legend}>
    {named.map(mark => (
      <li key={mark}>
        <DayMark mark={mark} /> {monthWords.value.states[mark]}
      </li>
    ))}
  </ul>
);
