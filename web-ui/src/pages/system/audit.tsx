import { useLocation } from 'preact-iso';
import type { AuditEntry } from '../../../../src/admin/audit.ts';
import { query } from '../../api.ts';
import { useLoaded, usePages } from '../../loaded.ts';
import { Field } from '../../parts/field.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { count, moment } from '../../parts/numbers.ts';
import { More, Table } from '../../parts/table.tsx';
import { words as shared } from '../../words/index.ts';
import { words } from './audit-words.ts';
import { Head } from './head.tsx';

type ActionWord = keyof typeof words.value.actions;

/** The first that fits; any other action is shown as it was asked for. */
const actionWords: readonly (readonly [RegExp, ActionWord])[] = [
  [/^audit entries removed$/, 'removed'],
  [/^audit entries lost$/, 'lost'],
  [/^entries without a hash$/, 'unchained'],
  [/^GET \/audit\/verify$/, 'verify'],
  [/^GET \/audit\/export$/, 'exportLog'],
  [/^POST \/disk\/free$/, 'freed'],
  [/^PUT \/disk\/kept$/, 'kept'],
  [/^sign in$/, 'signIn'],
  [/^sign out$/, 'signOut'],
  [/^make the first account$/, 'first'],
  [/^PUT \/users\//, 'putUser'],
  [/^DELETE \/users\//, 'removeUser'],
  [/^POST \/users\/.+\/sessions\/end$/, 'endSessions'],
  [/^POST \/tokens$/, 'makeToken'],
  [/^DELETE \/tokens\//, 'endToken'],
  [/^POST \/me\/password$/, 'ownPassword'],
  [/^POST \/site$/, 'site'],
  [/^PUT \/boxes\//, 'listBox'],
  [/^DELETE \/boxes\//, 'unlistBox'],
  [/^PUT \/devices\/.+\/box$/, 'moveDevice'],
  [/^POST \/backup$/, 'backup'],
  [/^POST \/recovery-key$/, 'recoveryKey'],
  [/^GET \/backup\/download$/, 'download'],
  [/^POST \/restore$/, 'restore'],
  [/^(PUT \/update\/bundle|POST \/update\/inspect)$/, 'sendUpdate'],
  [/^POST \/update$/, 'update'],
  [/^POST \/update\/rollback$/, 'rollBack'],
  [/^POST \/doctor$/, 'doctor'],
  [/^POST \/parked\/send-again$/, 'sendAgain'],
  [/^POST \/attendance\/sync$/, 'sync'],
  [/^POST \/provision\//, 'provision'],
  [/^POST \/setup\/reset-network$/, 'resetNetwork'],
  [/^POST \/grants\/.+\/revoke$/, 'revoke'],
];

/** Who changed what, and who was refused. */
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
            { key: 'about', title: said.about, cell: row => row.subject },
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
        <b>{data.broken ? said.broken(data.broken.id, data.broken.why) : entries === 0 ? said.empty : said.holds}</b>{' '}
        <span class="quiet">
          {entries > 0 && said.counted(count(entries))} {data.outside > 0 && said.outside(count(data.outside))}
        </span>
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

function What({ entry: { action } }: { entry: AuditEntry }) {
  const word = actionWords.find(([pattern]) => pattern.test(action))?.[1];
  return word === undefined ? <span class="mono">{action}</span> : <span>{words.value.actions[word]}</span>;
}
