import type { ComponentType } from 'preact';
import type { PersonPunch } from '../../../../src/admin/ui/attendance-days.ts';
import type { PersonReport } from '../../../../src/admin/ui/people-lists.ts';
import { query } from '../../api.ts';
import { useLoaded, usePages } from '../../loaded.ts';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { clock, day, moment } from '../../parts/numbers.ts';
import { usePagePart } from '../../parts/page-part.ts';
import { More, Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { typeWords } from '../../words/punches.ts';
import { isDay, isMonth, monthName } from './dates.ts';
import { Exports } from './exports.tsx';
import { Features } from './features.tsx';
import { MonthBar } from './month-bar.tsx';
import { MonthSheet } from './month-sheet.tsx';
import { monthWords } from './month-words.ts';
import { PersonDay, PunchMark, PunchPlace, PunchTime, ReceiptLink } from './person-day.tsx';
import { type Figure, figureNames, figureWords, hasPlan } from './results.ts';
import { said } from './words.ts';

/** One person's month, or one day of it. */
type Leaves = ComponentType<{ extId: string; name: string; changed: () => void }>;
type Access = ComponentType<{ extId: string; name: string; month: string }>;

export function Person({ extId, ...more }: { extId: string; leaves: Leaves; access: Access }) {
  const { values } = useInUrl();
  if (isDay(values.day)) return <PersonDay extId={extId} day={values.day} />;
  return <PersonMonth extId={extId} {...more} />;
}

/** Every check-in of a month, and its receipt. */
function PersonMonth({ extId, leaves: Leaves, access: Access }: { extId: string; leaves: Leaves; access: Access }) {
  const { values, set } = useInUrl();
  const show = figureNames.find(name => name === values.show);
  const month = isMonth(values.month) ? values.month : day(now.peek()).slice(0, 7);
  const { loaded } = useLoaded('/people/{ext_id}', { ext_id: extId });
  const { rows, state, more, reload } = usePages('/people/{ext_id}/checkins', { ext_id: extId, month, limit: 500 });
  const asked = useLoaded('/attendance/results', { person: extId, month, with: 'days' });
  const results = asked.loaded.value;
  const again = asked.reload;
  const { data, problem } = loaded.value;
  usePagePart(data?.name || extId);
  const text = said.value;
  const row = results.data?.rows[0];
  const sheet = row && hasPlan([row]) ? row : undefined;
  if (problem?.status === 404) return <p class="sentence">{text.unknownPerson}</p>;
  const days = new Set(rows.value.map(row => day(row.at * 1000))).size;
  const name = data?.name || extId;
  return (
    <>
      <p class="sentence">
        {sheet
          ? monthWords.value.sheet(name, monthName(month))
          : state.value.loading && rows.value.length === 0
            ? name
            : text.personSentence(name, days, monthName(month))}
      </p>
      <p>
        <a href={`/attendance/month${query({ month, department: data?.department_ext_id })}`}>{text.back}</a>
      </p>
      <ProblemNotice problem={problem} />
      {data ? <Facts person={data} /> : !problem && <Loading />}
      <div class="bar">
        <MonthBar month={month} go={to => set({ month: to, show: undefined })} />
        {sheet && (
          <button type="button" class="act" onClick={() => print()}>
            {monthWords.value.print}
          </button>
        )}
        <Exports filter={{ month, person: extId }} />
      </div>
      <ProblemNotice problem={results.problem} />
      {!results.data && !results.problem && <Loading />}
      {sheet && (
        <>
          {show && <Shown show={show} all={() => set({ show: undefined })} />}
          <MonthSheet row={sheet} show={show} />
        </>
      )}
      <section class={sheet ? 'no-print' : undefined} aria-labelledby="every-checkin">
        <h2 id="every-checkin">{monthWords.value.allPunches}</h2>
        <ProblemNotice problem={state.value.problem} again={reload} />
        {state.value.loading && rows.value.length === 0 ? (
          <Loading />
        ) : (
          <Punches extId={extId} rows={rows.value} name={name} />
        )}
        <More state={state.value} more={more} />
      </section>
      {data && may('staff') && <Leaves extId={extId} name={name} changed={again} />}
      {data && may('staff') && <Access extId={extId} name={name} month={month} />}
      {data && may('staff') && <Features extId={extId} />}
    </>
  );
}

/** Says that days are left out. */
function Shown({ show, all }: { show: Figure; all: () => void }) {
  const text = monthWords.value;
  return (
    <p class="notice no-print">
      {text.filtered(figureWords(show))}{' '}
      <button type="button" class="act small" onClick={all}>
        {text.showAll}
      </button>
    </p>
  );
}

function Facts({ person }: { person: PersonReport }) {
  const text = said.value;
  const facts = [
    [text.number, person.employee_num],
    [text.department, person.department],
    [text.title, person.title],
    [text.mobile, person.mobile],
  ].filter(([, value]) => value !== '');
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <>
          <dt key={`${name} name`}>{name}</dt>
          <dd key={name}>{value}</dd>
        </>
      ))}
    </dl>
  );
}

function Punches({ extId, rows, name }: { extId: string; rows: readonly PersonPunch[]; name: string }) {
  const text = said.value;
  return (
    <Table
      caption={text.monthOf(name)}
      rows={rows}
      rowKey={row => row.id}
      columns={[
        { key: 'time', title: text.time, cell: row => <DayLink extId={extId} row={row} /> },
        {
          key: 'type',
          title: text.type,
          cell: row => (row.type === 'reissue' ? <b>{text.supplement}</b> : typeWords(row.type)),
        },
        {
          key: 'terminal',
          title: text.terminal,
          cell: row => (row.type === 'reissue' || row.set_aside ? <PunchMark row={row} /> : <PunchPlace row={row} />),
        },
        { key: 'received', title: text.received, cell: row => <Received row={row} /> },
        {
          key: 'state',
          title: text.state,
          cell: row => <ReceiptLink row={row} />,
        },
      ]}
    />
  );
}

/** To the day, where a check-in can be corrected. */
const DayLink = ({ extId, row }: { extId: string; row: PersonPunch }) => (
  <a href={`/attendance/person/${encodeURIComponent(extId)}${query({ day: day(row.at * 1000) })}`}>
    <PunchTime row={row} format={moment} />
  </a>
);

/** The date only where it is another one. */
const Received = ({ row }: { row: PersonPunch }) => (
  <span class="mono">
    {day(row.received_at) === day(row.at * 1000) ? clock(row.received_at) : moment(row.received_at)}
  </span>
);
