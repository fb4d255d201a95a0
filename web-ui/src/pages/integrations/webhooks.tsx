import { useSignal } from '@preact/signals';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { useDoing } from '../../parts/doing.ts';
import { useEvery } from '../../parts/every.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { Table } from '../../parts/table.tsx';
import { whenOf } from '../../parts/when.ts';
import { may } from '../../session.ts';
import { webhookWords } from './webhook-words.ts';

type Hook = AnswerOf<'get', '/webhooks'>['rows'][number];
type Delivery = Hook['deliveries'][number];

const lookEveryMs = 5000;

/** Webhooks of the config: what became of their last messages, and sending one again. */
export function WebhookList() {
  const { loaded, reload } = useLoaded('/webhooks');
  useEvery(lookEveryMs, reload);
  const said = webhookWords.value;
  const { data, problem } = loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  return (
    <section>
      <h2>{said.title}</h2>
      {data.rows.length === 0 && <p class="quiet">{said.none}</p>}
      {data.rows.map(hook => (
        <One key={hook.name} hook={hook} reload={reload} />
      ))}
    </section>
  );
}

function One({ hook, reload }: { hook: Hook; reload: () => void }) {
  const said = webhookWords.value;
  const done = useSignal('');
  const { busy, refused, run } = useDoing(({ message }) => message);
  const again = (id: string) =>
    void run(async () => {
      done.value = '';
      await post('/webhooks/{name}/again', { name: hook.name, id });
      done.value = said.sent;
      reload();
    });
  const kinds = hook.kinds.map(kind => said.kinds[kind]).join(said.comma);
  return (
    <>
      <p>{said.goesOn(hook.host, kinds)}</p>
      {hook.ended !== null && <p class="notice">{said.ended(hook.ended)}</p>}
      <p role="status" class="ok">
        {done}
      </p>
      {refused.value !== null && (
        <p class="notice" role="alert">
          {refused}
        </p>
      )}
      <Table
        caption={said.caption(hook.name)}
        rows={hook.deliveries}
        rowKey={row => row.id}
        empty={said.noMessages}
        columns={[
          { key: 'at', title: said.at, cell: row => whenOf(row.at) },
          { key: 'what', title: said.what, cell: whatIn },
          { key: 'tries', title: said.tries, cell: row => row.tries },
          { key: 'outcome', title: said.outcome, cell: outcomeOf },
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

const whatIn = ({ kind, count }: Delivery): string => webhookWords.value.events(webhookWords.value.kinds[kind], count);

const outcomeOf = ({ state, why, next_try_at }: Delivery): string =>
  state === 'taken'
    ? webhookWords.value.taken
    : webhookWords.value.failed(why, next_try_at === null ? '' : whenOf(next_try_at));
