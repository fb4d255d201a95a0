import { useSignal } from '@preact/signals';
import type { BackupReport } from '../../../../src/admin/backups.ts';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { post } from '../../api.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { useDoing } from '../../parts/doing.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { session } from '../../session.ts';
import { words } from './backup-words.ts';
import { saidProblem } from './said-problem.ts';

type Made = AnswerOf<'post', '/recovery-key'>;

/** The key that opens the backups: made here, and shown until somebody confirms that it is kept. */
export function RecoveryKey({ report, changed }: { report: BackupReport['recovery_key']; changed: () => void }) {
  const made = useSignal<Made | null>(null);
  const asking = useSignal(false);
  const { busy, refused, run } = useDoing(saidProblem);
  const said = words.value;
  const make = (event: Event) => {
    event.preventDefault();
    asking.value = false;
    return run(async () => {
      made.value = await post('/recovery-key');
      changed();
    });
  };
  const confirm = (recipient: string) =>
    run(async () => {
      await post('/recovery-key/kept', { recipient });
      made.value = null;
      changed();
    });
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
            <CopyButton text={made.value.recovery_key} />{' '}
            <a class="act" href={fileOf(made.value)} download="gatehouse-recovery-key.txt">
              {said.download}
            </a>
          </p>
          <label class="check">
            <input
              type="checkbox"
              checked={false}
              disabled={busy.value}
              onChange={() => void confirm(made.value!.recipient)}
            />{' '}
            {said.kept}
          </label>
        </>
      ) : (
        <>
          <p>{report ? said.keyMade(moment(report.made_at)) : said.keyNone}</p>
          {report && !report.kept && (
            <p class="notice">
              {said.notKept}{' '}
              <button type="button" class="act" disabled={busy.value} onClick={() => void confirm(report.recipient)}>
                {said.kept}
              </button>
            </p>
          )}
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

/** The key as `restore --recovery-key-file` reads it. */
const fileOf = ({ recovery_key: key, recipient, made_at: at }: Made): string =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(`# recovery key of a Gatehouse, made ${moment(at)}\n# public key: ${recipient}\n${key}\n`)}`;
