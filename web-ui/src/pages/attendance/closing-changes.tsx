import { useSignal } from '@preact/signals';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { query } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { hourMinute } from '../../parts/numbers.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { closingWords } from './closing-words.ts';
import { monthWords } from './month-words.ts';
import { hours } from './results.ts';

type Change = AnswerOf<'get', '/attendance/closings/{id}/changes'>['rows'][number];
type Kind = 'late' | 'revision';

/** Days that differ, counted; a button shows them from old to new. */
export function Changes({ id, kind, said }: { id: number; kind: Kind; said: string }) {
  const open = useSignal(false);
  const text = closingWords.value;
  return (
    <>
      <p>
        {said}{' '}
        <button
          type="button"
          class="act small no-print"
          aria-expanded={open.value}
          onClick={() => {
            open.value = !open.value;
          }}
        >
          {open.value ? text.hide : text.show}
        </button>
      </p>
      {open.value && <List id={id} kind={kind} />}
    </>
  );
}

function List({ id, kind }: { id: number; kind: Kind }) {
  const { loaded, reload } = useLoaded('/attendance/closings/{id}/changes', { id, kind });
  const { data, problem } = loaded.value;
  const text = closingWords.value;
  const columns: Column<Change>[] = [
    {
      key: 'person',
      title: text.person,
      cell: row => (
        <a href={`/attendance/person/${encodeURIComponent(row.ext_id)}${query({ day: row.date })}`}>
          {row.name || row.ext_id}
        </a>
      ),
    },
    { key: 'day', title: text.day, cell: row => <span class="mono">{row.date}</span> },
    { key: 'was', title: text.was, cell: row => dayWords(row.was) },
    { key: 'now', title: text.now, cell: row => dayWords(row.now) },
  ];
  return (
    <>
      <ProblemNotice problem={problem} again={reload} />
      {!data && !problem && <Loading rows={2} />}
      {data && (
        <Table
          caption={text.changes[kind]}
          rows={data.rows}
          rowKey={row => `${row.ext_id} ${row.date}`}
          empty=""
          columns={columns}
        />
      )}
    </>
  );
}

/** `no check-in at the end, 08:58–, 0:00 h, 1 check-in`. */
function dayWords(day: Change['was']): string {
  const text = closingWords.value;
  if (day === null) return text.nothing;
  const states = monthWords.value.states as Readonly<Record<string, string>>;
  const time = (at: number | null): string => (at === null ? '' : hourMinute(at * 1000));
  return [
    states[day.state] ?? day.state,
    ...day.times.map(span => `${time(span.in)}–${time(span.out)}`),
    text.worked(hours(day.worked)),
    ...(day.late > 0 ? [monthWords.value.lateBy(day.late)] : []),
    ...(day.early > 0 ? [monthWords.value.earlyBy(day.early)] : []),
    ...(day.overtime > 0 ? [monthWords.value.overtimeOf(day.overtime)] : []),
    text.checkIns(day.punches),
  ].join(', ');
}
