import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, type Problem } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { ago, moment, span } from '../../parts/numbers.ts';
import { may } from '../../session.ts';
import { words } from './backup-words.ts';
import { boxIsBack } from './box-is-back.ts';
import { Head } from './head.tsx';
import { saidProblem } from './said-problem.ts';
import { words as system } from './words.ts';

const oldMs = 7 * 86_400_000;

/** One file with everything, and back. */
export default function Backup() {
  const { loaded, reload } = useLoaded<{ last_at: number | null }>('/backup');
  useEffect(() => {
    const timer = setInterval(reload, 5000);
    return () => clearInterval(timer);
  }, [reload]);
  const { data, problem } = loaded.value;
  const said = words.value;
  if (!data)
    return (
      <>
        <Head sentence={system.value.tabs.backup} />
        {problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />}
      </>
    );
  const age = data.last_at === null ? null : now.value - data.last_at;
  const sentence =
    age === null ? said.none : age > oldMs ? said.old(span(age)) : said.fresh(ago(data.last_at!, now.value));
  return (
    <>
      <Head sentence={sentence} />
      {may('admin') ? (
        <>
          <h2>{said.make}</h2>
          <p>{said.makeLead}</p>
          <p>
            <a class="act go" href="/admin/v1/backup/download" download="gatehouse-backup.gh">
              {said.go}
            </a>
          </p>
          <Restore />
        </>
      ) : (
        <p class="quiet">{said.adminOnly}</p>
      )}
    </>
  );
}

interface State {
  readonly file: File | null;
  readonly asking: boolean;
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly restoredAt: number | null;
}

const before: State = { file: null, asking: false, busy: false, problem: null, restoredAt: null };

function Restore() {
  const state = useSignal<State>(before);
  const said = words.value;
  const { file, asking, busy, problem, restoredAt } = state.value;
  const change = (part: Partial<State>) => {
    state.value = { ...state.peek(), ...part };
  };
  const restore = async (event: Event) => {
    event.preventDefault();
    change({ asking: false, busy: true, problem: null });
    try {
      const { created_at: at } = await call<{ created_at: number }>('POST', '/restore', file);
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
