import { useLoaded } from '../../loaded.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { Table } from '../../parts/table.tsx';
import { Head } from './head.tsx';
import { words } from './words.ts';

/** The version of the program, and what it contains. */
export default function About() {
  const { loaded, reload } = useLoaded('/about');
  const { data, problem } = loaded.value;
  const said = words.value.about;
  if (!data)
    return (
      <>
        <Head sentence={words.value.tabs.about} />
        {problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />}
      </>
    );
  return (
    <>
      <Head sentence={said.sentence(data.version)} />
      <dl class="facts">
        <dt>{said.runsOn}</dt>
        <dd>
          Node {data.node}, {data.target}
        </dd>
        <dt>{said.docs}</dt>
        <dd>
          <a href="/docs">{said.api}</a>
          {' · '}
          <a href="/openapi.json" target="_blank" rel="noreferrer">
            {said.description}
          </a>
        </dd>
      </dl>
      <h2>{said.licences}</h2>
      <Table
        caption={said.licences}
        rows={data.licences}
        rowKey={row => row.name}
        columns={[
          { key: 'name', title: said.name, cell: row => <span class="mono">{row.name}</span> },
          { key: 'licence', title: said.licence, cell: row => row.licence },
        ]}
      />
    </>
  );
}
