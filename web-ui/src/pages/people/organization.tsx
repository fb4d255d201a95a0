import { useSignal } from '@preact/signals';
import type { DepartmentFacts, OrganizationReport } from '../../../../src/admin/ui/people-lists.ts';
import { useLoaded } from '../../loaded.ts';
import { useDoInUrl } from '../../parts/do-in-url.ts';
import { Empty } from '../../parts/empty.tsx';
import { Choice } from '../../parts/field.tsx';
import { Filters } from '../../parts/filters.tsx';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { Search } from '../../parts/search.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { DepartmentForm, RemoveDepartment } from './department-dialogs.tsx';
import { Erasures } from './erasures.tsx';
import { PeopleList } from './list.tsx';
import { PersonForm } from './person-dialogs.tsx';
import { Tree } from './tree.tsx';
import { UnknownPeople } from './unknown-people.tsx';
import { said } from './words.ts';

/** The dialog that is open. */
type Doing = 'add person' | 'add department' | 'edit department' | 'remove department' | null;

/** Departments on the left, the people of the chosen one beside them. */
export function Organization() {
  const { values, set } = useInUrl();
  const { department, search } = values;
  const { loaded, reload } = useLoaded('/departments');
  const doing = useSignal<Doing>(null);
  const round = useSignal(0);
  useDoInUrl('add-person', () => (doing.value = may('staff') ? 'add person' : null));
  useDoInUrl('add-department', () => (doing.value = may('staff') ? 'add department' : null));
  const { data, problem } = loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const { departments, authority } = data;
  const root = departments.find(one => one.parent === null);
  const chosen = departments.find(one => one.ext_id !== '' && one.ext_id === department) ?? null;
  const nobody = employedNow(data) === 0 && !search && values.employed !== 'no more';
  const mayImport = may('staff') && authority === 'box';
  const text = said.value;
  const close = () => {
    doing.value = null;
  };
  const done = (sentence: string) => {
    sayDone(authority === 'cloud' ? `${sentence} ${text.queued}` : sentence);
    close();
    round.value++;
    reload();
  };
  const open = (what: Doing) => () => {
    doing.value = what;
  };
  const choose = (one: DepartmentFacts) => set({ department: one.parent === null ? undefined : one.ext_id });
  return (
    <>
      <p class="sentence">{sentence(data)}</p>
      {authority === 'cloud' && <p class="notice">{text.cloud}</p>}
      {data.cut && <p class="notice">{text.cut}</p>}
      <div class="organization">
        <section aria-labelledby="tree">
          <h2 id="tree">{text.tree}</h2>
          <Tree departments={departments} chosen={chosen ?? root ?? null} choose={choose} />
          {may('staff') && (
            <p class="bar">
              <button type="button" class="act" onClick={open('add department')}>
                {text.addDepartment}
              </button>
              {chosen && (
                <>
                  <button type="button" class="act" onClick={open('edit department')}>
                    {text.editDepartment}
                  </button>
                  <button type="button" class="act danger" onClick={open('remove department')}>
                    {text.removeDepartment}
                  </button>
                </>
              )}
            </p>
          )}
        </section>
        <section aria-labelledby="list">
          <h2 id="list">{chosen ? text.inDepartment(chosen.name) : text.all}</h2>
          <div class="bar">
            <Search label={text.search} value={search ?? ''} search={wanted => set({ search: wanted.trim() })} />
            <Filters inUse={values.employed === 'no more' ? 1 : 0}>
              <Choice label={text.show} onChange={event => set({ employed: event.currentTarget.value || undefined })}>
                <option value="">{text.employedNow}</option>
                <option value="no more" selected={values.employed === 'no more'}>
                  {text.employedNoMore}
                </option>
              </Choice>
            </Filters>
            {may('staff') && (
              <>
                <button type="button" class="act go" onClick={open('add person')}>
                  {text.addPerson}
                </button>
                {mayImport && !nobody && (
                  <a class="act" href="/people/import">
                    {text.import}
                  </a>
                )}
              </>
            )}
          </div>
          {nobody ? (
            <Empty
              name="people"
              action={
                mayImport && (
                  <a class="act go" href="/people/import">
                    {text.import}
                  </a>
                )
              }
            >
              {text.begin}
            </Empty>
          ) : (
            <PeopleList
              department={chosen?.ext_id}
              search={search}
              employed={values.employed === 'no more' ? 'no more' : 'now'}
              round={round.value}
              departments={departments}
              done={done}
              changed={() => {
                round.value++;
                reload();
              }}
              label={chosen ? text.inDepartment(chosen.name) : text.all}
            />
          )}
        </section>
      </div>
      <UnknownPeople
        departments={departments}
        isOwn={authority === 'box'}
        changed={() => {
          round.value++;
          reload();
        }}
      />
      <Erasures key={round.value} />
      {doing.value === 'add person' && (
        <PersonForm departments={departments} department={chosen ?? root} close={close} done={done} />
      )}
      {doing.value === 'add department' && (
        <DepartmentForm departments={departments} parent={chosen ?? root} close={close} done={done} />
      )}
      {doing.value === 'edit department' && chosen && (
        <DepartmentForm departments={departments} edited={chosen} close={close} done={done} />
      )}
      {doing.value === 'remove department' && chosen && (
        <RemoveDepartment
          one={chosen}
          close={close}
          done={sentence => {
            set({ department: undefined });
            done(sentence);
          }}
        />
      )}
    </>
  );
}

const employedNow = ({ departments }: OrganizationReport): number =>
  departments.reduce((sum, one) => sum + one.people, 0);

function sentence(report: OrganizationReport): string {
  const text = said.value;
  const { departments } = report;
  const people = employedNow(report);
  if (people === 0) return text.nobody;
  return departments.length === 1
    ? text.peopleAlone(people)
    : text.sentence(text.people(people), text.departments(departments.length));
}
