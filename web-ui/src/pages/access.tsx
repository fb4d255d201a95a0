import type { Passage } from '../../../src/admin/ui/access.ts';
import { usePages } from '../loaded.ts';
import { nav } from '../nav.ts';
import { DeviceLink } from '../parts/device-link.tsx';
import { Choice, Field } from '../parts/field.tsx';
import { Filters } from '../parts/filters.tsx';
import { useInUrl } from '../parts/in-url.ts';
import { Loading, ProblemNotice } from '../parts/notices.tsx';
import { moment } from '../parts/numbers.ts';
import { Search } from '../parts/search.tsx';
import { SiteChoice } from '../parts/site-choice.tsx';
import { type Column, More, Table } from '../parts/table.tsx';
import { timeNote } from '../words/clocks.ts';
import { resultWords, typeWords } from '../words/punches.ts';
import './access.css';
import { Photo } from './access/photo.tsx';
import { whoWords } from './access/who.ts';
import { said } from './access/words.ts';

const results = ['passed', 'refused', 'stranger', '1', '8', '9'] as const;

/** The facility manager: who went through which door, and who was not let through. */
export default function Access() {
  const { values, set } = useInUrl();
  const { day, door, result, person, box } = values;
  const filtered = Boolean(day || door || result || person || box);
  const { rows, state, more, reload } = usePages('/access', { day, door, result, person, box });
  const text = said.value;
  const { loading, problem } = state.value;
  return (
    <>
      <p class="sentence">
        {loading && rows.value.length === 0 ? nav.value.access : sentence(rows.value, state.value.more, filtered)}
      </p>
      <div class="bar">
        <Field
          label={text.day}
          type="date"
          value={day ?? ''}
          onChange={event => set({ day: event.currentTarget.value })}
        />
        {day && (
          <button type="button" class="act" onClick={() => set({ day: undefined })}>
            {text.allDays}
          </button>
        )}
        <Filters inUse={[door, result, box, person].filter(Boolean).length}>
          <Search label={text.door} value={door ?? ''} search={wanted => set({ door: wanted.trim() })} />
          <Choice
            label={text.result}
            value={result ?? ''}
            onChange={event => set({ result: event.currentTarget.value })}
          >
            <option value="">{text.all}</option>
            {results.map(one => (
              <option key={one} value={one} selected={one === result}>
                {text.results[one]}
              </option>
            ))}
          </Choice>
          <SiteChoice value={box ?? ''} choose={chosen => set({ box: chosen })} />
          <Search label={text.person} value={person ?? ''} search={wanted => set({ person: wanted.trim() })} />
        </Filters>
      </div>
      <p class="quiet">{text.audited}</p>
      <ProblemNotice problem={problem} again={reload} />
      {loading && rows.value.length === 0 ? (
        <Loading />
      ) : (
        <Table
          caption={text.passages}
          rows={rows.value}
          rowKey={row => row.id}
          empty={filtered ? text.noneFit : text.none}
          columns={columns()}
        />
      )}
      <More state={state.value} more={more} />
    </>
  );
}

function sentence(rows: readonly Passage[], more: boolean, filtered: boolean): string {
  const text = said.value;
  if (rows.length === 0) return filtered ? text.noneFit : text.none;
  const refused = rows.filter(row => row.result !== 0).length;
  return refused === 0 ? text.allPassed(rows.length, more) : text.refused(refused, rows.length, more);
}

const columns = (): Column<Passage>[] => {
  const text = said.value;
  return [
    {
      key: 'time',
      title: text.time,
      phone: 'below',
      cell: row => (
        <span>
          <a class="mono" href={`/attendance/record/access/${row.id}`}>
            {moment(row.at * 1000)}
          </a>
          {timeNote(row) !== '' && <span class="warn"> {timeNote(row)}</span>}
        </span>
      ),
    },
    {
      key: 'who',
      title: text.who,
      phone: 'name',
      cell: row =>
        row.known && row.ext_id !== '' ? (
          <a href={`/attendance/person/${encodeURIComponent(row.ext_id)}`}>{whoWords(row)}</a>
        ) : (
          whoWords(row)
        ),
    },
    {
      key: 'door',
      title: text.door,
      cell: row =>
        row.door === row.device ? (
          <DeviceLink of={row} />
        ) : (
          <span>
            {row.door}{' '}
            <span class="quiet">
              <DeviceLink of={row} />
            </span>
          </span>
        ),
    },
    { key: 'how', title: text.how, cell: row => typeWords(row.type) },
    {
      key: 'result',
      title: text.result,
      phone: 'state',
      cell: row => <span class={row.result === 0 ? 'state online' : 'state refused'}>{resultWords(row.result)}</span>,
    },
    { key: 'photo', title: text.photo, phone: 'acts', cell: row => <Photo passage={row} /> },
  ];
};
