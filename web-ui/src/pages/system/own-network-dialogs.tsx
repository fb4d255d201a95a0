import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { lines, type Problem, problemIn, put } from '../../api.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { useDoing } from '../../parts/doing.ts';
import { Choice, chosen, Field, text } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { words as shared } from '../../words/index.ts';
import { words } from './own-network-words.ts';
import { words as settingsWords } from './settings-words.ts';

export type Network = AnswerOf<'get', '/network'>;

const inWords = (problem: Problem): Problem => problemIn(words.value.problems, problem);
const methods = ['automatic', 'manual'] as const;
const minutes = 3;
const plain = { autocomplete: 'off', spellcheck: false, class: 'mono' } as const;

/** Asks for the address of the gateway, which is on trial until an admin has used it. */
export function EditAddress({
  settings,
  changed,
  close,
}: {
  settings: NonNullable<Network['settings']>;
  /** Address without its prefix; null: the router gives it. */
  changed: (address: string | null, seconds: number) => void;
  close: () => void;
}) {
  const said = words.value;
  const method = useSignal<(typeof methods)[number]>(settings.automatic ? 'automatic' : 'manual');
  const isManual = method.value === 'manual';
  const save = async (form: FormData) => {
    const wanted = {
      automatic: !isManual,
      address: text(form, 'address'),
      router: text(form, 'router'),
      name_servers: listIn(text(form, 'name_servers')),
    };
    const { seconds } = await put('/network/address', wanted);
    changed(isManual ? wanted.address.split('/')[0]! : null, seconds);
  };
  return (
    <AskDialog title={said.editAddress} go={said.change} run={save} inWords={inWords} close={close}>
      <Choice
        label={said.method(settings.name)}
        name="method"
        onChange={event => {
          method.value = chosen(new FormData(event.currentTarget.form!), 'method', methods);
        }}
      >
        {methods.map(one => (
          <option key={one} value={one} selected={one === method.value}>
            {said[one]}
          </option>
        ))}
      </Choice>
      {isManual && (
        <>
          <Field
            {...{
              label: said.address,
              placeholder: '192.168.1.20/24',
              name: 'address',
              required: true,
              maxLength: 18,
              ...plain,
            }}
            defaultValue={settings.address}
          />
          <Field
            {...{ label: said.router, name: 'router', required: true, maxLength: 15, ...plain }}
            defaultValue={settings.router}
          />
        </>
      )}
      <Field
        {...{ label: said.nameServers, hint: said.nameServersHint, name: 'name_servers', maxLength: 60, ...plain }}
        defaultValue={settings.name_servers.join(', ')}
      />
      <p>{said.takenBack(minutes)}</p>
    </AskDialog>
  );
}

const listIn = (text: string): string[] => text.split(/[\s,，、]+/).filter(one => one !== '');

/** Asks for host name and time servers, which can be tested before. */
export function EditNames({
  network: { names, fixed },
  saved,
  close,
}: {
  network: Network;
  saved: (names: Network['names'], restarts: boolean) => void;
  close: () => void;
}) {
  const said = words.value;
  const servers = useRef<HTMLDivElement>(null);
  const namesIn = (form: FormData) => ({
    host_name: form.has('host_name') ? text(form, 'host_name') : names.host_name,
    time_servers: form.has('time_servers') ? serversIn(form) : names.time_servers,
  });
  const save = async (form: FormData) => {
    const wanted = namesIn(form);
    const { restarts } = await put('/network/names', wanted);
    saved(wanted, restarts);
  };
  const of = (field: keyof Network['names'], hint: string) => {
    const where = fixed[field];
    const isFixed = where !== undefined;
    return {
      ...{ name: field, defaultValue: names[field], disabled: isFixed, ...plain },
      hint: isFixed ? settingsWords.value.fixed(where, `box.${field}`) : hint,
    };
  };
  return (
    <AskDialog title={said.editNames} go={shared.value.act.save} run={save} inWords={inWords} close={close}>
      <Field label={said.hostName} maxLength={63} {...of('host_name', said.hostNameHint)} />
      <div ref={servers}>
        <Field
          label={said.timeServers}
          maxLength={1000}
          placeholder="ntp.example.com"
          {...of('time_servers', said.timeServersHint)}
        />
      </div>
      <TestServers asked={() => serversIn(new FormData(servers.current!.closest('form')!)) || names.time_servers} />
    </AskDialog>
  );
}

const serversIn = (form: FormData): string => listIn(text(form, 'time_servers')).join(', ');

interface Found {
  readonly server: string;
  readonly found: 'answers' | 'no_such_name' | 'silent' | 'not_synchronized';
  readonly ahead_ms: number | null;
}

function TestServers({ asked }: { asked: () => string }) {
  const said = words.value;
  const found = useSignal<readonly Found[]>([]);
  const { busy, refused, run } = useDoing(inWords);
  const test = () =>
    run(async () => {
      found.value = [];
      const servers = asked();
      if (servers === '') return;
      for await (const one of lines('post', '/network/time-servers/test', { time_servers: servers }))
        found.value = [...found.peek(), one];
    });
  return (
    <>
      <p>
        <button type="button" class="act small" disabled={busy.value} onClick={test}>
          {said.test}
        </button>
      </p>
      <ProblemNotice problem={refused.value} />
      <div role="status">{found.value.length > 0 && <Results found={found.value} />}</div>
    </>
  );
}

function Results({ found }: { found: readonly Found[] }) {
  const said = words.value;
  return (
    <ul>
      {found.map(({ server, found: outcome, ahead_ms: ahead }) => (
        <li key={server}>
          <span class="mono">{server}</span>:{' '}
          {outcome === 'answers'
            ? said.found.answers(said.seconds((Math.abs(ahead ?? 0) / 1000).toFixed(1)))
            : said.found[outcome]}
        </li>
      ))}
    </ul>
  );
}
