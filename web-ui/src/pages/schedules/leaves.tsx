import { useSignal } from '@preact/signals';
import type { LeaveFacts } from '../../../../src/admin/ui/plan-shapes.ts';
import { post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Choice } from '../../parts/field.tsx';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice, Refused } from '../../parts/notices.tsx';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { words } from '../../words/index.ts';
import { isMonth, monthName } from '../attendance/dates.ts';
import { MonthBar } from '../attendance/month-bar.tsx';
import { useDoing } from './doing.ts';
import { LeaveForm } from './leave-form.tsx';
import { Views } from './views.tsx';
import { kindWords, said } from './words.ts';

const states = ['asked', 'approved', 'refused', 'withdrawn'] as const;

/** Leave in a month, and requests that wait for a decision. */
export function Leaves() {
  const { values, set } = useInUrl();
  const plans = useLoaded('/schedules');
  const text = said.value;
  const month = isMonth(values.month) ? values.month : plans.loaded.value.data?.today.slice(0, 7);
  if (!may('staff')) return <p class="sentence">{words.value.problem.notAllowed(words.value.roles.staff)}</p>;
  if (!month) return <Loading />;
  return (
    <>
      <p class="sentence">{text.leaveSentence(monthName(month))}</p>
      <Views view="leave" />
      <div class="bar">
        <MonthBar month={month} go={to => set({ month: to })} />
        <Choice label={text.state} onChange={event => set({ state: event.currentTarget.value || undefined })}>
          <option value="">{text.anyState}</option>
          {states.map(one => (
            <option key={one} value={one} selected={one === values.state}>
              {text.states[one]}
            </option>
          ))}
        </Choice>
      </div>
      <List key={`${month} ${values.state ?? ''}`} month={month} state={states.find(one => one === values.state)} />
    </>
  );
}

function List({ month, state }: { month: string; state: (typeof states)[number] | undefined }) {
  const { loaded, reload } = useLoaded('/schedules/leaves', { from: `${month}-01`, to: lastOf(month), state });
  const edited = useSignal<LeaveFacts | 'new' | null>(null);
  const { busy, refused, run } = useDoing();
  const { data, problem } = loaded.value;
  const text = said.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const decide = (row: LeaveFacts, decision: 'approved' | 'refused' | 'withdrawn') =>
    void run(async () => {
      await post('/schedules/leaves/{id}/decision', { id: row.id, state: decision });
      reload();
    });
  const done = () => {
    edited.value = null;
    reload();
  };
  return (
    <>
      <p class="bar">
        <button type="button" class="act go" onClick={() => (edited.value = 'new')}>
          {text.addLeave}
        </button>
      </p>
      <Refused text={refused.value} />
      {data.cut && <p class="notice">{text.cut}</p>}
      <Table
        caption={text.leave}
        rows={data.rows}
        rowKey={row => row.id}
        empty={text.noLeave}
        columns={[
          {
            key: 'name',
            title: text.name,
            cell: row => <a href={`/attendance/person/${encodeURIComponent(row.ext_id)}`}>{row.name}</a>,
          },
          { key: 'from', title: text.leaveFrom, cell: row => <span class="mono">{row.from.replace('T', ' ')}</span> },
          { key: 'to', title: text.leaveTo, cell: row => <span class="mono">{row.to.replace('T', ' ')}</span> },
          { key: 'kind', title: text.leaveKind, cell: row => `${kindWords(row.kind)}${row.paid ? '' : text.unpaid}` },
          { key: 'state', title: text.state, cell: row => text.states[row.state] },
          { key: 'reason', title: text.reason, cell: row => row.reason },
          {
            key: 'act',
            title: '\u00a0',
            cell: row => (
              <span class="acts">
                {row.state === 'asked' && (
                  <>
                    <button type="button" class="act" disabled={busy.value} onClick={() => decide(row, 'approved')}>
                      {text.approve}
                    </button>
                    <button type="button" class="act" disabled={busy.value} onClick={() => decide(row, 'refused')}>
                      {text.refuse}
                    </button>
                  </>
                )}
                {(row.state === 'asked' || row.state === 'approved') && (
                  <>
                    <button
                      type="button"
                      class="act"
                      aria-label={text.editOf(row.name)}
                      onClick={() => (edited.value = row)}
                    >
                      {text.edit}
                    </button>
                    <button
                      type="button"
                      class="act danger"
                      disabled={busy.value}
                      onClick={() => decide(row, 'withdrawn')}
                    >
                      {text.withdraw}
                    </button>
                  </>
                )}
              </span>
            ),
          },
        ]}
      />
      {edited.value && (
        <LeaveForm
          edited={edited.value === 'new' ? null : edited.value}
          day={`${month}-01`}
          close={() => (edited.value = null)}
          done={done}
        />
      )}
    </>
  );
}

const lastOf = (month: string): string => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
};
