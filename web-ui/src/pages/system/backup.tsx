import { useSignal } from '@preact/signals';
import { useLoaded } from '../../loaded.ts';
import { useEvery } from '../../parts/every.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { ago, moment, span } from '../../parts/numbers.ts';
import { may } from '../../session.ts';
import { BackupSchedule } from './backup-schedule.tsx';
import { words } from './backup-words.ts';
import { Head } from './head.tsx';
import { RecoveryKey } from './recovery-key.tsx';
import { Restore } from './restore.tsx';
import { saidProblem } from './said-problem.ts';
import { words as system } from './words.ts';

const oldMs = 7 * 86_400_000;

/** One file with everything, and back. */
export default function Backup() {
  const { loaded, reload } = useLoaded('/backup');
  /** When the last backup was made as the download began; undefined: none was begun here. */
  const begunWith = useSignal<number | null | undefined>(undefined);
  const { data, problem } = loaded.value;
  useEvery(begunWith.value === undefined && !data?.schedule?.running ? 5000 : 1000, reload);
  const said = words.value;
  if (problem?.title === 'backup_of_region') return <Head sentence={saidProblem(problem)!.message} />;
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
          {data.schedule && (
            <BackupSchedule schedule={data.schedule} hasKey={data.recovery_key !== null} changed={reload} />
          )}
          <RecoveryKey report={data.recovery_key} changed={reload} />
          <div role="status">
            {begunWith.value !== undefined && (
              <p class="notice ok">
                {data.last_at === begunWith.value ? said.making : said.made(moment(data.last_at!))}
              </p>
            )}
          </div>
          <h2>{said.make}</h2>
          <p>{said.makeLead}</p>
          {data.recovery_key ? (
            <p>
              <a
                class="act go"
                href="/admin/v1/backup/download"
                download="gatehouse-backup.gh"
                onClick={() => {
                  begunWith.value = data.last_at;
                }}
              >
                {said.go}
              </a>
            </p>
          ) : (
            <p class="quiet">{said.keyFirst}</p>
          )}
          <Restore />
        </>
      ) : (
        <p class="quiet">{said.adminOnly}</p>
      )}
    </>
  );
}
