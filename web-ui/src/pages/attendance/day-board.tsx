import { useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useCallback } from 'preact/hooks';
import type { DayReport } from '../../../../src/admin/ui/attendance-days.ts';
import type { DayStatusReport, PersonOfDay } from '../../../../src/admin/ui/day-status.ts';
import { usePages } from '../../loaded.ts';
import { DeviceLink } from '../../parts/device-link.tsx';
import { Choice } from '../../parts/field.tsx';
import { useFresh } from '../../parts/fresh.ts';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { count, hourMinute } from '../../parts/numbers.ts';
import { useSelection } from '../../parts/selection.tsx';
import { type Column, More, Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { AddingMany, canAdd } from './adding-many.tsx';
import { DayDialog } from './day-dialog.tsx';
import { DayMark, type MarkName } from './day-mark.tsx';
import { dayWords } from './day-words.ts';
import { PersonLink } from './person-link.tsx';
import { said } from './words.ts';

const pageSize = 100;
/** A whole day is calculated for an answer: check-ins ask for another at most so often. */
const freshEveryMs = 10_000;

type Status = PersonOfDay['status'];
type Counts = DayStatusReport['counts'];

const order = ['absent', 'late', 'missing', 'present', 'expected', 'leave', 'off', 'none'] as const;
/** Those whose check-ins are missing, and can be added. */
const lacking: readonly Status[] = ['absent', 'missing'];

/** Enters a leave: a dialog of the pages of schedules, which import from these. */
export type LeaveDialog = ComponentType<{
  edited: null;
  person: { readonly ext_id: string; readonly name: string };
  day: string;
  close: () => void;
  done: () => void;
}>;

/** The day by the schedules, trouble first; without schedules what `without` shows. */
export function DayBoard({
  report,
  filters,
  bar,
  reload,
  without,
  Leave,
}: {
  report: DayReport;
  filters: { readonly department: string | undefined; readonly search: string | undefined };
  bar: ComponentChildren;
  /** Loads the rest of the page. */
  reload: () => void;
  without: () => ComponentChildren;
  Leave: LeaveDialog;
}) {
  const { values, set } = useInUrl();
  const { shift, terminal } = values;
  const chosen = order.filter(one => (values.status ?? '').split(',').includes(one));
  const { day } = report;
  const asked = { day, ...filters, shift, terminal };
  const status = chosen.length === 0 ? undefined : chosen.join(',');
  const {
    rows,
    first,
    state,
    more,
    reload: again,
  } = usePages('/attendance/day/status', {
    ...{ ...asked, status, limit: pageSize },
  });
  const changed = useCallback(() => {
    again();
    reload();
  }, [again, reload]);
  const moved = useCallback(() => {
    // A list of which more was loaded is not replaced while somebody reads it.
    if (rows.peek().length <= pageSize) changed();
  }, [rows, changed]);
  const selection = useSelection(JSON.stringify([asked, status]), 0);
  const fixed = useSignal<PersonOfDay | null>(null);
  const leaving = useSignal<PersonOfDay | null>(null);
  const found = first.value;
  if (found && !found.planned) return <>{without()}</>;
  const text = dayWords.value;
  const meant = lacking.filter(one => chosen.length === 0 || chosen.includes(one));
  const toAdd = found ? meant.reduce((sum, one) => sum + found.counts[one], 0) : 0;
  return (
    <>
      <p class="sentence">{found ? sentence(found.counts) : text.people}</p>
      {bar}
      <ProblemNotice problem={state.value.problem} again={again} />
      {!found && state.value.loading && <Loading />}
      {found && (
        <>
          <Statuses counts={found.counts} chosen={chosen} choose={one => set({ status: one })} />
          <div class="bar no-print">
            {found.shifts.length > 1 && (
              <Choice
                label={text.shift}
                value={shift ?? ''}
                onChange={event => set({ shift: event.currentTarget.value || undefined })}
              >
                <option value="">{text.allShifts}</option>
                {found.shifts.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </Choice>
            )}
            {(found.terminals.length > 0 || terminal) && (
              <Choice
                label={text.terminal}
                value={terminal ?? ''}
                onChange={event => set({ terminal: event.currentTarget.value || undefined })}
              >
                <option value="">{text.allTerminals}</option>
                {found.terminals.map(({ device_id, device, people }) => (
                  <option key={device_id} value={device_id}>
                    {text.ofTerminal(device || device_id, count(people))}
                  </option>
                ))}
              </Choice>
            )}
          </div>
          {(found.departments.length > 1 || found.shifts.length > 1) && (
            <details class="no-print">
              <summary>{text.groups}</summary>
              {found.shifts.length > 1 && (
                <Groups
                  title={text.byShift}
                  rows={found.shifts.map(one => ({ ...one, key: one.code }))}
                  href={code => `/attendance?day=${day}&shift=${encodeURIComponent(code)}`}
                />
              )}
              <Groups
                title={text.byDepartment}
                rows={found.departments.map(one => ({ ...one, key: one.ext_id }))}
                href={extId => `/attendance?day=${day}&department=${encodeURIComponent(extId)}`}
              />
            </details>
          )}
          {may('staff') && (
            <AddingMany
              asked={{ ...asked, status: meant.join(',') }}
              total={toAdd}
              rows={rows.value}
              selection={selection}
              changed={changed}
            />
          )}
          <Table
            caption={text.people}
            rows={rows.value}
            rowKey={row => row.key}
            empty={
              chosen.length > 0 && chosen.every(one => troubled.includes(one)) ? text.everyonePresent : text.noneFit
            }
            columns={columns(fixed, leaving)}
            choosing={
              may('staff')
                ? { selection, id: row => (canAdd(row) ? row.ext_id : null), name: row => row.name }
                : undefined
            }
          />
          <More state={state.value} more={more} />
        </>
      )}
      {day === report.today && <Fresh then={moved} />}
      {fixed.value && (
        <DayDialog
          person={fixed.value}
          day={day}
          close={() => {
            fixed.value = null;
          }}
          changed={changed}
        />
      )}
      {leaving.value && (
        <Leave
          edited={null}
          person={leaving.value}
          day={day}
          close={() => {
            leaving.value = null;
          }}
          done={() => {
            leaving.value = null;
            changed();
          }}
        />
      )}
    </>
  );
}

const cameIn = (counts: Counts): number => counts.present + counts.late + counts.missing;

function sentence(counts: Counts): string {
  const text = dayWords.value;
  const came = cameIn(counts);
  return text.sentence({ ...counts, came, due: came + counts.absent }) || text.nobodyPlanned;
}

/** A button for each status that somebody has; several may be pressed. */
function Statuses({
  counts,
  chosen,
  choose,
}: {
  counts: Counts;
  chosen: readonly Status[];
  choose: (status: string | undefined) => void;
}) {
  const text = dayWords.value;
  const shown = order.filter(one => counts[one] > 0 || chosen.includes(one));
  return (
    <fieldset class="statuses no-print" aria-label={text.filter}>
      <button type="button" class="act small" aria-pressed={chosen.length === 0} onClick={() => choose(undefined)}>
        {text.all}
      </button>
      {shown.map(one => {
        const isChosen = chosen.includes(one);
        const next = isChosen ? chosen.filter(other => other !== one) : [...chosen, one];
        return (
          <button
            key={one}
            type="button"
            class="act small"
            aria-pressed={isChosen}
            onClick={() => choose(next.length === 0 ? undefined : next.join(','))}
          >
            <DayMark mark={marks[one]} /> {text.withCount(text.statuses[one], count(counts[one]))}
          </button>
        );
      })}
    </fieldset>
  );
}

const marks: Readonly<Record<Status, MarkName>> = {
  absent: 'absent',
  late: 'late',
  missing: 'missing_out',
  present: 'ok',
  expected: 'to_come',
  leave: 'leave',
  off: 'off',
  none: 'none',
};

interface Open {
  value: PersonOfDay | null;
}

function columns(fixed: Open, leaving: Open): Column<PersonOfDay>[] {
  const text = dayWords.value;
  return [
    { key: 'status', title: text.status, phone: 'state', cell: row => <StatusCell row={row} /> },
    { key: 'name', title: said.value.name, phone: 'name', cell: row => <PersonLink person={row} /> },
    { key: 'number', title: said.value.number, cell: row => <span class="mono">{row.employee_num}</span> },
    { key: 'department', title: said.value.department, cell: row => row.department },
    { key: 'shift', title: text.shift, phone: 'below', cell: row => <Plan row={row} /> },
    { key: 'first', title: said.value.first, cell: row => <Punch source={row.first} /> },
    { key: 'last', title: said.value.last, cell: row => <Punch source={row.last} /> },
    ...(may('staff')
      ? [
          {
            key: 'act',
            title: '\u00a0',
            phone: 'acts-below' as const,
            cell: (row: PersonOfDay) => <Acts row={row} fixed={fixed} leaving={leaving} />,
          },
        ]
      : []),
  ];
}

function StatusCell({ row }: { row: PersonOfDay }) {
  const text = dayWords.value;
  const more = [
    row.late > 0 ? text.lateBy(row.late) : '',
    row.early > 0 ? text.earlyBy(row.early) : '',
    row.status === 'missing' ? text.missing(row.missing.map(time => time.slice(11, 16)).join(text.joint)) : '',
  ].filter(part => part !== '');
  return (
    <span class="day-status">
      <DayMark mark={marks[row.status]} /> {row.status === 'late' ? more.join(text.joint) : text.statuses[row.status]}
      {row.status !== 'late' && more.length > 0 && <span class="quiet"> {more.join(text.joint)}</span>}
    </span>
  );
}

const Plan = ({ row: { shift, planned_on: on, planned_off: off } }: { row: PersonOfDay }) =>
  on === null || off === null ? (
    <span>{shift}</span>
  ) : (
    <span class="mono day-status">
      {hourMinute(on * 1000)}–{hourMinute(off * 1000)}
    </span>
  );

const Punch = ({ source }: { source: PersonOfDay['first'] }) =>
  source && (
    <span>
      <span class="mono">{hourMinute(source.at * 1000)}</span>{' '}
      <span class="quiet">{source.added ? dayWords.value.added : <DeviceLink of={source} />}</span>
    </span>
  );

const troubled: readonly Status[] = ['absent', 'late', 'missing'];

function Acts({ row, fixed, leaving }: { row: PersonOfDay; fixed: Open; leaving: Open }) {
  const text = dayWords.value;
  if (row.ext_id === '' || !troubled.includes(row.status)) return null;
  return (
    <span class="day-acts">
      <button
        type="button"
        class="act"
        aria-label={text.correctOf(row.name)}
        onClick={() => {
          fixed.value = row;
        }}
      >
        {text.correct}
      </button>
      <button
        type="button"
        class="act"
        aria-label={text.leaveOf(row.name)}
        onClick={() => {
          leaving.value = row;
        }}
      >
        {text.leave}
      </button>
      {row.mobile !== '' && (
        <a class="act" href={`tel:${row.mobile}`} aria-label={text.callOf(row.name)}>
          {text.call}
        </a>
      )}
    </span>
  );
}

/** How the people of each shift or department stand. */
function Groups({
  title,
  rows,
  href,
}: {
  title: string;
  rows: readonly { readonly key: string; readonly name: string; readonly counts: Counts }[];
  href: (key: string) => string;
}) {
  const text = dayWords.value;
  type Row = (typeof rows)[number];
  const numbers = (['absent', 'late', 'expected', 'leave'] as const).map(status => ({
    ...{ key: status, title: text.statuses[status], number: true },
    cell: ({ counts }: Row) => count(counts[status]),
  }));
  return (
    <section>
      <h2>{title}</h2>
      <Table
        caption={title}
        rows={rows}
        rowKey={row => row.key}
        narrow
        columns={[
          { key: 'name', title: '\u00a0', cell: row => <a href={href(row.key)}>{row.name}</a> },
          {
            ...{ key: 'due', title: text.scheduled, number: true },
            cell: ({ counts }) => count(cameIn(counts) + counts.absent),
          },
          { key: 'came', title: text.statuses.present, number: true, cell: ({ counts }) => count(cameIn(counts)) },
          ...numbers,
        ]}
      />
    </section>
  );
}

/** Today moves with the check-ins. */
function Fresh({ then }: { then: () => void }) {
  useFresh(then, { checkins: true, everyMs: freshEveryMs });
  return null;
}
