import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { eventKinds } from '../../../../src/platform/event-topics.ts';
import type { Why } from '../../../../src/words/sentences.ts';
import { erase, Problem, post, problemIn, put } from '../../api.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useDoing } from '../../parts/doing.ts';
import { Field, text } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { count } from '../../parts/numbers.ts';
import { whySaid } from '../../parts/reasons.ts';
import { words } from '../../words/index.ts';
import { webhookWords } from './webhook-words.ts';

export type Hook = AnswerOf<'get', '/webhooks'>['rows'][number];

export interface MadeSecret {
  readonly name: string;
  readonly secret: string;
}

/** Why a call failed, as a sentence. */
export function whyCalled(one: Why): string {
  const said = whySaid(one);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
}

export const webhookProblem = (problem: Problem): Problem => {
  const { in_use, too_many, badName: name, badUrl: url, resendPaused: paused } = webhookWords.value;
  return problemIn({ in_use, too_many, name, url, paused }, problem);
};

type Kind = (typeof eventKinds)[number];

function kindsIn(form: FormData): Kind[] {
  const kinds = eventKinds.filter(kind => form.has(`kind-${kind}`));
  // Says no before the box is asked.
  if (kinds.length === 0) throw new Problem(400, 'form', webhookWords.value.chooseOne);
  return kinds;
}

function Kinds({ chosen }: { chosen: readonly Kind[] }) {
  const said = webhookWords.value;
  return (
    <fieldset class="program-topics">
      <legend>{said.whichKinds}</legend>
      {eventKinds.map(kind => (
        <label key={kind} class="check">
          <input type="checkbox" name={`kind-${kind}`} defaultChecked={chosen.includes(kind)} />
          <span>{said.kinds[kind]}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function AddWebhook({ made, close }: { made: (secret: MadeSecret) => void; close: () => void }) {
  const said = webhookWords.value;
  const add = async (form: FormData) => {
    const name = text(form, 'name');
    const { secret } = await post('/webhooks', { name, url: text(form, 'url'), kinds: kindsIn(form) });
    made({ name, secret });
  };
  return (
    <AskDialog title={said.add} go={words.value.act.add} run={add} inWords={webhookProblem} close={close}>
      <Field
        label={said.name}
        hint={said.nameHint}
        name="name"
        required
        maxLength={64}
        autocomplete="off"
        class="mono"
      />
      <Field
        label={said.url}
        name="url"
        type="url"
        required
        maxLength={2048}
        placeholder="https://hr.example.com/events"
        autocomplete="off"
        class="mono"
      />
      <Kinds chosen={['checkins']} />
    </AskDialog>
  );
}

export function EditWebhook({
  hook: { name, host, kinds },
  made,
  saved,
  close,
}: {
  hook: Hook;
  made: (secret: MadeSecret) => void;
  saved: () => void;
  close: () => void;
}) {
  const said = webhookWords.value;
  const edit = async (form: FormData) => {
    const url = text(form, 'url');
    const { secret } = await put('/webhooks/{name}', {
      name,
      ...(url === '' ? {} : { url }),
      kinds: kindsIn(form),
      new_secret: form.has('new-secret'),
    });
    if (secret === null) saved();
    else made({ name, secret });
  };
  return (
    <AskDialog title={said.editOf(name)} go={words.value.act.save} run={edit} inWords={webhookProblem} close={close}>
      <Field
        label={said.url}
        hint={said.newUrlHint}
        name="url"
        type="url"
        maxLength={2048}
        placeholder={host}
        autocomplete="off"
        class="mono"
      />
      <Kinds chosen={kinds} />
      <label class="check">
        <input type="checkbox" name="new-secret" />
        <span>{said.newSecret}</span>
      </label>
    </AskDialog>
  );
}

export function DeleteWebhook({ name, removed, close }: { name: string; removed: () => void; close: () => void }) {
  const said = webhookWords.value;
  const remove = async () => {
    await erase('/webhooks/{name}', { name });
    removed();
  };
  return (
    <AskDialog
      title={said.removeTitle(name)}
      go={said.remove}
      danger
      run={remove}
      inWords={webhookProblem}
      close={close}
    >
      <p>{said.removeText}</p>
    </AskDialog>
  );
}

export function ShownSecret({ made: { name, secret }, close }: { made: MadeSecret; close: () => void }) {
  const said = webhookWords.value;
  return (
    <Dialog title={said.secretTitle(name)} close={close}>
      <p>{said.secretOnce}</p>
      <dl class="facts">
        <dt>{said.secret}</dt>
        <dd class="mono" data-testid="secret">
          {secret}
        </dd>
      </dl>
      <TestWebhook name={name} first={<CopyButton text={secret} />}>
        <button type="button" class="act" onClick={close}>
          {words.value.act.close}
        </button>
      </TestWebhook>
    </Dialog>
  );
}

/** Calls the receiver once, and shows its response; in a row with other buttons. */
export function TestWebhook({
  name,
  first,
  children,
}: {
  name: string;
  first?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const said = webhookWords.value;
  const { busy, refused, run } = useDoing(webhookProblem);
  const outcome = useSignal<AnswerOf<'post', '/webhooks/{name}/test'> | null>(null);
  const test = () =>
    void run(async () => {
      outcome.value = null;
      outcome.value = await post('/webhooks/{name}/test', { name });
    });
  const got = outcome.value;
  return (
    <>
      <p class="bar">
        {first}
        <button type="button" class="act" disabled={busy.value} aria-label={said.testOf(name)} onClick={test}>
          {said.test}
        </button>
        {children}
      </p>
      <div role="status">
        {got && (
          <p class={got.taken ? 'ok' : 'bad'}>
            {got.taken ? said.testTaken(got.status ?? 0, said.ms(count(got.took_ms))) : said.testFailed(whyCalled(got))}
          </p>
        )}
        {got && got.answer !== '' && <p class="quiet program-line">{said.answer(got.answer)}</p>}
      </div>
      <ProblemNotice problem={refused.value} />
    </>
  );
}
