import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SourceFacts } from '../../../../src/admin/people-shapes.ts';
import type { DayPerson, DayReport } from '../../../../src/admin/ui/attendance-days.ts';
import { pagePaths } from '../../../../src/platform/page-paths.ts';
import { useLoaded, usePages } from '../../loaded.ts';
import { nav } from '../../nav.ts';
import { DepartmentFilter } from '../../parts/departments.tsx';
import { DeviceLink } from '../../parts/device-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field } from '../../parts/field.tsx';
import { Filters } from '../../parts/filters.tsx';
import { useFresh } from '../../parts/fresh.ts';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { clock } from '../../parts/numbers.ts';
import { Search } from '../../parts/search.tsx';
import { SiteChoice } from '../../parts/site-choice.tsx';
import { type Column, More, Table } from '../../parts/table.tsx';
import { dayAfter, dayBefore, isDay } from './dates.ts';
import { DayBoard, type LeaveDialog } from './day-board.tsx';
import { dayWords } from './day-words.ts';
import { Step } from './month-bar.tsx';
import { PersonLink } from './person-link.tsx';
import { Views } from './views.tsx';
import { said } from './words.ts';

const pageSize = 100;

/** A day of the site: by the schedules, or without them who has checked in. */
export function Day({ Leave }: { Leave: LeaveDialog }) {
  const { values, set } = useInUrl();
  const { department, search, box } = values;
  const asked = isDay(values.day) ? values.day : undefined;
  const { loaded, reload } = useLoaded('/attendance/day', { day: asked, department, search, box });
  const { data, problem } = loaded.value;
  const day = asked ?? data?.today;
  const isToday = data !== null && day === data.today;
  const go = (to: string | undefined) => set({ day: to === data?.today ? undefined : to });
  const text = said.value;
  const filters = { department, search };
  const bar = (
    <>
      <Views view="day" kept={{ department, box }} />
      <div class="bar">
        <Step by={-1} label={text.before} go={day && (() => go(dayBefore(day)))} />
        <Field
          label={text.dayField}
          type="date"
          value={day ?? ''}
          onChange={event => isDay(event.currentTarget.value) && go(event.currentTarget.value)}
        />
        <Step by={1} label={text.after} go={day && (() => go(dayAfter(day)))} />
        {!isToday && (
          <button type="button" class="act" onClick={() => go(undefined)}>
            {text.today}
          </button>
        )}
        <Filters inUse={[department, box, search].filter(Boolean).length}>
          <DepartmentFilter value={department ?? ''} choose={extId => set({ department: extId })} />
          <SiteChoice value={box ?? ''} choose={chosen => set({ box: chosen })} />
          <Search label={text.search} value={search ?? ''} search={wanted => set({ search: wanted.trim() })} />
        </Filters>
      </div>
      <ProblemNotice problem={problem} again={reload} />
      {data && (
        <>
          <p class="quiet">
            <span class="mono">{data.day}</span> {calendarWords(data)}
          </p>
          {data.unknown > 0 && !search && !department && (
            <p class="notice">
              <a href="/people">{text.unknown(data.unknown)}</a>
            </p>
          )}
        </>
      )}
    </>
  );
  if (!data)
    return (
      <>
        <p class="sentence">{nav.value.attendance}</p>
        {bar}
        {!problem && <Loading />}
      </>
    );
  const checkIns = () => (
    <CheckIns report={data} filters={{ ...filters, box }} bar={bar} isToday={isToday} reload={reload} />
  );
  if (box) return checkIns();
  return (
    <DayBoard
      key={data.day}
      report={data}
      filters={filters}
      bar={bar}
      reload={reload}
      without={checkIns}
      Leave={Leave}
    />
  );
}

/**
 * People with and without a check-in: where nobody has a schedule, and at one of several sites.
 * Nobody is called absent.
 */
