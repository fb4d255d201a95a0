import { useSignal } from '@preact/signals';
import { type Problem, postFile } from '../../api.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { words } from './backup-words.ts';
import { boxIsBack } from './box-is-back.ts';
import { saidProblem } from './said-problem.ts';

interface State {
  readonly file: File | null;
  readonly key: string;
  readonly asking: boolean;
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly restoredAt: number | null;
}

const before: State = { file: null, key: '', asking: false, busy: false, problem: null, restoredAt: null };

/** Sends a backup to the box, which restarts on it. */
export function Restore() {
  const state = useSignal<State>(before);
  const said = words.value;
  const { file, key, asking, busy, problem, restoredAt } = state.value;
  const change = (part: Partial<State>) => {
    state.value = { ...state.peek(), ...part };
  };
  const restore = async (event: Event) => {
    event.preventDefault();
    change({ asking: false, busy: true, problem: null });
    try {
      const { created_at: at } = await postFile('/restore', {}, file!, {
        'gatehouse-backup-key': encodeURIComponent(key.trim()),
      });
      change({ busy: false, restoredAt: at });
      await boxIsBack();
      location.reload();
    } catch (error) {
      change({ busy: false, problem: error as Problem });
    }
  };
  return (
    <section aria-labelledby="restore">
      <h2 id="restore">{said.restore}</h2>
      <p>{said.restoreLead}</p>
      <form
        onSubmit={event => {
          event.preventDefault();
          change({ asking: true, problem: null });
        }}
      >
        <div class="bar">
          <Field
            label={said.file}
            type="file"
            required
            disabled={busy}
            onChange={event => change({ file: event.currentTarget.files?.[0] ?? null })}
          />
          <Field
            label={said.key}
            hint={said.keyHint}
            placeholder="AGE-SECRET-KEY-1…"
            type="password"
            autocomplete="off"
            maxLength={1000}
            disabled={busy}
            value={key}
            onInput={event => change({ key: event.currentTarget.value })}
          />
          <button type="submit" class="act danger" disabled={busy || restoredAt !== null}>
            {said.check}
          </button>
        </div>
      </form>
      <p class={busy || restoredAt !== null ? 'notice' : undefined} role="status">
        {busy ? said.sending : restoredAt === null ? '' : said.restored(moment(restoredAt))}
      </p>
      <ProblemNotice problem={saidProblem(problem)} />
      {asking && (
        <Dialog title={said.sure} close={() => change({ asking: false })}>
          <form onSubmit={restore}>
            <p>{said.sureLead(file?.name ?? '')}</p>
            <DialogButtons go={said.sureGo} busy={busy} danger close={() => change({ asking: false })} />
          </form>
        </Dialog>
      )}
    </section>
  );
}
