import { useSignal } from '@preact/signals';
import type { BackupReport } from '../../../../src/admin/backups.ts';
import { post } from '../../api.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { useDoing } from '../../parts/doing.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { session } from '../../session.ts';
import { words } from './backup-words.ts';
import { saidProblem } from './said-problem.ts';

/** The key that opens the backups: made here, shown until the page is left, and printed. */
export function RecoveryKey({ report, changed }: { report: BackupReport['recovery_key']; changed: () => void }) {
  const made = useSignal<{ readonly recovery_key: string; readonly made_at: number } | null>(null);
  const asking = useSignal(false);
  const { refused, run } = useDoing(saidProblem);
  const said = words.value;
  const make = (event: Event) => {
    event.preventDefault();
    asking.value = false;
    return run(async () => {
      made.value = await post('/recovery-key');
      changed();
    });
  };
  const close = () => {
    asking.value = false;
  };
  return (
    <section aria-labelledby="recovery-key">
      <h2 id="recovery-key">{said.recoveryKey}</h2>
      {made.value ? (
        <>
          <p>{said.keyOf(session.value?.site.name ?? '', moment(made.value.made_at))}</p>
          <p class="notice mono">{made.value.recovery_key}</p>
          <p>{said.keyOnce}</p>
          <p>
            <button type="button" class="act go" onClick={() => print()}>
              {said.print}
            </button>{' '}
            <CopyButton text={made.value.recovery_key} />
          </p>
        </>
      ) : (
        <>
          <p>{report ? said.keyMade(moment(report.made_at)) : said.keyNone}</p>
          <p>
            <button
              type="button"
              class={report ? 'act' : 'act go'}
              onClick={event => {
                if (report) asking.value = true;
                else void make(event);
              }}
            >
              {report ? said.anotherKey : said.makeKey}
            </button>
          </p>
        </>
      )}
      <ProblemNotice problem={refused.value} />
      {asking.value && (
        <Dialog title={said.sureKey} close={close}>
          <form onSubmit={make}>
            <p>{said.sureKeyLead}</p>
            <DialogButtons go={said.sureKeyGo} busy={false} close={close} />
          </form>
        </Dialog>
      )}
    </section>
  );
}
