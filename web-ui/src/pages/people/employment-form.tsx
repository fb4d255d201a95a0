import type { ListedPerson } from '../../../../src/admin/ui/people-lists.ts';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { put } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Field, text as written } from '../../parts/field.tsx';
import { Loading, ProblemNotice, Refused } from '../../parts/notices.tsx';
import { day } from '../../parts/numbers.ts';
import { words } from '../../words/index.ts';
import { useDoing } from './doing.ts';
import { said } from './words.ts';

type Employment = AnswerOf<'get', '/people/{ext_id}/employment'>;
type Done = (sentence: string) => void;

/** Whether the last day is over, by the clock of the reader. */
export const hasLeft = ({ employed_to: to }: ListedPerson): boolean => to !== null && to < day(Date.now());

/**
 * When a person is employed: that somebody has left on a day, or is back from one, which keeps what
 * was before.
 */
export function EmploymentForm({ person, close, done }: { person: ListedPerson; close: () => void; done: Done }) {
  const { loaded, reload } = useLoaded('/people/{ext_id}/employment', { ext_id: person.ext_id });
  const { data, problem } = loaded.value;
  const text = said.value;
  return (
    <Dialog title={hasLeft(person) ? text.isBackOf(person.name) : text.hasLeftOf(person.name)} close={close}>
      <ProblemNotice problem={problem} again={reload} />
      {data ? <Stints person={person} known={data} close={close} done={done} /> : !problem && <Loading rows={2} />}
    </Dialog>
  );
}

function Stints({
  person,
  known,
  close,
  done,
}: {
  person: ListedPerson;
  known: Employment;
  close: () => void;
  done: Done;
}) {
  const { busy, refused, run } = useDoing();
  const text = said.value;
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const dayOf = (name: string) => written(form, name) || null;
    const stints = [
      ...known.earlier.map((_, place) => ({ from: dayOf(`from ${place}`), to: dayOf(`to ${place}`) })),
      { from: dayOf('from'), to: dayOf('to') },
    ].filter(({ from, to }) => from !== null || to !== null);
    const back = dayOf('back');
    if (back !== null) stints.push({ from: back, to: null });
    const last = stints.pop() ?? { from: null, to: null };
    void run(async () => {
      await put('/people/{ext_id}/employment', { ext_id: person.ext_id, ...last, earlier: stints });
      if (back !== null) done(text.isBackFrom(person.name, back));
      else done(last.to === null ? text.isBack(person.name) : text.leftOn(person.name, last.to));
    });
  };
  return (
    <form class="fields" onSubmit={save}>
      {!hasLeft(person) && <p>{text.hasLeftLead}</p>}
      {known.to !== null && <Field label={text.back} hint={text.backHint(known.to)} type="date" name="back" />}
      <Field
        label={text.lastDay}
        hint={text.lastDayHint}
        type="date"
        name="to"
        defaultValue={known.to ?? day(Date.now())}
      />
      <details>
        <summary>{text.firstDay}</summary>
        <Field label={text.firstDay} hint={text.firstDayHint} type="date" name="from" defaultValue={known.from ?? ''} />
      </details>
      {known.earlier.length > 0 && (
        <details>
          <summary>{text.earlier}</summary>
          <p class="quiet">{text.earlierHint}</p>
          {known.earlier.map(({ from, to }, place) => (
            <fieldset key={place}>
              <legend>
                {from ?? '…'} – {to}
              </legend>
              <Field label={text.firstDay} type="date" name={`from ${place}`} defaultValue={from ?? ''} />
              <Field label={text.lastDay} type="date" name={`to ${place}`} defaultValue={to ?? ''} />
            </fieldset>
          ))}
        </details>
      )}
      <Refused text={refused.value} />
      <DialogButtons go={words.value.act.save} busy={busy.value} close={close} />
    </form>
  );
}
