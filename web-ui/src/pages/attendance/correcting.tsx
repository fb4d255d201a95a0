import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { type Problem, post, problemIn } from '../../api.ts';
import { AskButton } from '../../parts/ask-dialog.tsx';
import { useDoing } from '../../parts/doing.ts';
import { Choice, Field, text as written } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { offsetsAt } from '../../parts/site-time.ts';
import { correctionWords } from './correction-words.ts';

/** Reasons that are often given; any other text will do as well. */
export function Reason() {
  const list = useId();
  const text = correctionWords.value;
  return (
    <>
      <Field label={text.reason} name="reason" list={list} required maxLength={200} autocomplete="off" />
      <datalist id={list}>
        {text.reasons.map(reason => (
          <option key={reason} value={reason} />
        ))}
      </datalist>
    </>
  );
}

/** A refusal in the language of the page. */
export const inWords = (problem: Problem): Problem => problemIn(correctionWords.value.problems, problem);

/** Adds a check-in; `time` is what the plan expects, such as `18:00`. */
export function AddCheckIn({
  extId,
  day,
  time,
  twoPersons,
  done,
}: {
  extId: string;
  day: string;
  time: string;
  twoPersons: boolean;
  done: () => void;
}) {
  const { busy, refused, run } = useDoing(inWords);
  /** Of the time that is written; two, where the clocks show it twice. */
  const offsets = useSignal(offsetsAt(`${day}T${time}`));
  const text = correctionWords.value;
  const save = (form: HTMLFormElement) =>
    run(async () => {
      const data = new FormData(form);
      const at = `${written(data, 'date')}T${written(data, 'time')}`;
      const items = [{ ext_id: extId, time: `${at}${written(data, 'offset')}` }];
      await post('/attendance/corrections', { kind: 'add', items, reason: written(data, 'reason') });
      form.reset();
      offsets.value = offsetsAt(`${day}T${time}`);
      done();
    });
  return (
    <section class="no-print" aria-labelledby="add-checkin">
      <h2 id="add-checkin">{text.add}</h2>
      <p class="quiet">
        {text.addHint} {twoPersons && text.waits}
      </p>
      <ProblemNotice problem={refused.value} />
      <form
        class="bar"
        onInput={event => {
          const data = new FormData(event.currentTarget);
          offsets.value = offsetsAt(`${written(data, 'date')}T${written(data, 'time')}`);
        }}
        onSubmit={event => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        <Field label={text.date} name="date" type="date" defaultValue={day} required />
        <Field label={text.time} name="time" type="time" defaultValue={time} required />
        {offsets.value.length > 1 && (
          <Choice label={text.which} name="offset">
            {offsets.value.map((offset, place) => (
              <option key={offset} value={offset}>
                {(place === 0 ? text.whichFirst : text.whichSecond)(offset)}
              </option>
            ))}
          </Choice>
        )}
        <Reason />
        <button type="submit" class="act go" disabled={busy.value}>
          {text.save}
        </button>
      </form>
    </section>
  );
}

/** A button that asks for the reason, and then does it. */
export function WithReason({
  label,
  title,
  hint,
  danger,
  run,
  done,
}: {
  label: string;
  title: string;
  hint: string;
  danger?: boolean;
  run: (reason: string) => Promise<unknown>;
  done: () => void;
}) {
  return (
    <AskButton
      label={label}
      name={title}
      title={title}
      go={label}
      danger={danger ?? false}
      run={form => run(written(form, 'reason'))}
      inWords={inWords}
      done={done}
    >
      <p class="quiet">{hint}</p>
      <Reason />
    </AskButton>
  );
}
