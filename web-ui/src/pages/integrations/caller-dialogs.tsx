import { useSignal } from '@preact/signals';
import type { CallerKind, CallerReport, NewSecret } from '../../../../src/admin/ui/callers.ts';
import { type Problem, post, problemIn } from '../../api.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { words } from '../../words/index.ts';
import { integrationWords } from './words.ts';

const kinds: readonly CallerKind[] = ['attendance', 'services', 'oauth'];

const inWords = (problem: Problem): Problem => {
  const { exists, unknown, badCallback } = integrationWords.value;
  return problemIn({ exists, unknown, redirect_uris: badCallback }, problem);
};

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
    <AskDialog inWords={inWords} title={said.add} go={words.value.act.add} run={add} close={close}>
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
        placeholder={said.idExample}
      />
      <Field label={said.name} name="name" maxLength={100} />
      {kind.value === 'oauth' && (
        <label class="field">
          {said.callbacks}
          <textarea name="callbacks" rows={3} class="mono wide" required />
        </label>
      )}
    </AskDialog>
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
    <AskDialog inWords={inWords} title={said.rotateTitle(id)} go={said.rotateGo} danger run={rotate} close={close}>
      <p>{said.rotateText}</p>
    </AskDialog>
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
    <AskDialog
      inWords={inWords}
      title={said.removeTitle(id)}
      go={words.value.act.remove}
      danger
      run={remove}
      close={close}
    >
      <p>{said.removeText}</p>
    </AskDialog>
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
