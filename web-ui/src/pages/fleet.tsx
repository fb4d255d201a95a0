import { useCallback } from 'preact/hooks';
import { boxTroubles } from '../../../src/platform/fleet.ts';
import { usePages } from '../loaded.ts';
import { nav } from '../nav.ts';
import { useEvery } from '../parts/every.ts';
import { Choice } from '../parts/field.tsx';
import { Figures } from '../parts/figures.tsx';
import { useInUrl } from '../parts/in-url.ts';
import { Loading, ProblemNotice } from '../parts/notices.tsx';
import { count } from '../parts/numbers.ts';
import { Search } from '../parts/search.tsx';
import { More, Table } from '../parts/table.tsx';
import { words } from '../words/index.ts';
import { columns } from './fleet/columns.tsx';
import { say } from './fleet/words.ts';
import './fleet/fleet.css';

const pageRows = 50;
const refreshMs = 10_000;

/** The boxes below, those in trouble first. */
export default function Fleet() {
  const said = say.value;
  const { values, set } = useInUrl();
  const { search = '', trouble = '' } = values;
  const { rows, first, state, more, reload } = usePages('/fleet', { search, trouble, limit: pageRows });
  // Somebody who reads a later page is not sent back to the first.
  useEvery(
    refreshMs,
    useCallback(() => rows.peek().length <= pageRows && reload(), [rows, reload]),
  );
  const { loading, problem } = state.value;
  const page = first.value;
  if (!page) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const { boxes, well, in_trouble: inTrouble, total } = page;
  const filtered = search !== '' || trouble !== '';
  return (
    <>
      <p class="sentence">
        {boxes === 0
          ? said.none
          : well === boxes
            ? said.allWell(count(boxes))
            : said.inTrouble(boxes - well, count(boxes))}
      </p>
      {boxes > 0 && (
        <Figures
          label={nav.value.fleet}
          figures={boxTroubles.map(one => ({
            ...{ key: one, icon: 'trouble' as const, label: said.troubles[one], value: count(inTrouble[one] ?? 0) },
            ...{ href: `/fleet?trouble=${one}`, of: `/ ${count(boxes)}` },
            state: (inTrouble[one] ?? 0) > 0 ? ('bad' as const) : undefined,
          }))}
        />
      )}
      <section aria-labelledby="fleet">
        <h2 id="fleet">{said.boxes}</h2>
        <p class="quiet">{said.lead}</p>
        <div class="bar">
          <Search label={said.search} value={search} search={text => set({ search: text.trim() })} />
          <Choice label={said.trouble} value={trouble} onChange={event => set({ trouble: event.currentTarget.value })}>
            <option value="">{words.value.list.all}</option>
            <option value="any">{said.any}</option>
            {boxTroubles.map(one => (
              <option key={one} value={one}>
                {said.troubles[one]}
              </option>
            ))}
            <option value="none">{said.noTrouble}</option>
          </Choice>
        </div>
        <ProblemNotice problem={problem} again={reload} />
        {loading && rows.value.length === 0 ? (
          <Loading />
        ) : (
          <Table
            caption={said.boxes}
            rows={rows.value}
            rowKey={row => row.box_id}
            empty={filtered ? words.value.list.noneFound : words.value.list.none}
            total={total}
            columns={columns()}
          />
        )}
        <More state={state.value} more={more} />
      </section>
    </>
  );
}
