import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import type { CallerKind, CallerReport, NewSecret } from '../../../../src/admin/ui/callers.ts';
import { type Problem, post } from '../../api.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { words } from '../../words/index.ts';
import { integrationWords } from './words.ts';

const kinds: readonly CallerKind[] = ['attendance', 'services', 'oauth'];

function problemWords(problem: Problem): string {
  const said = integrationWords.value;
  if (problem.title === 'exists') return said.exists;
  if (problem.title === 'unknown') return said.unknown;
  if (problem.title === 'redirect_uris') return said.badCallback;
  return problem.message;
}

/** A dialog whose form does one thing at the box, or shows why not. */
function Asking({
  title,
  go,
  danger,
  act,
  close,
  children,
}: {
  title: string;
  go: string;
  danger?: boolean;
  act: (form: FormData) => Promise<void>;
  close: () => void;
  children: ComponentChildren;
}) {
  const busy = useSignal(false);
  const problem = useSignal('');
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    busy.value = true;
    problem.value = '';
    try {
      await act(new FormData(event.currentTarget));
    } catch (error) {
      problem.value = problemWords(error as Problem);
    }
    busy.value = false;
  };
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={submit}>
        {children}
        <p class="bad" role="alert">
          {problem}
        </p>
        <DialogButtons go={go} busy={busy.value} danger={danger ?? false} close={close} />
      </form>
    </Dialog>
  );
}

export function AddCaller({ made, close }: { made: (secret: NewSecret) => void; close: () => void }) {
  const kind = useSignal<CallerKind>('attendance');
  const said = integrationWords.value;
  const add = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const callbacks = text('callbacks')
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean);
    made(
      await post('/integrations/callers', {
        kind: kind.peek(),
        id: text('id'),
        name: text('name'),
        redirect_uris: callbacks,
      }),
    );
  };
  return (
    <Asking title={said.add} go={words.value.act.add} act={add} close={close}>
      <Choice
        label={said.kind}
        value={kind}
        onChange={event => {
          kind.value = event.currentTarget.value as CallerKind;
        }}
      >
        {kinds.map(one => (
          <option key={one} value={one}>
            {said.kinds[one]}
          </option>
        ))}
      </Choice>
      <Field
        label={`${said.id} (${said.ids[kind.value]})`}
        name="id"
        class="mono"
        maxLength={64}
        pattern="\S+"
        hint={said.idHint}
      />
      <Field label={said.name} name="name" maxLength={100} />
      {kind.value === 'oauth' && (
        <label class="field">
          {said.callbacks}
          <textarea name="callbacks" rows={3} class="mono wide" required />
        </label>
      )}
    </Asking>
  );
}

export function RotateSecret({
  caller: { kind, id },
  made,
  close,
}: {
  caller: CallerReport;
  made: (secret: NewSecret) => void;
  close: () => void;
}) {
  const said = integrationWords.value;
  const rotate = async () => made(await post('/integrations/callers/rotate', { kind, id }));
  return (
    <Asking title={said.rotateTitle(id)} go={said.rotateGo} danger act={rotate} close={close}>
      <p>{said.rotateText}</p>
    </Asking>
  );
}

export function RemoveCaller({
  caller: { kind, id },
  removed,
  close,
}: {
  caller: CallerReport;
  removed: () => void;
  close: () => void;
}) {
  const said = integrationWords.value;
  const remove = async () => {
    await post('/integrations/callers/remove', { kind, id });
    removed();
  };
  return (
    <Asking title={said.removeTitle(id)} go={words.value.act.remove} danger act={remove} close={close}>
      <p>{said.removeText}</p>
    </Asking>
  );
}

export function ShownSecret({ made: { kind, id, secret }, close }: { made: NewSecret; close: () => void }) {
  const said = integrationWords.value;
  return (
    <Dialog title={said.secretTitle(id)} close={close}>
      <p>{said.secretOnce}</p>
      <dl class="facts">
        <dt>{said.ids[kind]}</dt>
        <dd class="mono">{id}</dd>
        <dt>{said.secrets[kind]}</dt>
        <dd class="mono" data-testid="secret">
          {secret}
        </dd>
      </dl>
      <p class="bar">
        <CopyButton text={secret} />
        <button type="button" class="act" onClick={close}>
          {words.value.act.close}
        </button>
      </p>
    </Dialog>
  );
}
