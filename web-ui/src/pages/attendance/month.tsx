import { useCallback } from 'preact/hooks';
import { query } from '../../api.ts';
import { useLoaded, usePages } from '../../loaded.ts';
import { nav } from '../../nav.ts';
import { DepartmentFilter } from '../../parts/departments.tsx';
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
import { dayAfter, dayBefore, isMonth, monthName, monthShifted } from './dates.ts';
import { csvAddress, Exports } from './exports.tsx';
import { MonthBar } from './month-bar.tsx';
import { MonthColumns } from './month-columns.tsx';
import { monthWords } from './month-words.ts';
import { hasPlan, isOpen } from './results.ts';
import { Sums } from './sums.tsx';
import { Views } from './views.tsx';
import { said } from './words.ts';

/** A month of the site: what people worked, or without schedules who checked in when. */
export function Month() {
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
          set={set}
        />
      )}
    </>
  );
}

interface Filters {
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
  filters: Filters;
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
  set,
}: {
  month: string;
  report: Parameters<typeof CheckInGrid>[0]['report'];
  filters: Filters;
  set: ReturnType<typeof useInUrl>['set'];
}) {
  const { department, search } = filters;
  const { rows, state, more, reload } = usePages('/attendance/results', {
    month,
    department,
    search,
    with: 'marks',
    limit: 50,
  });
  const text = monthWords.value;
  const planned = hasPlan(rows.value);
  const isLoading = state.value.loading && rows.value.length === 0;
  const open = rows.value.filter(row => row.closed === null && row.marks.some(isOpen)).length;
  // Nobody without an external id is in a closing.
  const isPartOpen = rows.value.some(row => row.closed === null && row.ext_id !== '');
  return (
    <>
      <p class="sentence">
        {isLoading || !planned ? (
          said.value.monthSentence(monthName(month))
        ) : isPartOpen ? (
          text.sentence(monthName(month), open)
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
        <SiteChoice value="" choose={box => set({ box })} />
        <Search label={said.value.search} value={search ?? ''} search={wanted => set({ search: wanted.trim() })} />
      </div>
      <div class="bar">
        {planned && (
          <>
            <a class="act go" href={`/admin/v1/reports/month/month.xlsx${query({ month, department })}`} download>
              {text.exportMonth}
            </a>
            <a class="act" href={csvAddress('month/month', { month, department })} download>
              {text.exportMonthCsv}
            </a>
            {may('staff') && <MonthColumns />}
          </>
        )}
        <Exports filter={{ month, department }} />
      </div>
      <ProblemNotice problem={state.value.problem} again={reload} />
      {isLoading && <Loading />}
      {!isLoading && rows.value.length === 0 && !state.value.problem && (
        <p class="quiet">{words.value.list.noneFound}</p>
      )}
      {planned ? (
        <>
          <Closing month={month} department={department} isPartOpen={isPartOpen} changed={reload} />
          <Waiting month={month} changed={reload} />
          <Sums rows={rows.value} month={month} changed={reload} />
          <More state={state.value} more={more} />
        </>
      ) : (
        rows.value.length > 0 && <CheckInGrid report={report} department={department} search={search} box={undefined} />
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
