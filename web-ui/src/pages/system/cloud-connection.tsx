import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import type { AnswerOf, AskedOf } from '../../../../src/admin-client/calls.ts';
import { get, lines, type Problem, problemIn, put } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { Choice, Field, text } from '../../parts/field.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { count } from '../../parts/numbers.ts';
import { words as shared } from '../../words/index.ts';
import { boxIsBackWith } from './box-is-back.ts';
import { Checks, useChecks, verdict } from './checks.tsx';
import { words } from './cloud-connection-words.ts';
import { OwnNetwork } from './own-network.tsx';
import { words as settingsWords } from './settings-words.ts';

type Report = AnswerOf<'get', '/settings/cloud'>;
type Wanted = AskedOf<'put', '/settings/cloud'>;
type Shown = Exclude<keyof Wanted, 'access_key'>;

const modes = ['per-device', 'gateway', 'batch'] as const;
const shownFields = ['mode', 'device_mqtt', 'device_http', 'ca', 'product_id', 'device_sn'] as const;

const inWords = (problem: Problem): Problem => problemIn(words.value.problems, problem);

/** Where devices' data goes, and as whom: tested before it is saved. */
export function CloudConnection() {
  const { loaded, reload } = useLoaded('/settings/cloud');
  const done = useSignal('');
  const { data, problem } = loaded.value;
  const said = words.value;
  return (
    <>
      <section aria-labelledby="cloud-connection">
        <h2 id="cloud-connection">{said.title}</h2>
        {data ? (
          // Made again from what was saved.
          <Form key={JSON.stringify(data)} {...{ report: data, done, reload }} />
        ) : problem ? (
          <ProblemNotice problem={problem} again={reload} />
        ) : (
          <Loading />
        )}
        <p role="status">{done.value}</p>
      </section>
      {/* Loaded behind the form, which would move it down. */}
      {data && <OwnNetwork />}
    </>
  );
}

interface FormParts {
  readonly report: Report;
  /** Outlives the form. */
  readonly done: { value: string };
  readonly reload: () => void;
}

function Form({ report, done, reload }: FormParts) {
  const said = words.value;
  const form = useRef<HTMLFormElement>(null);
  const { run, start } = useChecks();
  const asks = useSignal<Wanted | null>(null);
  const isTesting = run.value.state === 'running';
  const test = () => {
    if (!form.current?.reportValidity()) return;
    done.value = '';
    const wanted = wantedIn(new FormData(form.current), report);
    start(signal => lines('post', '/settings/cloud/test', wanted, signal), inWords);
  };
  const save = async (wanted: Wanted) => {
    const { restarts } = await put('/settings/cloud', wanted);
    asks.value = null;
    done.value = restarts ? said.restarting : said.unchanged;
    if (!restarts) return;
    await boxIsBackWith(async () => {
      const now = await get('/settings/cloud');
      return shownFields.every(field => now[field] === wanted[field]);
    });
    done.value = said.saved;
    reload();
  };
  const of = (field: keyof Wanted) => {
    const where = report.fixed[field];
    const hint = where === undefined ? undefined : settingsWords.value.fixed(where, keyOf(field));
    return { name: field, disabled: where !== undefined, hint };
  };
  const address = { maxLength: 1000, autocomplete: 'off', spellcheck: false, class: 'mono wide' } as const;
  const id = { required: true, maxLength: 64, autocomplete: 'off', spellcheck: false, class: 'mono' } as const;
  const { hint: modeHint, ...mode } = of('mode');
  const key = of('access_key');
  return (
    <>
      <form
        class="settings"
        ref={form}
        onSubmit={event => {
          event.preventDefault();
          done.value = '';
          asks.value = wantedIn(new FormData(event.currentTarget), report);
        }}
      >
        <Field
          label={said.mqtt}
          placeholder="mqtts://cloud.example:8883"
          defaultValue={report.device_mqtt}
          {...address}
          {...hinted(of('device_mqtt'), said.mqttHint)}
        />
        <Field
          label={said.http}
          placeholder="https://cloud.example"
          defaultValue={report.device_http}
          {...address}
          {...hinted(of('device_http'), said.httpHint)}
        />
        <Choice label={said.mode} {...mode}>
          {modes.map(one => (
            <option key={one} value={one} selected={one === report.mode}>
              {said.modes[one]}
            </option>
          ))}
        </Choice>
        {modeHint && <p class="quiet">{modeHint}</p>}
        <Field label={said.product} defaultValue={report.product_id} {...id} {...hinted(of('product_id'), '')} />
        <Field label={said.serial} defaultValue={report.device_sn} {...id} {...hinted(of('device_sn'), said.idHint)} />
        <Field
          label={said.key}
          type="password"
          maxLength={1000}
          autocomplete="new-password"
          class="wide"
          {...hinted(key, report.has_access_key ? said.keyKept : said.keyNone)}
        />
        <Roots ca={report.ca} {...of('ca')} />
        <p class="bar">
          <button type="button" class="act" disabled={isTesting} onClick={test}>
            {said.test}
          </button>
          <button type="submit" class="act go" disabled={isTesting}>
            {shared.value.act.save}
          </button>
        </p>
      </form>
      {run.value.state !== 'idle' && <Checks run={run.value} done={verdict(run.value)} />}
      {asks.value && (
        <Confirm
          report={report}
          wanted={asks.value}
          save={save}
          close={() => {
            asks.value = null;
          }}
        />
      )}
    </>
  );
}

