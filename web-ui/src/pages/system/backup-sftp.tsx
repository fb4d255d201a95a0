import { useSignal } from '@preact/signals';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { targetFailures } from '../../../../src/words/backup-targets.ts';
import { post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useDoing } from '../../parts/doing.ts';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { sentenceIn } from '../../parts/reasons.ts';
import { words } from './backup-sftp-words.ts';
import { saidProblem } from './said-problem.ts';

type Report = AnswerOf<'get', '/backup/sftp'>;
type Check = AnswerOf<'post', '/backup/sftp/check'>;

/** How the box and its SFTP server come to know each other: the box's key, and the server's. */
export function BackupSftp() {
  const { loaded, reload } = useLoaded('/backup/sftp');
  const { data, problem } = loaded.value;
  const said = words.value;
  return (
    <section aria-labelledby="backup-sftp" class="long-word">
      <h3 id="backup-sftp">{said.title}</h3>
      <ProblemNotice problem={saidProblem(problem)} again={reload} />
      {data && <Keys report={data} changed={reload} />}
    </section>
  );
}

function Keys({ report, changed }: { report: Report; changed: () => void }) {
  const check = useSignal<Check | null>(null);
  const { busy, refused, run } = useDoing(saidProblem);
  const said = words.value;
  const ask = () =>
    run(async () => {
      check.value = null;
      check.value = await post('/backup/sftp/check');
    });
  const confirm = (key: string) =>
    run(async () => {
      await post('/backup/sftp/host-key', { host_key: key });
      changed();
      check.value = await post('/backup/sftp/check');
    });
  const known = report.host_key;
  const offered = check.value?.offered ?? null;
  const isNew = offered !== null && offered.key !== known?.key;
  return (
    <>
      <p>{said.keyLead}</p>
      <p class="bar">
        <Field label={said.publicKey} value={report.public_key} readOnly class="mono" />
        <CopyButton text={report.public_key} />
      </p>
      <p>
        {known ? (
          <>
            {report.fixed ? said.fixed : said.known} <span class="mono">{known.fingerprint}</span>
          </>
        ) : (
          said.unknown
        )}
      </p>
      <p class="bar">
        <button type="button" class="act" disabled={busy.value} onClick={ask}>
          {known ? said.test : said.ask}
        </button>
        <span class="quiet" role="status">
          {busy.value ? said.asking : ''}
        </span>
      </p>
      <ProblemNotice problem={refused.value} />
      <div role="status">
        {check.value && !(isNew && known && !report.fixed) && <Outcome check={check.value} isKnown={known !== null} />}
      </div>
      {isNew && !report.fixed && (
        <div class={known ? 'notice bad' : 'notice'}>
          <p>
            {known ? said.changed : said.compare}{' '}
            <code>{`ssh-keygen -lf /etc/ssh/ssh_host_${kindOf(offered.type)}_key.pub`}</code>
          </p>
          <p>
            {offered.type} <strong class="mono">{offered.fingerprint}</strong>
          </p>
          <p>
            <button type="button" class="act go" disabled={busy.value} onClick={() => void confirm(offered.key)}>
              {said.confirm}
            </button>
          </p>
        </div>
      )}
    </>
  );
}

function Outcome({ check: { failure }, isKnown }: { check: Check; isKnown: boolean }) {
  if (!failure) return isKnown ? <p class="notice ok">{words.value.good}</p> : null;
  return <p class="notice bad">{sentenceIn({ ...failure, reason: failure.why }, targetFailures)}</p>;
}

/** As the files of sshd are named. */
const kindOf = (type: string): string => (/ed25519|ecdsa/.exec(type) ?? ['rsa'])[0]!;
