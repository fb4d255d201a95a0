import type { BackupReport } from '../../../../src/admin/backups.ts';
import { targetFailures } from '../../../../src/words/backup-targets.ts';
import { post } from '../../api.ts';
import { useDoing } from '../../parts/doing.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { ago, bytes, moment } from '../../parts/numbers.ts';
import { sentenceIn } from '../../parts/reasons.ts';
import { words } from './backup-schedule-words.ts';
import { BackupSettings } from './backup-settings.tsx';
import { saidProblem } from './said-problem.ts';

type Schedule = NonNullable<BackupReport['schedule']>;
type Target = Schedule['targets'][number];

/** Backups that the box makes by itself: how each target stands, what is there, and the settings. */
export function BackupSchedule({
  schedule,
  hasKey,
  changed,
}: {
  schedule: Schedule;
  hasKey: boolean;
  changed: () => void;
}) {
  const { refused, run } = useDoing(saidProblem);
  const said = words.value;
  const { running, targets, next_at: nextAt } = schedule;
  const begin = async () => {
    await run(() => post('/backup/now'));
    changed();
  };
  return (
    <section aria-labelledby="backup-schedule">
      <h2 id="backup-schedule">{said.title}</h2>
      <p>{said.lead}</p>
      {targets.length === 0 ? <p class="quiet">{said.none}</p> : <Targets targets={targets} />}
      {targets.length > 0 && (
        <p class="bar">
          <button type="button" class="act go" disabled={running !== null || !hasKey} onClick={begin}>
            {said.now}
          </button>
          <span class="quiet" role="status">
            {running ? runningWords(running.step) : nextAt === null ? '' : said.next(moment(nextAt))}
          </span>
        </p>
      )}
      {targets.length > 0 && !hasKey && <p class="notice">{said.keyFirst}</p>}
      <ProblemNotice problem={refused.value} />
      {targets.map(target => target.copies.length > 0 && <Copies key={target.name} target={target} />)}
      <BackupSettings hasSftp={targets.some(({ name }) => name === 'sftp')} changed={changed} />
    </section>
  );
}

const runningWords = (step: string): string =>
  (words.value.running as Readonly<Record<string, string>>)[step] ?? words.value.running.making;

const nameOf = (name: string): string => (words.value.targets as Readonly<Record<string, string>>)[name] ?? name;

function Targets({ targets }: { targets: readonly Target[] }) {
  const said = words.value;
  return (
    <div class="scroll">
      <table class="stack" aria-label={said.title}>
        <thead>
          <tr>
            {[said.target, said.state, said.good, said.tried].map(title => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {targets.map(target => (
            <tr key={target.name}>
              <td data-label={said.target}>
                <span>
                  {nameOf(target.name)} <span class="quiet mono">{target.where}</span>
                  {target.holds !== null && <span class="quiet"> {said.holds(target.holds)}</span>}
                </span>
              </td>
              <td data-label={said.state}>
                <div>
                  <State target={target} />
                </div>
              </td>
              <td data-label={said.good}>
                {target.last_good_at === null ? said.never : ago(target.last_good_at, now.value)}
              </td>
              <td data-label={said.tried}>
                <div>
                  <Tried tried={target.restore_tried} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function State({ target: { failure, last_good_at: good } }: { target: Target }) {
  const said = words.value;
  if (!failure) return <>{good === null ? said.stateNew : said.stateGood}</>;
  return (
    <>
      <strong class="bad">{said.stateFailed}</strong> {ago(failure.at, now.value)}
      <br />
      {sentenceIn({ ...failure, reason: failure.why }, targetFailures)}
    </>
  );
}

function Tried({ tried }: { tried: Target['restore_tried'] }) {
  const said = words.value;
  if (tried === null) return <>{said.notTried}</>;
  if (tried.why === '') return <>{ago(tried.at, now.value)}</>;
  return (
    <>
      <strong class="bad">{said.triedFailed}</strong> {ago(tried.at, now.value)}
      <br />
      {sentenceIn({ ...tried, reason: tried.why }, targetFailures)}
    </>
  );
}

function Copies({ target }: { target: Target }) {
  const said = words.value;
  const more = target.copy_count - target.copies.length;
  return (
    <details>
      <summary>{`${said.copiesOf(nameOf(target.name))} (${target.copy_count})`}</summary>
      <div class="scroll">
        <table class="stack" aria-label={said.copiesOf(nameOf(target.name))}>
          <thead>
            <tr>
              {[said.made, said.size, said.verified, said.tried, said.file].map(title => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {target.copies.map(copy => (
              <tr key={copy.name}>
                <td data-label={said.made}>{moment(copy.made_at)}</td>
                <td data-label={said.size}>{bytes(copy.bytes)}</td>
                <td data-label={said.verified}>
                  {copy.verified_at === null ? said.notVerified : moment(copy.verified_at)}
                </td>
                <td data-label={said.tried}>
                  {copy.restore_tried_at === null ? said.notTried : moment(copy.restore_tried_at)}
                </td>
                <td data-label={said.file} class="mono">
                  {copy.name}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p class="quiet">{said.moreCopies(more)}</p>}
    </details>
  );
}
