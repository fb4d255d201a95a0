import { useEffect, useRef } from 'preact/hooks';
import type { SourceFacts } from '../../../../src/admin/people-shapes.ts';
import type { DayPerson, DayReport } from '../../../../src/admin/ui/attendance-days.ts';
import { useLoaded, usePages } from '../../loaded.ts';
import { nav } from '../../nav.ts';
import { DepartmentFilter } from '../../parts/departments.tsx';
import { DeviceLink } from '../../parts/device-link.tsx';
import { Field } from '../../parts/field.tsx';
import { useFresh } from '../../parts/fresh.ts';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { clock } from '../../parts/numbers.ts';
import { Search } from '../../parts/search.tsx';
import { SiteChoice } from '../../parts/site-choice.tsx';
import { type Column, More, Table } from '../../parts/table.tsx';
import { dayAfter, dayBefore, isDay } from './dates.ts';
import { PersonLink } from './person-link.tsx';
import { Views } from './views.tsx';
import { said } from './words.ts';

const pageSize = 100;

/** A day of the site: who is missing first, then who is here. */
export function Day() {
  const { values, set } = useInUrl();
  const { department, search, box } = values;
  const asked = isDay(values.day) ? values.day : undefined;
  const { loaded, reload } = useLoaded('/attendance/day', { day: asked, department, search, box });
  const { data, problem } = loaded.value;
  const day = asked ?? data?.today;
  const isToday = data !== null && day === data.today;
  const go = (to: string | undefined) => set({ day: to === data?.today ? undefined : to });
  const text = said.value;
  return (
    <>
      <h1 class="sentence">{data ? sentence(data, Boolean(search || department)) : nav.value.attendance}</h1>
      <Views view="day" kept={{ department, box }} />
      <div class="bar">
        <button type="button" class="act" disabled={!day} onClick={() => day && go(dayBefore(day))}>
          <span aria-hidden="true">‹ </span>
          {text.before}
        </button>
        <Field
          label={text.dayField}
          type="date"
          value={day ?? ''}
          onChange={event => isDay(event.currentTarget.value) && go(event.currentTarget.value)}
        />
        <button type="button" class="act" disabled={!day} onClick={() => day && go(dayAfter(day))}>
          {text.after}
          <span aria-hidden="true"> ›</span>
        </button>
        {!isToday && (
          <button type="button" class="act" onClick={() => go(undefined)}>
            {text.today}
          </button>
        )}
        <DepartmentFilter value={department ?? ''} choose={extId => set({ department: extId })} />
        <SiteChoice value={box ?? ''} choose={chosen => set({ box: chosen })} />
        <Search label={text.search} value={search ?? ''} search={wanted => set({ search: wanted.trim() })} />
      </div>
      <ProblemNotice problem={problem} again={reload} />
      {!data && !problem && <Loading />}
      {data && (
        <>
          <p class="quiet">
            <span class="mono">{data.day}</span> {calendarWords(data)}
          </p>
          {data.unknown > 0 && !search && !department && <p class="notice">{text.unknown(data.unknown)}</p>}
          {data.absence === 'missing' && (
            <People
              key={`missing ${day}`}
              which="missing"
              report={data}
              isToday={isToday}
              filters={{ department, search, box }}
            />
          )}
          <People
            key={`here ${day}`}
            which="here"
            report={data}
            isToday={isToday}
            filters={{ department, search, box }}
          />
          {isToday && <Fresh then={reload} />}
        </>
      )}
    </>
  );
}

function sentence(report: DayReport, filtered: boolean): string {
  const text = said.value;
  const { people, here, day, today } = report;
  const missing = people - here;
  if (people === 0) return filtered ? text.noneFit : text.nobodyYet;
  if (day > today && here === 0) return text.ahead;
  if (report.absence === 'none') {
    const isOff = report.calendar?.type === 'BREAK';
    return here > 0 ? text.cameIn(here, isOff) : isOff ? text.offDay : text.nobodyCame;
  }
  if (day !== today) return text.wasHere(here, people, missing);
  if (here === 0) return text.noneHere(people);
  return missing === 0 ? text.allHere(people) : text.someHere(here, people, missing);
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
  isToday,
  filters,
}: {
  which: 'missing' | 'here';
  report: DayReport;
  isToday: boolean;
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
  const title = missing ? (isToday ? text.notHere : text.wereNotHere) : isToday ? text.here : text.wereHere;
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
