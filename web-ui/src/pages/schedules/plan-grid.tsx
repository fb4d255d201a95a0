import { useSignal } from '@preact/signals';
import type { PlanGrid } from '../../../../src/admin/ui/plan-grid.ts';
import { addDays, mondayOf, weekdayOf } from '../../../../src/runtime/calendar-date.ts';
import { erase, post } from '../../api.ts';
import { useLoaded, usePages } from '../../loaded.ts';
import { DepartmentFilter } from '../../parts/departments.tsx';
import { Choice } from '../../parts/field.tsx';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice, Refused } from '../../parts/notices.tsx';
import { Search } from '../../parts/search.tsx';
import { More } from '../../parts/table.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { words } from '../../words/index.ts';
import { dateName, isDay, monthName, monthShifted } from '../attendance/dates.ts';
import { PersonLink } from '../attendance/person-link.tsx';
import { useDoing } from './doing.ts';
import { type Change, type GridDay, type GridRow, PlanCellDialog } from './plan-cell-dialog.tsx';
import { said as grid } from './plan-words.ts';
import { Views } from './views.tsx';
import { kindWords, said } from './words.ts';

type Grid = PlanGrid;

/** Grid of shifts: people down, the days of a week or a month across. */
export function PlanGridPage() {
  const { values, set } = useInUrl();
  const text = grid.value;
  const { department, search } = values;
  const isMonth = values.span === 'month';
  const asked = isDay(values.from) ? values.from : isMonth ? new Date().toISOString().slice(0, 10) : undefined;
  const from = asked && (isMonth ? `${asked.slice(0, 7)}-01` : mondayOf(asked));
  const { loaded, reload } = useLoaded('/schedules/grid', { from, days: isMonth ? 31 : 7, limit: 1 });
  const { data, problem } = loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const days = isMonth ? data.days.filter(({ date }) => date.startsWith(data.from.slice(0, 7))) : data.days;
  const go = (by: number) =>
    set({ from: isMonth ? `${monthShifted(data.from.slice(0, 7), by)}-01` : addDays(data.from, 7 * by) });
  return (
    <>
      <p class="sentence">
        {isMonth ? text.sentenceMonth(monthName(data.from.slice(0, 7))) : text.sentenceWeek(dateName(data.from))}
      </p>
      <Views view="plan" />
      <div class="bar">
        <button type="button" class="act" onClick={() => go(-1)}>
          <span aria-hidden="true">‹ </span>
          {isMonth ? text.monthBefore : text.weekBefore}
        </button>
        <button type="button" class="act" onClick={() => go(1)}>
          {isMonth ? text.monthAfter : text.weekAfter}
          <span aria-hidden="true"> ›</span>
        </button>
        <Choice
          label={text.span}
          value={isMonth ? 'month' : 'week'}
          onChange={event => set({ span: event.currentTarget.value === 'month' ? 'month' : undefined })}
        >
          <option value="week">{text.week}</option>
          <option value="month">{text.month}</option>
        </Choice>
        <DepartmentFilter value={department ?? ''} choose={extId => set({ department: extId })} />
        <Search label={text.search} value={search ?? ''} search={wanted => set({ search: wanted.trim() })} />
      </div>
      <Rows
        key={`${data.from} ${days.length} ${department ?? ''} ${search ?? ''}`}
        head={{ ...data, days }}
        asked={{ from: data.from, days: days.length, department, search }}
      />
    </>
  );
}

