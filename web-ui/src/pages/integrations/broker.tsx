import { useSignal } from '@preact/signals';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { get, type Problem, post, problemIn, put } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { useDoing } from '../../parts/doing.ts';
import { Choice, chosen, Field, text } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { boxIsBackWith } from '../system/box-is-back.ts';
import { words as settingsWords } from '../system/settings-words.ts';
import { brokerWords } from './broker-words.ts';

type Report = AnswerOf<'get', '/settings/broker'>;
type Found = AnswerOf<'post', '/settings/broker/test'>['found'];

/** Hosts of the two choices; the port of each by default is what docs/events.md shows. */
const places = { here: '127.0.0.1', network: '0.0.0.0' } as const;
const placeNames = ['off', 'here', 'network', 'other'] as const;
const usualPorts = { here: 1884, network: 8884 } as const;

const inWords = (problem: Problem): Problem => {
  const said = brokerWords.value;
  return problemIn({ ...said.problems, ...said.found }, problem);
};

/** Where event subscribers connect: tested, and changed unless the config fixes it. */
export function Broker({ changed }: { changed: () => void }) {
  const { loaded, reload } = useLoaded('/settings/broker');
  const asks = useSignal(false);
  const done = useSignal('');
  const found = useSignal<Found | null>(null);
  const { busy, refused, run } = useDoing(inWords);
  const said = brokerWords.value;
  const { data, problem } = loaded.value;
  if (!data) return <ProblemNotice problem={problem} again={reload} />;
  const close = () => {
    asks.value = false;
  };
  const test = () =>
    void run(async () => {
      done.value = '';
      found.value = null;
      found.value = (await post('/settings/broker/test', { listen: data.listen })).found;
    });
  const save = async (listen: string) => {
    found.value = null;
    const { restarts } = await put('/settings/broker', { listen });
    close();
    done.value = restarts ? said.restarting : said.unchanged;
    if (!restarts) return;
    await boxIsBackWith(async () => (await get('/settings/broker')).listen === listen);
    done.value = said.saved;
    reload();
    changed();
  };
  return (
    <>
      {data.listen !== 'off' && data.running === null && (
        <p class="bad" role="alert">
          {said.notOpen(data.listen)}
        </p>
      )}
      {data.fixed_by !== null && <p class="quiet">{settingsWords.value.fixed(data.fixed_by, 'listen.events')}</p>}
      <p class="bar">
        {data.listen !== 'off' && (
          <button type="button" class="act" disabled={busy.value} onClick={test}>
            {said.test}
          </button>
        )}
        {data.fixed_by === null && (
          <button
            type="button"
            class="act"
            onClick={() => {
              done.value = '';
              asks.value = true;
            }}
          >
            {said.change}
          </button>
        )}
      </p>
      <p role="status" class={found.value === null || found.value === 'answers' ? 'ok' : 'bad'}>
        {found.value === null ? done.value : said.found[found.value]}
      </p>
      <ProblemNotice problem={refused.value} />
      {asks.value && <ChangeBroker listen={data.listen} save={save} close={close} />}
    </>
  );
}

function ChangeBroker({
  listen,
  save,
  close,
}: {
  listen: Report['listen'];
  save: (listen: string) => Promise<void>;
  close: () => void;
}) {
  const said = brokerWords.value;
  const place = useSignal(placeOf(listen));
  const port = place.value === placeOf(listen) ? portOf(listen) : undefined;
  const wantedIn = (form: FormData): string => {
    const wanted = chosen(form, 'where', placeNames);
    if (wanted === 'off') return 'off';
    return wanted === 'other' ? listen : `${places[wanted]}:${text(form, 'port')}`;
  };
  return (
    <AskDialog title={said.change} go={said.go} run={form => save(wantedIn(form))} inWords={inWords} close={close}>
      <Choice
        label={said.where}
        name="where"
        onChange={event => {
          place.value = event.currentTarget.value as typeof place.value;
        }}
      >
        {placeNames.map(name => {
          if (name === 'other' && placeOf(listen) !== 'other') return null;
          return (
            <option key={name} value={name} selected={name === place.value}>
              {name === 'other' ? said.places.other(listen) : said.places[name]}
            </option>
          );
        })}
      </Choice>
      {(place.value === 'here' || place.value === 'network') && (
        <Field
          key={place.value}
          label={said.port}
          name="port"
          type="number"
          min={1}
          max={65535}
          required
          defaultValue={String(port ?? usualPorts[place.value])}
        />
      )}
      <p>{said.restarts}</p>
    </AskDialog>
  );
}

function placeOf(listen: string): (typeof placeNames)[number] {
  if (listen === 'off') return 'off';
  const host = listen.slice(0, listen.lastIndexOf(':'));
  return host === places.here ? 'here' : host === places.network ? 'network' : 'other';
}

const portOf = (listen: string): string | undefined => /:(\d+)$/.exec(listen)?.[1];
