import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PersonPunch } from '../../../../src/admin/ui/attendance-days.ts';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { type Problem, post } from '../../api.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { Choice, text as written } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { clock, moment } from '../../parts/numbers.ts';
import { inWords, Reason } from './correcting.tsx';
import { correctionWords } from './correction-words.ts';
import { dayAfter, dayBefore, dayName } from './dates.ts';
import { hours, wordsOf } from './results.ts';

type Preview = AnswerOf<'post', '/attendance/previews/move'>;

/**
 * Moves a check-in to another work date: the one before or after that of the page, or that of the
 * page itself where it is shown there and counts for nothing. What both dates come to is shown first.
 */
export function MoveCheckIn({
  extId,
  day,
  row,
  counts,
  done,
}: {
  extId: string;
  day: string;
  row: PersonPunch;
  /** Whether it counts on the day of the page. */
  counts: boolean;
  done: () => void;
}) {
  const open = useSignal(false);
  const text = correctionWords.value;
  return (
    <>
      <button
        type="button"
        class="act small"
        aria-label={text.moveOf(clock(row.at * 1000))}
        onClick={() => {
          open.value = true;
        }}
      >
        {text.move}
      </button>
      {open.value && (
        <MoveDialog
          extId={extId}
          row={row}
          dates={[...(counts ? [] : [day]), dayBefore(day), dayAfter(day)]}
          close={() => {
            open.value = false;
          }}
          done={done}
        />
      )}
    </>
  );
}

function MoveDialog({
  extId,
  row,
  dates,
  close,
  done,
}: {
  extId: string;
  row: PersonPunch;
  dates: readonly string[];
  close: () => void;
  done: () => void;
}) {
  const date = useSignal(dates[0]!);
  const problem = useSignal<Problem | null>(null);
  const preview = useSignal<Preview | null>(null);
  const text = correctionWords.value;
  const item = { ext_id: extId, checkin: row.id, work_date: date.value };
  useEffect(() => {
    let isShown = true;
    preview.value = null;
    problem.value = null;
    post('/attendance/previews/move', item).then(
      found => {
        if (isShown) preview.value = found;
      },
      error => {
        if (isShown) problem.value = inWords(error);
      },
    );
    return () => {
      isShown = false;
    };
  }, [date.value]);
  const run = async (form: FormData) => {
    await post('/attendance/corrections', { kind: 'move_to', items: [item], reason: written(form, 'reason') });
    close();
    done();
  };
  return (
    <AskDialog title={text.moveTitle(moment(row.at * 1000))} go={text.moveGo} run={run} inWords={inWords} close={close}>
      <p class="quiet">{text.moveHint}</p>
      <Choice
        label={text.moveTo}
        name="work_date"
        value={date.value}
        onChange={event => {
          date.value = event.currentTarget.value;
        }}
      >
        {dates.map(one => (
          <option key={one} value={one}>
            {dayName(one)}
          </option>
        ))}
      </Choice>
      <ProblemNotice problem={problem.value} />
      <div aria-live="polite">{preview.value && <Changes days={preview.value.days} />}</div>
      <Reason />
    </AskDialog>
  );
}

const Changes = ({ days }: Preview) => (
  <ul class="plain" aria-label={correctionWords.value.moveChanges}>
    {days.map(({ date, before, after }) => (
      <li key={date}>
        <b>{dayName(date)}</b>: {inShort(before)} → {inShort(after)}
      </li>
    ))}
  </ul>
);

type Day = Preview['days'][number]['before'];

/** `missing out, 0:00`. */
const inShort = (day: Day): string =>
  `${wordsOf(day)}, ${correctionWords.value.workedHours(hours(day.minutes.worked))}`;
