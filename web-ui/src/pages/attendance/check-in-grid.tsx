import type { MonthReport } from '../../../../src/admin/ui/attendance-days.ts';
import { usePages } from '../../loaded.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { More } from '../../parts/table.tsx';
import { words } from '../../words/index.ts';
import { monthName, weekdayOf } from './dates.ts';
import { PersonLink } from './person-link.tsx';
import { said } from './words.ts';

/** Without schedules: who checked in on which day, people down, days across. */
export function CheckInGrid({
  report,
  department,
  search,
  box,
}: {
  report: MonthReport;
  department: string | undefined;
  search: string | undefined;
  box: string | undefined;
}) {
  const { month, days } = report;
  const { rows, state, more, reload } = usePages('/attendance/month/people', { month, department, search, box });
  const text = said.value;
  const [first] = days;
  if (state.value.problem) return <ProblemNotice problem={state.value.problem} again={reload} />;
  if (rows.value.length === 0)
    return state.value.loading ? (
      <Loading />
    ) : (
      <>
        <p class="quiet">{words.value.list.noneFound}</p>
        <More state={state.value} more={more} />
      </>
    );
  return (
    <>
      <table class="month" aria-label={text.grid(monthName(month))}>
        <thead>
          <tr>
            <th scope="col">{text.name}</th>
            {days.map(({ day, break: off, name }) => (
              <th key={day} scope="col" class={off ? 'off' : undefined} title={name || undefined}>
                <abbr title={day}>{Number(day.slice(8))}</abbr>
                <small aria-hidden="true">{text.weekdays[weekdayOf(day)]}</small>
              </th>
            ))}
            <th scope="col" class="number">
              {text.days}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.value.map(row => (
            <tr key={row.key} style={first && `--first: ${((weekdayOf(first.day) + 6) % 7) + 1}`}>
              <th scope="row">
                <PersonLink person={row} month={month} />
              </th>
              {row.days.map((count, index) => (
                <Mark key={index} day={days[index]!} count={count} />
              ))}
              <td class="number" data-label={text.days}>
                {row.days.filter(Boolean).length}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">{text.legend}</p>
      <More state={state.value} more={more} />
    </>
  );
}

/** Empty if there are no records. A screen reader reads the words of the mark. */
function Mark({ day: { day, break: off }, count }: { day: MonthReport['days'][number]; count: number }) {
  const text = said.value;
  const label = text.punches(day, count);
  return (
    <td class={off ? 'off' : undefined} data-day={Number(day.slice(8))}>
      {count > 0 && (
        <span role="img" aria-label={label} title={label}>
          {count === 1 ? '○' : '●'}
        </span>
      )}
    </td>
  );
}
