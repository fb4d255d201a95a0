import { useSignal } from '@preact/signals';
import { type Problem, post } from '../../api.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { may, session } from '../../session.ts';
import { boxIsBack } from './box-is-back.ts';
import { Head } from './head.tsx';
import { words } from './reset-words.ts';
import { saidProblem } from './said-problem.ts';

interface State {
  readonly asking: boolean;
  readonly busy: boolean;
  readonly typed: string;
  readonly problem: Problem | null;
  readonly outcome: 'starts_anew' | 'at_next_start' | null;
}

const before: State = { asking: false, busy: false, typed: '', problem: null, outcome: null };

/** Resets the box to the state in which it was delivered. */
export default function Reset() {
  const said = words.value;
  return (
    <>
      <Head sentence={said.sentence} />
      <p>{said.lead}</p>
      <p>{said.lost}</p>
      <p>
        {said.noBackup} <a href="/system/backup">{said.toBackup}</a>
      </p>
      {may('admin') ? <Ask /> : <p class="quiet">{said.adminOnly}</p>}
    </>
  );
}

function Ask() {
  const state = useSignal<State>(before);
  const said = words.value;
  const { asking, busy, typed, problem, outcome } = state.value;
  const change = (part: Partial<State>) => {
    state.value = { ...state.peek(), ...part };
  };
  const reset = async (event: Event) => {
    event.preventDefault();
    change({ busy: true, problem: null });
    try {
      const answer = await post('/reset-all', { name: typed });
      change({ busy: false, asking: false, outcome: answer.outcome });
      if (answer.outcome === 'at_next_start') return;
      await boxIsBack();
      location.assign('/');
    } catch (error) {
      change({ busy: false, problem: error as Problem });
    }
  };
  return (
    <>
      <p>
        <button
          type="button"
          class="act danger"
          disabled={outcome !== null}
          onClick={() => change({ asking: true, typed: '', problem: null })}
        >
          {said.go}
        </button>
      </p>
      <p class={outcome === null ? undefined : 'notice'} role="status">
        {outcome === null ? '' : outcome === 'starts_anew' ? said.done : said.atNextStart}
      </p>
      {asking && (
        <Dialog title={said.sure} close={() => change({ asking: false })}>
          <form onSubmit={reset}>
            <Field
              label={said.type(session.value?.site.name ?? '')}
              required
              autocomplete="off"
              value={typed}
              onInput={event => change({ typed: event.currentTarget.value })}
            />
            <ProblemNotice problem={saidProblem(problem)} />
            <DialogButtons go={said.sureGo} busy={busy} danger close={() => change({ asking: false })} />
          </form>
        </Dialog>
      )}
    </>
  );
}
