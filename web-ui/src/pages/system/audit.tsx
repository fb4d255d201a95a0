import { useLocation } from 'preact-iso';
import type { AuditEntry } from '../../../../src/admin/ui/audit.ts';
import { auditSubjects } from '../../../../src/words/audit.ts';
import { ownSubjects } from '../../../../src/words/audit-own.ts';
import { auditPlans } from '../../../../src/words/audit-plans.ts';
import { settingSubjects } from '../../../../src/words/audit-settings.ts';
import { dailyReportSubjects } from '../../../../src/words/daily-report.ts';
import { webhookSubjects } from '../../../../src/words/webhooks.ts';
import { query } from '../../api.ts';
import { useLoaded, usePages } from '../../loaded.ts';
import { Field } from '../../parts/field.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { count, moment } from '../../parts/numbers.ts';
import { reasonIn, whySaid } from '../../parts/reasons.ts';
import { More, Table } from '../../parts/table.tsx';
import { language, words as shared } from '../../words/index.ts';
import { words } from './audit-words.ts';
import { Head } from './head.tsx';
import { Undoable } from './undoable.tsx';

/** Changes and refusals, with the person of each. */
export default function Audit() {
  const { query: asked, route } = useLocation();
  const { actor = '', text = '' } = asked;
  const { rows, state, more, reload } = usePages('/audit', { actor, text, limit: 50 });
  const said = words.value;
  const filter = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    route(`/system/audit${query({ actor: String(form.get('actor')).trim(), text: String(form.get('text')).trim() })}`);
  };
  const filtered = actor !== '' || text !== '';
  return (
    <>
      <Head sentence={actor === '' ? said.sentence : said.of(actor)} />
      <ChainState />
      <form class="bar" onSubmit={filter} key={`${actor} ${text}`}>
        <Field label={said.person} name="actor" defaultValue={actor} maxLength={80} />
        <Field label={said.text} name="text" defaultValue={text} maxLength={80} />
        <button type="submit" class="act">
          {said.go}
        </button>
        {filtered && (
          <a class="act" href="/system/audit">
            {said.clear}
          </a>
        )}
      </form>
      {!filtered && <Undoable changed={reload} />}
      <ProblemNotice problem={state.value.problem} again={reload} />
      {state.value.loading && rows.value.length === 0 ? (
        <Loading />
      ) : (
        <Table
          caption={said.caption}
          rows={rows.value}
          rowKey={row => row.id}
          empty={filtered ? shared.value.list.noneFound : shared.value.list.none}
          columns={[
            { key: 'at', title: said.at, cell: row => <When entry={row} /> },
            { key: 'who', title: said.who, cell: row => <Who entry={row} /> },
            { key: 'what', title: said.what, cell: row => <What entry={row} /> },
            { key: 'about', title: said.about, cell: row => <About entry={row} /> },
            { key: 'from', title: said.from, cell: row => <span class="mono">{row.address}</span> },
            {
              key: 'outcome',
              title: said.outcome,
              cell: row => (
                <span class={row.outcome === 'refused' ? 'bad' : undefined}>{said.outcomes[row.outcome]}</span>
              ),
            },
          ]}
        />
      )}
      <More state={state.value} more={more} />
    </>
  );
}

/** Whether the log is intact, and what to keep elsewhere so that this can be checked later too. */
function ChainState() {
  const { loaded, reload } = useLoaded('/audit/verify');
  const { data, problem } = loaded.value;
  const said = words.value.chain;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <p class="quiet">{said.counting}</p>;
  const entries = data.chains.reduce((sum, one) => sum + one.entries, 0);
  return (
    <div class={data.holds ? 'chain' : 'notice bad'} role={data.holds ? undefined : 'alert'}>
      <p>
        <b>
          {data.broken ? said.broken(data.broken.id, whySaid(data.broken)) : entries === 0 ? said.empty : said.holds}
        </b>{' '}
        <span class="quiet">{entries > 0 && said.counted(count(entries))}</span>
      </p>
      {data.chains.length > 0 && (
        <details>
          <summary>{said.heads}</summary>
          <p class="quiet">{said.headsHint}</p>
          {data.chains.map(({ head }) => (
            <p class="mono head" key={head.chain}>{`head ${head.chain} ${head.id} ${head.hash}`}</p>
          ))}
        </details>
      )}
    </div>
  );
}

/** Repeats of a minute are one entry. */
function When({ entry: { at, count: times } }: { entry: AuditEntry }) {
  return (
    <>
      <span class="mono">{moment(at)}</span>
      {times > 1 && <b> {words.value.times(count(times))}</b>}
    </>
  );
}

function Who({ entry: { actor } }: { entry: AuditEntry }) {
  if (actor === '') return <span class="quiet">{words.value.nobody}</span>;
  return (
    <a href={`/system/audit${query({ actor })}`}>
      {actor === 'command' ? words.value.command : actor === 'box' ? words.value.box : actor}
    </a>
  );
}

const What = ({ entry: { action, did } }: { entry: AuditEntry }) =>
  did ? <span>{language.value === 'en' ? did.en : did.zh}</span> : <span class="mono">{action}</span>;

/** Person or thing affected; devices and people by name, as links to their pages. */
function About({ entry: { subject, code, params, about, named } }: { entry: AuditEntry }) {
  const text =
    subject === ''
      ? about
      : reasonIn(
          { reason: subject, code, params },
          auditSubjects,
          ownSubjects,
          auditPlans,
          dailyReportSubjects,
          webhookSubjects,
          settingSubjects,
        );
  const found = new Map(named.map(one => [one.id, one]));
  if (found.size === 0) return <span>{text}</span>;
  const parts = text.split(idsIn([...found.keys()]));
  return (
    <span class="in-text">
      {parts.map((part, index) => {
        const one = found.get(part);
        if (!one || index % 2 === 0) return part;
        const page = one.kind === 'device' ? '/devices/' : '/attendance/person/';
        return (
          <a key={index} href={`${page}${encodeURIComponent(one.id)}`} title={one.id}>
            {one.name}
          </a>
        );
      })}
    </span>
  );
}

/** The ids where they stand alone; `split` puts each of them at an odd place. */
const idsIn = (ids: readonly string[]): RegExp =>
  new RegExp(`(?<![\\w-])(${ids.map(id => id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})(?![\\w-])`);