function CheckIns({
  report,
  filters,
  bar,
  isToday,
  reload,
}: {
  report: DayReport;
  filters: { department: string | undefined; search: string | undefined; box: string | undefined };
  bar: ComponentChildren;
  isToday: boolean;
  reload: () => void;
}) {
  const isFiltered = Boolean(filters.search || filters.department);
  const hasPeople = report.people > 0;
  const isUnused = report.here === 0 && !isFiltered && (isToday || !hasPeople);
  return (
    <>
      <p class="sentence">{sentence(report, isFiltered)}</p>
      {bar}
      {report.absence === 'missing' && report.people > 0 && (
        <People key={`missing ${report.day}`} which="missing" report={report} filters={filters} />
      )}
      {isUnused ? (
        <Empty
          name="day"
          action={
            <a class="act go" href={pagePaths[hasPeople ? 'devices' : 'people']}>
              {nav.value[hasPeople ? 'devices' : 'people']}
            </a>
          }
        >
          {hasPeople ? said.value.begin : said.value.beginPeople}
        </Empty>
      ) : (
        <People key={`here ${report.day}`} which="here" report={report} filters={filters} />
      )}
      {isToday && <Fresh then={reload} />}
    </>
  );
}

function sentence({ people, here, day, today, absence, calendar }: DayReport, filtered: boolean): string {
  const text = said.value;
  if (people === 0) return filtered ? text.noneFit : text.nobodyYet;
  if (day > today && here === 0) return text.ahead;
  if (absence === 'missing') return dayWords.value.checkedIn(here, people);
  const isOff = calendar?.type === 'BREAK';
  return here > 0 ? text.cameIn(here, isOff) : isOff ? text.offDay : text.nobodyCame;
}

function calendarWords({ calendar }: DayReport): string {
  const text = said.value;
  if (!calendar) return '';
  const { type, name, source } = calendar;
  const kind =
    type === 'WORK' ? (name === '' ? text.work : text.madeUp(name)) : name === '' ? text.break : text.dayOff(name);
  return source === 'unpublished' ? `${kind} (${text.unpublished})` : kind;
}

/** Today moves with the check-ins. */
function Fresh({ then }: { then: () => void }) {
  useFresh(then, { checkins: true });
  return null;
}

function People({
  which,
  report,
  filters,
}: {
  which: 'missing' | 'here';
  report: DayReport;
  filters: { department: string | undefined; search: string | undefined; box: string | undefined };
}) {
  const { rows, state, more, reload } = usePages('/attendance/day/people', {
    day: report.day,
    which,
    limit: pageSize,
    ...filters,
  });
  // A list of which more was loaded is not replaced while somebody reads it.
  const shown = useRef(report.here);
  useEffect(() => {
    if (shown.current === report.here) return;
    shown.current = report.here;
    if (rows.peek().length <= pageSize) reload();
  }, [report.here, reload, rows]);
  const text = said.value;
  const missing = which === 'missing';
  const count = missing ? report.people - report.here : report.here;
  const title = missing ? dayWords.value.withoutCheckIn : dayWords.value.withCheckIn;
  return (
    <section aria-labelledby={`day-${which}`}>
      <h2 id={`day-${which}`}>
        {title} <span class="quiet">{count}</span>
      </h2>
      <ProblemNotice problem={state.value.problem} again={reload} />
      {state.value.loading && rows.value.length === 0 ? (
        <Loading />
      ) : (
        <Table
          caption={title}
          rows={rows.value}
          rowKey={row => row.key}
          empty={missing ? text.nobodyMissing : text.nobodyHere}
          columns={missing ? about() : [...about(), ...times()]}
        />
      )}
      <More state={state.value} more={more} />
    </section>
  );
}

const about = (): Column<DayPerson>[] => [
  { key: 'name', title: said.value.name, cell: row => <PersonLink person={row} /> },
  { key: 'number', title: said.value.number, cell: row => <span class="mono">{row.employee_num}</span> },
  { key: 'department', title: said.value.department, cell: row => row.department },
];

const times = (): Column<DayPerson>[] => [
  { key: 'first', title: said.value.first, cell: row => <Punch source={row.first} /> },
  { key: 'last', title: said.value.last, cell: row => (row.count > 1 ? <Punch source={row.last} /> : '') },
  { key: 'count', title: said.value.count, number: true, cell: row => row.count },
];

const Punch = ({ source }: { source: SourceFacts | null }) =>
  source && (
    <span>
      <span class="mono">{clock(source.at * 1000)}</span>{' '}
      <span class="quiet">
        <DeviceLink of={source} />
      </span>
    </span>
  );