function Rows({
  head: { days, shifts, today },
  asked,
}: {
  head: Grid;
  asked: { from: string; days: number; department: string | undefined; search: string | undefined };
}) {
  const { rows, state, more, reload } = usePages('/schedules/grid', { ...asked, limit: 50 });
  const opened = useSignal<{ readonly row: GridRow; readonly day: GridDay } | null>(null);
  const { refused, run } = useDoing();
  const text = grid.value;
  if (state.value.problem) return <ProblemNotice problem={state.value.problem} again={reload} />;
  if (rows.value.length === 0)
    return state.value.loading ? <Loading /> : <p class="quiet">{words.value.list.noneFound}</p>;
  const undo = (change: Change) =>
    run(async () => {
      if (change.before)
        await post('/schedules/calendar', {
          date: change.date,
          target: { kind: 'person', ext_id: change.extId },
          what: change.before.what,
          reason: change.before.reason,
        });
      else if (change.id !== null) await erase('/schedules/calendar/{id}', { id: change.id });
      reload();
    });
  return (
    <>
      <Refused text={refused.value} />
      <table class={`plan-grid${days.length > 7 ? ' many' : ''}`} aria-label={text.caption}>
        <thead>
          <tr>
            <th scope="col">{said.value.name}</th>
            {days.map(({ date, break: off, holiday }) => (
              <th
                key={date}
                scope="col"
                class={[off && 'off', date === today && 'today'].filter(Boolean).join(' ') || undefined}
                title={holiday || undefined}
              >
                <abbr title={dateName(date)}>{Number(date.slice(8))}</abbr>
                <small aria-hidden="true">{said.value.weekdays[weekdayOf(date) - 1]}</small>
                {holiday !== '' && days.length <= 7 && <small class="holiday">{holiday}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.value.map(row => (
            <tr key={row.key} style={`--first: ${weekdayOf(days[0]!.date)}`}>
              <th scope="row">
                <PersonLink person={row} month={days[0]!.date.slice(0, 7)} />
              </th>
              {row.days.map((day, index) => (
                <td
                  key={day.date}
                  class={classOf(day, days[index]?.break ?? false)}
                  data-day={Number(day.date.slice(8))}
                >
                  <Cell row={row} day={day} shifts={shifts} open={() => (opened.value = { row, day })} />
                </td>
              ))}
              {row.days.length === 0 && (
                <td colSpan={days.length} class="quiet">
                  {text.noId}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">{text.legend}</p>
      <More state={state.value} more={more} />
      {opened.value && (
        <PlanCellDialog
          {...opened.value}
          shifts={shifts}
          close={() => (opened.value = null)}
          done={change => {
            sayDone(change.sentence, () => undo(change));
            opened.value = null;
            reload();
          }}
        />
      )}
    </>
  );
}

const classOf = ({ kind, shift, leave, own }: GridDay, off: boolean): string | undefined =>
  [
    shift === null && (off || kind === 'rest' || kind === 'legal_holiday') && 'off',
    leave.length > 0 && 'leave',
    own && 'own',
    kind === 'not_employed' && 'gone',
  ]
    .filter(Boolean)
    .join(' ') || undefined;

function Cell({ row, day, shifts, open }: { row: GridRow; day: GridDay; shifts: Grid['shifts']; open: () => void }) {
  const label = `${row.name}, ${dateName(day.date)}: ${dayWords(day, shifts)}`;
  const inner = (
    <>
      {day.shift === null
        ? day.kind === 'rest' || day.kind === 'legal_holiday'
          ? said.value.off
          : '–'
        : nameOf(day.shift, shifts)}
      {day.leave.length > 0 && <small>{kindWords(day.leave[0]!)}</small>}
    </>
  );
  if (!may('staff') || day.kind === 'not_employed')
    return (
      <span class="cell" title={label}>
        {inner}
      </span>
    );
  return (
    <button type="button" class="cell" aria-label={label} title={label} onClick={open}>
      {inner}
    </button>
  );
}

const nameOf = (shift: string, shifts: Grid['shifts']): string =>
  shifts.find(({ code }) => code === shift)?.name || shift;

function dayWords({ kind, shift, leave, own }: GridDay, shifts: Grid['shifts']): string {
  const text = grid.value;
  const kinds: Readonly<Record<string, string>> = text.kinds;
  const planned = shift === null ? (kinds[kind] ?? kind) : nameOf(shift, shifts);
  return [planned, ...leave.map(kindWords), ...(own ? [text.ownDay] : [])].join(said.value.comma);
}
