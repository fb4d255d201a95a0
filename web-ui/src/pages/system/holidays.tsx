import type { HolidaysReport } from '../../../../src/admin/ui/system.ts';
import { useLoaded } from '../../loaded.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { Table } from '../../parts/table.tsx';
import { Head } from './head.tsx';
import { words } from './words.ts';

type Holiday = HolidaysReport['years'][number]['holidays'][number];

/** The holidays and the make-up workdays, as the box reports them to its terminals. */
export default function Holidays() {
  const { loaded, reload } = useLoaded('/holidays');
  const { data, problem } = loaded.value;
  const said = words.value.holidays;
  if (!data)
    return (
      <>
        <Head sentence={words.value.tabs.holidays} />
        {problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />}
      </>
    );
  const [first] = data.years;
  const days = (holiday: Holiday, type: 'BREAK' | 'WORK') => {
    const found = holiday.days.filter(one => one.type === type).map(one => one.day.slice(5));
    return found.length === 0 ? <span class="quiet">{said.none}</span> : <span class="mono">{found.join('  ')}</span>;
  };
  return (
    <>
      <Head sentence={said.sentence(first!.year, first!.holidays.length)} />
      {data.years.map(({ year, holidays, source }) => (
        <section key={year} aria-labelledby={`year-${year}`}>
          <h2 id={`year-${year}`}>{said.year(year)}</h2>
          <p class="quiet">
            {said.from}: {said.sources[source]}
          </p>
          {holidays.length > 0 && (
            <Table
              caption={said.year(year)}
              rows={holidays}
              rowKey={row => row.code}
              columns={[
                { key: 'name', title: said.name, cell: row => <span lang="zh-CN">{row.name}</span> },
                { key: 'off', title: said.off, cell: row => days(row, 'BREAK') },
                { key: 'work', title: said.work, cell: row => days(row, 'WORK') },
              ]}
            />
          )}
        </section>
      ))}
    </>
  );
}
