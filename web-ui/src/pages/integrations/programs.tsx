import type { ProgramReport, ProgramsReport } from '../../../../src/admin/programs.ts';
import { useLoaded } from '../../loaded.ts';
import { useEvery } from '../../parts/every.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { ago, count } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { Broker } from './broker.tsx';
import { ListHead, useOpened } from './opened.tsx';
import { EndProgram, type MadeProgram, MakeProgram, ShownToken } from './program-dialogs.tsx';
import { shortFilter, topicOf } from './program-topics.ts';
import { programWords, refusalText } from './program-words.ts';

type Open =
  | { readonly what: 'make' }
  | { readonly what: 'end'; readonly program: ProgramReport }
  | { readonly what: 'token'; readonly made: MadeProgram };

const lookEveryMs = 5000;

/** The site's own programs: what each hears, whether it is connected, why it was refused. */
export function SitePrograms() {
  const { loaded, reload } = useLoaded('/programs');
  const { shown, done, show, close } = useOpened<Open>();
  useEvery(lookEveryMs, reload);
  const said = programWords.value;
  const { data, problem } = loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  return (
    <>
      <p>{said.lead}</p>
      <p class="quiet">{data.listens ? said.on(addressOf(data.listens)) : said.off}</p>
      {may('admin') && <Broker changed={reload} />}
      <ListHead label={said.add} note={said.viewerNote} done={done} add={() => show({ what: 'make' })} />
      <ProblemNotice problem={problem} again={reload} />
      <List rows={data.rows} end={program => show({ what: 'end', program })} />
      <Strangers strangers={data.strangers} />
      {shown?.what === 'make' && (
        <MakeProgram
          made={made => {
            show({ what: 'token', made });
            reload();
          }}
          close={close}
        />
      )}
      {shown?.what === 'token' && <ShownToken made={shown.made} listens={data.listens} close={close} />}
      {shown?.what === 'end' && (
        <EndProgram
          program={shown.program}
          ended={() => {
            done.value = said.ended(shown.program.name);
            close();
            reload();
          }}
          close={close}
        />
      )}
    </>
  );
}

function List({ rows, end }: { rows: readonly ProgramReport[]; end: (program: ProgramReport) => void }) {
  const said = programWords.value;
  return (
    <Table
      caption={said.caption}
      rows={rows}
      rowKey={row => row.id}
      empty={said.teach}
      columns={[
        { key: 'name', title: said.name, cell: row => <span class="mono">{row.name}</span> },
        { key: 'hears', title: said.hears, cell: row => <Hears program={row} /> },
        { key: 'state', title: said.state, cell: row => <State program={row} /> },
        {
          key: 'refusal',
          title: said.refusal,
          cell: ({ refusal }) =>
            refusal ? `${ago(refusal.at, now.value)}${said.colon}${refusalText(refusal)}` : said.none,
        },
        ...(may('admin')
          ? [
              {
                key: 'act',
                title: said.actions,
                cell: (row: ProgramReport) => (
                  <button
                    type="button"
                    class="act danger program-act"
                    aria-label={`${said.end}: ${row.name}`}
                    onClick={() => end(row)}
                  >
                    {said.end}
                  </button>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

function Hears({ program: { topics, actions, peoples_data: isOfPeople } }: { program: ProgramReport }) {
  const said = programWords.value;
  const named = topics.map(filter => {
    const topic = topicOf(filter);
    if (topic) return said.topics[topic];
    return shortFilter(filter) === '#' ? said.everything : shortFilter(filter);
  });
  return (
    <span>
      {named.length === 0 ? said.nothing : named.join(said.comma)}
      {isOfPeople && <strong class="peoples-data">{said.peoplesData}</strong>}
      {actions.length > 0 && <span class="quiet program-note">{said.sends(actions.join(', '))}</span>}
    </span>
  );
}

function State({ program: { connections, dropped } }: { program: ProgramReport }) {
  const said = programWords.value;
  return (
    <span class="program-state">
      {connections > 0 ? said.connected(connections) : said.notConnected}
      {dropped > 0 && <span class="bad program-note">{said.dropped(count(dropped))}</span>}
    </span>
  );
}

function Strangers({ strangers }: Pick<ProgramsReport, 'strangers'>) {
  const said = programWords.value;
  if (strangers.length === 0) return null;
  return (
    <section aria-labelledby="strangers">
      <h2 id="strangers">{said.strangers}</h2>
      <Table
        caption={said.strangersCaption}
        rows={strangers}
        rowKey={row => row.name}
        empty=""
        columns={[
          { key: 'name', title: said.name, cell: row => row.name || said.noName },
          { key: 'from', title: said.from, cell: row => row.address },
          { key: 'at', title: said.at, cell: row => <span class="program-act">{ago(row.at, now.value)}</span> },
          { key: 'refusal', title: said.refusal, cell: row => refusalText(row) },
        ]}
      />
    </section>
  );
}

/** As a program writes it; the box is reached under the name of this page. */
const addressOf = ({ address, tls }: NonNullable<ProgramsReport['listens']>): string =>
  tls ? `mqtts://${location.hostname}:${address.split(':').at(-1)}` : `mqtt://${address}`;
