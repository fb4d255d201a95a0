import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { BundleReport } from '../../../../src/admin/updates.ts';
import { updateRefusals } from '../../../../src/words/updates.ts';
import { post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { useDoing } from '../../parts/doing.ts';
import { useEvery } from '../../parts/every.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { sentenceIn } from '../../parts/reasons.ts';
import { may } from '../../session.ts';
import { Head } from './head.tsx';
import { saidProblem } from './said-problem.ts';
import { Sources } from './update-sources.tsx';
import { sentenceOf, Versions } from './update-state.tsx';
import { words } from './update-words.ts';
import { words as system } from './words.ts';

const lookMs = 1000;

/** Running, previous and next version. */
export default function Update() {
  const { loaded, reload } = useLoaded('/update');
  const bundle = useSignal<BundleReport | null>(null);
  const asking = useSignal(false);
  const { refused, run } = useDoing(saidProblem);
  const version = useRef('');
  useEvery(lookMs, reload);
  const { data, problem: unanswered } = loaded.value;
  useEffect(() => {
    // Another version may have other pages.
    if (data && version.current !== '' && version.current !== data.runs.version) location.reload();
    if (data) version.current = data.runs.version;
  }, [data]);
  const close = () => {
    bundle.value = null;
    asking.value = false;
  };
  const begin = (event: Event, act: () => Promise<unknown>) => {
    event.preventDefault();
    close();
    return run(async () => {
      await act();
      reload();
    });
  };
  const said = words.value;
  if (!data)
    return (
      <>
        <Head sentence={system.value.tabs.update} />
        {unanswered ? <ProblemNotice problem={unanswered} again={reload} /> : <Loading />}
      </>
    );
  const { progress, impossible, other } = data;
  return (
    <>
      <Head sentence={sentenceOf(data)} />
      <p class={progress ? 'notice' : undefined} role="status">
        {progress ? said.steps[progress.step] : ''}
        {progress?.step === 'installing' && ` (${progress.percent} %)`}
      </p>
      <Versions report={data} />
      <ProblemNotice problem={refused.value} />
      {impossible !== null ? (
        <p class="quiet">{sentenceIn({ reason: impossible, ...data.impossible_said }, updateRefusals)}</p>
      ) : !may('admin') ? (
        <p class="quiet">{said.adminOnly}</p>
      ) : (
        !progress && (
          <>
            <Sources
              found={data.found}
              show={one => {
                refused.value = null;
                bundle.value = one;
              }}
              refused={one => {
                refused.value = saidProblem(one);
              }}
            />
            {other && (
              <p>
                <button
                  type="button"
                  class="act danger"
                  onClick={() => {
                    asking.value = true;
                  }}
                >
                  {said.rollBack}
                </button>
              </p>
            )}
          </>
        )
      )}
      {bundle.value && (
        <Dialog title={said.dialog(bundle.value.kind, bundle.value.version)} close={close}>
          <Install
            bundle={bundle.value}
            install={(event, { file }, allowOlder) =>
              begin(event, () => post('/update', { file, allow_older: allowOlder }))
            }
            close={close}
          />
        </Dialog>
      )}
      {asking.value && (
        <Dialog title={said.sure} close={close}>
          <form onSubmit={event => begin(event, () => post('/update/rollback'))}>
            <p>{said.rollBackLead}</p>
            <DialogButtons go={said.sureGo} busy={false} danger close={close} />
          </form>
        </Dialog>
      )}
    </>
  );
}

function Install({
  bundle,
  install,
  close,
}: {
  bundle: BundleReport;
  install: (event: Event, bundle: BundleReport, allowOlder: boolean) => void;
  close: () => void;
}) {
  const said = words.value;
  const allowOlder = useSignal(false);
  const { kind, version, description, refused, olderThan } = bundle;
  return (
    <form onSubmit={event => install(event, bundle, allowOlder.value)}>
      {description !== '' && <p>{description}</p>}
      {refused === null ? (
        <>
          <p>{kind === 'image' ? said.beforeImage : said.beforeProgram}</p>
          <p>{said.after}</p>
        </>
      ) : (
        <p class="notice bad">{sentenceIn({ reason: refused, ...bundle.refused_said }, updateRefusals)}</p>
      )}
      {refused === null && olderThan !== null && (
        <>
          <p class="notice bad">{said.older(version, olderThan)}</p>
          <label class="check">
            <input
              type="checkbox"
              checked={allowOlder.value}
              onChange={event => {
                allowOlder.value = event.currentTarget.checked;
              }}
            />
            {said.allowOlder}
          </label>
        </>
      )}
      <DialogButtons go={said.go} busy={refused !== null || (olderThan !== null && !allowOlder.value)} close={close} />
    </form>
  );
}
