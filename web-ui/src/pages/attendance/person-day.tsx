import type { PersonPunch } from '../../../../src/admin/ui/attendance-days.ts';
import { post, query } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { clock, moment } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { timeNote } from '../../words/clocks.ts';
import { punchWords, typeWords } from '../../words/punches.ts';
import { statementWords } from '../../words/statements.ts';
import { AddCheckIn, WithReason } from './correcting.tsx';
import { correctionWords } from './correction-words.ts';
import { Corrections, Undo } from './corrections.tsx';
import { dayAfter, dayBefore, dayName } from './dates.ts';
import { said } from './words.ts';

/** A person's day: the plan, every check-in and what it counts as, what was corrected, and what can be. */
export function PersonDay({ extId, day }: { extId: string; day: string }) {
  const { set } = useInUrl();
  const person = useLoaded('/people/{ext_id}', { ext_id: extId }).loaded.value;
  const text = correctionWords.value;
  if (person.problem?.status === 404) return <h1 class="sentence">{said.value.unknownPerson}</h1>;
  return (
    <>
      <h1 class="sentence">{text.dayOf(person.data?.name || extId, dayName(day))}</h1>
      <p>
        <a href={`/attendance/person/${encodeURIComponent(extId)}${query({ month: day.slice(0, 7) })}`}>
          {text.backToMonth}
        </a>
      </p>
      <div class="bar">
        <button type="button" class="act" onClick={() => set({ day: dayBefore(day) })}>
          <span aria-hidden="true">‹ </span>
          {said.value.before}
        </button>
        <button type="button" class="act" onClick={() => set({ day: dayAfter(day) })}>
          {said.value.after}
          <span aria-hidden="true"> ›</span>
        </button>
        <a class="act" href={`/attendance/person/${encodeURIComponent(extId)}/${day}`}>
          {statementWords.value.sheetLink}
        </a>
      </div>
      <DayBody extId={extId} day={day} />
    </>
  );
}

/** The same without its heading; `changed` is called after a correction. */
export function DayBody({ extId, day, changed }: { extId: string; day: string; changed?: () => void }) {
  const punches = useLoaded('/people/{ext_id}/checkins', { ext_id: extId, from: day, to: day, limit: 500 });
  const corrections = useLoaded('/attendance/corrections', { person: extId, from: day, to: day });
  const { data, problem } = punches.loaded.value;
  const corrected = corrections.loaded.value;
  const text = correctionWords.value;
  const reload = () => {
    punches.reload();
    corrections.reload();
    changed?.();
  };
  const twoPersons = corrected.data?.second_person ?? false;
  return (
    <>
      <ProblemNotice problem={problem ?? corrected.problem} again={reload} />
      {!data && !problem && <Loading />}
      {data && <CheckIns extId={extId} rows={data.rows} changed={reload} />}
      {may('staff') && <AddCheckIn extId={extId} day={day} time="" twoPersons={twoPersons} done={reload} />}
      {corrected.data && (
        <section aria-labelledby="corrections">
          <h2 id="corrections">{text.corrections}</h2>
          <Corrections rows={corrected.data.rows} twoPersons={twoPersons} withPerson={false} changed={reload} />
        </section>
      )}
    </>
  );
}

function CheckIns({ extId, rows, changed }: { extId: string; rows: readonly PersonPunch[]; changed: () => void }) {
  const text = correctionWords.value;
  return (
    <section aria-labelledby="checkins">
      <h2 id="checkins">{text.checkins}</h2>
      <Table
        caption={text.checkins}
        rows={rows}
        rowKey={row => row.id}
        empty={text.none}
        columns={[
          { key: 'time', title: said.value.time, cell: row => <PunchTime row={row} /> },
          { key: 'type', title: said.value.type, cell: row => typeWords(row.type) },
          { key: 'terminal', title: said.value.terminal, cell: row => <PunchPlace row={row} /> },
          { key: 'note', title: text.reason, cell: row => <PunchMark row={row} /> },
          { key: 'state', title: said.value.state, cell: row => <ReceiptLink row={row} /> },
          ...(may('staff')
            ? [{ key: 'act', title: '', cell: (row: PersonPunch) => <Act extId={extId} row={row} done={changed} /> }]
            : []),
        ]}
      />
    </section>
  );
}

/** Struck through when it is set aside. */
export const PunchTime = ({ row, format = clock }: { row: PersonPunch; format?: (at: number) => string }) => {
  const time = format(row.at * 1000);
  return <span class="mono">{row.set_aside ? <s>{time}</s> : time}</span>;
};

export const PunchPlace = ({ row }: { row: PersonPunch }) => {
  const note = timeNote(row);
  if (row.source === 'added') return null;
  return (
    <span>
      {row.device || punchWords.value.cloud}
      {note !== '' && <span class="warn"> {note}</span>}
    </span>
  );
};

/** Where it is on its way to the cloud: opens its receipt. */
export const ReceiptLink = ({ row }: { row: PersonPunch }) => (
  <a
    href={`/attendance/record/checkin/${row.id}`}
    title={row.confirmed_at === null ? undefined : moment(row.confirmed_at)}
  >
    {said.value.states[row.state]}
  </a>
);

export const PunchMark = ({ row }: { row: PersonPunch }) => {
  const text = correctionWords.value;
  if (row.set_aside) return <span class="warn">{text.setAsideWhy(row.reason)}</span>;
  return row.source === 'added' ? <b>{text.addedWhy(row.reason)}</b> : null;
};

function Act({ extId, row, done }: { extId: string; row: PersonPunch; done: () => void }) {
  const text = correctionWords.value;
  if (row.source === 'added')
    return row.set_aside || row.correction === null ? null : <Undo id={row.correction} done={done} />;
  if (row.correction !== null) return <Undo id={row.correction} done={done} />;
  return (
    <WithReason
      label={text.act}
      title={text.actOf(clock(row.at * 1000))}
      hint={text.actHint}
      danger
      run={reason =>
        post('/attendance/corrections', {
          kind: 'set_aside',
          items: [{ ext_id: extId, checkin: row.id }],
          reason,
        })
      }
      done={done}
    />
  );
}
