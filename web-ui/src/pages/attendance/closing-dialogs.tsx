import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { type Problem, post, problemIn, query } from '../../api.ts';
import { AskButton, AskDialog } from '../../parts/ask-dialog.tsx';
import { Field, text as written } from '../../parts/field.tsx';
import { closingWords } from './closing-words.ts';
import { monthName } from './dates.ts';

type InTheWayName = AnswerOf<'post', '/attendance/closings'>['in_the_way'][number]['what'];

interface Obstacle {
  readonly what: InTheWayName;
  readonly count: number;
  readonly days: readonly { readonly ext_id: string; readonly name: string; readonly date: string }[];
}

/** Obstacles that may be right as they are, once somebody has seen them. */
const isToReview = (what: InTheWayName): boolean => what === 'missing_checkins' || what === 'absences';

/** A refusal in the language of the page. */
export const inWords = (problem: Problem): Problem => problemIn(closingWords.value.problems, problem);

/** Closes the month for the department that is shown, or the site; says what is in the way. */
export function CloseMonth({
  month,
  department,
  asking,
  done,
  children,
}: {
  month: string;
  department: string | undefined;
  /** While the box closes it. */
  asking: Signal<boolean>;
  done: () => void;
  /** How far the box is. */
  children: ComponentChildren;
}) {
  const open = useSignal(false);
  const obstacles = useSignal<readonly Obstacle[]>([]);
  const text = closingWords.value;
  const isListed = obstacles.value.length > 0;
  const isForced = obstacles.value.some(({ what }) => !isToReview(what));
  const close = () => {
    open.value = false;
    obstacles.value = [];
  };
  const run = async (form: FormData) => {
    const force = written(form, 'force').trim();
    asking.value = true;
    try {
      await post('/attendance/closings', {
        ...{ month, ...(department && { department }), ...(force !== '' && { force }) },
        review: !isListed,
      });
    } finally {
      asking.value = false;
    }
    close();
    done();
  };
  const refused = (problem: Problem) => {
    if (problem.title !== 'in_the_way') return inWords(problem);
    obstacles.value = problem.problems as readonly Obstacle[];
    return null;
  };
  return (
    <p class="no-print">
      <button
        type="button"
        class="act"
        onClick={() => {
          open.value = true;
        }}
      >
        {text.close(monthName(month))}
      </button>
      {open.value && (
        <AskDialog
          title={text.closeTitle(monthName(month), department ?? text.site)}
          go={isListed ? text.closeAnyway : text.close(monthName(month))}
          danger={isListed}
          run={run}
          inWords={refused}
          close={close}
        >
          <p class="quiet">{text.closeHint}</p>
          {children}
          {isListed && (
            <div class="notice warn" role="alert">
              <p>{text.inTheWay}</p>
              <ul>
                {obstacles.value.map(one => (
                  <li key={one.what}>
                    <Obstacle one={one} />
                  </li>
                ))}
              </ul>
            </div>
          )}
          {isForced && <Field label={text.anyway} name="force" required maxLength={200} autocomplete="off" />}
        </AskDialog>
      )}
    </p>
  );
}

/** Obstacle to closing, with a link to where it is settled. */
function Obstacle({ one: { what, count, days } }: { one: Obstacle }) {
  const said = closingWords.value.what[what](count);
  if (what === 'leaves') return <a href="/schedules/leave">{said}</a>;
  if (what === 'unknown_checkins') return <a href="/people">{said}</a>;
  if (days.length === 0) return <>{said}</>;
  return (
    <>
      {said}:{' '}
      {days.map(({ ext_id, name, date }, index) => (
        <span key={`${ext_id} ${date}`}>
          {index > 0 && ', '}
          <a href={`/attendance/person/${encodeURIComponent(ext_id)}${query({ day: date })}`}>
            {name || ext_id} {date.slice(5)}
          </a>
        </span>
      ))}
      {count > days.length && ' …'}
    </>
  );
}

/** Asks for the reason, and opens a closed month again. */
export function Reopen({
  id,
  month,
  twoPersons,
  done,
}: {
  id: number;
  month: string;
  twoPersons: boolean;
  done: () => void;
}) {
  const text = closingWords.value;
  return (
    <AskButton
      label={text.reopen}
      title={text.reopenTitle(month)}
      go={text.reopenGo}
      run={form => post('/attendance/closings/{id}/reopen', { id, reason: written(form, 'reason') })}
      inWords={inWords}
      done={done}
    >
      <p class="quiet">
        {text.reopenHint} {twoPersons && text.reopenWaits}
      </p>
      <Field label={text.reason} name="reason" required maxLength={200} autocomplete="off" />
    </AskButton>
  );
}
