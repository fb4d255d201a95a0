import { addDays } from '../../../../src/runtime/calendar-date.ts';
import { type Problem, post, problemIn } from '../../api.ts';
import { AskButton } from '../../parts/ask-dialog.tsx';
import { Choice, Field, text as written } from '../../parts/field.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { Reason } from '../attendance/correcting.tsx';
import { kindsOfLeave, kindWords } from '../schedules/words.ts';
import { said } from './words.ts';

export const inWords = (problem: Problem): Problem => problemIn(said.value.problems, problem);

/** Asks for a check-in that is missing on a day. */
export function AskCheckIn({ day, asked }: { day: string; asked: () => void }) {
  const text = said.value;
  return (
    <AskButton
      label={text.missingTitle}
      title={text.missingTitle}
      go={text.ask}
      run={form =>
        post('/own-page/corrections', {
          time: `${written(form, 'date')}T${written(form, 'time')}`,
          reason: written(form, 'reason'),
        })
      }
      inWords={inWords}
      done={() => {
        sayDone(text.asked);
        asked();
      }}
    >
      <Field label={text.day} name="date" type="date" defaultValue={day} required />
      <Field label={text.time} name="time" type="time" required />
      <Reason />
    </AskButton>
  );
}

/** Asks for leave, in whole days. */
export function AskLeave({ day, asked }: { day: string; asked: () => void }) {
  const text = said.value;
  return (
    <AskButton
      label={text.askLeave}
      title={text.askLeave}
      go={text.ask}
      run={form =>
        post('/own-page/leaves', {
          from: `${written(form, 'from')}T00:00`,
          to: `${addDays(written(form, 'to'), 1)}T00:00`,
          kind: written(form, 'kind'),
          reason: written(form, 'reason'),
        })
      }
      inWords={inWords}
      done={() => {
        sayDone(text.asked);
        asked();
      }}
    >
      <Field label={text.firstDay} name="from" type="date" defaultValue={day} required />
      <Field label={text.lastDay} name="to" type="date" defaultValue={day} required />
      <Choice label={text.kind} name="kind">
        {kindsOfLeave.map(one => (
          <option key={one} value={one}>
            {kindWords(one)}
          </option>
        ))}
      </Choice>
      <Field label={text.reason} name="reason" maxLength={200} autocomplete="off" />
    </AskButton>
  );
}
