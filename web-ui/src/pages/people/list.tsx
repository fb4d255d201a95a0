import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { DepartmentFacts, ListedPerson } from '../../../../src/admin/ui/people-lists.ts';
import { usePages } from '../../loaded.ts';
import { useInUrl } from '../../parts/in-url.ts';
import { Menu } from '../../parts/menu.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { useSelection } from '../../parts/selection.tsx';
import { type Column, More, Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { words } from '../../words/index.ts';
import { typeWords } from '../../words/punches.ts';
import { EmploymentForm, hasLeft } from './employment-form.tsx';
import { ManyPeople } from './many.tsx';
import { PersonForm, RemovePerson } from './person-dialogs.tsx';
import { said } from './words.ts';

/**
 * The people of a department and those below it, in pages. `round` counts the changes made
 * elsewhere on the page.
 */
export function PeopleList({
  department,
  search,
  employed,
  round,
  departments,
  done,
  changed,
  label,
}: {
  department: string | undefined;
  search: string | undefined;
  employed: 'now' | 'no more';
  round: number;
  departments: readonly DepartmentFacts[];
  done: (sentence: string) => void;
  /** Many people were changed. */
  changed: () => void;
  label: string;
}) {
  const { values, set } = useInUrl();
  const sort = values.sort ?? 'department';
  const { rows, first, state, more, reload } = usePages('/people', { department, search, employed, sort });
  const total = first.value?.total ?? 0;
  const selection = useSelection(JSON.stringify([department, search, employed]), total);
  const edited = useSignal<ListedPerson | null>(null);
  const removed = useSignal<ListedPerson | null>(null);
  const leaving = useSignal<ListedPerson | null>(null);
  const seen = useRef(round);
  useEffect(() => {
    if (seen.current === round) return;
    seen.current = round;
    reload();
  }, [round, reload]);
  const text = said.value;
  const close = () => {
    edited.value = null;
    removed.value = null;
    leaving.value = null;
  };
  const finished = (sentence: string) => {
    close();
    done(sentence);
  };
  const columns: Column<ListedPerson>[] = [
    {
      key: 'name',
      title: text.name,
      sort: 'name',
      phone: 'name',
      cell: row =>
        row.ext_id === '' ? (
          row.name
        ) : (
          <>
            <a href={`/attendance/person/${encodeURIComponent(row.ext_id)}`}>{row.name || row.ext_id}</a>
            {row.missing_since !== null && <span class="quiet"> {text.missingSince(moment(row.missing_since))}</span>}
            {row.employed_to !== null && <span class="quiet"> {text.lastDayWas(row.employed_to)}</span>}
          </>
        ),
    },
    {
      key: 'number',
      title: text.number,
      sort: 'number',
      phone: 'state',
      cell: row => <span class="mono">{row.employee_num}</span>,
    },
    {
      key: 'department',
      title: text.department,
      sort: 'department',
      phone: 'below',
      cell: row => (row.title === '' ? row.department : `${row.department}, ${row.title}`),
    },
    { key: 'features', title: text.features, cell: row => <Features row={row} /> },
  ];
  if (may('staff'))
    columns.push({
      key: 'act',
      title: '\u00a0',
      phone: 'acts',
      cell: row => {
        if (row.ext_id === '') return null;
        const each = (
          <>
            <button type="button" class="act" aria-label={text.editOf(row.name)} onClick={() => (edited.value = row)}>
              {text.edit}
            </button>
            <button
              type="button"
              class="act"
              aria-label={hasLeft(row) ? text.isBackOf(row.name) : text.hasLeftOf(row.name)}
              onClick={() => (leaving.value = row)}
            >
              {hasLeft(row) ? text.isBackButton : text.hasLeft}
            </button>
          </>
        );
        return (
          <span class="acts">
            <span class="wide-only">{each}</span>
            <span class={may('admin') ? undefined : 'phone-only'}>
              <Menu label={text.moreOf(row.name)}>
                <span class="phone-only">{each}</span>
                {may('admin') && (
                  <button
                    type="button"
                    class="act danger"
                    aria-label={text.removeOf(row.name)}
                    onClick={() => (removed.value = row)}
                  >
                    {words.value.act.remove}…
                  </button>
                )}
              </Menu>
            </span>
          </span>
        );
      },
    });
  return (
    <>
      <ProblemNotice problem={state.value.problem} again={reload} />
      {may('staff') && (
        <ManyPeople
          selection={selection}
          total={total}
          matching={{ department, search, employed, upToKey: first.value?.last_key ?? 0 }}
          departments={departments}
          changed={changed}
        />
      )}
      {state.value.loading && rows.value.length === 0 ? (
        <Loading />
      ) : (
        <Table
          caption={label}
          rows={rows.value}
          rowKey={row => row.key}
          empty={search ? words.value.list.noneFound : words.value.list.none}
          columns={columns}
          total={total}
          sorting={{ by: sort, set: by => set({ sort: by.endsWith('department') ? undefined : by }) }}
          choosing={
            may('staff') ? { selection, id: row => row.ext_id || null, name: row => row.name || row.ext_id } : undefined
          }
        />
      )}
      <More state={state.value} more={more} />
      {edited.value && <PersonForm departments={departments} edited={edited.value} close={close} done={finished} />}
      {leaving.value && <EmploymentForm person={leaving.value} close={close} done={finished} />}
      {removed.value && (
        <RemovePerson
          person={removed.value}
          offboard={() => {
            leaving.value = removed.value;
            removed.value = null;
          }}
          close={close}
          done={finished}
        />
      )}
    </>
  );
}

/** Which kinds are stored; their values are shown to nobody. */
const Features = ({ row: { features, abnormal } }: { row: ListedPerson }) => (
  <span>
    {features.map(typeWords).join(', ')}
    {abnormal && <span class="warn"> {said.value.abnormal}</span>}
  </span>
);