function Roots({
  ca,
  name,
  disabled,
  hint,
}: {
  ca: string;
  name: string;
  disabled: boolean;
  hint: string | undefined;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{words.value.ca}</label>
      <textarea
        {...{ id, name, disabled, rows: 3, maxLength: 32_000, spellcheck: false, defaultValue: ca }}
        class="mono wide"
        placeholder="-----BEGIN CERTIFICATE-----"
        aria-describedby={`${id}-hint`}
      />
      <span id={`${id}-hint`} class="quiet">
        {hint ?? words.value.caHint}
      </span>
    </div>
  );
}

/** Says what a change means for data and for others, before the gateway restarts with it. */
function Confirm({
  report,
  wanted,
  save,
  close,
}: {
  report: Report;
  wanted: Wanted;
  save: (wanted: Wanted) => Promise<void>;
  close: () => void;
}) {
  const said = words.value;
  const had = report.device_mqtt !== '' || report.device_http !== '';
  const has = wanted.device_mqtt !== '' || wanted.device_http !== '';
  const moves = report.device_mqtt !== wanted.device_mqtt || report.device_http !== wanted.device_http;
  const before = `${report.product_id}_${report.device_sn}`;
  const after = `${wanted.product_id}_${wanted.device_sn}`;
  const waiting = count(report.waiting);
  return (
    <AskDialog title={said.confirm} go={said.go} run={() => save(wanted)} inWords={inWords} close={close}>
      {before !== after && <p>{said.otherId(before, after)}</p>}
      {before !== after && had && wanted.mode === 'gateway' && <p>{said.otherIdSession}</p>}
      {before !== after && had && wanted.mode === 'batch' && <p>{said.otherIdBatch}</p>}
      {!had && has && <p>{said.first}</p>}
      {had && has && moves && <p>{said.moves(waiting)}</p>}
      {had && !has && <p>{said.ends(waiting)}</p>}
      <p>{said.restarts}</p>
    </AskDialog>
  );
}

const keyOf = (field: keyof Wanted): string =>
  field === 'product_id' || field === 'device_sn' || field === 'access_key' ? `box.${field}` : `upstream.${field}`;

const hinted = <Of extends { hint: string | undefined }>(of: Of, otherwise: string) => ({
  ...of,
  hint: of.hint ?? otherwise,
});

/** A field that the config fixes is not in the form. */
function wantedIn(form: FormData, report: Report): Wanted {
  const value = (field: Shown) => (form.has(field) ? text(form, field) : report[field]);
  const shown = Object.fromEntries(shownFields.map(field => [field, value(field)])) as Pick<Wanted, Shown>;
  return { ...shown, access_key: text(form, 'access_key') || null };
}
