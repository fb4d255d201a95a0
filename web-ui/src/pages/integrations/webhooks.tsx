import type { Signal } from '@preact/signals';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { post, put } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { useDoing } from '../../parts/doing.ts';
import { useEvery } from '../../parts/every.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { count } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { whenOf } from '../../parts/when.ts';
import { may } from '../../session.ts';
import { ListHead, useOpened } from './opened.tsx';
import {
  AddWebhook,
  DeleteWebhook,
  EditWebhook,
  type Hook,
  type MadeSecret,
  ShownSecret,
  TestWebhook,
  webhookProblem,
  whyCalled,
} from './webhook-dialogs.tsx';
import { webhookWords } from './webhook-words.ts';

type Delivery = AnswerOf<'get', '/webhooks/{name}/deliveries'>['rows'][number];
type Open =
  | { readonly what: 'add' }
  | { readonly what: 'edit' | 'delete'; readonly hook: Hook }
  | { readonly what: 'secret'; readonly made: MadeSecret };

const lookEveryMs = 5000;

/** Web servers that events are sent to: added, tested, paused and deleted here, with deliveries. */
export function Webhooks() {
  const { loaded, reload } = useLoaded('/webhooks');
  const { shown, done, show, close } = useOpened<Open>();
  useEvery(lookEveryMs, reload);
  const said = webhookWords.value;
  const { data, problem } = loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const shownOnce = (secret: MadeSecret) => {
    show({ what: 'secret', made: secret });
    reload();
  };
  const ended = (sentence: string) => {
    done.value = sentence;
    close();
    reload();
  };
  return (
    <>
      <ListHead label={said.add} note={said.viewerNote} done={done} add={() => show({ what: 'add' })} />
      <ProblemNotice problem={problem} again={reload} />
      {data.rows.length === 0 && <p class="quiet">{said.none}</p>}
      {data.rows.map(hook => (
        <One
          key={hook.name}
          {...{ hook, done, reload }}
          edit={() => show({ what: 'edit', hook })}
          remove={() => show({ what: 'delete', hook })}
        />
      ))}
      {shown?.what === 'add' && <AddWebhook made={shownOnce} close={close} />}
      {shown?.what === 'edit' && (
        <EditWebhook hook={shown.hook} made={shownOnce} saved={() => ended(said.saved)} close={close} />
      )}
      {shown?.what === 'delete' && (
        <DeleteWebhook name={shown.hook.name} removed={() => ended(said.removed(shown.hook.name))} close={close} />
      )}
      {shown?.what === 'secret' && <ShownSecret made={shown.made} close={close} />}
    </>
  );
}

interface OneOptions {
  readonly hook: Hook;
  readonly done: Signal<string>;
  readonly reload: () => void;
  readonly edit: () => void;
  readonly remove: () => void;
}

function One({ hook, done, reload, edit, remove }: OneOptions) {
  const said = webhookWords.value;
  const kinds = hook.kinds.map(kind => said.kinds[kind]).join(said.comma);
  const id = `webhook-${hook.name}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{hook.name}</h2>
      <p>
        {said.goesTo(kinds, hook.host)} <span class="quiet">{said.states[stateOf(hook)]}</span>
      </p>
      {hook.fixed && <p class="quiet">{said.fixed}</p>}
      {may('admin') && (
        <TestWebhook name={hook.name}>
          {!hook.fixed && <Changes {...{ hook, done, reload, edit, remove }} />}
        </TestWebhook>
      )}
      <Deliveries hook={hook} />
    </section>
  );
}

function Changes({ hook: { name, paused }, done, reload, edit, remove }: OneOptions) {
  const said = webhookWords.value;
  const { busy, refused, run } = useDoing(problem => webhookProblem(problem).message);
  const pauseOrResume = () =>
    void run(async () => {
      done.value = '';
      await put('/webhooks/{name}', { name, paused: !paused });
      done.value = paused ? said.resumed(name) : said.paused(name);
      reload();
    });
  return (
    <>
      <button type="button" class="act" aria-label={said.editOf(name)} onClick={edit}>
        {said.edit}
      </button>
      <button
        type="button"
        class="act"
        disabled={busy.value}
        aria-label={paused ? said.resumeOf(name) : said.pauseOf(name)}
        onClick={pauseOrResume}
      >
        {paused ? said.resume : said.pause}
      </button>
      <button type="button" class="act danger" aria-label={said.removeOf(name)} onClick={remove}>
        {said.remove}
      </button>
      {refused.value !== null && (
        <span class="bad" role="alert">
          {refused}
        </span>
      )}
    </>
  );
}

function Deliveries({ hook: { name } }: { hook: Hook }) {
  const said = webhookWords.value;
  const { loaded, reload } = useLoaded('/webhooks/{name}/deliveries', { name });
  useEvery(lookEveryMs, reload);
  const { busy, refused, run } = useDoing(webhookProblem);
  const again = (id: string) =>
    void run(async () => {
      await post('/webhooks/{name}/again', { name, id });
      reload();
    });
  const { data, problem } = loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  return (
    <>
      <ProblemNotice problem={refused.value} />
      <Table
        caption={said.caption(name)}
        rows={data.rows}
        rowKey={row => row.id}
        empty={said.noMessages}
        columns={[
          { key: 'at', title: said.at, cell: row => whenOf(row.at) },
          { key: 'what', title: said.what, cell: whatIn },
          { key: 'attempts', title: said.attempts, number: true, cell: row => count(row.attempts) },
          { key: 'outcome', title: said.outcome, cell: outcomeOf },
          { key: 'took', title: said.took, number: true, cell: row => said.ms(count(row.took_ms)) },
          ...(may('staff')
            ? [
                {
                  key: 'act',
                  title: said.act,
                  cell: (row: Delivery) => (
                    <button
                      type="button"
                      class="act program-act"
                      disabled={busy.value}
                      aria-label={said.againOf(`${whatIn(row)}, ${whenOf(row.at)}`)}
                      onClick={() => again(row.id)}
                    >
                      {said.again}
                    </button>
                  ),
                },
              ]
            : []),
        ]}
      />
    </>
  );
}

function stateOf({ paused, last }: Hook): 'running' | 'paused' | 'failing' | 'ended' {
  if (paused) return 'paused';
  if (last?.state === 'ended') return 'ended';
  return last?.next_at != null ? 'failing' : 'running';
}

const whatIn = ({ kind, count: events }: Delivery): string =>
  webhookWords.value.events(webhookWords.value.kinds[kind], events);

const outcomeOf = (one: Delivery): string =>
  one.state === 'taken'
    ? webhookWords.value.taken(one.status ?? 0)
    : webhookWords.value.failed(whyCalled(one), one.next_at === null ? '' : whenOf(one.next_at));
