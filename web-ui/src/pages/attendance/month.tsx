import { useSignal } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import { query } from '../../api.ts';
import { useLoaded, usePages } from '../../loaded.ts';
import { nav } from '../../nav.ts';
import { DepartmentFilter } from '../../parts/departments.tsx';
import { Filters } from '../../parts/filters.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { Search } from '../../parts/search.tsx';
import { SiteChoice } from '../../parts/site-choice.tsx';
import { More } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { words } from '../../words/index.ts';
import { CheckInGrid } from './check-in-grid.tsx';
import { Closing } from './closing.tsx';
import { Corrections } from './corrections.tsx';
import { datesOf, dayAfter, dayBefore, isMonth, monthName, monthShifted } from './dates.ts';
import type { LeaveDialog } from './day-board.tsx';
import { DayDialog } from './day-dialog.tsx';
import { csvAddress, Exports } from './exports.tsx';
import { MonthBar } from './month-bar.tsx';
import { MonthColumns } from './month-columns.tsx';
import { filtersIn, MonthFilters } from './month-filters.tsx';
import { monthWords } from './month-words.ts';
import { hasPlan, type ResultRow } from './results.ts';
import { Sums } from './sums.tsx';
import { Views } from './views.tsx';
import { said } from './words.ts';

/** A month of the site: what people worked, or without schedules who checked in when. */
export function Month({ Leave }: { Leave: LeaveDialog }) {
  const { values, set } = useInUrl();
  const { department, search, box } = values;
  const asked = isMonth(values.month) ? values.month : undefined;
  const { loaded, reload } = useLoaded('/attendance/month', { month: asked });
  const { data, problem } = loaded.value;
  const month = asked ?? data?.this_month;
  return (
    <>
      {!data && (
        <>
          <p class="sentence">{nav.value.attendance}</p>
          <Views view="month" kept={{ department, box }} />
        </>
      )}
      <ProblemNotice problem={problem} again={reload} />
      {!data && !problem && <Loading />}
      {month && data && box && (
        <OfSite month={month} report={data} filters={{ department, search }} box={box} set={set} />
      )}
      {month && data && !box && (
        <People
          key={`${month} ${department} ${search}`}
          month={month}
          report={data}
          filters={{ department, search }}
          show={values.show}
          set={set}
          Leave={Leave}
        />
      )}
    </>
  );
}

interface Narrowed {
  readonly department: string | undefined;
  readonly search: string | undefined;
}

/** Check-ins of people at one site. Worked hours count all sites, and are not shown beside them. */
function OfSite({
  month,
  report,
  filters: { department, search },
  box,
  set,
}: {
  month: string;
  report: Parameters<typeof CheckInGrid>[0]['report'];
  filters: Narrowed;
  box: string;
  set: ReturnType<typeof useInUrl>['set'];
}) {
  return (
    <>
      <p class="sentence">{said.value.monthSentence(monthName(month))}</p>
      <Views view="month" kept={{ department, box }} />
      <div class="bar">
        <MonthBar month={month} go={to => set({ month: to })} />
        <DepartmentFilter value={department ?? ''} choose={extId => set({ department: extId })} />
        <SiteChoice value={box} choose={chosen => set({ box: chosen })} />
        <Search label={said.value.search} value={search ?? ''} search={wanted => set({ search: wanted.trim() })} />
      </div>
      <div class="bar">
        <Exports filter={{ month, department, box }} />
      </div>
      <p class="quiet">{said.value.siteOnly}</p>
      <CheckInGrid
        key={`${month} ${department} ${search} ${box}`}
        report={report}
        department={department}
        search={search}
        box={box}
      />
    </>
  );
}

