import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import type { CallerReport, SignedHeaders } from '../../../../src/admin/ui/callers.ts';
import { Problem, post } from '../../api.ts';
import { Block } from '../../parts/block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useDoing } from '../../parts/doing.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { may } from '../../session.ts';
import { curlLine, type TriedCall, triedCalls } from './calls.ts';
import { SignedString } from './signed-strings.tsx';
import { integrationWords } from './words.ts';

interface Tried {
  readonly sent: Pick<TriedCall, 'method' | 'path' | 'headers' | 'body'>;
  readonly signed: SignedHeaders;
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

const answerCharactersMax = 20_000;

/** A call as a program would make it: signed by the box, sent by this page. */
export function Console({ callers }: { callers: readonly CallerReport[] }) {
  const able = callers.filter(caller => caller.kind !== 'oauth');
  const said = integrationWords.value;
  const chosen = useSignal(0);
  const name = useSignal<TriedCall['name'] | null>(null);
  const { busy, refused, run } = useDoing(problem =>
    problem instanceof Problem ? problem : new Problem(0, 'network', String(problem)),
  );
  const tried = useSignal<Tried | null>(null);
  if (!may('admin')) return <p>{said.consoleAdmin}</p>;
  const caller = able[chosen.value];
  if (!caller) return <p class="quiet">{said.consoleNone}</p>;
  const calls = triedCalls.filter(one => one.kind === caller.kind);
  const call = calls.find(one => one.name === name.value) ?? calls[0]!;

  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const path = String(form.get('path'));
    const body = String(form.get('body') ?? '');
    tried.value = null;
    return run(async () => {
      const signed = await post('/integrations/sign', { kind: call.kind, id: caller.id, path });
      const sent = { method: call.method, path, headers: { ...signed.headers, ...call.headers }, body };
      tried.value = { sent, signed, ...(await send(sent)) };
    });
  };
  return (
    <>
      <p class="quiet">{said.consoleLead}</p>
      <form onSubmit={submit} class="console">
        <div class="bar">
          <Choice
            label={said.caller}
            value={String(chosen.value)}
            onChange={event => {
              chosen.value = Number(event.currentTarget.value);
            }}
          >
            {able.map((one, index) => (
              <option key={`${one.kind} ${one.id}`} value={String(index)}>
                {`${one.name || one.id} (${said.kinds[one.kind]})`}
              </option>
            ))}
          </Choice>
          <Choice
            label={said.call}
            value={call.name}
            onChange={event => {
              name.value = event.currentTarget.value as TriedCall['name'];
            }}
          >
            {calls.map(one => (
              <option key={one.name} value={one.name}>
                {said.calls[one.name]}
              </option>
            ))}
          </Choice>
        </div>
        <div key={call.name}>
          <Field
            label={`${call.method}: ${said.address}`}
            name="path"
            class="mono wide"
            defaultValue={call.path}
            required
          />
          {call.body !== '' && (
            <label class="field">
              {said.body}
              <textarea name="body" class="mono wide" rows={3} defaultValue={call.body} />
            </label>
          )}
        </div>
        <p>
          <button type="submit" class="act go" disabled={busy}>
            {said.send}
          </button>
        </p>
      </form>
      <ProblemNotice problem={refused.value} />
      {tried.value && <Answer tried={tried.value} />}
    </>
  );
}

function Answer({ tried: { sent, signed, status, ms, text } }: { tried: Tried }) {
  const said = integrationWords.value;
  const line = curlLine(location.origin, sent);
  return (
    <>
      <h2>{said.answerTitle}</h2>
      <p role="status" class={status < 400 ? 'ok' : 'bad'}>
        {said.answer(status, ms)}
      </p>
      <Block label={said.answerTitle} text={text} />
      <h2>{said.requestTitle}</h2>
      <dl class="facts">
        {Object.entries(sent.headers).map(([name, value]) => (
          <>
            <dt class="mono">{name}</dt>
            <dd class="mono">{value}</dd>
          </>
        ))}
        <dt>{said.signedString}</dt>
        <dd>
          <SignedString parts={signed.parts} />
        </dd>
      </dl>
      <h2>{said.curl}</h2>
      <Block label="curl" text={line} />
      <p>
        <CopyButton text={line} />
      </p>
    </>
  );
}

/** As a program sends it: without the cookies of this page. */
async function send({ method, path, headers, body }: Tried['sent']): Promise<Pick<Tried, 'status' | 'ms' | 'text'>> {
  const start = performance.now();
  const answer = await fetch(path, { method, headers, credentials: 'omit', ...(body === '' ? {} : { body }) });
  const text = await answer.text();
  return { status: answer.status, ms: Math.round(performance.now() - start), text: readable(text) };
}

function readable(text: string): string {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Shown as it arrived.
  }
  return shown.length > answerCharactersMax ? `${shown.slice(0, answerCharactersMax)} …` : shown;
}
