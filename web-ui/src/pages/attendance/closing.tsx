import { useSignal } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { get, post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { useDoing } from '../../parts/doing.ts';
import { useChange, useEvery } from '../../parts/every.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { count, moment } from '../../parts/numbers.ts';
import { may } from '../../session.ts';
import { Changes } from './closing-changes.tsx';
import { CloseMonth, inWords, Reopen } from './closing-dialogs.tsx';
import { closingWords } from './closing-words.ts';
import { monthName } from './dates.ts';

type Closings = AnswerOf<'get', '/attendance/closings'>;
type ClosingRow = Closings['rows'][number];
type UnfinishedRow = Closings['unfinished'][number];

const everyMs = 1000;
const nothing = () => {};

/**
 * Closed parts of the month, the closing under way, and closing it; `isPartOpen`: somebody listed is
 * not closed.
 */
export function Closing({
  month,
  department,
  isPartOpen,
  changed,
}: {
  month: string;
  department: string | undefined;
  isPartOpen: boolean;
  changed: () => void;
}) {
  const { loaded, reload } = useLoaded('/attendance/closings', { month });
  const { data, problem } = loaded.value;
  const again = useCallback(() => {
    reload();
    changed();
  }, [reload, changed]);
  const isShown = ({ scope }: Pick<ClosingRow, 'scope'>) =>
    !department || scope === null || scope.ext_id === department;
  const rows = (data?.rows ?? []).filter(row => row.state !== 'reopened' && isShown(row));
  // A part of the site may be closed before the whole of it, and not after.
  const isOffered = isPartOpen && !rows.some(({ scope }) => scope === null || scope.ext_id === department);
  const unfinished = (data?.unfinished ?? []).filter(isShown);
  const underWay = unfinished.filter(({ refused }) => refused === null);
  const asking = useSignal(false);
  useEvery(everyMs, asking.value || underWay.length > 0 ? reload : nothing);
  useChange(data ? underWay.length === 0 : undefined, changed);
  return (
    <>
      <ProblemNotice problem={problem} again={reload} />
      {rows.map(row => (
        <Closed key={row.id} row={row} twoPersons={data?.second_person ?? false} changed={again} />
      ))}
      {underWay.map(row => (
        <UnderWay key={row.revision} row={row} />
      ))}
      {isOffered &&
        unfinished.map(row => row.refused && <NotClosed key={row.revision} row={row} refused={row.refused} />)}
      {data && isOffered && may('staff') && (
        <CloseMonth month={month} department={department} asking={asking} done={again}>
          {underWay.map(row => (
            <UnderWay key={row.revision} row={row} />
          ))}
        </CloseMonth>
      )}
    </>
  );
}

const nameOf = ({ scope }: UnfinishedRow): string => (scope ? scope.name || scope.ext_id : closingWords.value.site);

function UnderWay({ row }: { row: UnfinishedRow }) {
  const text = closingWords.value;
  const { people, done } = row;
  return (
    <div class="notice">
      <p>
        <b>{text.underWay(nameOf(row), row.asked_by)}</b> {text.goesOn}
      </p>
      <p>
        <progress max={people} value={done} aria-label={text.progress} /> {text.written(count(done), count(people))}
      </p>
    </div>
  );
}

/** Told until the month is closed, since whoever asked had gone. */
function NotClosed({ row, refused }: { row: UnfinishedRow; refused: NonNullable<UnfinishedRow['refused']> }) {
  const text = closingWords.value;
  return (
    <p class="notice warn">
      <b>{text.notClosed(nameOf(row), row.asked_by)}</b> {text.why[refused.why]}{' '}
      {refused.in_the_way.map(({ what, count: days }) => text.what[what](days)).join('; ')}
    </p>
  );
}

function Closed({ row, twoPersons, changed }: { row: ClosingRow; twoPersons: boolean; changed: () => void }) {
  const { refused, run } = useDoing(inWords);
  const verdict = useSignal<boolean | null>(null);
  const text = closingWords.value;
  const { id, reopening } = row;
  const verify = () =>
    run(async () => {
      verdict.value = (await get('/attendance/closings/{id}/verify', { id })).holds;
    });
  const decide = (decision: 'approve' | 'refuse') =>
    run(async () => {
      await post('/attendance/closings/{id}/reopen/{decision}', { id, decision });
      changed();
    });
  return (
    <div class={row.late > 0 ? 'notice' : 'notice ok'}>
      <p>
        <b>{text.closed(row.scope ? row.scope.name || row.scope.ext_id : text.site, row.revision)}</b>{' '}
        {text.closedBy(moment(row.closed_at), row.closed_by)}
      </p>
      {row.forced !== null && <p>{text.forced(row.forced)}</p>}
      {row.in_the_way.length > 0 && <p>{row.in_the_way.map(({ what, count }) => text.what[what](count)).join('; ')}</p>}
      {row.late > 0 && <Changes id={id} kind="late" said={`${text.late(row.late)} ${text.lateHint}`} />}
      {row.revised > 0 && <Changes id={id} kind="revision" said={text.revised(row.revised)} />}
      <details>
        <summary>{text.hash}</summary>
        <code class="mono">{row.hash}</code>
      </details>
      <ProblemNotice problem={refused.value} />
      {verdict.value !== null && (
        <p role="status" class={verdict.value ? undefined : 'warn'}>
          {verdict.value ? text.holds : text.broken}
        </p>
      )}
      {row.state === 'reopen_asked' && reopening && <p>{text.asked(reopening.asked_by, reopening.reason)}</p>}
      <p class="bar no-print">
        <button type="button" class="act small" onClick={() => void verify()}>
          {text.verify}
        </button>
        <a class="act small" href={`/admin/v1/reports/closings/${id}`} download>
          {text.file}
        </a>
        {may('staff') && row.state === 'closed' && (
          <Reopen id={id} month={monthName(row.month)} twoPersons={twoPersons} done={changed} />
        )}
        {may('staff') && row.state === 'reopen_asked' && (
          <>
            <button type="button" class="act small" onClick={() => void decide('approve')}>
              {text.approve}
            </button>
            <button type="button" class="act small" onClick={() => void decide('refuse')}>
              {text.refuse}
            </button>
          </>
        )}
      </p>
    </div>
  );
}
