import { useSignal } from '@preact/signals';
import type { DepartmentFacts } from '../../../../src/admin/ui/people-lists.ts';
import type { UnknownPeopleReport } from '../../../../src/admin/ui/unknown-people.ts';
import { erase, post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { DepartmentOptions } from '../../parts/departments.tsx';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Choice } from '../../parts/field.tsx';
import { Refused } from '../../parts/notices.tsx';
import { count, moment } from '../../parts/numbers.ts';
import { Search } from '../../parts/search.tsx';
import { Table } from '../../parts/table.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { words } from '../../words/index.ts';
import { useDoing } from './doing.ts';
import { said } from './unknown-words.ts';

type Unknown = UnknownPeopleReport['rows'][number];
type Joined = UnknownPeopleReport['joined'][number];
type Somebody = Joined['person'];

const idOf = ({ said_ext_id: extId, said_number: number }: Pick<Unknown, 'said_ext_id' | 'said_number'>): string =>
  extId || number;
const keyOf = (row: Pick<Unknown, 'said_ext_id' | 'said_number'>): string => `${row.said_ext_id}\n${row.said_number}`;

/**
 * Ids that terminals report and nobody has. One click says whose an id is; what came under it then
 * belongs to the person, and can be taken back. Hidden if there are none.
 */
