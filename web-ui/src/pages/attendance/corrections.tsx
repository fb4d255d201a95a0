import type { CorrectionReport } from '../../../../src/admin/corrections.ts';
import { isEmployeeName } from '../../../../src/platform/reserved-names.ts';
import { post, query } from '../../api.ts';
import { useDoing } from '../../parts/doing.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { day, moment } from '../../parts/numbers.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { may, session } from '../../session.ts';
import { inWords, WithReason } from './correcting.tsx';
import { correctionWords } from './correction-words.ts';

/** Corrections with what may be done about each; `withPerson`: they are of several people. */
export function Corrections({
  rows,
  twoPersons,
  withPerson,
  changed,
}: {
  rows: readonly CorrectionReport[];
  twoPersons: boolean;
  withPerson: boolean;
  changed: () => void;
}) {
  const { refused, run } = useDoing(inWords);
  const text = correctionWords.value;
  const decide = async (id: number, decision: 'approve' | 'refuse' | 'withdraw') => {
    await run(() => post('/attendance/corrections/{id}/{decision}', { id, decision }));
    changed();
  };
  const columns: Column<CorrectionReport>[] = [
    { key: 'id', title: text.number, cell: row => <span class="mono">{row.id}</span> },
    ...(withPerson ? [{ key: 'person', title: text.person, cell: personOf }] : []),
    { key: 'at', title: text.at, cell: row => <span class="mono">{moment(row.at * 1000)}</span> },
    { key: 'what', title: text.what, cell: whatOf },
    { key: 'reason', title: text.reason, cell: row => row.reason },
    { key: 'asked', title: text.asked, cell: row => <Who name={row.asked_by} at={row.asked_at} /> },
    { key: 'decided', title: text.decided, cell: row => <Who name={row.decided_by} at={row.decided_at} /> },
    { key: 'state', title: text.state, cell: stateOf },
    ...(may('staff')
      ? [
          {
            key: 'act',
            title: '',
            cell: (row: CorrectionReport) => <Acts row={row} twoPersons={twoPersons} decide={decide} done={changed} />,
          },
        ]
      : []),
  ];
  return (
    <>
      <ProblemNotice problem={refused.value} />
      <Table
        caption={text.corrections}
        rows={rows}
        rowKey={row => `${row.id} ${row.ext_id} ${row.at}`}
        empty={text.noCorrections}
        columns={columns}
      />
    </>
  );
}

const personOf = (row: CorrectionReport) => (
  <a
    href={`/attendance/person/${encodeURIComponent(row.ext_id)}${query({ day: row.work_date ?? day(row.at * 1000) })}`}
  >
    {row.name || row.ext_id}
  </a>
);

const whatOf = (row: CorrectionReport) =>
  row.reverses !== null
    ? correctionWords.value.undoes(row.reverses)
    : row.work_date !== null
      ? correctionWords.value.movedTo(row.work_date)
      : correctionWords.value.kinds[row.kind];

const stateOf = (row: CorrectionReport) => {
  const text = correctionWords.value;
  return (
    <span class={row.state === 'asked' ? 'warn' : undefined}>{row.undone ? text.undone : text.states[row.state]}</span>
  );
};

const Who = ({ name, at }: { name: string | null; at: number | null }) =>
  name !== null &&
  at !== null && (
    <span>
      {whoSaid(name)} <span class="quiet mono">{moment(at)}</span>
    </span>
  );

const whoSaid = (name: string): string => {
  const text = correctionWords.value;
  return name === 'command' ? text.theBox : isEmployeeName(name) ? text.theEmployee : name;
};

function Acts({
  row,
  twoPersons,
  decide,
  done,
}: {
  row: CorrectionReport;
  twoPersons: boolean;
  decide: (id: number, decision: 'approve' | 'refuse' | 'withdraw') => Promise<void>;
  done: () => void;
}) {
  const text = correctionWords.value;
  const isMine = row.asked_by === session.value?.user?.name;
  if (row.state === 'approved' && row.kind !== 'undo' && !row.undone) return <Undo id={row.id} done={done} />;
  if (row.state !== 'asked') return null;
  return (
    <span class="bar">
      {!(twoPersons && isMine) && (
        <button
          type="button"
          class="act small"
          aria-label={text.approveOf(row.id)}
          onClick={() => void decide(row.id, 'approve')}
        >
          {text.approve}
        </button>
      )}
      <button
        type="button"
        class="act small"
        aria-label={isMine ? text.withdrawOf(row.id) : text.refuseOf(row.id)}
        onClick={() => void decide(row.id, isMine ? 'withdraw' : 'refuse')}
      >
        {isMine ? text.withdraw : text.refuse}
      </button>
    </span>
  );
}

export const Undo = ({ id, done }: { id: number; done: () => void }) => (
  <WithReason
    label={correctionWords.value.undo}
    title={correctionWords.value.undoOf(id)}
    hint={correctionWords.value.undoHint}
    run={reason => post('/attendance/corrections/{id}/undo', { id, reason })}
    done={done}
  />
);