function People({
  month,
  report,
  filters,
  show,
  set,
  Leave,
}: {
  month: string;
  report: Parameters<typeof CheckInGrid>[0]['report'];
  filters: Narrowed;
  /** As the address has it. */
  show: string | undefined;
  set: ReturnType<typeof useInUrl>['set'];
  Leave: LeaveDialog;
}) {
  const { department, search } = filters;
  const counted = useLoaded('/attendance/month/figures', { month, department, search });
  const figures = counted.loaded.value.data;
  const chosen = filtersIn(show, figures);
  const { rows, state, more, ...pages } = usePages('/attendance/results', {
    ...{ month, department, search, with: 'marks', limit: 50 },
    show: chosen.length === 0 ? undefined : chosen.join(','),
  });
  const reload = useCallback(() => {
    pages.reload();
    counted.reload();
  }, [pages.reload, counted.reload]);
  const opened = useSignal<{ readonly row: ResultRow; readonly day: string } | null>(null);
  const leaving = useSignal<{ readonly row: ResultRow; readonly day: string } | null>(null);
  const text = monthWords.value;
  // The counts of a large site come after its first people.
  const planned = figures?.planned ?? hasPlan(rows.value);
  const isLoading = (state.value.loading || !figures) && rows.value.length === 0;
  const isPartOpen = figures !== null && figures.open > 0;
  return (
    <>
      <p class="sentence">
        {!figures || !planned ? (
          said.value.monthSentence(monthName(month))
        ) : isPartOpen ? (
          text.sentence(monthName(month), figures.counts.review)
        ) : (
          <>
            <Icon name="lock" /> {text.closed(monthName(month))}
          </>
        )}
      </p>
      <Views view="month" kept={{ department, box: undefined }} />
      <div class="bar">
        <MonthBar month={month} go={to => set({ month: to })} />
        <DepartmentFilter value={department ?? ''} choose={extId => set({ department: extId })} />
        <Filters inUse={search ? 1 : 0}>
          <SiteChoice value="" choose={box => set({ box })} />
          <Search label={said.value.search} value={search ?? ''} search={wanted => set({ search: wanted.trim() })} />
          {planned && (
            <>
              <a class="act" href={csvAddress('month/month', { month, department })} download>
                {text.exportMonthCsv}
              </a>
              {may('staff') && <MonthColumns />}
            </>
          )}
        </Filters>
        {planned && (
          <a class="act go" href={`/admin/v1/reports/month/month.xlsx${query({ month, department })}`} download>
            {text.exportMonth}
          </a>
        )}
      </div>
      <ProblemNotice problem={state.value.problem ?? counted.loaded.value.problem} again={reload} />
      {planned ? (
        <>
          <Closing month={month} department={department} isPartOpen={isPartOpen} changed={reload} />
          <Waiting month={month} changed={reload} />
          {figures && <MonthFilters figures={figures} chosen={chosen} choose={filter => set({ show: filter })} />}
          {isLoading && <Loading />}
          {rows.value.length > 0 && (
            <Sums
              rows={rows.value}
              month={month}
              dates={datesOf(month)}
              show={chosen}
              open={(row, day) => {
                opened.value = { row, day };
              }}
            />
          )}
          <More state={state.value} more={more} />
        </>
      ) : figures && figures.people > 0 ? (
        <CheckInGrid report={report} department={department} search={search} box={undefined} />
      ) : (
        !state.value.problem && (isLoading ? <Loading /> : <p class="quiet">{words.value.list.noneFound}</p>)
      )}
      <div class="bar">
        <Exports filter={{ month, department }} />
      </div>
      {opened.value && (
        <DayDialog
          person={opened.value.row}
          day={opened.value.day}
          close={() => {
            opened.value = null;
          }}
          changed={reload}
          leave={
            may('staff') && opened.value.row.closed === null
              ? () => {
                  [leaving.value, opened.value] = [opened.value, null];
                }
              : undefined
          }
        />
      )}
      {leaving.value && (
        <Leave
          edited={null}
          person={leaving.value.row}
          day={leaving.value.day}
          close={() => {
            leaving.value = null;
          }}
          done={() => {
            leaving.value = null;
            reload();
          }}
        />
      )}
    </>
  );
}

/** Corrections of the month that wait for somebody. */
function Waiting({ month, changed }: { month: string; changed: () => void }) {
  const from = `${month}-01`;
  // A night of the last day ends in the next month.
  const to = dayAfter(dayBefore(`${monthShifted(month, 1)}-01`));
  const { loaded, reload } = useLoaded('/attendance/corrections', { from, to, state: 'asked' });
  const { data } = loaded.value;
  const again = useCallback(() => {
    reload();
    changed();
  }, [reload, changed]);
  if (!data || data.rows.length === 0) return null;
  return (
    <section aria-labelledby="waiting-corrections">
      <h2 id="waiting-corrections">{monthWords.value.waiting(new Set(data.rows.map(({ id }) => id)).size)}</h2>
      <Corrections rows={data.rows} twoPersons={data.second_person} withPerson changed={again} />
    </section>
  );
}
