import { useSignal } from '@preact/signals';
import type { LeaveFacts } from '../../../../src/admin/ui/plan-shapes.ts';
import { addDays } from '../../../../src/runtime/calendar-date.ts';
import { post, put } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Loading, ProblemNotice, Refused } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { day } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { useDoing } from './doing.ts';
import { LeaveForm } from './leave-form.tsx';
import { kindWords, said } from './words.ts';

/** How far back leave is listed, in days. */
const daysBack = 366;

/** The leave of one person: what there was for a year, what there is, and what comes. */
export function PersonLeaves({ extId, name, changed }: { extId: string; name: string; changed: () => void }) {
  const today = day(now.peek());
  const { loaded, reload } = useLoaded('/schedules/leaves', { person: extId, from: addDays(today, -daysBack) });
  const edited = useSignal<LeaveFacts | 'new' | null>(null);
  const { busy, refused, run } = useDoing();
  const { data, problem } = loaded.value;
  const text = said.value;
  const again = () => {
    reload();
    changed();
  };
  const act = (change: () => Promise<unknown>) =>
    void run(async () => {
      await change();
      again();
    });
  const endToday = ({ id, ext_id, from, kind, paid, reason }: LeaveFacts) =>
    act(() =>
      put('/schedules/leaves/{id}', {
        ...{ id, ext_id, from, kind, paid, reason, state: 'approved' as const },
        to: `${addDays(today, 1)}T00:00`,
      }),
    );
  return (
    <section class="no-print" aria-labelledby="leave-of-person">
      <h2 id="leave-of-person">{text.leave}</h2>
      <p class="bar">
        <button type="button" class="act" onClick={() => (edited.value = 'new')}>
          {text.addLeave}
        </button>
      </p>
      <Refused text={refused.value} />
      <ProblemNotice problem={problem} again={reload} />
      {!data && !problem && <Loading rows={2} />}
      {data && (
        <Table
          caption={text.leaveOf(name)}
          rows={data.rows.toReversed()}
          rowKey={row => row.id}
          empty={text.noLeaveOf}
          columns={[
            { key: 'from', title: text.leaveFrom, cell: row => <span class="mono">{row.from.replace('T', ' ')}</span> },
            { key: 'to', title: text.leaveTo, cell: row => <span class="mono">{row.to.replace('T', ' ')}</span> },
            { key: 'kind', title: text.leaveKind, cell: row => `${kindWords(row.kind)}${row.paid ? '' : text.unpaid}` },
            { key: 'state', title: text.state, cell: row => text.states[row.state] },
            { key: 'reason', title: text.reason, cell: row => row.reason },
            {
              key: 'act',
              title: '\u00a0',
              cell: row =>
                (row.state === 'asked' || row.state === 'approved') && (
                  <span class="acts">
                    {row.state === 'asked' && (
                      <button
                        type="button"
                        class="act"
                        disabled={busy.value}
                        onClick={() =>
                          act(() => post('/schedules/leaves/{id}/decision', { id: row.id, state: 'approved' }))
                        }
                      >
                        {text.approve}
                      </button>
                    )}
                    <button type="button" class="act" onClick={() => (edited.value = row)}>
                      {text.edit}
                    </button>
                    {row.state === 'approved' && isRunning(row, today) && (
                      <button type="button" class="act" disabled={busy.value} onClick={() => endToday(row)}>
                        {text.endToday}
                      </button>
                    )}
                    <button
                      type="button"
                      class="act danger"
                      disabled={busy.value}
                      onClick={() =>
                        act(() => post('/schedules/leaves/{id}/decision', { id: row.id, state: 'withdrawn' }))
                      }
                    >
                      {text.withdraw}
                    </button>
                  </span>
                ),
            },
          ]}
        />
      )}
      {edited.value && (
        <LeaveForm
          edited={edited.value === 'new' ? null : edited.value}
          person={{ ext_id: extId, name }}
          day={today}
          close={() => (edited.value = null)}
          done={() => {
            edited.value = null;
            again();
          }}
        />
      )}
    </section>
  );
}

/** Whether the leave has begun, and goes on after today. */
const isRunning = ({ from, to }: LeaveFacts, today: string): boolean =>
  from < `${addDays(today, 1)}T00:00` && to > `${addDays(today, 1)}T00:00`;
