import { useSignal } from '@preact/signals';
import { Problem, post, query } from '../../api.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Field, text as written } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { closingWords } from './closing-words.ts';
import { monthName } from './dates.ts';

interface Obstacle {
  readonly what: 'days_to_come' | 'days_not_known' | 'corrections' | 'leaves' | 'unknown_checkins';
  readonly count: number;
  readonly days: readonly { readonly ext_id: string; readonly name: string; readonly date: string }[];
}

/** A refusal in the language of the page. */
export const inWords = (error: unknown): Problem => {
  const problem = error as Problem;
  const known = closingWords.value.problems as Readonly<Record<string, string>>;
  const said = known[problem.title];
  return said === undefined ? problem : new Problem(problem.status, problem.title, said);
};

/** Closes the month for the department that is shown, or the site; says what is in the way. */
export function CloseMonth({
  month,
  department,
  done,
}: {
  month: string;
  department: string | undefined;
  done: () => void;
}) {
  const open = useSignal(false);
  const busy = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  const obstacles = useSignal<readonly Obstacle[]>([]);
  const text = closingWords.value;
  const isForced = obstacles.value.length > 0;
  const close = () => {
    open.value = false;
    problem.value = null;
    obstacles.value = [];
  };
  const go = async (form: HTMLFormElement) => {
    busy.value = true;
    const force = written(new FormData(form), 'force').trim();
    try {
      await post('/attendance/closings', {
        ...{ month, ...(department && { department }), ...(force !== '' && { force }) },
      });
      close();
      done();
    } catch (error) {
      const { title, problems } = error as Problem;
      if (title === 'in_the_way') {
        obstacles.value = problems as readonly Obstacle[];
        problem.value = null;
      } else problem.value = inWords(error);
    }
    busy.value = false;
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
        {text.close}
      </button>
      {open.value && (
        <Dialog title={text.closeTitle(monthName(month), department ?? text.site)} close={close}>
          <form
            onSubmit={event => {
              event.preventDefault();
              void go(event.currentTarget);
            }}
          >
            <p class="quiet">{text.closeHint}</p>
            <ProblemNotice problem={problem.value} />
            {isForced && (
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
            <DialogButtons
              go={isForced ? text.closeAnyway : text.closeGo}
              busy={busy.value}
              danger={isForced}
              close={close}
            />
          </form>
        </Dialog>
      )}
    </p>
  );
}

/** What is in the way, with where it is settled. */
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
  const open = useSignal(false);
  const busy = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  const text = closingWords.value;
  const close = () => {
    open.value = false;
    problem.value = null;
  };
  const go = async (form: HTMLFormElement) => {
    busy.value = true;
    try {
      await post('/attendance/closings/{id}/reopen', { id, reason: written(new FormData(form), 'reason') });
      close();
      done();
    } catch (error) {
      problem.value = inWords(error);
    }
    busy.value = false;
  };
  return (
    <>
      <button
        type="button"
        class="act small"
        onClick={() => {
          open.value = true;
        }}
      >
        {text.reopen}
      </button>
      {open.value && (
        <Dialog title={text.reopenTitle(month)} close={close}>
          <form
            onSubmit={event => {
              event.preventDefault();
              void go(event.currentTarget);
            }}
          >
            <p class="quiet">
              {text.reopenHint} {twoPersons && text.reopenWaits}
            </p>
            <ProblemNotice problem={problem.value} />
            <Field label={text.reason} name="reason" required maxLength={200} autocomplete="off" />
            <DialogButtons go={text.reopenGo} busy={busy.value} danger={false} close={close} />
          </form>
        </Dialog>
      )}
    </>
  );
}