export function UnknownPeople({
  departments,
  isOwn,
  changed,
}: {
  readonly departments: readonly DepartmentFacts[];
  /** The box keeps the organization, not the cloud. */
  readonly isOwn: boolean;
  changed: () => void;
}) {
  const { loaded, reload } = useLoaded('/unknown-people');
  const asked = useSignal<Unknown | null>(null);
  const isAdding = useSignal(false);
  const { busy, refused, run } = useDoing();
  const { data } = loaded.value;
  if (!data || (data.rows.length === 0 && data.joined.length === 0)) return null;
  const text = said.value;
  const join = (row: Unknown, { ext_id, name }: Somebody) =>
    run(async () => {
      const { said_ext_id, said_number } = row;
      const { id, checkins } = await post('/unknown-people/joins', { said_ext_id, said_number, ext_id });
      asked.value = null;
      sayDone(text.isNow(idOf(row), name, checkins), () => separate(id));
      reload();
      changed();
    });
  const separate = (id: number) =>
    run(async () => {
      await erase('/unknown-people/joins/{id}', { id });
      reload();
      changed();
    });
  /** Where a known person is likely, or several have the number, somebody has to look. */
  const unclaimed = data.rows.filter(row => idOf(row) !== '' && !row.likely && !row.ambiguous);
  const add = (department: string) =>
    run(async () => {
      const people = unclaimed.map(({ said_ext_id, said_number }) => ({ said_ext_id, said_number }));
      sayDone(text.added((await post('/unknown-people/people', { people, department })).added));
      isAdding.value = false;
      reload();
      changed();
    });
  return (
    <section aria-labelledby="unknown">
      <h2 id="unknown">{text.title}</h2>
      {data.rows.length > 0 && <p class="quiet">{text.lead(count(data.checkins), data.checkins === 1)}</p>}
      {may('staff') && isOwn && unclaimed.length > 0 && (
        <p>
          <button
            type="button"
            class="act"
            onClick={() => {
              refused.value = null;
              isAdding.value = true;
            }}
          >
            {text.add(unclaimed.length)}
          </button>
        </p>
      )}
      {!asked.value && !isAdding.value && <Refused text={refused.value} />}
      {data.rows.length > 0 && (
        <Table
          caption={text.title}
          rows={data.rows}
          rowKey={keyOf}
          columns={[
            {
              key: 'id',
              title: text.id,
              cell: row => (
                <>
                  <span class="mono">{idOf(row) || text.none}</span>
                  {row.ambiguous && <span class="quiet"> {text.ambiguous}</span>}
                </>
              ),
            },
            { key: 'checkins', title: text.checkins, number: true, cell: row => count(row.checkins) },
            { key: 'last', title: text.last, cell: row => moment(row.last_at) },
            ...(may('staff')
              ? [
                  {
                    key: 'act',
                    title: '\u00a0',
                    cell: (row: Unknown) =>
                      idOf(row) === '' ? null : (
                        <Whose
                          row={row}
                          busy={busy.value}
                          join={somebody => void join(row, somebody)}
                          ask={() => {
                            refused.value = null;
                            asked.value = row;
                          }}
                        />
                      ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {data.joined.length > 0 && (
        <details>
          <summary>{text.joined(data.joined.length)}</summary>
          <Table
            caption={text.joinedTitle}
            rows={data.joined}
            rowKey={row => row.id}
            columns={[
              { key: 'id', title: text.id, cell: row => <span class="mono">{idOf(row)}</span> },
              {
                key: 'person',
                title: text.person,
                cell: ({ person }) => (
                  <a href={`/attendance/person/${encodeURIComponent(person.ext_id)}`}>{person.name || person.ext_id}</a>
                ),
              },
              { key: 'checkins', title: text.checkins, number: true, cell: row => count(row.checkins) },
              { key: 'by', title: text.by, cell: row => `${row.by}, ${moment(row.at)}` },
              ...(may('staff')
                ? [
                    {
                      key: 'act',
                      title: '\u00a0',
                      cell: (row: Joined) => (
                        <button
                          type="button"
                          class="act"
                          disabled={busy.value}
                          aria-label={text.undoOf(idOf(row))}
                          onClick={() => void separate(row.id)}
                        >
                          {words.value.act.undo}
                        </button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        </details>
      )}
      {isAdding.value && (
        <AddAll
          ids={unclaimed.map(idOf)}
          departments={departments}
          busy={busy.value}
          refused={refused.value}
          add={department => void add(department)}
          close={() => {
            isAdding.value = false;
          }}
        />
      )}
      {asked.value && (
        <Choose
          row={asked.value}
          refused={refused.value}
          join={somebody => void join(asked.value!, somebody)}
          close={() => {
            asked.value = null;
          }}
        />
      )}
    </section>
  );
}

function Whose({
  row,
  busy,
  join,
  ask,
}: {
  row: Unknown;
  busy: boolean;
  join: (somebody: Somebody) => void;
  ask: () => void;
}) {
  const text = said.value;
  const { likely } = row;
  return (
    <span class="acts">
      {likely && (
        <button type="button" class="act go" disabled={busy} onClick={() => join(likely)}>
          {text.thisIs(likely.name || likely.ext_id)}
        </button>
      )}
      <button type="button" class="act" aria-label={text.whoIs(idOf(row))} onClick={ask}>
        {likely ? text.somebodyElse : text.choose}
      </button>
    </span>
  );
}

/** Ids that are named in the dialog. */
const namedMax = 12;

/** One person for each id, in the department that is chosen. */
function AddAll({
  ids,
  departments,
  busy,
  refused,
  add,
  close,
}: {
  ids: readonly string[];
  departments: readonly DepartmentFacts[];
  busy: boolean;
  refused: string | null;
  add: (department: string) => void;
  close: () => void;
}) {
  const text = said.value;
  return (
    <Dialog title={text.add(ids.length)} close={close}>
      <form
        class="fields"
        onSubmit={event => {
          event.preventDefault();
          add(String(new FormData(event.currentTarget).get('department') ?? ''));
        }}
      >
        <p>{text.addLead}</p>
        <p class="mono">{`${ids.slice(0, namedMax).join(', ')}${ids.length > namedMax ? ', …' : ''}`}</p>
        <Choice label={text.department} name="department" required>
          <DepartmentOptions departments={departments} />
        </Choice>
        <Refused text={refused} />
        <DialogButtons go={text.addGo} busy={busy} close={close} />
      </form>
    </Dialog>
  );
}

const foundMax = 8;

/** A click on a person is the whole of it. */
function Choose({
  row,
  refused,
  join,
  close,
}: {
  row: Unknown;
  refused: string | null;
  join: (somebody: Somebody) => void;
  close: () => void;
}) {
  const search = useSignal('');
  const { loaded } = useLoaded('/people', { search: search.value, limit: foundMax, employed: 'now' });
  const text = said.value;
  const rows = (loaded.value.data?.rows ?? []).filter(one => one.ext_id !== '');
  return (
    <Dialog title={text.whoIs(idOf(row))} close={close}>
      <div class="fields">
        <Search label={text.search} value="" search={wanted => (search.value = wanted.trim())} />
        <ul class="plain">
          {rows.map(one => (
            <li key={one.key}>
              <button type="button" class="act" onClick={() => join(one)}>
                {[one.name, one.employee_num, one.department].filter(Boolean).join(' · ')}
              </button>
            </li>
          ))}
        </ul>
        {rows.length === 0 && !loaded.value.loading && <p class="quiet">{words.value.list.noneFound}</p>}
        <Refused text={refused} />
        <p class="bar">
          <button type="button" class="act" onClick={close}>
            {words.value.act.cancel}
          </button>
        </p>
      </div>
    </Dialog>
  );
}
